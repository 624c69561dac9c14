// The graphs on which BREC trains and tests a model, drawn from a seed.
#pragma once

#include "brec/pairs.hpp"

namespace leman::brec {

inline constexpr std::size_t kCouples = 32;

struct Sample {
  std::vector<wl::Graph> graphs;  // 64: G, H, G, H, ... relabelled; then 64 relabellings of one of the two
  // Couples before the first one that repeats a graph; fewer than 32 if a graph has
  // fewer relabellings.
  std::size_t couples, reliability_couples;
};

Sample draw_sample(const Pair& pair, std::uint64_t seed);

}  // namespace leman::brec
