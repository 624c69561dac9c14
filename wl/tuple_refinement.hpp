// Refinement of k-tuples of nodes, as the paper defines it. C_0 is the atomic
// type: for every pair of positions equal, edge (its colour and direction) or
// neither, and the node colours. With v[j := w] = v with w at position j:
//
//   oblivious k-WL, k = 2, 3, 4:  C_t(v) = (C_(t-1)(v), one multiset per position j:
//                                 {{C_(t-1)(v[j := w]) : w}})
//   folklore k-FWL, k = 2, 3, 4:  C_t(v) = (C_(t-1)(v), {{(C_(t-1)(v[1 := w]), ...,
//                                 C_(t-1)(v[k := w])) : w}})
//   local delta-2-WL:             as 2-WL, w in N(v_j) only
//
// Cost per round for n nodes: k-FWL O(k n^(k+1)), k-WL O(k n^k) expected, local
// delta-2-WL O(n m). In k-WL the multiset of position j depends on the other
// positions alone: k n^(k-1) multisets of n colours are numbered, and a tuple's
// signature is k numbers. Memory O(n^k). With use_orbits, from 20 nodes on, one tuple
// of every orbit of the automorphism group is refined: tuples of one orbit have
// equal colours in every round.
//
// Exact: see wl/intern.hpp; every round's numbers are decided by comparing full
// signatures.
#pragma once

#include "wl/coloring.hpp"

namespace leman::wl {

enum class TupleRule { Oblivious, Folklore, Local };

RunResult refine_tuples(GraphSpan graphs, TupleRule rule, int k, const RunOptions& options);

// Approximate peak memory of such a run, in bytes.
std::uint64_t tuple_memory(GraphSpan graphs, TupleRule rule, int k);

}  // namespace leman::wl
