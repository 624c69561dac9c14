// Where to draw the nodes of a graph: layouts of Boost.Graph on a square.
#pragma once

#include <vector>

#include "wl/graph.hpp"

namespace leman::reports {

struct Point {
  int x, y;  // 0 .. 999
};

// Sparse graphs of moderate size by springs (Kamada and Kawai), larger sparse ones by
// forces (Fruchterman and Reingold), dense ones on a circle; components side by side.
// The same graph gets the same picture.
std::vector<Point> layout(const wl::Graph& graph);

}  // namespace leman::reports
