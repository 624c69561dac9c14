// 2-lifts: double covers of a base graph.
//
// Node u of the base becomes 2u and 2u+1. A base edge uv becomes the straight
// matching 2u-2v, 2u+1 - 2v+1, or the crossed one. Up to isomorphism of covers
// the edges of a spanning tree may be straight, so a lift of a connected base is
// determined by a mask over the other edges. The tree is the breadth-first tree from
// node 0 (neighbours ascending). Bit i crosses the i-th edge outside the tree (sorted
// by smaller, then larger end).
//
// A node of a lift sees, at every depth, what its image in the base sees. So 1-WL
// cannot tell apart the 2-lifts of one base.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

// The base is connected, with at most 64 edges outside the tree.
Graph two_lift(const Graph& base, std::uint64_t mask);

// The smallest mask of every isomorphism class of connected lifts, ascending.
// At most 20 edges outside the tree.
std::vector<std::uint64_t> connected_lift_classes(const Graph& base);

}  // namespace leman::wl
