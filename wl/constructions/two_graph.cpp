#include "wl/constructions/two_graph.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "wl/constructions/recipe.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

using Matrix = std::vector<std::vector<std::uint64_t>>;
constexpr std::uint64_t kPrime = 2147483647;  // 2^31 - 1

std::uint64_t inverse(std::uint64_t a) {
  std::uint64_t result = 1;
  for (std::uint64_t e = kPrime - 2; e > 0; e >>= 1, a = a * a % kPrime)
    if (e & 1) result = result * a % kPrime;
  return result;
}

// Reduced row echelon form modulo kPrime; returns the pivot column of each row.
std::vector<std::size_t> reduce(Matrix& rows) {
  std::vector<std::size_t> pivots;
  for (std::size_t column = 0; column < rows.size() && pivots.size() < rows.size(); ++column) {
    std::size_t top = pivots.size(), found = top;
    while (found < rows.size() && rows[found][column] == 0) ++found;
    if (found == rows.size()) continue;
    std::swap(rows[top], rows[found]);
    std::uint64_t scale = inverse(rows[top][column]);
    for (auto& x : rows[top]) x = x * scale % kPrime;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::uint64_t factor = rows[i][column];
      if (i == top || factor == 0) continue;
      for (std::size_t j = 0; j < rows.size(); ++j)
        rows[i][j] = (rows[i][j] + (kPrime - factor) * rows[top][j]) % kPrime;
    }
    pivots.push_back(column);
  }
  return pivots;
}

}  // namespace

Graph seidel_switch(const Graph& graph, const std::vector<Node>& set) {
  std::vector<bool> inside(graph.order());
  for (Node v : set) inside.at(v) = true;
  BitMatrix bits(graph);
  for (Node v = 1; v < graph.order(); ++v)
    for (Node u = 0; u < v; ++u)
      if (inside[u] != inside[v]) bits.flip_edge(u, v);
  return graph_of(bits);
}

bool TwoGraph::regular() const {
  Node n = order();
  std::optional<int> slope[2];  // S^2(u,v) at non-edges, at edges
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u) {
      int product = 0;
      for (Node w = 0; w < n; ++w) product += seidel(u, w) * seidel(w, v);
      auto& expected = slope[member_.has_edge(u, v)];
      if (!expected) expected = product;
      if (*expected != product) return false;
    }
  return !slope[0] || !slope[1] || *slope[0] == -*slope[1];
}

Graph TwoGraph::descendant(Node v) const {
  auto next = member_.neighbors(v);
  Graph switched = seidel_switch(member_, {next.begin(), next.end()});
  std::vector<Node> keep;
  for (Node u = 0; u < order(); ++u)
    if (u != v) keep.push_back(u);
  return induced_subgraph(switched, keep);
}

std::vector<Graph> TwoGraph::regular_members(std::uint32_t valency) const {
  Node n = order();
  int eigenvalue = static_cast<int>(n) - 1 - 2 * static_cast<int>(valency);
  Matrix rows(n, std::vector<std::uint64_t>(n));
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < n; ++v) {
      std::int64_t entry = seidel(u, v) - (u == v ? eigenvalue : 0);
      rows[u][v] = static_cast<std::uint64_t>(entry + static_cast<std::int64_t>(kPrime)) % kPrime;
    }
  auto pivots = reduce(rows);
  std::vector<Node> free;
  for (Node v = 0; v < n; ++v)
    if (!std::binary_search(pivots.begin(), pivots.end(), v)) free.push_back(v);
  if (free.empty()) return {};
  if (free.size() > 24) throw UsageError("regular_members: eigenspace of dimension " + std::to_string(free.size()));
  std::vector<Graph> members;
  for (std::uint32_t mask = 0; mask < 1u << (free.size() - 1); ++mask) {  // x and -x are one set
    std::vector<int> x(n, 1);
    for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = mask >> i & 1 ? -1 : 1;
    bool signs = true;
    for (std::size_t r = 0; r < pivots.size() && signs; ++r) {
      std::uint64_t sum = 0;
      for (Node v : free) sum = (sum + (x[v] == 1 ? kPrime - rows[r][v] : rows[r][v])) % kPrime;
      signs = sum == 1 || sum == kPrime - 1;
      x[pivots[r]] = sum == 1 ? 1 : -1;
    }
    std::vector<Node> set;
    for (Node v = 0; v < n; ++v)
      if (x[v] != x[n - 1]) set.push_back(v);
    if (!signs) continue;
    Graph member = seidel_switch(member_, set);
    if (regular_degree(member) == valency) members.push_back(member);
  }
  return members;
}

