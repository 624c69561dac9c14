#include "wl/derived_engines.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>

#include "wl/bit_matrix.hpp"
#include "wl/canon.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"
#include "wl/node_refinement.hpp"

namespace leman::wl {

namespace {

// Connected sets of `size` nodes, each once (ESU, Wernicke 2006): extend only by
// nodes above the first one that are not yet next to the set.
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

// Numbers for values, ascending by value over all graphs.
std::vector<std::vector<Color>> rank_values(const std::vector<std::vector<Value>>& values) {
  std::map<Value, Color> rank;
  for (const auto& graph : values)
    for (const Value& value : graph) rank.emplace(value, 0);
  Color next = 0;
  for (auto& entry : rank) entry.second = next++;
  std::vector<std::vector<Color>> result;
  for (const auto& graph : values) {
    result.emplace_back();
    for (const Value& value : graph) result.back().push_back(rank.at(value));
  }
  return result;
}

void demand_undirected(const Graph& graph) {
  if (graph.directed()) throw std::invalid_argument("this engine is for undirected graphs");
}

}  // namespace

// Within connected graphs on up to four nodes, the sorted degrees name the
// graph, and a node's own degree names its orbit.
std::vector<Value> subgraph_counts(const Graph& graph, int size) {
  demand_undirected(graph);
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
  std::vector<Value> values;
  for (Node v = 0; v < graph.order(); ++v) {
    values.push_back({graph.node_color(v)});
    for (auto [type, count] : counts[v]) values.back().insert(values.back().end(), {type, count});
  }
  return values;
}

std::vector<Value> ego_types(const Graph& graph, std::uint32_t radius) {
  demand_undirected(graph);
  std::vector<Value> values;
  for (Node v = 0; v < graph.order(); ++v) {
    auto distance = distances(graph, v);
    std::vector<Node> near{v};
    for (Node w = 0; w < graph.order(); ++w)
      if (w != v && distance[w] <= radius) near.push_back(w);
    // Node colours as ranks among those here, the root's kept apart; the value
    // says which colours the ranks stand for.
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

std::vector<Value> distance_values(const Graph& graph) {
  demand_undirected(graph);
  std::vector<Value> values;
  for (Node u = 0; u < graph.order(); ++u)
    for (std::uint32_t d : distances(graph, u)) values.push_back({d});
  return values;
}

std::vector<Value> atomic_values(const Graph& graph) {
  std::vector<Value> values;
  auto arc = [&](Node u, Node v) { return graph.has_edge(u, v) ? 1 + std::uint64_t{graph.edge_color(u, v)} : 0; };
  for (Node u = 0; u < graph.order(); ++u)
    for (Node v = 0; v < graph.order(); ++v) values.push_back({arc(u, v), arc(v, u)});
  return values;
}

namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
}

std::uint64_t power_mod(std::uint64_t a, std::uint64_t e, std::uint64_t p) {
  std::uint64_t result = 1;
  for (; e > 0; e >>= 1, a = multiply_mod(a, a, p))
    if (e & 1) result = multiply_mod(result, a, p);
  return result;
}

bool is_prime(std::uint64_t n) {  // Miller-Rabin with bases that decide all 64-bit numbers
  if (n % 2 == 0) return n == 2;
  std::uint64_t odd = n - 1;
  int twos = std::countr_zero(odd);
  odd >>= twos;
  for (std::uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    std::uint64_t x = power_mod(base % n, odd, n);
    bool witness = x != 1 && x != n - 1 && base % n != 0;
    for (int i = 1; i < twos && witness; ++i) witness = (x = multiply_mod(x, x, n)) != n - 1;
    if (witness) return false;
  }
  return true;
}

// Inverse of the Laplacian without row and column `ground`, within the
// component of `ground`, modulo p; empty if p divides its determinant, the
// number of spanning trees.
std::vector<std::uint64_t> grounded_inverse(const Graph& graph, std::span<const Node> component, std::uint64_t p) {
  std::size_t n = component.size() - 1;  // component[0] is the ground
  std::vector<std::uint64_t> a(n * n, 0), inverse(n * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      if (graph.has_edge(component[i + 1], component[j + 1])) a[i * n + j] = p - 1;
    a[i * n + i] = graph.degree(component[i + 1]);
    inverse[i * n + i] = 1;
  }
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && a[pivot * n + column] == 0) ++pivot;
    if (pivot == n) return {};
    for (std::size_t j = 0; j < n && pivot != column; ++j)
      std::swap(a[pivot * n + j], a[column * n + j]), std::swap(inverse[pivot * n + j], inverse[column * n + j]);
    std::uint64_t scale = power_mod(a[column * n + column], p - 2, p);
    for (std::size_t j = 0; j < n; ++j) {
      a[column * n + j] = multiply_mod(a[column * n + j], scale, p);
      inverse[column * n + j] = multiply_mod(inverse[column * n + j], scale, p);
    }
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t factor = a[i * n + column];
      if (i == column || factor == 0) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a[i * n + j] = (a[i * n + j] + multiply_mod(p - factor, a[column * n + j], p)) % p;
        inverse[i * n + j] = (inverse[i * n + j] + multiply_mod(p - factor, inverse[column * n + j], p)) % p;
      }
    }
  }
  return inverse;
}

