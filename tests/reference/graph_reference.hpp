// Slow, obvious counterparts of wl/ for the tests. They share no code with it
// beyond the types Node, Edge and Graph.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::reference {

using wl::Color;
using wl::Edge;
using wl::Graph;
using wl::Node;

// The graph as a map from ordered pairs to edge colours.
using Arcs = std::map<std::pair<Node, Node>, Color>;

inline Arcs arcs(const std::vector<Edge>& edges, bool directed) {
  Arcs result;
  for (const Edge& e : edges) {
    result[{e.u, e.v}] = e.color;
    if (!directed) result[{e.v, e.u}] = e.color;
  }
  return result;
}

inline Arcs arcs(const Graph& graph) { return arcs(graph.edges(), graph.directed()); }

// Calls `visit` with every permutation of 0..n-1.
inline void for_each_permutation(Node n, const std::function<void(const std::vector<Node>&)>& visit) {
  std::vector<Node> image(n);
  std::iota(image.begin(), image.end(), 0);
  do visit(image);
  while (std::next_permutation(image.begin(), image.end()));
}

inline bool maps(const Graph& a, const Graph& b, const std::vector<Node>& image) {
  for (Node v = 0; v < a.order(); ++v)
    if (a.node_color(v) != b.node_color(image[v])) return false;
  Arcs moved;
  for (const auto& [arc, color] : arcs(a)) moved[{image[arc.first], image[arc.second]}] = color;
  return moved == arcs(b);
}

// Number of isomorphisms from a to b by trying all n! maps.
inline std::uint64_t count_isomorphisms(const Graph& a, const Graph& b) {
  std::uint64_t count = 0;
  if (a.order() != b.order() || a.directed() != b.directed()) return 0;
  for_each_permutation(a.order(), [&](const std::vector<Node>& image) { count += maps(a, b, image); });
  return count;
}

// nauty's formats.txt, read literally: strings of '0' and '1', padded and cut
// into sixes.
inline std::string pack(std::string bits, char pad) {
  while (bits.size() % 6 != 0) bits += pad;
  std::string out;
  for (std::size_t i = 0; i < bits.size(); i += 6)
    out += static_cast<char>(63 + std::stoi(bits.substr(i, 6), nullptr, 2));
  return out;
}

inline std::string binary(std::uint64_t value, int width) {
  std::string bits;
  for (int i = width - 1; i >= 0; --i) bits += value >> i & 1 ? '1' : '0';
  return bits;
}

inline std::string order_bytes(std::uint64_t n) {
  if (n <= 62) return std::string(1, static_cast<char>(63 + n));
  if (n <= 258047) return "~" + pack(binary(n, 18), '0');
  return "~~" + pack(binary(n, 36), '0');
}

inline std::string graph6(const Graph& graph) {
  Arcs a = arcs(graph);
  std::string bits;
  for (Node v = 1; v < graph.order(); ++v)
    for (Node u = 0; u < v; ++u) bits += a.count({u, v}) ? '1' : '0';
  return order_bytes(graph.order()) + pack(bits, '0');
}

inline std::string digraph6(const Graph& graph) {
  Arcs a = arcs(graph);
  std::string bits;
  for (Node u = 0; u < graph.order(); ++u)
    for (Node v = 0; v < graph.order(); ++v) bits += a.count({u, v}) ? '1' : '0';
  return "&" + order_bytes(graph.order()) + pack(bits, '0');
}

inline std::string sparse6(const Graph& graph) {
  int k = 0;
  while ((std::uint64_t{1} << k) < graph.order()) ++k;
  std::set<std::pair<Node, Node>> edges;  // (larger, smaller)
  for (const Edge& e : graph.edges()) edges.insert({std::max(e.u, e.v), std::min(e.u, e.v)});
  std::string bits;
  Node current = 0;
  for (auto [v, u] : edges) {
    if (v == current)
      bits += "0" + binary(u, k);
    else if (v == current + 1)
      bits += "1" + binary(u, k);
    else
      bits += "1" + binary(v, k) + "0" + binary(u, k);
    current = v;
  }
  std::set<std::pair<int, int>> special{{2, 1}, {4, 2}, {8, 3}, {16, 4}};
  bool last_but_one = false, last = false;
  for (auto [v, u] : edges)
    for (Node x : {u, v}) last_but_one |= x + 2 == graph.order(), last |= x + 1 == graph.order();
  std::size_t room = (6 - bits.size() % 6) % 6;
  if (special.count({static_cast<int>(graph.order()), k}) && last_but_one && !last &&
      room >= static_cast<std::size_t>(k) + 1)
    bits += '0';
  return ":" + order_bytes(graph.order()) + pack(bits, '1');
}

// Treewidth by trying every elimination order.
inline int treewidth(const Graph& graph) {
  int best = static_cast<int>(graph.order());
  for_each_permutation(graph.order(), [&](const std::vector<Node>& order) {
    std::set<std::pair<Node, Node>> edges;
    for (const auto& [arc, color] : arcs(graph)) edges.insert(arc);
    int width = 0;
    std::set<Node> gone;
    for (Node v : order) {
      std::vector<Node> next;
      for (Node w = 0; w < graph.order(); ++w)
        if (!gone.count(w) && edges.count({v, w})) next.push_back(w);
      width = std::max(width, static_cast<int>(next.size()));
      for (Node x : next)
        for (Node y : next)
          if (x != y) edges.insert({x, y});
      gone.insert(v);
    }
    best = std::min(best, width);
  });
  return best;
}

}  // namespace leman::reference
