// Exact treewidth of a small graph.
//
// Dynamic programming over sets of eliminated nodes (Bodlaender, Fomin, Koster,
// Kratsch, Thilikos, "On exact algorithms for treewidth", 2012):
// T({}) = -inf, T(S) = min over v in S of max(T(S - v), q(S - v, v)), where
// q(S, v) counts the nodes outside S + v that v reaches through S. O(2^n n m)
// time, 2^n bytes.
#pragma once

#include "wl/graph.hpp"

namespace leman::wl {

int treewidth(const Graph& graph);  // at most 24 nodes; -1 for the empty graph

}  // namespace leman::wl
