// All graphs of a given order, from nauty's generator geng, and the connected
// regular ones in lexicographic order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

struct EnumerateOptions {
  bool connected = false;
  std::optional<std::uint32_t> min_degree, max_degree;
  // Edges in a range; geng's own limits apply to the order (32).
  std::optional<std::uint64_t> min_edges, max_edges;
};

// One graph of every isomorphism class, in geng's order and labelling, as a
// stream: runs the program nauty-geng and reads its output. `visit` returns
// false to stop early. Throws InputError if the program is not installed.
void for_each_graph(Node order, const EnumerateOptions& options, const std::function<bool(const Graph&)>& visit);
std::vector<Graph> all_graphs(Node order, const EnumerateOptions& options = {});

// The labelling with the lexicographically smallest edge list (edges uv with
// u < v, sorted). Branches over the choices that keep the rows so far smallest;
// meant for orders up to about 12.
Graph smallest_edge_list(const Graph& graph);

// Connected k-regular graphs on n nodes, each in its smallest labelling, in
// lexicographic order of edge lists: the order of Meringer's GENREG.
std::vector<Graph> connected_regular_graphs(Node n, std::uint32_t k);

}  // namespace leman::wl
