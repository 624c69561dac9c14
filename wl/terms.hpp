// The signature of one node or pair, member by member: what a refinement counts, in a form that can
// be put into words. Two nodes (pairs) of equal colour have equal colours in the next round if and
// only if they have equal multisets of members. Read off the definitions and slow: the engines
// refine by other means.
//
// d is the number of members of one signature: neighbours for 1-WL, all nodes for the folklore rule.
// O(d) per call, with distances O(n + m).
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

// One member of a signature: an object of colour `first`, or, for a walk, two of them.
struct Term {
  enum class Kind : std::uint8_t {
    Neighbor,     // of the node; `out` is the colour of the edge
    OutNeighbor,  // the same along an arc
    InNeighbor,
    OtherNode,  // of the whole graph; `out` and `in`: 0, or 1 + the colour of the arc to it and from it
    Distance,   // likewise; `out` is the distance, UINT32_MAX if there is no path
    Row,        // of (i, j): the pair (i, l)
    Column,     // the pair (l, j)
    Walk,       // the pairs (i, l), `first`, and (l, j), `second`
    // As Row and Column, with l a neighbour of the entry that it replaces, by an arc to l or from l.
    RowNeighbor,
    RowInNeighbor,
    ColumnNeighbor,
    ColumnInNeighbor,
  };
  Kind kind = Kind::Neighbor;
  Color out = 0, in = 0;
  Color first = 0, second = 0;
  friend auto operator<=>(const Term&, const Term&) = default;
};

// Given a colouring of the graph's nodes, or of its pairs in row-major order, and a node or pair.
using Terms = std::vector<Term> (*)(const Graph& graph, std::span<const Color> coloring, std::size_t tuple);

std::vector<Term> neighbor_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node);
std::vector<Term> node_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node);
std::vector<Term> distance_terms(const Graph& graph, std::span<const Color> coloring, std::size_t node);
std::vector<Term> oblivious_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair);
std::vector<Term> local_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair);
std::vector<Term> folklore_terms(const Graph& graph, std::span<const Color> coloring, std::size_t pair);

}  // namespace leman::wl
