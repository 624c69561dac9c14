#include "wl/treewidth.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

namespace leman::wl {

namespace {

// Nodes outside `through` and other than v that v reaches by paths inside it.
int reach(const std::vector<std::uint32_t>& next, std::uint32_t through, Node v) {
  std::uint32_t seen = 1u << v, frontier = next[v] & ~seen;
  while (frontier & ~seen) {
    seen |= frontier;
    std::uint32_t inside = frontier & through;
    frontier = 0;
    for (; inside != 0; inside &= inside - 1) frontier |= next[static_cast<std::size_t>(std::countr_zero(inside))];
    frontier &= ~seen;
  }
  return std::popcount(seen & ~through & ~(1u << v));
}

}  // namespace

int treewidth(const Graph& graph) {
  Node n = graph.order();
  if (n > 24) throw UsageError("treewidth: at most 24 nodes, not " + std::to_string(n));
  if (n == 0) return -1;
  std::vector<std::uint32_t> next(n, 0);
  for (const Edge& e : graph.edges()) next[e.u] |= 1u << e.v, next[e.v] |= 1u << e.u;
  std::vector<signed char> width(std::size_t{1} << n, static_cast<signed char>(n));
  width[0] = 0;
  for (std::uint32_t set = 1; set < width.size(); ++set)
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      Node v = static_cast<Node>(std::countr_zero(rest));
      std::uint32_t without = set & ~(1u << v);
      if (width[without] >= width[set]) continue;
      int here = std::max<int>(width[without], reach(next, without, v));
      width[set] = std::min(width[set], static_cast<signed char>(here));
    }
  return width.back();
}

}  // namespace leman::wl
