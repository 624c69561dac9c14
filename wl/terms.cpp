#include "wl/terms.hpp"

#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

using Kind = Term::Kind;

struct Pair {
  Node n, i, j;
  Pair(const Graph& graph, std::size_t index)
      : n(graph.order()), i(static_cast<Node>(index / n)), j(static_cast<Node>(index % n)) {}
  std::size_t row(Node l) const { return std::size_t{i} * n + l; }     // (i, l)
  std::size_t column(Node l) const { return std::size_t{l} * n + j; }  // (l, j)
};

void add_neighbors(std::vector<Term>& terms, Kind kind, std::span<const Node> next, std::span<const Color> edges,
                   std::span<const Color> coloring) {
  for (std::size_t k = 0; k < next.size(); ++k)
    terms.push_back({.kind = kind, .out = edges.empty() ? 0 : edges[k], .first = coloring[next[k]]});
}

}  // namespace

std::vector<Term> neighbor_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node) {
  const auto v = static_cast<Node>(node);
  std::vector<Term> terms;
  add_neighbors(terms, graph.directed() ? Kind::OutNeighbor : Kind::Neighbor, graph.neighbors(v),
                graph.neighbor_colors(v), coloring);
  if (graph.directed())
    add_neighbors(terms, Kind::InNeighbor, graph.in_neighbors(v), graph.in_neighbor_colors(v), coloring);
  return terms;
}

std::vector<Term> node_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node) {
  const auto v = static_cast<Node>(node);
  auto arc = [&](Node a, Node b) { return graph.has_edge(a, b) ? 1 + graph.edge_color(a, b) : 0; };
  std::vector<Term> terms;
  for (Node w = 0; w < graph.order(); ++w)
    if (w != v) terms.push_back({.kind = Kind::OtherNode, .out = arc(v, w), .in = arc(w, v), .first = coloring[w]});
  return terms;
}

std::vector<Term> distance_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node) {
  const std::vector<std::uint32_t> distance = distances(graph, static_cast<Node>(node));
  std::vector<Term> terms;
  for (Node w = 0; w < graph.order(); ++w)
    if (w != node) terms.push_back({.kind = Kind::Distance, .out = distance[w], .first = coloring[w]});
  return terms;
}

std::vector<Term> oblivious_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair) {
  const Pair p(graph, pair);
  std::vector<Term> terms;
  for (Node l = 0; l < p.n; ++l) {
    terms.push_back({.kind = Kind::Row, .first = coloring[p.row(l)]});
    terms.push_back({.kind = Kind::Column, .first = coloring[p.column(l)]});
  }
  return terms;
}

std::vector<Term> local_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair) {
  const Pair p(graph, pair);
  std::vector<Term> terms;
  auto rows = [&](Kind kind, std::span<const Node> next) {
    for (const Node l : next) terms.push_back({.kind = kind, .first = coloring[p.row(l)]});
  };
  auto columns = [&](Kind kind, std::span<const Node> next) {
    for (const Node l : next) terms.push_back({.kind = kind, .first = coloring[p.column(l)]});
  };
  rows(Kind::RowNeighbor, graph.neighbors(p.j));
  columns(Kind::ColumnNeighbor, graph.neighbors(p.i));
  if (!graph.directed()) return terms;
  rows(Kind::RowInNeighbor, graph.in_neighbors(p.j));
  columns(Kind::ColumnInNeighbor, graph.in_neighbors(p.i));
  return terms;
}

std::vector<Term> folklore_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair) {
  const Pair p(graph, pair);
  std::vector<Term> terms;
  for (Node l = 0; l < p.n; ++l)
    terms.push_back({.kind = Kind::Walk, .first = coloring[p.row(l)], .second = coloring[p.column(l)]});
  return terms;
}

}  // namespace leman::wl