TwoGraph TwoGraph::switch_four(const std::vector<Node>& quad, unsigned signs) const {
  if (quad.size() != 4) throw UsageError("switch_four: four points are needed");
  auto sign = [signs](std::size_t i) { return signs >> i & 1 ? -1 : 1; };
  auto signed_sum = [&](Node x) {
    int sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += sign(i) * seidel(x, quad[i]);
    return sum;
  };
  for (std::size_t i = 1; i < 4; ++i)
    if (sign(i) * signed_sum(quad[i]) != sign(0) * signed_sum(quad[0]))
      throw UsageError("switch_four: the signed sums within the four points differ");
  BitMatrix bits(member_);
  for (Node x = 0; x < order(); ++x) {
    if (std::find(quad.begin(), quad.end(), x) != quad.end()) continue;
    int sum = signed_sum(x);
    if (sum != 0 && sum != 4 && sum != -4)
      throw UsageError("switch_four: point " + std::to_string(x) + " has sum " + std::to_string(sum));
    for (Node q : quad)
      if (sum == 0) bits.flip_edge(x, q);
  }
  return TwoGraph(graph_of(bits));
}

TwoGraph TwoGraph::switch_sequence(std::string_view sequence) const {
  TwoGraph result = *this;
  for (const Step& step : parse_steps(sequence)) result = result.switch_four(step.numbers, step.mark);
  return result;
}

Graph with_isolated_point(const Graph& graph) {
  GraphData data = graph.data();
  ++data.order;
  return Graph(data);
}

TwoGraph two_graph_26(char which) {
  switch (which) {
    case 'A': return TwoGraph(with_isolated_point(latin_square_graph(cyclic_latin_square(5))));
    case 'B': return TwoGraph(with_isolated_point(latin_square_graph(latin_square("01234/10342/23401/34120/42013"))));
    case 'C': return TwoGraph(complement(block_graph(sts13(1))));
    case 'D': return TwoGraph(complement(block_graph(sts13(2))));
    default: throw UsageError(std::string("two_graph_26: A, B, C or D, not ") + which);
  }
}

TwoGraph two_graph_30(int which) {
  // The graph on the 29 points left when the last one is isolated.
  const char* seed = nullptr;
  switch (which) {
    case 1: seed = R"(\jKG[N@MWxPaXsG}ANuX{xBpaFtiiQlTUihVlQlilimTUtKcbZFupHw^{?BrZZWBuuu?o)"; break;
    case 2: seed = R"(\jKG[N@MWxPaXsG}ANuX{xBpaFtiiillQiislQiilQmtUhNcbZwupHF^{?[RZZWBuuu?o)"; break;
    case 5: seed = R"(\jKG[N@MWxM\XtG~\omXtxAy\{iT[dQbdTQNlRcQlb`TUPoceuFuqQw~{?BkcHN{HIQ~K)"; break;
    case 6: seed = R"(\~iKwlRUKXbqPoGyQLdQB\BraF`iiuHTsizFlUhmLimFSvK?F~FQTlwLmQBrZZWBuuu?o)"; break;
    case 7: seed = R"(\~mOSNDeoppaXsgyDNyX\WBzaVPiJillOmiSLUaidqmtshNDbRwQpEfN[C[]BwXfvqu?o)"; break;
    default: throw UsageError("two_graph_30: 1, 2, 5, 6 or 7, not " + std::to_string(which));
  }
  return TwoGraph(with_isolated_point(graph_from_graph6(seed)));
}

TwoGraph two_graph_36() { return TwoGraph(with_isolated_point(block_graph(projective_sts(4)))); }

}  // namespace leman::wl
