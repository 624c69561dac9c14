// What every refinement engine takes and returns.
//
// A run is joint: any number of graphs, one dictionary of colours. Round 0 is
// the initial colouring; round t the colouring after t refinements. Colours are
// numbered 0, 1, 2, ... in an order that depends only on the isomorphism types of
// the graphs: new colours are ordered by (old colour, value of the signature),
// never by first appearance. Two graphs differ at round t if their colour
// histograms do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

using GraphSpan = std::span<const Graph* const>;

using Histogram = std::vector<std::pair<Color, std::uint64_t>>;  // (colour, count), ascending

// The state after a round, for an observer.
struct RoundView {
  int round = 0;
  Color colors = 0;                                         // number of colours
  std::function<std::vector<Color>(std::size_t)> coloring;  // of a graph, one colour per tuple
  std::function<Histogram(std::size_t)> histogram;          // of a graph
};

struct RunOptions {
  std::optional<int> max_rounds;                   // stop after this many refinements
  bool until_distinguished = false;                // stop as soon as no two graphs are equal
  bool keep_coloring = false;                      // return the last colouring of every graph
  bool use_orbits = true;                          // refine one tuple of every orbit of the automorphism group
  unsigned hash_bits = 64;                         // tests set it low: collisions must not change a result
  std::uint64_t memory_limit = 0;                  // bytes; 0: nine tenths of what the system has available
  std::function<void(const RoundView&)> observer;  // called for every round, 0 included
};

struct RunResult {
  int rounds = 0;       // the last round whose colouring differs, as a partition, from the one before
  bool stable = false;  // no further round would change the partition
  Color colors = 0;
  // groups[t][g]: the smallest graph whose histograms equal those of g in all
  // rounds up to t. The last entry holds for every later round if stable.
  std::vector<std::vector<std::uint32_t>> groups;
  std::vector<std::vector<Color>> coloring;  // keep_coloring: one per graph, tuples in row-major order

  // The first round at which two graphs differ; none if they never do.
  std::optional<int> first_difference(std::size_t a, std::size_t b) const {
    for (std::size_t t = 0; t < groups.size(); ++t)
      if (groups[t][a] != groups[t][b]) return static_cast<int>(t);
    return std::nullopt;
  }
  bool all_different() const {
    for (std::size_t g = 0; g < groups.back().size(); ++g)
      if (groups.back()[g] != g) return false;
    return true;
  }
};

// Splits groups of graphs by one signature per graph: graphs stay together if
// they were together and have equal signatures.
template <class Signature>
std::vector<std::uint32_t> split_groups(const std::vector<std::uint32_t>& before,
                                        const std::vector<Signature>& signature) {
  auto less = [&](std::uint32_t a, std::uint32_t b) {
    return before[a] != before[b] ? before[a] < before[b] : signature[a] < signature[b];
  };
  std::set<std::uint32_t, decltype(less)> leaders(less);
  std::vector<std::uint32_t> after(before.size());
  for (std::uint32_t g = 0; g < before.size(); ++g) after[g] = *leaders.insert(g).first;
  return after;
}

}  // namespace leman::wl
