// Orbits of the automorphism group on k-tuples of nodes. Tuples of one orbit
// have equal colours in every round of every engine, so one of them stands for
// all. Any subgroup does, so nauty's search may be cut short.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

class TupleOrbits {
 public:
  // Orbits of the group if that is likely to pay, else every tuple by itself.
  TupleOrbits(const Graph& graph, int k, bool wanted);

  bool trivial() const { return item_.empty(); }
  std::uint64_t items() const { return trivial() ? tuples_ : representative_.size(); }
  std::uint64_t item(std::uint64_t tuple) const { return trivial() ? tuple : item_[tuple]; }
  std::uint64_t representative(std::uint64_t item) const { return trivial() ? item : representative_[item]; }
  std::uint64_t size(std::uint64_t item) const { return trivial() ? 1 : size_[item]; }

 private:
  std::uint64_t tuples_ = 0;
  std::vector<std::uint32_t> item_;            // by tuple; empty: trivial
  std::vector<std::uint32_t> representative_;  // by item, the smallest tuple, ascending
  std::vector<std::uint32_t> size_;            // by item, tuples in the orbit
};

}  // namespace leman::wl
