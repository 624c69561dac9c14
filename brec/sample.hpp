// The graphs on which BREC trains and tests a model, drawn from a seed.
#pragma once

#include "brec/pairs.hpp"

namespace leman::brec {

inline constexpr std::size_t kCouples = 32, kSampleGraphs = 4 * kCouples;

struct Sample {
  std::vector<wl::Graph> graphs;  // 64: G, H, G, H, ... relabelled; then 64 relabellings of one of the two
  // Couples before the first one that repeats a graph; fewer than 32 if a graph has
  // fewer relabellings.
  std::size_t couples, reliability_couples;
};

// The pair's own sample, if it brings one; the seed does not matter then.
Sample draw_sample(const Pair& pair, std::uint64_t seed);

// Throws InputError that names the file if the pair's own sample is not one: a graph is not
// isomorphic to the one it stands for.
void check_sample(const Pair& pair, const std::string& file);

}  // namespace leman::brec
