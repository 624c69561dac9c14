#include "wl/constructions/lifts.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "wl/canon.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

using Pair = std::pair<Node, Node>;

// Edges (smaller, larger end) of the breadth-first tree from node 0.
std::set<Pair> tree_edges(const Graph& base) {
  std::set<Pair> tree;
  std::vector<bool> seen(base.order());
  std::vector<Node> queue{0};
  seen[0] = true;
  for (std::size_t head = 0; head < queue.size(); ++head)
    for (Node w : base.neighbors(queue[head]))
      if (!seen[w]) {
        seen[w] = true;
        queue.push_back(w);
        tree.insert(std::minmax(queue[head], w));
      }
  return tree;
}

std::size_t free_edges(const Graph& base) { return base.size() + 1 - base.order(); }

void demand_base(const Graph& base, std::size_t limit) {
  if (base.directed() || base.order() == 0 || !is_connected(base))
    throw UsageError("2-lift: the base graph must be undirected and connected");
  if (free_edges(base) > limit)
    throw UsageError("2-lift: the base has " + std::to_string(free_edges(base)) +
                     " edges outside its tree, the limit is " + std::to_string(limit));
}

}  // namespace

Graph two_lift(const Graph& base, std::uint64_t mask) {
  demand_base(base, 64);
  if (free_edges(base) < 64 && mask >> free_edges(base) != 0)
    throw UsageError("2-lift: mask " + std::to_string(mask) + " names more than the " +
                     std::to_string(free_edges(base)) + " edges outside the tree");
  auto tree = tree_edges(base);
  auto sorted = base.edges();
  std::sort(sorted.begin(), sorted.end());
  std::vector<Pair> edges;
  unsigned bit = 0;
  for (const Edge& e : sorted) {
    Node cross = !tree.contains({e.u, e.v}) && (mask >> bit++ & 1) ? 1 : 0;
    edges.emplace_back(2 * e.u, 2 * e.v + cross);
    edges.emplace_back(2 * e.u + 1, 2 * e.v + 1 - cross);
  }
  return make_graph(2 * base.order(), edges);
}

std::vector<std::uint64_t> connected_lift_classes(const Graph& base) {
  demand_base(base, 20);
  std::set<std::string> seen;
  std::vector<std::uint64_t> masks;
  for (std::uint64_t mask = 0; mask < std::uint64_t{1} << free_edges(base); ++mask) {
    Graph lift = two_lift(base, mask);
    if (is_connected(lift) && seen.insert(to_graph6(canonical(lift).form)).second) masks.push_back(mask);
  }
  return masks;
}

}  // namespace leman::wl
