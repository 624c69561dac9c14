#include "wl/tuple_orbits.hpp"

#include <numeric>

#include "wl/canon.hpp"

namespace leman::wl {

namespace {

// Below this order a round is cheaper than a call of nauty.
constexpr Node kSmallOrder = 20;
// Search nodes that nauty may visit: milliseconds.
constexpr std::uint64_t kSearchLimit = 2000;

std::uint32_t root(std::vector<std::uint32_t>& parent, std::uint32_t x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

void join(std::vector<std::uint32_t>& parent, std::uint32_t a, std::uint32_t b) {
  a = root(parent, a), b = root(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

// The image of every tuple under g, tuple by tuple in row-major order.
std::vector<std::uint32_t> tuple_images(const std::vector<Node>& g, int k) {
  std::vector<std::uint32_t> images{0};
  auto n = static_cast<std::uint32_t>(g.size());
  for (int p = 0; p < k; ++p) {
    std::vector<std::uint32_t> longer;
    longer.reserve(images.size() * n);
    for (std::uint32_t head : images)
      for (Node x : g) longer.push_back(head * n + x);
    images = std::move(longer);
  }
  return images;
}

}  // namespace

TupleOrbits::TupleOrbits(const Graph& graph, int k, bool wanted) : tuples_(1) {
  for (int p = 0; p < k; ++p) tuples_ *= graph.order();
  if (!wanted || graph.order() < kSmallOrder || tuples_ > 8'000'000) return;
  auto generators = some_automorphisms(graph, kSearchLimit);
  if (generators.empty()) return;
  std::vector<std::uint32_t> parent(tuples_);
  std::iota(parent.begin(), parent.end(), 0);
  for (const auto& g : generators) {
    auto images = tuple_images(g, k);
    for (std::uint32_t t = 0; t < images.size(); ++t)
      if (images[t] != t) join(parent, t, images[t]);
  }
  item_.resize(tuples_);
  for (std::uint32_t t = 0; t < tuples_; ++t) {
    std::uint32_t r = root(parent, t);  // the smallest of its orbit
    if (r == t) {
      item_[t] = static_cast<std::uint32_t>(representative_.size());
      representative_.push_back(t);
      size_.push_back(0);
    }
    item_[t] = item_[r];
    ++size_[item_[t]];
  }
}

}  // namespace leman::wl
