#include "wl/constructions/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>
#include <string>

#include "wl/graph_ops.hpp"

namespace leman::wl {

// Jumps from edge to edge with geometric gaps: O(n + m) instead of O(n^2).
Graph erdos_renyi(Node n, double p, Rng& rng) {
  if (!(p >= 0 && p <= 1)) throw UsageError("erdos_renyi: p must be in 0..1, not " + std::to_string(p));
  if (p * n * n / 2 > 5e8) throw UsageError("erdos_renyi: more than 500 million edges expected");
  GraphData data{.order = n, .directed = false, .edges = {}, .node_colors = {}};
  double log_miss = std::log1p(-p);
  std::uint64_t u = 0, v = 1;  // the next pair in order (0,1) (0,2) (1,2) (0,3) ...
  while (p > 0 && v < n) {
    if (p < 1) {
      double gap = std::floor(std::log1p(-rng.uniform()) / log_miss);
      if (gap >= static_cast<double>(n) * n) break;
      u += static_cast<std::uint64_t>(gap);
    }
    while (v < n && u >= v) u -= v, ++v;
    if (v >= n) break;
    data.edges.push_back({static_cast<Node>(u), static_cast<Node>(v)});
    ++u;
    if (u == v) u = 0, ++v;
  }
  return Graph(data);
}

Graph random_regular(Node n, std::uint32_t d, Rng& rng) {
  if (d >= std::max(n, Node{1}) || std::uint64_t{n} * d % 2 != 0)
    throw UsageError("random_regular: no " + std::to_string(d) + "-regular graph has " + std::to_string(n) + " nodes");
  if (2 * d >= n) return complement(random_regular(n, n - 1 - d, rng));  // the sparse one seldom gets stuck
  while (true) {
    std::vector<Node> free;  // node v once for each of its free half-edges
    for (Node v = 0; v < n; ++v) free.insert(free.end(), d, v);
    std::set<std::pair<Node, Node>> edges;
    for (std::uint32_t failures = 0; !free.empty() && failures < 100 + 10 * n;) {
      std::size_t i = rng.below(free.size()), j = rng.below(free.size());
      std::pair<Node, Node> edge = std::minmax(free[i], free[j]);
      if (edge.first == edge.second || !edges.insert(edge).second) {
        ++failures;
        continue;
      }
      failures = 0;
      for (std::size_t at : {std::max(i, j), std::min(i, j)}) free[at] = free.back(), free.pop_back();
    }
    if (free.empty()) return make_graph(n, std::vector(edges.begin(), edges.end()));
  }
}

Graph random_tree(Node n, Rng& rng) {
  if (n < 2) return make_graph(n, {});
  std::vector<Node> code(n - 2);
  std::vector<std::uint32_t> degree(n, 1);
  for (Node& x : code) ++degree[x = static_cast<Node>(rng.below(n))];
  std::priority_queue<Node, std::vector<Node>, std::greater<>> leaves;
  for (Node v = 0; v < n; ++v)
    if (degree[v] == 1) leaves.push(v);
  std::vector<std::pair<Node, Node>> edges;
  for (Node x : code) {
    edges.emplace_back(leaves.top(), x);
    leaves.pop();
    if (--degree[x] == 1) leaves.push(x);
  }
  Node last = leaves.top();
  leaves.pop();
  edges.emplace_back(last, leaves.top());
  return make_graph(n, edges);
}

Graph preferential_attachment(Node n, std::uint32_t m, Rng& rng) {
  if (m < 1 || m >= n) throw UsageError("preferential_attachment: m must be in 1..n-1, not " + std::to_string(m));
  std::vector<std::pair<Node, Node>> edges;
  std::vector<Node> ends;  // both ends of every edge: a uniform draw is proportional to degree
  auto join = [&](Node u, Node v) {
    edges.emplace_back(u, v);
    ends.push_back(u);
    ends.push_back(v);
  };
  for (Node v = 1; v <= m; ++v) join(0, v);
  for (Node v = m + 1; v < n; ++v) {
    std::vector<Node> chosen;
    while (chosen.size() < m) {
      Node u = ends[rng.below(ends.size())];
      if (std::find(chosen.begin(), chosen.end(), u) == chosen.end()) chosen.push_back(u);
    }
    for (Node u : chosen) join(u, v);
  }
  return make_graph(n, edges);
}

Graph stochastic_block(Node n, std::uint32_t blocks, double inside, double between, Rng& rng) {
  if (blocks < 1) throw UsageError("stochastic_block: there must be a block");
  std::vector<std::pair<Node, Node>> edges;
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u)
      if (rng.uniform() < (u % blocks == v % blocks ? inside : between)) edges.emplace_back(u, v);
  return make_graph(n, edges);
}

}  // namespace leman::wl
