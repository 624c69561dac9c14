// Cai-Fuerer-Immerman graphs (Combinatorica 12, 1992).
//
// Over a base graph H: a vertex u of degree d becomes a gadget with two nodes
// a(u,v), b(u,v) for every neighbour v, and one middle node for every subset S
// of the neighbours of even size, joined to a(u,v) if v is in S and to b(u,v)
// if not. An edge uv of H joins a(u,v)-a(v,u) and b(u,v)-b(v,u); a crossed edge
// joins a(u,v)-b(v,u) and b(u,v)-a(v,u). The order is the sum of 2^(d-1) + 2d over
// the vertices; a vertex with d = 0 contributes 1, for the empty subset.
//
// Only the parity of the number of crossed edges in each component matters.
// For connected H the graph and its twist (one crossed edge) are not
// isomorphic, and k-FWL tells them apart if and only if k >= treewidth(H).
#pragma once

#include <utility>

#include "wl/graph.hpp"

namespace leman::wl {

// `crossed`: the index in base.edges() of the crossed edge; past the end, no edge is
// crossed. The base graph is undirected with degrees at most 20.
Graph cfi(const Graph& base, std::size_t crossed = SIZE_MAX);

struct CfiPair {
  Graph straight, twisted;
};
CfiPair cfi_pair(const Graph& base);  // the base has at least one edge

}  // namespace leman::wl
