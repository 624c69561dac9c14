// 1-WL, colour refinement: C_t(v) = (C_(t-1)(v), {{C_(t-1)(u) : u in N(v)}}).
// Directed graphs: one multiset for out-neighbours, one for in-neighbours.
// Edge colours: pairs (edge colour, C(u)). C_0 is the node colour.
//
// O((n + m) log n) expected for all rounds together. A round is synchronous, as the
// definition has it, and still does Hopcroft's saving: if a cell X of the
// partition split into parts in round t, then in round t + 1 nodes can only
// differ in how many neighbours they have in the parts, and the counts in X
// itself agree already; so the largest part need not be looked at. Each node is
// scanned at most log n times, since its cell at least halves in between.
//
// While most nodes are both in large cells and in new parts, it is cheaper to
// look at the nodes that can still split, one by one: a dense round computes a
// fingerprint of every such node's multiset. The driver, NodeRefiner::round,
// chooses by the number of nodes to look at; dense rounds need an eighth of all
// nodes in new parts, so there are O(log n) of them.
//
// Exact: a sparse round splits cells by the counts themselves; a dense round by
// fingerprints, and compares the multisets in full wherever they agree. Colours
// are canonical: a cell splits in place, by ascending count, splitters in the
// order of the cells, or by fingerprint; which way is taken depends on sizes
// only.
//
// Cardon and Crochemore (1982); Berkholz, Bonsma, Grohe (2017).
#pragma once

#include "wl/coloring.hpp"

namespace leman::wl {

// `initial`: colours to start from instead of the node colours, one vector per
// graph; numbers are compared across graphs.
RunResult refine_nodes(GraphSpan graphs, const RunOptions& options,
                       const std::vector<std::vector<Color>>& initial = {});

std::uint64_t node_memory(GraphSpan graphs);  // bytes at the peak, about

}  // namespace leman::wl
