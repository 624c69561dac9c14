// Colour refinement from initial colours that describe a node's surroundings. Undirected graphs;
// node colours count, and for n1 and n2 edge colours too.
//
//   s3, s4  initial colour of v: for every connected graph on at most 3 (4) nodes and every orbit
//           of its nodes, the number of induced copies in which v lies in that orbit
//   n1, n2  initial colour of v: isomorphism type of the subgraph induced by the nodes within
//           distance 1 (2) of v, v marked
#pragma once

#include "wl/derived_engines.hpp"

namespace leman::wl {

Values subgraph_counts(const Graph& graph, int size);        // one per node
Values ego_types(const Graph& graph, std::uint32_t radius);  // one per node

template <int Size>
RunResult refine_subgraph_counts(GraphSpan graphs, const RunOptions& options) {
  demand_undirected(graphs);
  return refine_from_values(graphs, values_of_each(graphs, [](const Graph& g) { return subgraph_counts(g, Size); }),
                            options);
}
template <std::uint32_t Radius>
RunResult refine_ego_types(GraphSpan graphs, const RunOptions& options) {
  demand_undirected(graphs);
  return refine_from_values(graphs, values_of_each(graphs, [](const Graph& g) { return ego_types(g, Radius); }),
                            options);
}

}  // namespace leman::wl
