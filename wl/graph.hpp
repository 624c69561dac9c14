// The graph that every engine takes: finite, without loops or parallel edges,
// directed or not, with optional node colours and edge colours, immutable.
//
// Adjacency lives in compressed sparse rows: one row per node, neighbours in ascending order. An
// undirected edge is stored as two arcs. A directed graph keeps a second set of rows for its
// incoming arcs. The common case, undirected and uncoloured, pays for nothing else.
// wl/boost_graph.hpp converts a graph to Boost.Graph, for its algorithms.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace leman::wl {

using Node = std::uint32_t;
using Color = std::uint32_t;

struct Edge {
  Node u = 0;
  Node v = 0;
  Color color = 0;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

// What a graph is built from: plain data, not yet checked.
struct GraphData {
  Node order = 0;
  bool directed = false;
  std::vector<Edge> edges;         // in any order; in a directed graph, arcs u -> v
  std::vector<Color> node_colors;  // one per node, or empty: all nodes have colour 0
};

class Graph {
 public:
  Graph() : Graph(GraphData{}) {}

  // Checks everything: nodes in range, no loop, no duplicate, as many node
  // colours as nodes. Throws a GraphError that names the edge. O(n + m) if the
  // edges are sorted by (larger end, smaller end), as in graph6, O(n + m log m)
  // otherwise.
  explicit Graph(const GraphData& data);

  Node order() const { return order_; }
  std::uint64_t size() const { return arc_count() / (directed_ ? 1 : 2); }  // number of edges
  bool directed() const { return directed_; }
  bool node_colored() const { return !node_colors_.empty(); }
  bool edge_colored() const { return !out_colors_.empty(); }

  // Neighbours in ascending order; for a directed graph the heads of v's arcs.
  std::span<const Node> neighbors(Node v) const { return row(out_, v); }
  std::span<const Node> in_neighbors(Node v) const { return row(directed_ ? *in_ : out_, v); }
  std::uint32_t degree(Node v) const { return static_cast<std::uint32_t>(neighbors(v).size()); }
  // Colours of the edges to neighbors(v), in the same order; empty if the graph
  // has no edge colours.
  std::span<const Color> neighbor_colors(Node v) const { return colors(out_, out_colors_, v); }
  std::span<const Color> in_neighbor_colors(Node v) const {
    return directed_ ? colors(*in_, in_colors_, v) : neighbor_colors(v);
  }

  Color node_color(Node v) const { return node_colors_.empty() ? 0 : node_colors_[v]; }
  const std::vector<Color>& node_colors() const { return node_colors_; }
  bool has_edge(Node u, Node v) const;
  Color edge_color(Node u, Node v) const;  // 0 if uncoloured; u -> v must be an edge

  // Every edge once, undirected ones with u < v, sorted by (larger end,
  // smaller end); arcs of a directed graph by (u, v).
  std::vector<Edge> edges() const;
  GraphData data() const { return {order_, directed_, edges(), node_colors_}; }

  // Verifies every invariant stated beside the members; throws BugError.
  void check() const;

  friend bool operator==(const Graph& a, const Graph& b);

 private:
  struct Rows {
    std::vector<std::uint32_t> start;  // order + 1, ascending; row v is column[start[v] .. start[v+1])
    std::vector<Node> column;
    explicit Rows(Node order) : start(std::size_t{order} + 1) {}
    void fill(std::span<const Edge> edges, bool forward, bool backward, std::vector<Color>* colors);
    friend bool operator==(const Rows&, const Rows&) = default;
  };
  static std::span<const Node> row(const Rows& rows, Node v) {
    return {rows.column.data() + rows.start[v], rows.start[v + 1] - rows.start[v]};
  }
  static std::span<const Color> colors(const Rows& rows, const std::vector<Color>& all, Node v) {
    if (all.empty()) return {};
    return {all.data() + rows.start[v], rows.start[v + 1] - rows.start[v]};
  }
  std::uint64_t arc_count() const { return out_.column.size(); }
  void build_rows(std::span<const Edge> sorted);

  Node order_;
  bool directed_;
  Rows out_;                        // order_ rows, each strictly ascending, symmetric if undirected
  std::optional<Rows> in_;          // directed: the transpose of out_; undirected: none
  std::vector<Color> out_colors_;   // empty, or one per column of out_, symmetric if undirected
  std::vector<Color> in_colors_;    // empty, or one per column of in_
  std::vector<Color> node_colors_;  // empty (all 0), or order_ entries, not all 0
};

}  // namespace leman::wl
