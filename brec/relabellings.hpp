// Relabelled copies of a graph: the sample on which BREC tests a model.
#pragma once

#include <cstdint>
#include <vector>

#include "wl/constructions/random.hpp"
#include "wl/graph.hpp"

namespace leman::brec {

struct Relabellings {
  std::vector<wl::Graph> graphs;  // the first is the graph itself
  // The number of different graphs among them. A graph has n! / |group| labellings. If
  // these are too few, all of them are taken and repeated in turn.
  std::size_t distinct = 0;
};

Relabellings relabellings(const wl::Graph& graph, std::size_t count, Rng& rng);

}  // namespace leman::brec
