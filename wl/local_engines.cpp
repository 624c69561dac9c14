#include "wl/local_engines.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "wl/bit_matrix.hpp"
#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

// Connected sets of `size` nodes, each once (ESU, Wernicke 2006): extend only by
// nodes that are above the first one and not yet adjacent to the set.
void for_each_connected_set(const Graph& graph, const BitMatrix& edges, std::size_t size,
                            const std::function<void(const std::vector<Node>&)>& visit) {
  std::vector<Node> set;
  std::function<void(std::vector<Node>)> extend = [&](std::vector<Node> candidates) {
    if (set.size() == size) return visit(set);
    while (!candidates.empty()) {
      Node w = candidates.back();
      candidates.pop_back();
      std::vector<Node> next = candidates;
      for (Node u : graph.neighbors(w)) {
        if (u <= set[0] || std::find(set.begin(), set.end(), u) != set.end()) continue;
        bool beside = std::any_of(set.begin(), set.end(), [&](Node s) { return edges.test(s, u); });
        if (!beside && std::find(next.begin(), next.end(), u) == next.end()) next.push_back(u);
      }
      set.push_back(w);
      extend(next);
      set.pop_back();
    }
  };
  for (Node v = 0; v < graph.order(); ++v) {
    set.assign(1, v);
    std::vector<Node> above;
    for (Node w : graph.neighbors(v))
      if (w > v) above.push_back(w);
    extend(above);
  }
}

}  // namespace

// Among connected graphs on up to four nodes, the sorted degrees determine the
// graph, and a node's own degree determines its orbit.
Values subgraph_counts(const Graph& graph, int size) {
  BitMatrix edges(graph);
  std::vector<std::map<std::uint64_t, std::uint64_t>> counts(graph.order());
  for (std::size_t k = 2; k <= static_cast<std::size_t>(size); ++k)
    for_each_connected_set(graph, edges, k, [&](const std::vector<Node>& set) {
      std::array<std::uint64_t, 4> degrees{};
      for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j) degrees[i] += edges.test(set[i], set[j]);
      auto type = degrees;
      std::sort(type.begin(), type.end());
      for (std::size_t i = 0; i < k; ++i) {
        std::uint64_t key = k;  // one hexadecimal digit each
        for (std::uint64_t d : type) key = key << 4 | d;
        ++counts[set[i]][key << 4 | degrees[i]];
      }
    });
  Values values;
  for (Node v = 0; v < graph.order(); ++v) {
    values.push_back({graph.node_color(v)});
    for (auto [type, count] : counts[v]) values.back().insert(values.back().end(), {type, count});
  }
  return values;
}

Values ego_types(const Graph& graph, std::uint32_t radius) {
  Values values;
  for (Node v = 0; v < graph.order(); ++v) {
    auto distance = distances(graph, v);
    std::vector<Node> near{v};
    for (Node w = 0; w < graph.order(); ++w)
      if (w != v && distance[w] <= radius) near.push_back(w);
    // Node colours become ranks among the colours present, with the root kept apart;
    // the value records which colours the ranks stand for.
    GraphData ego = induced_subgraph(graph, near).data();
    std::vector<Color> palette;
    for (Node w : near) palette.push_back(graph.node_color(w));
    std::sort(palette.begin(), palette.end());
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    ego.node_colors.assign(ego.order, 0);
    for (Node w = 0; w < ego.order; ++w) {
      auto at = std::lower_bound(palette.begin(), palette.end(), graph.node_color(near[w])) - palette.begin();
      ego.node_colors[w] = 2 * static_cast<Color>(at) + (w == 0);
    }
    Graph form = canonical(Graph(ego)).form;
    Value value{form.order(), palette.size()};
    value.insert(value.end(), palette.begin(), palette.end());
    for (Node w = 0; w < form.order(); ++w) value.push_back(form.node_color(w));
    for (const Edge& e : form.edges()) value.push_back(std::uint64_t{e.u} << 32 | e.v), value.push_back(e.color);
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace leman::wl
