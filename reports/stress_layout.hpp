// Inside reports/: places for the nodes of a connected graph such that distances on paper come close
// to distances in the graph.
//
// Stress: the sum over pairs of nodes of (|p - q| - d)² / d², d the distance in the graph. Lowered by
// majorization (Gansner, Koren, North 2004) from two starts, a circle and the two largest directions
// of classical scaling; the better result is taken, its longer axis laid horizontally. All nodes
// move at once, half of the way, which never raises the stress and keeps symmetries: regular
// polygons stay regular. Kamada and Kawai's springs in Boost.Graph move one node at a time and leave
// a hexagon crooked. O(n (n + m)) and O(n²) per sweep.
#pragma once

#include <vector>

#include "wl/graph.hpp"

namespace leman::reports {

struct Spot {
  double x = 0, y = 0;
};

// The graph must be connected; directions are ignored. Adjacent nodes are about 1 apart.
std::vector<Spot> stress_layout(const wl::Graph& graph);

// On a circle, neighbours 1 apart.
std::vector<Spot> circle_layout(std::size_t nodes);

}  // namespace leman::reports
