#include "wl/derived_engines.hpp"

#include <map>

#include "wl/graph_ops.hpp"
#include "wl/node_refinement.hpp"

namespace leman::wl {

std::vector<std::vector<Color>> rank_values(const std::vector<Values>& values) {
  std::map<Value, Color> rank;
  for (const auto& graph : values)
    for (const Value& value : graph) rank.emplace(value, 0);
  Color next = 0;
  for (auto& entry : rank) entry.second = next++;
  std::vector<std::vector<Color>> result;
  for (const auto& graph : values) {
    result.emplace_back();
    for (const Value& value : graph) result.back().push_back(rank.at(value));
  }
  return result;
}

RunResult refine_from_values(GraphSpan graphs, const std::vector<Values>& nodes, const RunOptions& options) {
  return refine_nodes(graphs, options, rank_values(nodes));
}

RunResult refine_with_pairs(GraphSpan graphs, const std::vector<Values>& pairs, const RunOptions& options) {
  auto ranks = rank_values(pairs);
  std::vector<Graph> complete;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    Node n = graphs[g]->order();
    GraphData data{.order = n, .directed = graphs[g]->directed(), .edges = {}, .node_colors = graphs[g]->node_colors()};
    for (Node v = 0; v < n; ++v)
      for (Node u = 0; u < n; ++u)
        if (u < v || (data.directed && u != v)) data.edges.push_back({u, v, ranks[g][std::size_t{u} * n + v]});
    complete.emplace_back(data);
  }
  return refine_nodes(pointers_to(complete), options);
}

void demand_undirected(GraphSpan graphs) {
  for (const Graph* g : graphs)
    if (g->directed()) throw UsageError("this engine is for undirected graphs");
}

std::uint64_t matrix_bytes(GraphSpan graphs, std::uint64_t per_pair) {
  double bytes = 0;
  for (const Graph* g : graphs) bytes += static_cast<double>(g->order()) * g->order() * static_cast<double>(per_pair);
  return bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes);
}

}  // namespace leman::wl
