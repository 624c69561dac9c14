// What WL variants that other papers use as baselines have in common: colour refinement after a
// preparation that gives every node, or every pair of nodes, an exact value.
#pragma once

#include <vector>

#include "wl/coloring.hpp"

namespace leman::wl {

// An exact value, compared in full.
using Value = std::vector<std::uint64_t>;
// One per node, or one per pair of nodes in row-major order.
using Values = std::vector<Value>;

// Numbers for values, ascending by value over all graphs.
std::vector<std::vector<Color>> rank_values(const std::vector<Values>& values);

// Colour refinement from initial values of nodes, or with values of pairs: every two nodes are
// joined by an edge that the value colours.
RunResult refine_from_values(GraphSpan graphs, const std::vector<Values>& nodes, const RunOptions& options);
RunResult refine_with_pairs(GraphSpan graphs, const std::vector<Values>& pairs, const RunOptions& options);

void demand_undirected(GraphSpan graphs);  // throws UsageError
// Bytes of `per_pair` bytes for every pair of nodes.
std::uint64_t matrix_bytes(GraphSpan graphs, std::uint64_t per_pair);

template <class Function>
std::vector<Values> values_of_each(GraphSpan graphs, Function values) {
  std::vector<Values> result;
  for (const Graph* g : graphs) result.push_back(values(*g));
  return result;
}

}  // namespace leman::wl