// Appends R(u, v) mod p to every pair of one component; false if p will not do.
bool add_residues(const Graph& graph, std::span<const Node> component, std::uint64_t p, std::vector<Value>& values) {
  if (component.size() == 1) {
    values[std::size_t{component[0]} * graph.order() + component[0]].push_back(0);
    return true;
  }
  auto inverse = grounded_inverse(graph, component, p);
  if (inverse.empty()) return false;
  std::size_t n = component.size() - 1;
  auto entry = [&](std::size_t i, std::size_t j) { return i == 0 || j == 0 ? 0 : inverse[(i - 1) * n + j - 1]; };
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t j = 0; j <= n; ++j) {
      std::uint64_t sum = (entry(i, i) + entry(j, j)) % p, cross = entry(i, j) * 2 % p;
      values[std::size_t{component[i]} * graph.order() + component[j]].push_back((sum + p - cross) % p);
    }
  return true;
}

std::vector<std::vector<Node>> components(const Graph& graph) {
  std::vector<std::vector<Node>> result;
  std::vector<bool> seen(graph.order());
  for (Node v = 0; v < graph.order(); ++v) {
    if (seen[v]) continue;
    auto distance = distances(graph, v);
    result.emplace_back();
    for (Node w = 0; w < graph.order(); ++w)
      if (distance[w] != UINT32_MAX) seen[w] = true, result.back().push_back(w);
  }
  return result;
}

}  // namespace

namespace {

// Bits that primes must have together. a / T = a' / T' if and only if
// a T' - a' T = 0, a number below 2 n T T' in size; T is at most the product of
// the degrees.
std::uint64_t residue_bits(std::span<const Graph* const> graphs) {
  std::uint64_t bits = 1, largest = 1;
  for (const Graph* g : graphs) {
    demand_undirected(*g);
    std::uint64_t own = 0;
    for (Node v = 0; v < g->order(); ++v) own += static_cast<std::uint64_t>(std::bit_width(g->degree(v)));
    bits = std::max(bits, own);
    largest = std::max<std::uint64_t>(largest, g->order());
  }
  return 2 * bits + static_cast<std::uint64_t>(std::bit_width(largest)) + 2;
}

}  // namespace

std::uint64_t resistance_bytes(std::span<const Graph* const> graphs) { return (residue_bits(graphs) / 60 + 1) * 8 * 2; }

std::vector<std::vector<Value>> resistance_values(std::span<const Graph* const> graphs) {
  std::uint64_t needed = residue_bits(graphs);
  std::vector<std::vector<Value>> values;
  for (const Graph* g : graphs) values.emplace_back(std::size_t{g->order()} * g->order());
  std::uint64_t p = std::uint64_t{1} << 61;
  std::size_t residues = 0;  // that every pair within a component has
  for (std::uint64_t have = 0; have < needed;) {
    do --p;
    while (!is_prime(p));
    bool usable = true;
    for (std::size_t g = 0; g < graphs.size() && usable; ++g)
      for (const auto& component : components(*graphs[g]))
        usable = usable && add_residues(*graphs[g], component, p, values[g]);
    if (usable) {
      have += 60;
      ++residues;
    } else {  // p divides a number of spanning trees: take back what it has given
      for (auto& graph : values)
        for (Value& value : graph) value.resize(std::min(value.size(), residues));
    }
  }
  return values;
}

RunResult refine_from_values(std::span<const Graph* const> graphs, const std::vector<std::vector<Value>>& nodes,
                             const RunOptions& options) {
  return refine_nodes(graphs, options, rank_values(nodes));
}

RunResult refine_with_pairs(std::span<const Graph* const> graphs, const std::vector<std::vector<Value>>& pairs,
                            const RunOptions& options) {
  auto ranks = rank_values(pairs);
  std::vector<Graph> complete;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    Node n = graphs[g]->order();
    GraphData data{.order = n, .directed = graphs[g]->directed(), .edges = {}, .node_colors = graphs[g]->node_colors()};
    for (Node v = 0; v < n; ++v)
      for (Node u = 0; u < n; ++u)
        if (u < v || (data.directed && u != v)) data.edges.push_back({u, v, ranks[g][std::size_t{u} * n + v]});
    complete.emplace_back(data);
  }
  std::vector<const Graph*> pointers;
  for (const Graph& g : complete) pointers.push_back(&g);
  return refine_nodes(pointers, options);
}

