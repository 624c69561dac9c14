#include "wl/hash_colors.hpp"

#include <array>

#include "wl/graph_ops.hpp"
#include "wl/hash_product.hpp"
#include "wl/intern.hpp"

namespace leman::wl {

namespace {

using Values = std::vector<std::uint64_t>;

constexpr std::uint64_t kSalt[4] = {0x9e3779b97f4a7c15, 0xd1b54a32d192ed03, 0x8cb92ba72f3d8dd7, 0xaef17502108ef2d9};

// The number of distinct values; `table` is scratch memory.
std::size_t count_distinct(const Values& values, Values& table) {
  std::size_t capacity = 16;
  while (capacity < 2 * values.size()) capacity *= 2;
  table.assign(capacity, 0);
  std::size_t count = 0;
  for (std::uint64_t value : values) {
    std::uint64_t x = value | 1;  // 0 marks a free slot
    std::size_t at = (value >> 1) & (capacity - 1);
    while (table[at] != 0 && table[at] != x) at = (at + 1) & (capacity - 1);
    count += table[at] == 0;
    table[at] = x;
  }
  return count;
}

// Refines until the number of values stops growing, then folds them.
template <class Refine>
Fingerprint run(Node order, Values& values, Refine refine) {
  thread_local Values table;
  std::uint64_t rounds = 0;
  for (std::size_t count = count_distinct(values, table); count < values.size(); ++rounds) {
    refine(values);
    std::size_t now = count_distinct(values, table);
    if (now <= count) break;
    count = now;
  }
  Fingerprint f{mix(order + rounds * kSalt[0]), mix(rounds + order * kSalt[1])};
  for (std::uint64_t value : values) f.high += mix(value ^ kSalt[2]), f.low += mix(value ^ kSalt[3]);
  return f;
}

template <int K>
class HashTuples {
 public:
  explicit HashTuples(const Graph& graph) : n_(graph.order()) {
    std::size_t s = 1;
    for (std::size_t p = K; p-- > 0; s *= n_) stride_[p] = s;
    Values pair = relation_matrix(graph);
    values_.resize(s);
    std::array<std::size_t, K> tuple{};
    for (std::size_t t = 0; t < s; ++t) {
      std::uint64_t value = 0;
      for (std::size_t p = 0; p < K; ++p)
        for (std::size_t q = 0; q < K; ++q)
          value = value * kSalt[q] +
                  (p == q ? graph.node_color(static_cast<Node>(tuple[p])) : pair[tuple[p] * n_ + tuple[q]]) * kSalt[p];
      values_[t] = mix(value);
      for (std::size_t p = K; p-- > 0 && ++tuple[p] == n_;) tuple[p] = 0;
    }
  }
  Fingerprint folklore() {
    return run(static_cast<Node>(n_), values_, [this](Values& values) {
      for (std::size_t p = 0; p < K; ++p) {
        factor_[p].resize(values.size());
        for (std::size_t t = 0; t < values.size(); ++t) factor_[p][t] = mix(values[t] ^ kSalt[p]);
      }
      if constexpr (K == 2) return pairs(values);
      for (std::size_t t = 0; t < values.size(); ++t) {
        std::array<const std::uint64_t*, K> line;
        for (std::size_t p = 0; p < K; ++p) line[p] = factor_[p].data() + t - t / stride_[p] % n_ * stride_[p];
        std::uint64_t sum = 0;
        for (std::size_t w = 0; w < n_; ++w) {
          std::uint64_t term = line[0][w * stride_[0]];
          for (std::size_t p = 1; p < K; ++p) term *= line[p][w * stride_[p]];
          sum += term;
        }
        values[t] = mix(values[t] * kSalt[0] + sum);
      }
    });
  }
  Fingerprint oblivious() {
    return run(static_cast<Node>(n_), values_, [this](Values& values) {
      std::size_t lines = n_ == 0 ? 0 : values.size() / n_;
      for (std::size_t p = 0; p < K; ++p) {
        factor_[p].assign(lines, 0);
        for (std::size_t t = 0; t < values.size(); ++t) factor_[p][line(t, p)] += mix(values[t] ^ kSalt[p]);
      }
      for (std::size_t t = 0; t < values.size(); ++t) {
        std::uint64_t value = values[t];
        for (std::size_t p = 0; p < K; ++p) value = mix(value * kSalt[0] + factor_[p][line(t, p)]);
        values[t] = value;
      }
    });
  }

