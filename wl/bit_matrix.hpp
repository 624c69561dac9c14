// A square 0/1 matrix in 64-bit words, each row padded to whole words. Engines
// that ask "is uv an edge" or intersect rows use it for adjacency; constructions
// that switch, complement or multiply use it as their workspace.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

class BitMatrix {
 public:
  explicit BitMatrix(Node order) : order_(order), words_((order + 63) / 64), bits_(std::size_t{order} * words_) {}
  explicit BitMatrix(const Graph& graph) : BitMatrix(graph.order()) {
    for (Node u = 0; u < order_; ++u)
      for (Node v : graph.neighbors(u)) set(u, v);
  }

  Node order() const { return order_; }
  bool test(Node u, Node v) const { return (bits_[at(u, v)] >> (v % 64)) & 1; }
  void set(Node u, Node v) { bits_[at(u, v)] |= std::uint64_t{1} << (v % 64); }
  void flip(Node u, Node v) { bits_[at(u, v)] ^= std::uint64_t{1} << (v % 64); }
  void set_edge(Node u, Node v) { set(u, v), set(v, u); }
  void flip_edge(Node u, Node v) { flip(u, v), flip(v, u); }

  std::span<const std::uint64_t> row(Node u) const { return {bits_.data() + std::size_t{u} * words_, words_}; }
  std::uint32_t row_count(Node u) const {
    std::uint32_t count = 0;
    for (std::uint64_t w : row(u)) count += static_cast<std::uint32_t>(std::popcount(w));
    return count;
  }
  std::uint32_t common(Node u, Node v) const {  // number of columns set in both rows
    std::uint32_t count = 0;
    auto a = row(u), b = row(v);
    for (std::size_t i = 0; i < words_; ++i) count += static_cast<std::uint32_t>(std::popcount(a[i] & b[i]));
    return count;
  }
  friend bool operator==(const BitMatrix&, const BitMatrix&) = default;

 private:
  std::size_t at(Node u, Node v) const { return std::size_t{u} * words_ + v / 64; }
  Node order_;
  std::size_t words_;                // words per row
  std::vector<std::uint64_t> bits_;  // order_ * words_; bits past order_ stay 0
};

// The undirected graph of a symmetric matrix with zero diagonal. Reads the
// upper triangle only.
inline Graph graph_of(const BitMatrix& matrix) {
  GraphData data{.order = matrix.order(), .directed = false, .edges = {}, .node_colors = {}};
  for (Node v = 1; v < matrix.order(); ++v)
    for (Node u = 0; u < v; ++u)
      if (matrix.test(u, v)) data.edges.push_back({u, v});
  return Graph(data);
}

}  // namespace leman::wl
