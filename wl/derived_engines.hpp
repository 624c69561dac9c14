// Shared code of the WL variants that other papers use as baselines: colour refinement after a
// preparation that gives every node, or every pair of nodes, an exact value.
#pragma once

#include <vector>

#include "wl/coloring.hpp"

namespace leman::wl {

// An exact value, compared in full.
using Value = std::vector<std::uint64_t>;
// One per node, or one per pair of nodes in row-major order.
using Values = std::vector<Value>;

// Numbers the values in ascending order over all graphs.
std::vector<std::vector<Color>> rank_values(const std::vector<Values>& values);

// Colour refinement from initial node values, or with pair values: every two nodes are joined by an
// edge coloured by their value.
RunResult refine_from_values(GraphSpan graphs, const std::vector<Values>& nodes, const RunOptions& options);
RunResult refine_with_pairs(GraphSpan graphs, const std::vector<Values>& pairs, const RunOptions& options);

void demand_undirected(GraphSpan graphs);  // throws UsageError
// Total bytes at `per_pair` bytes per pair of nodes.
std::uint64_t matrix_bytes(GraphSpan graphs, std::uint64_t per_pair);

template <class Function>
std::vector<Values> values_of_each(GraphSpan graphs, Function values) {
  std::vector<Values> result;
  for (const Graph* g : graphs) result.push_back(values(*g));
  return result;
}

}  // namespace leman::wl
