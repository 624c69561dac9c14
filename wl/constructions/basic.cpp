#include "wl/constructions/basic.hpp"

#include <charconv>
#include <string>

#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

using Pairs = std::vector<std::pair<Node, Node>>;

// The whole text as a number, at most 2000, so that even a complete graph named
// this way fits into memory.
std::optional<Node> small_number(std::string_view text) {
  Node value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value > 2000) return std::nullopt;
  return value;
}

}  // namespace

Graph complete(Node n) { return complement(make_graph(n, {})); }

Graph complete_bipartite(Node a, Node b) {
  Pairs edges;
  for (Node u = 0; u < a; ++u)
    for (Node v = 0; v < b; ++v) edges.emplace_back(u, a + v);
  return make_graph(a + b, edges);
}

Graph cycle(Node n) {
  if (n < 3) throw UsageError("cycle: at least 3 nodes, not " + std::to_string(n));
  Pairs edges;
  for (Node v = 0; v < n; ++v) edges.emplace_back(v, (v + 1) % n);
  return make_graph(n, edges);
}

Graph path(Node n) {
  Pairs edges;
  for (Node v = 1; v < n; ++v) edges.emplace_back(v - 1, v);
  return make_graph(n, edges);
}

Graph grid(Node rows, Node columns) {
  Pairs edges;
  for (Node i = 0; i < rows; ++i)
    for (Node j = 0; j < columns; ++j) {
      if (i + 1 < rows) edges.emplace_back(i * columns + j, (i + 1) * columns + j);
      if (j + 1 < columns) edges.emplace_back(i * columns + j, i * columns + j + 1);
    }
  return make_graph(rows * columns, edges);
}

Graph petersen() {
  Pairs edges;
  for (Node v = 0; v < 5; ++v) {
    edges.emplace_back(v, (v + 1) % 5);
    edges.emplace_back(v, 5 + v);
    edges.emplace_back(5 + v, 5 + (v + 2) % 5);
  }
  return make_graph(10, edges);
}

Graph circular_skip_link(Node n, Node r) {
  if (n < 5 || r < 2 || r >= n - 1 || 2 * r == n)
    throw UsageError("circular skip link: needs n >= 5, 2 <= r <= n - 2 and 2r != n, not n = " + std::to_string(n) +
                     ", r = " + std::to_string(r));
  Pairs edges;
  for (Node v = 0; v < n; ++v) {
    edges.emplace_back(v, (v + 1) % n);
    edges.emplace_back(v, (v + r) % n);
  }
  return make_graph(n, edges);
}

Graph cone(const Graph& graph) {
  GraphData data = graph.data();
  for (Node v = 0; v < graph.order(); ++v) {
    data.edges.push_back({v, graph.order()});
    if (graph.directed()) data.edges.push_back({graph.order(), v});
  }
  ++data.order;
  if (graph.node_colored()) data.node_colors.push_back(0);
  return Graph(data);
}

std::optional<Graph> graph_by_name(std::string_view name) {
  if (name == "Petersen" || name == "petersen") return petersen();
  if (name.size() < 2) return std::nullopt;
  std::string_view rest = name.substr(1);
  std::size_t comma = rest.find(',');
  if (name[0] == 'K' && comma != rest.npos) {
    auto a = small_number(rest.substr(0, comma)), b = small_number(rest.substr(comma + 1));
    return a && b ? std::optional(complete_bipartite(*a, *b)) : std::nullopt;
  }
  auto n = small_number(rest);
  if (!n) return std::nullopt;
  switch (name[0]) {
    case 'K': return complete(*n);
    case 'C': return cycle(*n);
    case 'P': return path(*n);
    default: return std::nullopt;
  }
}

}  // namespace leman::wl
