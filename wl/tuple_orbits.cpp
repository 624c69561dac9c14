#include "wl/tuple_orbits.hpp"

#include <algorithm>
#include <numeric>

#include "wl/canon.hpp"

namespace leman::wl {

namespace {

// Below this order a round is cheaper than a call to nauty.
constexpr Node kSmallOrder = 20;
// Search nodes that nauty may visit: milliseconds.
constexpr std::uint64_t kSearchLimit = 2000;
// The number of stabiliser elements considered.
constexpr std::size_t kStabiliserElements = 30;
constexpr std::uint32_t kNone = UINT32_MAX;

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

// The orbit of one (k-1)-tuple, with the data needed to extend it by one entry.
class OrbitOfPrefix {
 public:
  OrbitOfPrefix(std::uint32_t n, int length, const Permutations& generators, const Permutations& inverses)
      : n_(n), length_(length), generators_(generators), inverses_(inverses) {}

  void expect(std::uint64_t tuples) { to_start_.reserve(tuples * n_); }  // in the largest orbit

  // Walks the orbit of `start`; `where` is scratch, kNone for tuples not seen.
  void walk(std::uint32_t start, std::vector<std::uint32_t>& where) {
    tuples_.assign(1, start);
    where[start] = 0;
    to_start_.resize(n_);
    std::iota(to_start_.begin(), to_start_.end(), 0);
    parent_.resize(n_);
    std::iota(parent_.begin(), parent_.end(), 0);
    std::size_t looked_at = 0;
    for (std::uint32_t i = 0; i < tuples_.size(); ++i)
      for (std::size_t g = 0; g < generators_.size(); ++g) {
        std::uint32_t image = apply(generators_[g], tuples_[i]);
        if (where[image] == kNone) {
          where[image] = static_cast<std::uint32_t>(tuples_.size());
          tuples_.push_back(image);
          to_start_.resize(to_start_.size() + n_);
          Node* mine = to_start_.data() + std::size_t{where[image]} * n_;
          const Node* before = to_start_.data() + std::size_t{i} * n_;
          for (std::uint32_t z = 0; z < n_; ++z) mine[z] = before[inverses_[g][z]];
        } else if (looked_at < kStabiliserElements) {
          ++looked_at;
          join_schreier(i, g, where[image]);
        }
      }
    for (std::uint32_t z = 0; z < n_; ++z) parent_[z] = root(parent_, z);
  }
  const std::vector<std::uint32_t>& tuples() const { return tuples_; }
  // The last entry of (tuple number i, z) after the tuple is moved to the start, up
  // to the stabiliser.
  std::uint32_t last_entry(std::uint32_t i, std::uint32_t z) const {
    return parent_[to_start_[std::size_t{i} * n_ + z]];
  }

 private:
  std::uint32_t apply(const std::vector<Node>& g, std::uint32_t tuple) const {
    std::uint32_t image = 0, stride = 1;
    for (int p = 0; p < length_; ++p, tuple /= n_, stride *= n_) image += g[tuple % n_] * stride;
    return image;
  }
  // P_j g P_i^-1 fixes the start: joins every point with its image.
  void join_schreier(std::uint32_t i, std::size_t g, std::uint32_t j) {
    const Node* from = to_start_.data() + std::size_t{i} * n_;
    const Node* to = to_start_.data() + std::size_t{j} * n_;
    for (std::uint32_t z = 0; z < n_; ++z) {
      if (from[z] == to[generators_[g][z]]) continue;
      std::uint32_t a = root(parent_, from[z]), b = root(parent_, to[generators_[g][z]]);
      parent_[std::max(a, b)] = std::min(a, b);
    }
  }
  std::uint32_t n_;
  int length_;
  const Permutations& generators_;
  const Permutations& inverses_;
  std::vector<std::uint32_t> tuples_;
  std::vector<Node> to_start_;         // P of every tuple of the orbit, n entries each
  std::vector<std::uint32_t> parent_;  // points up to the stabiliser: a union-find forest, flat after walk()
};

}  // namespace

Permutations orbit_generators(const Graph& graph, bool wanted) {
  if (!wanted || graph.order() < kSmallOrder) return {};
  return some_automorphisms(graph, kSearchLimit);
}

TupleOrbits::TupleOrbits(Node order, int k, const Permutations& generators) {
  std::uint64_t prefixes = 1;
  for (int p = 0; p < k; ++p) prefixes = tuples_, tuples_ *= order;
  if (generators.empty() || tuples_ >= kNone) return;
  Permutations inverses;
  for (const auto& g : generators) {
    inverses.emplace_back(g.size());
    for (Node v = 0; v < g.size(); ++v) inverses.back()[g[v]] = v;
  }
  item_.resize(tuples_);
  std::vector<std::uint32_t> where(prefixes, kNone);
  OrbitOfPrefix orbit(order, k - 1, generators, inverses);
  orbit.expect(prefixes);
  std::uint32_t first = 0;  // items of an orbit: first + last entry, renumbered below
  for (std::uint32_t start = 0; start < prefixes; ++start) {
    if (where[start] != kNone) continue;
    orbit.walk(start, where);
    for (std::uint32_t i = 0; i < orbit.tuples().size(); ++i) {
      std::uint32_t* row = item_.data() + std::uint64_t{orbit.tuples()[i]} * order;
      for (std::uint32_t z = 0; z < order; ++z) row[z] = first + orbit.last_entry(i, z);
    }
    first += order;
  }
  number_by_smallest();
}

void TupleOrbits::number_by_smallest() {
  std::vector<std::uint32_t> number(*std::max_element(item_.begin(), item_.end()) + std::size_t{1}, kNone);
  for (std::uint32_t t = 0; t < tuples_; ++t) {
    std::uint32_t& mine = number[item_[t]];
    if (mine == kNone) {
      mine = static_cast<std::uint32_t>(representative_.size());
      representative_.push_back(t);
      size_.push_back(0);
    }
    item_[t] = mine;
    ++size_[mine];
  }
}

}  // namespace leman::wl
