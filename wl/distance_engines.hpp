// Colour refinement with one value per pair of nodes.
//
//   1fwl  the atomic type: the folklore rule at k = 1, whose printed formula does not mention edges
//   spd   the shortest-path distance
//   rd    the resistance distance, compared as exact rationals: R = a / T with T the number of
//         spanning trees. R is computed modulo enough primes that values which agree modulo all of
//         them are equal
//
// spd and rd are for undirected graphs and do not see edge colours.
#pragma once

#include "wl/derived_engines.hpp"

namespace leman::wl {

Values atomic_values(const Graph& graph);
Values distance_values(const Graph& graph);
std::vector<Values> resistance_values(GraphSpan graphs);

RunResult refine_atomic(GraphSpan graphs, const RunOptions& options);
RunResult refine_distances(GraphSpan graphs, const RunOptions& options);
RunResult refine_resistances(GraphSpan graphs, const RunOptions& options);

std::uint64_t pair_values_memory(GraphSpan graphs);  // of 1fwl and spd
std::uint64_t resistances_memory(GraphSpan graphs);

}  // namespace leman::wl
