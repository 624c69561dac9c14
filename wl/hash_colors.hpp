// Fingerprints of graphs: the engines' rules with 64-bit hash values in place of
// canonical colours, until the number of different values stops growing. Every
// value is a function of what the engine sees, so graphs that the engine does
// not distinguish have equal fingerprints, and different fingerprints prove a
// difference. A collision can only make fingerprints equal. Microseconds for a
// small graph: these bucket the millions.
#pragma once

#include "wl/fingerprint.hpp"
#include "wl/graph.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

Fingerprint hash_nodes(const Graph& graph);
Fingerprint hash_tuples(const Graph& graph, TupleRule rule, int k);  // Local: k = 2

}  // namespace leman::wl
