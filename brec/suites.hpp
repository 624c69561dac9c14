// The sources of pairs: one registry of suites.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "brec/pairs.hpp"

namespace leman::brec {

// What the user asks for.
struct SuiteRequest {
  std::string own = {};   // file or directory with pairs of the user's own
  std::string brec = {};  // BREC's files; empty: $LEMAN_BREC, ../shared/brec
  bool builtin = false;   // use the built-in pairs even if BREC's files are present
};

struct Suite {
  std::string_view name, description;
  // The pairs, if the request means this suite; no value: try the next one.
  std::optional<PairSet> (*load)(const SuiteRequest& request);
};
const std::vector<Suite>& suites();  // in the order in which they are tried

// The first suite that the request fits. Throws UsageError, InputError.
PairSet load_suite(const SuiteRequest& request);
// Command-line options that load these pairs again.
std::string suite_options(const PairSet& set);

// All graphs as text, with samples that the pairs bring; the digest of a set is the digest of this text.
std::string graphs_text(const PairSet& set);

// A row of a published results table, for comparison.
struct PublishedRow {
  std::string model;                // with its source
  std::vector<std::string> counts;  // Basic, Regular, Extension, CFI, all
};
// The rows of published.csv beside BREC's files; empty if that file is missing or these are other
// pairs. Throws InputError.
std::vector<PublishedRow> published_rows(const PairSet& set);

}  // namespace leman::brec
