// Graphs made from graphs, and basic properties of graphs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

// An undirected, uncoloured graph from its edges.
Graph make_graph(Node order, std::span<const std::pair<Node, Node>> edges);

// Node v becomes image[v] and keeps its colour. `image` must be a permutation.
Graph relabel(const Graph& graph, std::span<const Node> image);
// The nodes of b follow those of a. Both must be directed or both undirected.
Graph disjoint_union(const Graph& a, const Graph& b);
Graph without_colors(const Graph& graph);                                // of nodes and edges
Graph complement(const Graph& graph);                                    // undirected, uncoloured
Graph induced_subgraph(const Graph& graph, std::span<const Node> keep);  // keep[i] becomes node i

// Drops self-loops and repeated edges and tells how many. Throws GraphError if an edge is there twice
// with different colours; `name` is what its file calls a node.
std::uint64_t drop_repeats(
    GraphData& data, const std::function<std::string(Node)>& name = [](Node v) { return std::to_string(v); });

// Pointers to the graphs, as a joint run takes them.
inline std::vector<const Graph*> pointers_to(std::span<const Graph> graphs) {
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  return pointers;
}

// The relation of every ordered pair of nodes, row-major: 0 equal, 1 neither
// equal nor joined, 2 + c an edge of colour c. Atomic types consist of these.
std::vector<std::uint64_t> relation_matrix(const Graph& graph);

bool is_connected(const Graph& graph);                           // directions are ignored; the empty graph is connected
std::vector<std::uint32_t> degree_sequence(const Graph& graph);  // ascending
std::optional<std::uint32_t> regular_degree(const Graph& graph);
// Length of a shortest path from `source`; UINT32_MAX where there is none.
std::vector<std::uint32_t> distances(const Graph& graph, Node source);

// Parameters (n, k, lambda, mu) of a strongly regular graph that is neither
// complete nor empty.
struct StronglyRegular {
  std::uint32_t n, k, lambda, mu;
  friend bool operator==(const StronglyRegular&, const StronglyRegular&) = default;
};
std::optional<StronglyRegular> strongly_regular(const Graph& graph);

// Intersection array {b_0, ..., b_(d-1); c_1, ..., c_d} of a distance-regular
// graph of diameter d: a node at distance i from x has b_i neighbours one
// further and c_i one nearer, whatever x.
struct IntersectionArray {
  std::vector<std::uint32_t> b, c;
  friend bool operator==(const IntersectionArray&, const IntersectionArray&) = default;
};
std::optional<IntersectionArray> intersection_array(const Graph& graph);

}  // namespace leman::wl
