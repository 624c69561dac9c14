// What a protocol of BREC does to one pair: relabel, train, test. Plain data;
// the training half (protocol.cpp) is linked with LibTorch.
#pragma once

#include <cstdint>
#include <vector>

#include "brec/pairs.hpp"

namespace leman::brec {

// One pair and one seed.
struct PairRun {
  int pair = 0;
  std::uint64_t seed = 0;
  double t2 = 0, reliability_t2 = 0;  // of 32 couples (G, H), and of 32 couples of one graph
  bool distinguished = false;         // as the protocol counts it
  bool reliable = false;              // the reliability test found nothing
  int epochs = 0;
  std::vector<double> losses;     // mean of every epoch
  std::vector<double> gradients;  // largest norm of the loss's gradient in every epoch
  std::size_t distinct = 0;       // relabellings of G that differ, of 32
  double seconds = 0;             // of CPU time
};

// As published, quirks included (docs/brec.md): float32, T^2 without its factor
// and with LibTorch's pseudo-inverse, batch norm that makes two kinds of rows
// opposite, counted without regard to the reliability test.
PairRun run_published(const Pair& pair, std::uint64_t seed);

// The T^2 that the published protocol compares with.
inline constexpr double kPublishedThreshold = 72.34;
// The pairs that it was published for: those that 3-WL distinguishes.
inline constexpr const char* kPublishedPairs = "0-109,160-319";

}  // namespace leman::brec
