#include "wl/constructions/strongly_regular.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "wl/bit_matrix.hpp"
#include "wl/constructions/field.hpp"
#include "wl/constructions/two_graph.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

// Nodes 0..n-1, adjacent where the relation holds; it is called with u < v only.
Graph from_relation(Node n, const std::function<bool(Node, Node)>& adjacent) {
  BitMatrix bits(n);
  for (Node v = 1; v < n; ++v)
    for (Node u = 0; u < v; ++u)
      if (adjacent(u, v)) bits.set_edge(u, v);
  return graph_of(bits);
}

// Nodes are sets of small numbers, given as bit masks; adjacent if they meet.
Graph intersection_graph(const std::vector<std::uint64_t>& sets) {
  return from_relation(static_cast<Node>(sets.size()), [&](Node u, Node v) { return (sets[u] & sets[v]) != 0; });
}

std::vector<std::uint64_t> two_subsets(Node m) {
  std::vector<std::uint64_t> sets;
  for (Node a = 0; a < m; ++a)
    for (Node b = a + 1; b < m; ++b) sets.push_back(std::uint64_t{1} << a | std::uint64_t{1} << b);
  return sets;
}

}  // namespace

Graph rook(Node a, Node b) {
  return from_relation(a * b, [b](Node u, Node v) { return u / b == v / b || u % b == v % b; });
}

Graph shrikhande() {
  return from_relation(16, [](Node u, Node v) {
    Node x = (u / 4 - v / 4) & 3, y = (u - v) & 3;
    return (x == 0 && y % 2 == 1) || (y == 0 && x % 2 == 1) || (x == y && x % 2 == 1);
  });
}

Graph triangular(Node m) {
  if (m > 64) throw UsageError("triangular: m = " + std::to_string(m) + " is over 64");
  return intersection_graph(two_subsets(m));
}

Graph chang(int which) {
  // Each graph as the successor of every point along its cycles (4K2: its partner).
  static constexpr std::array<std::array<Node, 8>, 3> partner{
      {{1, 0, 3, 2, 5, 4, 7, 6}, {1, 2, 3, 4, 5, 6, 7, 0}, {1, 2, 0, 4, 5, 6, 7, 3}}};
  if (which < 1 || which > 3) throw UsageError("chang: 1, 2 or 3, not " + std::to_string(which));
  auto sets = two_subsets(8);
  std::set<Node> chosen;
  for (Node p = 0; p < 8; ++p) {
    std::uint64_t edge = std::uint64_t{1} << p | std::uint64_t{1} << partner[static_cast<std::size_t>(which - 1)][p];
    chosen.insert(static_cast<Node>(std::find(sets.begin(), sets.end(), edge) - sets.begin()));
  }
  return seidel_switch(triangular(8), {chosen.begin(), chosen.end()});
}

Graph paley(std::uint32_t q) {
  if (q % 4 != 1) throw UsageError("paley: q must be 1 mod 4, not " + std::to_string(q));
  Field field(q);
  return from_relation(q, [&](Node u, Node v) { return field.character(field.add(u, field.negate(v))) == 1; });
}

LatinSquare latin_square(std::string_view rows) {
  LatinSquare square(1);
  for (char c : rows) {
    if (c == '/')
      square.emplace_back();
    else
      square.back().push_back(static_cast<std::uint32_t>(c - '0'));
  }
  std::size_t m = square.size();
  for (std::size_t i = 0; i < m; ++i) {
    if (square[i].size() != m) throw UsageError("latin square: rows and columns differ in number");
    std::set<std::uint32_t> row, column;
    for (std::size_t j = 0; j < m; ++j) {
      if (square[j].size() != m) throw UsageError("latin square: rows and columns differ in number");
      row.insert(square[i][j]);
      column.insert(square[j][i]);
      if (square[i][j] >= m) throw UsageError("latin square: symbols are 0.." + std::to_string(m - 1));
    }
    if (row.size() != m || column.size() != m)
      throw UsageError("latin square: row or column " + std::to_string(i) + " repeats a symbol");
  }
  return square;
}

LatinSquare cyclic_latin_square(std::uint32_t m) {
  LatinSquare square(m, std::vector<std::uint32_t>(m));
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t j = 0; j < m; ++j) square[i][j] = (i + j) % m;
  return square;
}

Graph latin_square_graph(const LatinSquare& square) {
  auto m = static_cast<Node>(square.size());
  return from_relation(m * m, [&](Node u, Node v) {
    return u / m == v / m || u % m == v % m || square[u / m][u % m] == square[v / m][v % m];
  });
}

Blocks sts13(int which) {
  if (which != 1 && which != 2) throw UsageError("sts13: 1 or 2, not " + std::to_string(which));
  std::set<std::array<Node, 3>> blocks;
  for (Node shift = 0; shift < 13; ++shift)
    for (std::array<Node, 3> base : {std::array<Node, 3>{0, 1, 4}, std::array<Node, 3>{0, 2, 7}}) {
      for (Node& x : base) x = (x + shift) % 13;
      std::sort(base.begin(), base.end());
      blocks.insert(base);
    }
  if (which == 2) {
    for (std::array<Node, 3> out : {std::array<Node, 3>{0, 1, 4}, {0, 2, 7}, {1, 7, 9}, {2, 4, 9}}) blocks.erase(out);
    for (std::array<Node, 3> in : {std::array<Node, 3>{0, 1, 7}, {0, 2, 4}, {1, 4, 9}, {2, 7, 9}}) blocks.insert(in);
  }
  return {blocks.begin(), blocks.end()};
}

