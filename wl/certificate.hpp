// Canonical certificates of stable colourings, for 1wl, 2wl, 3wl, 4wl, 2fwl,
// 3fwl and 4fwl.
//
// The graph is run alone. A certificate has the order, the number of rounds and
// of colours, and for every colour its atomic type, how many tuples have it, and
// the signature of one of them in terms of the stable colours (all of them have
// the same): for 2-FWL these are the structure constants.
//
// Two graphs have equal certificates if and only if the engine does not
// distinguish them. If it does not, every round of the joint run has the same
// colours in both, so each graph's own run numbers them alike, and stable
// signatures agree. If certificates are equal, giving equal numbers equal
// colours is a joint colouring with equal histograms that refines the atomic
// types and is stable; the joint run's result is coarser, so its histograms are
// equal too.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wl/engine.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

using Certificate = std::vector<std::uint64_t>;

bool has_certificate(std::string_view engine);
Certificate certificate(std::string_view engine, const Graph& graph, const RunOptions& options = {});
Fingerprint fingerprint_of(const Certificate& certificate);

}  // namespace leman::wl
