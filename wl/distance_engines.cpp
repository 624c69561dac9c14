#include "wl/distance_engines.hpp"

#include <algorithm>
#include <bit>

#include "wl/graph_ops.hpp"

namespace leman::wl {

Values distance_values(const Graph& graph) {
  Values values;
  for (Node u = 0; u < graph.order(); ++u)
    for (std::uint32_t d : distances(graph, u)) values.push_back({d});
  return values;
}

Values atomic_values(const Graph& graph) {
  Values values;
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

// Inverse modulo p of the component's Laplacian without the row and column of its
// first node, the ground. Empty if p divides the determinant, which is the number
// of spanning trees.
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

// Appends R(u, v) mod p to every pair of one component; false if p is unusable.
bool add_residues(const Graph& graph, std::span<const Node> component, std::uint64_t p, Values& values) {
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

// Total number of bits that the primes must have. a / T = a' / T' if and only if
// a T' - a' T = 0, a number of absolute value below 2 n T T'. T is at most the
// product of the degrees.
std::uint64_t residue_bits(GraphSpan graphs) {
  std::uint64_t bits = 1, largest = 1;
  for (const Graph* g : graphs) {
    std::uint64_t own = 0;
    for (Node v = 0; v < g->order(); ++v) own += static_cast<std::uint64_t>(std::bit_width(g->degree(v)));
    bits = std::max(bits, own);
    largest = std::max<std::uint64_t>(largest, g->order());
  }
  return 2 * bits + static_cast<std::uint64_t>(std::bit_width(largest)) + 2;
}

// Pair values are small vectors, which then become an edge-coloured complete graph.
constexpr std::uint64_t kPairBytes = 140;

}  // namespace

std::vector<Values> resistance_values(GraphSpan graphs) {
  std::uint64_t needed = residue_bits(graphs);
  std::vector<Values> values;
  for (const Graph* g : graphs) values.emplace_back(std::size_t{g->order()} * g->order());
  std::uint64_t p = std::uint64_t{1} << 61;
  std::size_t residues = 0;  // per pair within a component
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
    } else {  // p divides a number of spanning trees: remove its residues
      for (auto& graph : values)
        for (Value& value : graph) value.resize(std::min(value.size(), residues));
    }
  }
  return values;
}

RunResult refine_atomic(GraphSpan graphs, const RunOptions& options) {
  return refine_with_pairs(graphs, values_of_each(graphs, atomic_values), options);
}

RunResult refine_distances(GraphSpan graphs, const RunOptions& options) {
  demand_undirected(graphs);
  return refine_with_pairs(graphs, values_of_each(graphs, distance_values), options);
}

RunResult refine_resistances(GraphSpan graphs, const RunOptions& options) {
  demand_undirected(graphs);
  return refine_with_pairs(graphs, resistance_values(graphs), options);
}

std::uint64_t pair_values_memory(GraphSpan graphs) { return matrix_bytes(graphs, kPairBytes); }

std::uint64_t resistances_memory(GraphSpan graphs) {
  return matrix_bytes(graphs, kPairBytes + (residue_bits(graphs) / 60 + 1) * 8 * 2);
}

}  // namespace leman::wl
