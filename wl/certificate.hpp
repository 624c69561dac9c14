// Canonical certificates of stable colourings, for 1-WL, k-WL and k-FWL.
//
// The graph is run alone. A certificate has the order, the number of rounds and of colours, and
// for every colour its atomic type, how many tuples have it, and the signature of one of them in
// terms of the stable colours (all of them have the same): for 2-FWL these are the structure
// constants.
//
// Two graphs have equal certificates if and only if the engine does not distinguish them. If it
// does not, every round of the joint run has the same colours in both, so each graph's own run
// numbers them alike, and stable signatures agree. If certificates are equal, giving equal numbers
// equal colours is a joint colouring with equal histograms that refines the atomic types and is
// stable; the joint run's result is coarser, so its histograms are equal too.
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
