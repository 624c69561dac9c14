// Small graphs with names, and cones.
#pragma once

#include <optional>
#include <string_view>

#include "wl/graph.hpp"

namespace leman::wl {

Graph complete(Node n);
Graph complete_bipartite(Node a, Node b);
Graph cycle(Node n);  // n >= 3
Graph path(Node n);
Graph grid(Node rows, Node columns);
Graph petersen();

// The circular skip link CSL(n, r): an n-cycle with chords of length r, that
// is, the circulant on Z_n with connection set {1, -1, r, -r}; 2 <= r < n - 1,
// 2r != n. All are 4-regular, so 1-WL cannot tell apart two of the same order.
Graph circular_skip_link(Node n, Node r);

// `graph` and one more node, the last, joined to all others.
Graph cone(const Graph& graph);

// Kn, Ka,b, Cn, Pn (numbers up to 2000), Petersen; no value for any other text.
std::optional<Graph> graph_by_name(std::string_view name);

}  // namespace leman::wl
