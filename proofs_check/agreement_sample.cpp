#include "proofs_check/agreement_sample.hpp"

#include <algorithm>
#include <functional>

#include "wl/constructions/cfi.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/random.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {

namespace {

using wl::Graph;
using wl::Node;

double between(Rng& rng, double low, double high) { return low + (high - low) * rng.uniform(); }

// A random tree; every further pair is joined with probability p.
Graph connected_graph(Node n, double p, Rng& rng) {
  std::vector<std::pair<Node, Node>> edges;
  const Graph tree = wl::random_tree(n, rng);
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u)
      if (tree.has_edge(u, v) || rng.uniform() < p) edges.emplace_back(u, v);
  return wl::make_graph(n, edges);
}

Graph draw_regular(Node n, Rng& rng) {
  auto d = static_cast<std::uint32_t>(2 + rng.below(std::min<Node>(n - 2, 4)));
  if (n % 2 == 1) d -= d % 2;
  return wl::random_regular(n, d, rng);
}

// Straight or twisted, over a random connected base; the smallest has 6 nodes.
Graph draw_cfi(Node n, Rng& rng) {
  for (;;) {
    const Graph base = connected_graph(static_cast<Node>(2 + rng.below(4)), 0.4, rng);
    Node order = 0;
    for (Node v = 0; v < base.order(); ++v) order += (1u << (base.degree(v) - 1)) + 2 * base.degree(v);
    if (order > std::max<Node>(n, 6)) continue;
    return wl::cfi(base, rng.below(2) ? SIZE_MAX : rng.below(base.size()));
  }
}

Graph draw_lift(Node n, Rng& rng) {
  const Graph base = connected_graph(std::max<Node>(n / 2, 3), 0.15, rng);
  const std::uint64_t free = base.size() + 1 - base.order();
  return wl::two_lift(base, free == 0 ? 0 : rng.below(std::uint64_t{1} << std::min<std::uint64_t>(free, 62)));
}

struct Generator {
  RandomFamily family;
  std::function<Graph(Node, Rng&)> draw;
};

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all{
      {{"er", "Erdos-Renyi, p uniform in 0.1-0.9"},
       [](Node n, Rng& rng) { return wl::erdos_renyi(n, between(rng, 0.1, 0.9), rng); }},
      {{"regular", "random regular, degree 2-5"}, draw_regular},
      {{"tree", "uniform labelled tree"}, wl::random_tree},
      {{"pa", "preferential attachment, 1-3 edges a node"},
       [](Node n, Rng& rng) {
         return wl::preferential_attachment(n, static_cast<std::uint32_t>(1 + rng.below(std::min<Node>(3, n - 1))),
                                            rng);
       }},
      {{"sbm", "stochastic block, 2-3 blocks"},
       [](Node n, Rng& rng) {
         const auto blocks = static_cast<std::uint32_t>(2 + rng.below(2));
         const double inside = between(rng, 0.4, 0.9);
         return wl::stochastic_block(n, blocks, inside, between(rng, 0.05, 0.4), rng);
       }},
      {{"cfi", "CFI graph over a random connected base of 2-5 nodes"}, draw_cfi},
      {{"lift", "2-lift of a random connected graph"}, draw_lift}};
  return all;
}

// SplitMix64: seeds that differ in one bit give unrelated streams.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

Graph with_colors(const Graph& graph, std::uint32_t colors, Rng& rng) {
  wl::GraphData data = graph.data();
  data.node_colors.resize(graph.order());
  for (wl::Color& c : data.node_colors) c = static_cast<wl::Color>(rng.below(colors));
  return Graph(data);
}

}  // namespace

const std::vector<RandomFamily>& random_families() {
  static const std::vector<RandomFamily> all = [] {
    std::vector<RandomFamily> list;
    for (const Generator& g : generators()) list.push_back(g.family);
    return list;
  }();
  return all;
}

std::vector<Chunk> sample_chunks(const std::vector<std::string>& families, Node low, Node high, std::size_t count,
                                 bool colors) {
  std::vector<Chunk> chunks;
  for (const std::string& family : families)
    for (Node n = low; n <= high; ++n)
      for (int colored = 0; colored <= static_cast<int>(colors); ++colored)
        chunks.push_back({family, n, colored == 1, 0});
  if (chunks.empty()) throw UsageError("no families or no orders");
  for (std::size_t k = 0; k < chunks.size(); ++k)
    chunks[k].graphs = (k + 1) * count / chunks.size() - k * count / chunks.size();
  std::erase_if(chunks, [](const Chunk& chunk) { return chunk.graphs == 0; });
  return chunks;
}

std::vector<Graph> draw_chunk(const Chunk& chunk, std::uint32_t colors, std::uint64_t seed) {
  const auto& all = generators();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const Generator& g) { return g.family.name == chunk.family; });
  if (at == all.end()) throw UsageError("there is no family " + chunk.family);
  if (chunk.order < 3) throw UsageError("random graphs have three nodes or more");
  std::uint64_t state = mix(seed);
  for (const std::uint64_t part :
       {static_cast<std::uint64_t>(at - all.begin()), std::uint64_t{chunk.order}, std::uint64_t{chunk.colored}})
    state = mix(state ^ part);
  Rng rng(state);
  std::vector<Graph> graphs;
  for (std::size_t k = 0; k < chunk.graphs; ++k) {
    graphs.push_back(at->draw(chunk.order, rng));
    if (chunk.colored && colors > 1) graphs.back() = with_colors(graphs.back(), colors, rng);
  }
  return graphs;
}

}  // namespace leman::proofs
