// The main job: what a report runs where no run store is given. Every part goes to a store of its
// own, so that a second call does only what is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "study/observer.hpp"

namespace leman::study {

struct ReportPlan {
  std::string directory;  // of the stores
  bool full = false;      // everything: hours instead of minutes
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct PlanResult {
  std::vector<std::string> stores;  // files
  bool complete = false;            // false: interrupted; the same call goes on
};
// Throws OutputError, and InputError if a row could not be made.
PlanResult run_plan(const ReportPlan& plan, const brec::PairSet& set, const Control& control);

}  // namespace leman::study
