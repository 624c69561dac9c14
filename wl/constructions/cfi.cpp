#include "wl/constructions/cfi.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "wl/graph_ops.hpp"

namespace leman::wl {

Graph cfi(const Graph& base, std::size_t crossed) {
  if (base.directed()) throw UsageError("cfi: the base graph must be undirected");
  std::vector<std::pair<Node, Node>> edges;
  std::vector<Node> first(base.order());  // a(u, i-th neighbour) = first[u] + 2i, b = the one after
  Node order = 0;
  for (Node u = 0; u < base.order(); ++u) {
    std::uint32_t d = base.degree(u);
    if (d > 20)
      throw UsageError("cfi: base vertex " + std::to_string(u) + " has degree " + std::to_string(d) +
                       ", the limit is 20");
    first[u] = order;
    Node middle = order + 2 * d;
    for (std::uint32_t subset = 0; subset < 1u << d; ++subset) {
      if (std::popcount(subset) % 2 != 0) continue;
      for (std::uint32_t i = 0; i < d; ++i) edges.emplace_back(first[u] + 2 * i + (subset >> i & 1 ? 0 : 1), middle);
      ++middle;
    }
    order = middle;
  }
  auto end_of = [&](Node u, Node v) {  // a(u, v)
    auto next = base.neighbors(u);
    return first[u] + 2 * static_cast<Node>(std::lower_bound(next.begin(), next.end(), v) - next.begin());
  };
  auto base_edges = base.edges();
  for (std::size_t i = 0; i < base_edges.size(); ++i) {
    Node a = end_of(base_edges[i].u, base_edges[i].v), c = end_of(base_edges[i].v, base_edges[i].u);
    Node cross = i == crossed ? 1 : 0;
    edges.emplace_back(a, c + cross);
    edges.emplace_back(a + 1, c + 1 - cross);
  }
  return make_graph(order, edges);
}

CfiPair cfi_pair(const Graph& base) {
  if (base.size() == 0) throw UsageError("cfi: the base graph has no edge to twist");
  return {cfi(base), cfi(base, 0)};
}

}  // namespace leman::wl
