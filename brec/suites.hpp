// Where pairs come from: one registry of suites.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "brec/pairs.hpp"

namespace leman::brec {

// What the user asks for.
struct SuiteRequest {
  std::string directory;  // with BREC's files; empty: $LEMAN_BREC, ../shared/brec
  bool builtin = false;   // the built-in pairs even where BREC's files are at hand
};

struct Suite {
  std::string_view name, description;
  // The pairs, if this suite is what the request means; none: try the next.
  std::optional<PairSet> (*load)(const SuiteRequest& request);
};
const std::vector<Suite>& suites();  // in the order in which they are tried

// The first suite that the request fits. Throws UsageError, InputError.
PairSet load_suite(const SuiteRequest& request);
// The options of a command that load these pairs again.
std::string suite_options(const PairSet& set);

// All graphs as text; the digest of a set is that of this.
std::string graphs_text(const PairSet& set);

// A row of a results table that somebody published; for comparison.
struct PublishedRow {
  std::string model;                // with its source
  std::vector<std::string> counts;  // Basic, Regular, Extension, CFI, all
};
// published.csv beside BREC's files; empty if it is not there or the pairs are others. Throws
// InputError.
std::vector<PublishedRow> published_rows(const PairSet& set);

}  // namespace leman::brec
