// Random graphs. The same seed gives the same graph on every machine; only G(n, p) also depends
// on how the C library rounds logarithms.
#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

// G(n, p): every pair is an edge with probability p, independently.
Graph erdos_renyi(Node n, double p, Rng& rng);
// d-regular, n*d even, d < n. Steger and Wormald (1999): join random free
// half-edges that make neither a loop nor a duplicate, and start again when stuck.
// For large d, the complement of such a graph. Close to uniform for fixed d, but not
// exactly uniform.
Graph random_regular(Node n, std::uint32_t d, Rng& rng);
// Uniform among the n^(n-2) labelled trees, by Pruefer codes.
Graph random_tree(Node n, Rng& rng);
// Preferential attachment (Barabasi and Albert): a star on m+1 nodes, then
// every new node is joined to m distinct ones, chosen in proportion to their degree.
Graph preferential_attachment(Node n, std::uint32_t m, Rng& rng);
// Stochastic block model: node v is in block v mod `blocks`; a pair is an edge with
// probability `inside` within a block and `between` across, independently.
Graph stochastic_block(Node n, std::uint32_t blocks, double inside, double between, Rng& rng);

}  // namespace leman::wl
