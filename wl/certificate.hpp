// Canonical certificates of stable colourings, for 1-WL, k-WL and k-FWL.
//
// The graph is run alone. A certificate holds the order and the numbers of rounds and colours. For
// every colour it holds the atomic type, the number of tuples, and the signature of one tuple in
// terms of the stable colours (all tuples of a colour have the same signature). For 2-FWL these are
// the structure constants.
//
// Two graphs have equal certificates if and only if the engine does not distinguish them. If it
// does not, every round of the joint run has the same colours in both, so each graph's own run
// numbers them alike and the stable signatures agree. Conversely, let the certificates be equal.
// Identifying colours with equal numbers gives a joint colouring that has equal histograms, refines
// the atomic types and is stable. The joint run's result is coarser, so its histograms are equal too.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/coloring.hpp"
#include "wl/fingerprint.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

using Certificate = std::vector<std::uint64_t>;

Certificate node_certificate(const Graph& graph, const RunOptions& options);
Certificate tuple_certificate(const Graph& graph, TupleRule rule, int k, const RunOptions& options);
Fingerprint fingerprint_of(const Certificate& certificate);

}  // namespace leman::wl
