// The colour quotient of a stable 2-FWL colouring: colours, class sizes, and for
// every colour c = colour(i,j) the pairs (colour(i,l), colour(l,j)) over all l,
// with multiplicity. These are the structure constants of a coherent
// configuration (Higman): they do not depend on which pair (i,j) of colour c is
// taken. A joint quotient covers several graphs with one set of colours.
//
// A function of the colouring, such as an Edge Transformer, can be evaluated on the
// quotient: one token per colour and one term per triple, instead of n^2 and n^3.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wl/coloring.hpp"

namespace leman::wl {

struct Triple {
  Color left, right;           // colour(i,l), colour(l,j)
  std::uint32_t multiplicity;  // number of l
  friend auto operator<=>(const Triple&, const Triple&) = default;
};

struct Quotient {
  Color colors = 0;
  std::vector<std::vector<std::uint64_t>> sizes;  // sizes[g][c]: pairs of graph g with colour c
  std::vector<bool> diagonal;                     // c is a colour of pairs (i,i)
  std::vector<Color> transpose;                   // colour(j,i) where c = colour(i,j)
  std::vector<Edge> sample;                       // a pair (u, v) of colour c; Edge::color is the index of its graph
  std::vector<std::size_t> first;                 // triples[first[c] .. first[c+1]) belong to c
  std::vector<Triple> triples;                    // by c, then (left, right)
  std::vector<std::vector<Color>> coloring;       // coloring[g][i * n + j]

  std::span<const Triple> of(Color c) const { return {triples.data() + first[c], first[c + 1] - first[c]}; }

  // Throws BugError unless the colouring is a coherent configuration
  // with exactly these constants in every graph: diagonal and transpose are
  // well defined and every pair has the triples of its colour. O(n^3).
  void verify() const;
};

Quotient color_quotient(GraphSpan graphs, const RunOptions& options = {});

}  // namespace leman::wl