  Fingerprint local(const Graph& graph) {
    return run(static_cast<Node>(n_), values_, [&](Values& values) {
      product_.assign(values.size(), 0);
      std::array<std::size_t, K> tuple{};
      for (std::size_t t = 0; t < values.size(); ++t) {
        for (std::size_t p = 0; p < K; ++p) {
          std::size_t line = t - tuple[p] * stride_[p];
          Node v = static_cast<Node>(tuple[p]);
          for (Node w : graph.neighbors(v)) product_[t] += mix(values[line + w * stride_[p]] ^ kSalt[p]);
          if (graph.directed())
            for (Node w : graph.in_neighbors(v)) product_[t] += mix(values[line + w * stride_[p]] + kSalt[p]);
        }
        for (std::size_t p = K; p-- > 0 && ++tuple[p] == n_;) tuple[p] = 0;
      }
      for (std::size_t t = 0; t < values.size(); ++t) values[t] = mix(values[t] * kSalt[0] + product_[t]);
    });
  }

 private:
  // The same for pairs as a product of matrices.
  void pairs(Values& values) {
    product_.assign(values.size(), 0);
    hash_product(n_, factor_[K - 1].data(), factor_[0].data(), product_.data());
    for (std::size_t t = 0; t < values.size(); ++t) values[t] = mix(values[t] * kSalt[0] + product_[t]);
  }
  std::size_t line(std::size_t t, std::size_t p) const { return t / (stride_[p] * n_) * stride_[p] + t % stride_[p]; }
  std::size_t n_;
  std::array<std::size_t, K> stride_;
  Values values_;
  std::array<Values, K> factor_;
  Values product_;
};

template <int K>
Fingerprint hash_k(const Graph& graph, TupleRule rule) {
  double bytes = 8.0 * (K + 6);
  for (int p = 0; p < K; ++p) bytes *= graph.order();
  demand_memory(bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes), 0, "the fingerprint of a graph");
  HashTuples<K> tuples(graph);
  if (rule == TupleRule::Local) return tuples.local(graph);
  return rule == TupleRule::Folklore ? tuples.folklore() : tuples.oblivious();
}

}  // namespace

Fingerprint hash_nodes(const Graph& graph) {
  Values values(graph.order()), next(graph.order());
  for (Node v = 0; v < graph.order(); ++v) values[v] = mix(graph.node_color(v) + kSalt[0]);
  return run(graph.order(), values, [&](Values& now) {
    for (Node v = 0; v < graph.order(); ++v) {
      auto side = [&](std::span<const Node> to, std::span<const Color> colors, std::uint64_t salt) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < to.size(); ++i)
          sum += mix(now[to[i]] + salt * (colors.empty() ? 1 : 1 + std::uint64_t{colors[i]}));
        return sum;
      };
      std::uint64_t sum = side(graph.neighbors(v), graph.neighbor_colors(v), kSalt[1]);
      if (graph.directed()) sum += side(graph.in_neighbors(v), graph.in_neighbor_colors(v), kSalt[2]);
      next[v] = mix(now[v] * kSalt[0] + sum);
    }
    now.swap(next);
  });
}

Fingerprint hash_tuples(const Graph& graph, TupleRule rule, int k) {
  if (k == 2) return hash_k<2>(graph, rule);
  if (k == 3) return hash_k<3>(graph, rule);
  return hash_k<4>(graph, rule);
}

}  // namespace leman::wl