void demand_matrices(std::span<const Graph* const> graphs, std::uint64_t bytes_a_pair, const RunOptions& options) {
  double bytes = 0;
  for (const Graph* g : graphs)
    bytes += static_cast<double>(g->order()) * g->order() * static_cast<double>(bytes_a_pair);
  demand_memory(bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes), options.memory_limit, "this engine");
}

namespace {

// All copies of all graphs: one graph with itself for every marked node, told
// apart by initial colours (node colour, marked).
struct Copies {
  std::vector<const Graph*> graphs;
  std::vector<std::size_t> owner;           // by copy
  std::vector<std::vector<Color>> initial;  // by copy

  explicit Copies(std::span<const Graph* const> originals) {
    std::vector<std::vector<Value>> values;
    for (std::size_t g = 0; g < originals.size(); ++g)
      for (Node v = 0; v < originals[g]->order(); ++v) {
        graphs.push_back(originals[g]);
        owner.push_back(g);
        values.emplace_back();
        for (Node w = 0; w < originals[g]->order(); ++w) values.back().push_back({originals[g]->node_color(w), w == v});
      }
    initial = rank_values(values);
  }
};

// Canonical colours of copies: ranks of (colour before, histogram now).
class CopyColors {
 public:
  explicit CopyColors(const Copies& copies) : copies_(copies), colors_(copies.graphs.size(), 0) {}
  void add(const RoundView& view) {
    std::map<std::pair<Color, Histogram>, Color> rank;
    std::vector<std::pair<Color, Histogram>> keys;
    for (std::size_t c = 0; c < colors_.size(); ++c) {
      keys.emplace_back(colors_[c], view.histogram(c));
      rank.emplace(keys.back(), 0);
    }
    count_ = 0;
    for (auto& entry : rank) entry.second = count_++;
    for (std::size_t c = 0; c < colors_.size(); ++c) colors_[c] = rank.at(keys[c]);
  }
  std::vector<Color> of_graph(std::size_t g) const {
    std::vector<Color> result;
    for (std::size_t c = 0; c < colors_.size(); ++c)
      if (copies_.owner[c] == g) result.push_back(colors_[c]);
    return result;
  }
  Histogram histogram(std::size_t g) const {
    std::map<Color, std::uint64_t> count;
    for (Color c : of_graph(g)) ++count[c];
    return {count.begin(), count.end()};
  }
  Color count() const { return count_; }

 private:
  const Copies& copies_;
  std::vector<Color> colors_;  // by copy
  Color count_ = 0;
};

}  // namespace

// A run over all copies; what it says of copies is folded into multisets, one a
// graph.
RunResult refine_marked(std::span<const Graph* const> graphs, const RunOptions& options) {
  double bytes = 0;
  for (const Graph* g : graphs)
    bytes += static_cast<double>(g->order()) * (200.0 * g->order() + 60.0 * static_cast<double>(g->size()));
  demand_memory(bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes), options.memory_limit, "M1");
  RunResult result;
  std::vector<std::uint32_t> together(graphs.size(), 0);
  Copies copies(graphs);
  if (copies.graphs.empty()) {
    result.stable = true;
    result.groups.push_back(together);
    return result;
  }
  CopyColors colors(copies);
  RunOptions inner = options;
  inner.until_distinguished = false;
  inner.keep_coloring = false;
  inner.observer = nullptr;
  if (options.observer || options.keep_coloring)
    inner.observer = [&](const RoundView& view) {
      colors.add(view);
      if (options.observer)
        options.observer({view.round, colors.count(), [&](std::size_t g) { return colors.of_graph(g); },
                          [&](std::size_t g) { return colors.histogram(g); }});
    };
  RunResult run = refine_nodes(copies.graphs, inner, copies.initial);
  result.rounds = run.rounds;
  result.stable = run.stable;
  result.colors = run.colors;
  for (std::size_t g = 0; g < graphs.size() && options.keep_coloring; ++g)
    result.coloring.push_back(colors.of_graph(g));
  for (const auto& groups : run.groups) {
    std::vector<std::vector<std::uint32_t>> multiset(graphs.size());
    for (std::size_t c = 0; c < copies.graphs.size(); ++c) multiset[copies.owner[c]].push_back(groups[c]);
    for (auto& m : multiset) std::sort(m.begin(), m.end());
    together = split_groups(together, multiset);
    result.groups.push_back(together);
  }
  return result;
}

}  // namespace leman::wl
