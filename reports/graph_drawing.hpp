// A graph as SVG, in the page's style (class "drawing").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::reports {

struct GraphDrawing {
  const wl::Graph* graph = nullptr;
  std::vector<int> colors;         // one per node, from 0 on
  std::optional<wl::Node> marked;  // drawn with a thick border
  std::string title;               // for screen readers
};

// Places are those of reports/layout.hpp. Edges of different colours differ in their dashes, arcs have
// arrow heads. The same drawing gives the same text.
std::string draw(const GraphDrawing& drawing);

}  // namespace leman::reports
