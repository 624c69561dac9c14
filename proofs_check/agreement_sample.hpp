// The graphs on which agreement is tested: random families, drawn from a seed in
// chunks. A chunk depends only on its description and the seed, so chunks can run in
// any order, on any number of threads, and again after an interruption.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::proofs {

struct Chunk {
  std::string family;  // one of random_families(), or the user's graphs
  wl::Node order = 0;  // nominal: CFI graphs and lifts have the next smaller possible order
  bool colored = false;
  std::size_t graphs = 0;
  friend bool operator==(const Chunk&, const Chunk&) = default;
};

struct RandomFamily {
  std::string name, description;
};
const std::vector<RandomFamily>& random_families();

// `count` graphs spread evenly over families, orders low..high and, if
// `colors` > 0, colours off and on.
std::vector<Chunk> sample_chunks(const std::vector<std::string>& families, wl::Node low, wl::Node high,
                                 std::size_t count, bool colors);

// The graphs of a chunk; coloured ones have node colours 0 .. colors-1, uniform.
std::vector<wl::Graph> draw_chunk(const Chunk& chunk, std::uint32_t colors, std::uint64_t seed);

}  // namespace leman::proofs
