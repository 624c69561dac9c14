// Fingerprints of graphs: the engines' rules with 64-bit hash values in place of
// canonical colours, until the number of distinct values stops growing. Every
// value is a function of what the engine sees. So graphs that the engine does not
// distinguish have equal fingerprints, and different fingerprints prove a
// difference. A collision can only make fingerprints equal. A small graph takes
// microseconds, so millions of graphs can be sorted into buckets.
#pragma once

#include "wl/fingerprint.hpp"
#include "wl/graph.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

Fingerprint hash_nodes(const Graph& graph);
Fingerprint hash_tuples(const Graph& graph, TupleRule rule, int k);  // Local: k = 2

}  // namespace leman::wl
