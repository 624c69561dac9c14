// Where to draw the nodes of a graph, on a square.
#pragma once

#include <vector>

#include "wl/graph.hpp"

namespace leman::reports {

struct Point {
  int x, y;  // 0 .. 999
};

// Each component on its own, then all of them packed: sparse ones of moderate size by stress
// (reports/stress_layout.hpp), larger sparse ones by forces (Fruchterman and Reingold), dense ones
// on a circle. The same graph gets the same picture.
std::vector<Point> layout(const wl::Graph& graph);

}  // namespace leman::reports
