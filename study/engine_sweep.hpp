// Exact engines on pairs: every verdict, checked against what is proved about the pair.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "study/observer.hpp"
#include "wl/engine.hpp"

namespace leman::study {

struct SweepItem {
  const brec::Pair* pair = nullptr;
  const wl::Engine* engine = nullptr;
};

struct SweepRow {
  SweepItem item;
  wl::PairVerdict verdict;
  double seconds = 0;   // of CPU time
  std::string refused;  // for lack of memory: the estimate; empty: it was run
  bool run = false;     // false: refused, or interrupted before it began
};

// All engines on all pairs, pair by pair.
std::vector<SweepItem> sweep_items(const std::vector<const brec::Pair*>& pairs,
                                   const std::vector<const wl::Engine*>& engines);

// `memory`: bytes that one run may use; 0: what is free, shared by the threads. `keep` is called
// from the working threads, once per row that was run.
std::vector<SweepRow> sweep(const std::vector<SweepItem>& items, unsigned threads, std::uint64_t memory,
                            const Control& control, const std::function<void(const SweepRow&)>& keep = {});

// Verdicts that contradict what is proved about their pair, in words. A bug if there are any.
std::vector<std::string> contradictions(const std::vector<SweepRow>& rows);

}  // namespace leman::study
