// Orbits of the automorphism group on k-tuples of nodes. Tuples of one orbit
// have equal colours in every round of every engine, so one of them stands for
// all. Any subgroup will do, so nauty's search may be cut short and stabilisers may
// be known only in part.
//
// From (k-1)-tuples to k-tuples: along a breadth-first tree over the orbit of a
// (k-1)-tuple c, every member d gets a group element P_d that takes d to c. Then
// (d, z) lies in the orbit of (c, P_d z). Two such tuples are in one orbit if an
// element of the stabiliser of c maps one last entry to the other. Products around
// edges outside the tree (Schreier) give elements of the stabiliser. This costs n^k
// steps, however many generators there are.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

using Permutations = std::vector<std::vector<Node>>;

// The automorphisms to use; none if they are unlikely to pay off.
Permutations orbit_generators(const Graph& graph, bool wanted);

class TupleOrbits {
 public:
  TupleOrbits(Node order, int k, const Permutations& generators);

  bool trivial() const { return item_.empty(); }  // every tuple by itself
  std::uint64_t items() const { return trivial() ? tuples_ : representative_.size(); }
  std::uint64_t item(std::uint64_t tuple) const { return trivial() ? tuple : item_[tuple]; }
  std::uint64_t representative(std::uint64_t item) const { return trivial() ? item : representative_[item]; }
  std::uint64_t size(std::uint64_t item) const { return trivial() ? 1 : size_[item]; }

 private:
  void number_by_smallest();

  std::uint64_t tuples_ = 1;
  std::vector<std::uint32_t> item_;            // by tuple; empty: trivial
  std::vector<std::uint32_t> representative_;  // by item, the smallest tuple, ascending
  std::vector<std::uint32_t> size_;            // by item, tuples in the orbit
};

}  // namespace leman::wl