Blocks projective_sts(int d) {
  if (d < 2 || d > 6) throw UsageError("projective STS: dimension 2..6, not " + std::to_string(d));
  Blocks blocks;
  Node top = Node{1} << d;
  for (Node a = 1; a < top; ++a)
    for (Node b = a + 1; b < top; ++b)
      if ((a ^ b) > b) blocks.push_back({a, b, a ^ b});
  return blocks;
}

bool is_steiner_triple_system(const Blocks& blocks, Node first_point, Node points) {
  std::set<std::pair<Node, Node>> covered;
  for (const auto& block : blocks)
    for (std::size_t i = 0; i < 3; ++i) {
      if (block[i] < first_point || block[i] >= first_point + points) return false;
      for (std::size_t j = i + 1; j < 3; ++j)
        if (block[i] >= block[j] || !covered.emplace(block[i], block[j]).second) return false;
    }
  return covered.size() == std::size_t{points} * (points - 1) / 2;
}

Graph block_graph(const Blocks& blocks) {
  std::vector<std::uint64_t> sets;
  for (const auto& block : blocks) {
    sets.push_back(0);
    for (Node x : block) sets.back() |= std::uint64_t{1} << x;
  }
  return intersection_graph(sets);
}

Graph symplectic(int d) {
  if (d < 1 || d > 5) throw UsageError("symplectic: d is 1..5, not " + std::to_string(d));
  constexpr Node even_bits = 0x155;
  return from_relation((Node{1} << 2 * d) - 1, [](Node u, Node v) {
    Node x = u + 1, y = v + 1;
    Node swapped = (y >> 1 & even_bits) | (y & even_bits) << 1;
    return std::popcount(x & swapped) % 2 == 0;
  });
}

Graph godsil_mckay_switch(const Graph& graph, const std::vector<Node>& set) {
  BitMatrix bits(graph);
  std::vector<bool> inside(graph.order());
  for (Node q : set) inside.at(q) = true;
  std::set<std::size_t> inner_degrees;
  for (Node x = 0; x < graph.order(); ++x) {
    auto in_set =
        static_cast<std::size_t>(std::count_if(set.begin(), set.end(), [&](Node q) { return graph.has_edge(x, q); }));
    if (inside[x])
      inner_degrees.insert(in_set);
    else if (2 * in_set == set.size())
      for (Node q : set) bits.flip_edge(x, q);
    else if (in_set != 0 && in_set != set.size())
      throw UsageError("godsil_mckay_switch: node " + std::to_string(x) + " has " + std::to_string(in_set) +
                       " neighbours in a set of " + std::to_string(set.size()));
  }
  if (inner_degrees.size() > 1) throw UsageError("godsil_mckay_switch: the set is not regular");
  return graph_of(bits);
}

bool four_vertex_condition(const Graph& graph) {
  if (!strongly_regular(graph)) return false;
  BitMatrix bits(graph);
  std::set<std::size_t> counts[2];
  for (Node v = 1; v < graph.order(); ++v)
    for (Node u = 0; u < v; ++u) {
      std::vector<Node> common;
      for (Node w : graph.neighbors(u))
        if (bits.test(v, w)) common.push_back(w);
      std::size_t edges = 0;
      for (Node x : common)
        for (Node y : common) edges += x < y && bits.test(x, y);
      counts[bits.test(u, v)].insert(edges);
    }
  return counts[0].size() <= 1 && counts[1].size() <= 1;
}

Graph generalized_hexagon(bool dual) {
  Field field(9);
  using Point = std::array<std::uint32_t, 3>;
  auto form = [&](const Point& x, const Point& y) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum = field.add(sum, field.multiply(x[i], field.power(y[i], 3)));
    return sum;
  };
  std::vector<Point> points;  // first non-zero coordinate 1, not isotropic
  for (std::uint32_t code = 1; code < 729; ++code) {
    Point x{code / 81, code / 9 % 9, code % 9};
    bool normal = (x[0] == 0 ? x[1] == 0 ? x[2] : x[1] : x[0]) == 1;
    if (normal && form(x, x) != 0) points.push_back(x);
  }
  auto n = static_cast<Node>(points.size());
  Graph hexagon = from_relation(n, [&](Node u, Node v) { return form(points[u], points[v]) == 0; });
  if (!dual) return hexagon;
  std::vector<std::uint64_t> lines;
  for (Node a = 0; a < n; ++a)
    for (Node b : hexagon.neighbors(a))
      for (Node c : hexagon.neighbors(b))
        if (a < b && b < c && hexagon.has_edge(a, c))
          lines.push_back(std::uint64_t{1} << a | std::uint64_t{1} << b | std::uint64_t{1} << c);
  return intersection_graph(lines);
}

}  // namespace leman::wl
