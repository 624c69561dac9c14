// What a run store says, as text, JSON and CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "brec/store.hpp"
#include "cli/common.hpp"

namespace leman::cli {

// A row of a results table that somebody published; for comparison.
struct PublishedRow {
  std::string model;                // with its source
  std::vector<std::string> counts;  // Basic, Regular, Extension, CFI, all
};
// published.csv beside BREC's files; empty if it is not there.
std::vector<PublishedRow> published_rows(const std::string& brec_directory);

struct StudyResult {
  brec::Study study;
  std::vector<brec::StoredRun> runs;  // by seed, then pair
  std::vector<brec::EngineRun> engines;
  std::vector<PublishedRow> published;
  std::optional<std::size_t> missing;  // rows that were asked for and are not there; none: not known
};

std::string study_text(const StudyResult& result);
std::string study_json(const StudyResult& result, const Context& context);
std::string study_csv(const StudyResult& result);

// Pairs of a protocol that cannot err and that the model's bound cannot tell
// apart, yet counted: a bug. Empty if there are none.
std::string impossible(const StudyResult& result);

}  // namespace leman::cli
