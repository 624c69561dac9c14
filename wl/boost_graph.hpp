// Converts a graph to Boost.Graph, for its algorithms (layouts, isomorphism). Kept out of
// wl/graph.hpp because Boost.Graph's headers take seconds to compile.
#pragma once

#include <boost/graph/adjacency_list.hpp>

#include "wl/graph.hpp"

namespace leman::wl {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

// Undirected and uncoloured: an arc becomes an edge. `Result` may have further properties.
template <class Result = BoostGraph>
Result to_boost(const Graph& graph) {
  Result result(graph.order());
  for (const Edge& e : graph.edges()) add_edge(e.u, e.v, result);
  return result;
}

}  // namespace leman::wl
