// Canonical form, automorphism group and isomorphism test, by nauty.
//
// Node colours go in as nauty's initial partition. Edge colours go in as
// layers (nauty's manual, "vertex- and edge-coloured graphs"): with c distinct
// edge colours, node v becomes a path of L = bit_width(c) copies, and layer l
// holds the edges whose colour number (1..c, in order of value) has bit l. The
// automorphisms of the layered graph are those of the coloured one. Directions
// go in as arcs.
//
// nauty may need exponential time; on the graphs of this suite it needs
// milliseconds. Safe to call from several threads.
#pragma once

#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

struct Canon {
  Graph form;                                 // equal for two graphs if and only if they are isomorphic
  std::vector<Node> image;                    // node v of the graph is node image[v] of the form
  std::string group_order;                    // exact, in decimal
  std::vector<std::vector<Node>> generators;  // of the automorphism group; g[v] = image of v
  std::vector<Node> orbits;                   // orbits[v] = smallest node in the orbit of v
};

Canon canonical(const Graph& graph);
bool isomorphic(const Graph& a, const Graph& b);

// The automorphisms found by a search over at most `limit` search nodes. They generate the
// whole group if the search ends in time, a subgroup otherwise.
std::vector<std::vector<Node>> some_automorphisms(const Graph& graph, std::uint64_t limit);

}  // namespace leman::wl
