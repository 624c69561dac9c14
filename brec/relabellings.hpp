// Relabelled copies of a graph, the sample on which BREC tests a model.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/constructions/random.hpp"
#include "wl/graph.hpp"

namespace leman::brec {

struct Relabellings {
  std::vector<wl::Graph> graphs;  // the first is the graph itself
  // Different ones among them: all, or, of a graph that has too few (n! over the
  // order of its group), every one there is, repeated in turn.
  std::size_t distinct = 0;
};

Relabellings relabellings(const wl::Graph& graph, std::size_t count, Rng& rng);

}  // namespace leman::brec
