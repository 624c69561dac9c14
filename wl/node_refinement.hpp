// 1-WL, colour refinement: C_t(v) = (C_(t-1)(v), {{C_(t-1)(u) : u in N(v)}}).
// Directed graphs: one multiset for out-neighbours, one for in-neighbours.
// Edge colours: pairs (edge colour, C(u)). C_0 is the node colour.
//
// O((n + m) log n) expected for all rounds together. A round is synchronous, as in
// the definition, and still uses Hopcroft's trick. If a cell X of the partition
// split into parts in round t, then in round t + 1 nodes can only differ in their
// numbers of neighbours in the parts. The counts in X itself agree already, so the
// largest part can be skipped. Each node is scanned at most log n times, since its
// cell at least halves in between.
//
// While most nodes are both in large cells and in new parts, it is cheaper to
// look at the nodes that can still split, one by one: a dense round computes a
// fingerprint of every such node's multiset. The driver, NodeRefiner::round,
// chooses by the number of nodes to look at. A dense round needs an eighth of all
// nodes in new parts, so there are O(log n) of them.
//
// Exact: a sparse round splits cells by the counts themselves. A dense round splits
// by fingerprints and compares the multisets in full wherever these agree. Colours
// are canonical: a cell splits in place, either by ascending count, with splitters
// in the order of the cells, or by fingerprint. The choice depends on sizes only.
//
// Cardon and Crochemore (1982); Berkholz, Bonsma, Grohe (2017).
#pragma once

#include "wl/coloring.hpp"

namespace leman::wl {

// `initial`: colours to start from instead of the node colours, one vector per
// graph. Equal numbers mean equal colours, across graphs too.
RunResult refine_nodes(GraphSpan graphs, const RunOptions& options,
                       const std::vector<std::vector<Color>>& initial = {});

std::uint64_t node_memory(GraphSpan graphs);  // approximate peak in bytes

}  // namespace leman::wl
