#include "wl/graph_ops.hpp"

#include <algorithm>

#include "wl/bit_matrix.hpp"

namespace leman::wl {

Graph make_graph(Node order, std::span<const std::pair<Node, Node>> edges) {
  GraphData data{.order = order, .directed = false, .edges = {}, .node_colors = {}};
  for (auto [u, v] : edges) data.edges.push_back({u, v});
  return Graph(data);
}

Graph relabel(const Graph& graph, std::span<const Node> image) {
  std::vector<bool> used(graph.order());
  if (image.size() != graph.order()) throw UsageError("relabel: one image a node is needed");
  for (Node x : image) {
    if (x >= graph.order() || used[x]) throw UsageError("relabel: not a permutation");
    used[x] = true;
  }
  GraphData data = graph.data();
  for (Edge& e : data.edges) e.u = image[e.u], e.v = image[e.v];
  for (Node v = 0; v < graph.order() && graph.node_colored(); ++v) data.node_colors[image[v]] = graph.node_color(v);
  return Graph(data);
}

Graph disjoint_union(const Graph& a, const Graph& b) {
  if (a.directed() != b.directed()) throw UsageError("disjoint_union: one directed graph, one not");
  GraphData data = a.data();
  data.order += b.order();
  for (Edge e : b.edges()) data.edges.push_back({e.u + a.order(), e.v + a.order(), e.color});
  data.node_colors.clear();
  for (Node v = 0; v < a.order(); ++v) data.node_colors.push_back(a.node_color(v));
  for (Node v = 0; v < b.order(); ++v) data.node_colors.push_back(b.node_color(v));
  return Graph(data);
}

Graph without_colors(const Graph& graph) {
  GraphData data = graph.data();
  data.node_colors.clear();
  for (Edge& e : data.edges) e.color = 0;
  return Graph(data);
}

Graph complement(const Graph& graph) {
  BitMatrix bits(graph);
  for (Node v = 1; v < graph.order(); ++v)
    for (Node u = 0; u < v; ++u) bits.flip_edge(u, v);
  return graph_of(bits);
}

Graph induced_subgraph(const Graph& graph, std::span<const Node> keep) {
  constexpr Node gone = UINT32_MAX;
  std::vector<Node> image(graph.order(), gone);
  GraphData data{.order = static_cast<Node>(keep.size()), .directed = graph.directed(), .edges = {}, .node_colors = {}};
  for (std::size_t i = 0; i < keep.size(); ++i) {
    image.at(keep[i]) = static_cast<Node>(i);
    data.node_colors.push_back(graph.node_color(keep[i]));
  }
  for (const Edge& e : graph.edges())
    if (image[e.u] != gone && image[e.v] != gone) data.edges.push_back({image[e.u], image[e.v], e.color});
  return Graph(data);
}

std::uint64_t drop_repeats(GraphData& data, const std::function<std::string(Node)>& name) {
  auto key = [&](const Edge& e) {
    return data.directed ? std::pair(e.u, e.v) : std::pair(std::max(e.u, e.v), std::min(e.u, e.v));
  };
  const std::size_t before = data.edges.size();
  std::erase_if(data.edges, [](const Edge& e) { return e.u == e.v; });
  std::stable_sort(data.edges.begin(), data.edges.end(), [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
  auto same = [&](const Edge& a, const Edge& b) {
    if (key(a) != key(b)) return false;
    if (a.color != b.color)
      throw GraphError("edge " + name(a.u) + "-" + name(a.v) + " is there twice with colours " +
                       std::to_string(a.color) + " and " + std::to_string(b.color));
    return true;
  };
  data.edges.erase(std::unique(data.edges.begin(), data.edges.end(), same), data.edges.end());
  return before - data.edges.size();
}

std::vector<std::uint64_t> relation_matrix(const Graph& graph) {
  std::size_t n = graph.order();
  std::vector<std::uint64_t> relation(n * n, 1);
  for (Node u = 0; u < n; ++u) {
    relation[u * n + u] = 0;
    auto next = graph.neighbors(u);
    auto colors = graph.neighbor_colors(u);
    for (std::size_t i = 0; i < next.size(); ++i)
      relation[u * n + next[i]] = 2 + std::uint64_t{colors.empty() ? 0 : colors[i]};
  }
  return relation;
}

bool is_connected(const Graph& graph) {
  if (graph.order() == 0) return true;
  std::vector<bool> seen(graph.order());
  std::vector<Node> stack{0};
  seen[0] = true;
  Node count = 1;
  auto visit = [&](std::span<const Node> next) {
    for (Node w : next)
      if (!seen[w]) seen[w] = true, ++count, stack.push_back(w);
  };
  while (!stack.empty()) {
    Node v = stack.back();
    stack.pop_back();
    visit(graph.neighbors(v));
    if (graph.directed()) visit(graph.in_neighbors(v));
  }
  return count == graph.order();
}

std::vector<std::uint32_t> degree_sequence(const Graph& graph) {
  std::vector<std::uint32_t> degrees(graph.order());
  for (Node v = 0; v < graph.order(); ++v) degrees[v] = graph.degree(v);
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

std::optional<std::uint32_t> regular_degree(const Graph& graph) {
  auto degrees = degree_sequence(graph);
  if (degrees.empty() || degrees.front() != degrees.back()) return std::nullopt;
  return degrees.front();
}

std::vector<std::uint32_t> distances(const Graph& graph, Node source) {
  std::vector<std::uint32_t> distance(graph.order(), UINT32_MAX);
  std::vector<Node> queue{source};
  distance[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (Node w : graph.neighbors(queue[head]))
      if (distance[w] == UINT32_MAX) distance[w] = distance[queue[head]] + 1, queue.push_back(w);
  return distance;
}

std::optional<StronglyRegular> strongly_regular(const Graph& graph) {
  auto degree = regular_degree(graph);
  Node n = graph.order();
  if (!degree || *degree == 0 || *degree == n - 1) return std::nullopt;
  BitMatrix bits(graph);
  std::optional<std::uint32_t> common[2];  // of non-adjacent, of adjacent nodes
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u) {
      auto& expected = common[bits.test(u, v)];
      std::uint32_t count = bits.common(u, v);
      if (!expected) expected = count;
      if (*expected != count) return std::nullopt;
    }
  return StronglyRegular{n, *degree, *common[1], *common[0]};
}

std::optional<IntersectionArray> intersection_array(const Graph& graph) {
  if (graph.order() == 0 || !is_connected(graph)) return std::nullopt;
  std::vector<std::optional<std::pair<std::uint32_t, std::uint32_t>>> level;  // (b_i, c_i)
  for (Node x = 0; x < graph.order(); ++x) {
    auto d = distances(graph, x);
    for (Node y = 0; y < graph.order(); ++y) {
      std::pair<std::uint32_t, std::uint32_t> count{0, 0};
      for (Node z : graph.neighbors(y)) {
        if (d[z] == d[y] + 1) ++count.first;
        if (d[z] + 1 == d[y]) ++count.second;
      }
      if (d[y] >= level.size()) level.resize(d[y] + 1);
      if (!level[d[y]]) level[d[y]] = count;
      if (*level[d[y]] != count) return std::nullopt;
    }
  }
  IntersectionArray array;
  for (std::size_t i = 0; i + 1 < level.size(); ++i) array.b.push_back(level[i]->first);
  for (std::size_t i = 1; i < level.size(); ++i) array.c.push_back(level[i]->second);
  return array;
}

}  // namespace leman::wl
