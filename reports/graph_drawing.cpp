#include "reports/graph_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "reports/escape.hpp"
#include "reports/layout.hpp"

namespace leman::reports {

namespace {

constexpr wl::Node kNumbered = 40;  // colours are written into the nodes of graphs up to this order

int radius_of(wl::Node order) { return order <= 16 ? 24 : order <= kNumbered ? 17 : order <= 80 ? 11 : 8; }

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + brief(value, 5) + "\"";
}

// The rank of every edge colour, as dashes: none, long, short, dots.
std::string dashes(std::size_t rank) {
  constexpr std::array<const char*, 4> kinds{"", "26 10", "10 10", "3 9"};
  const std::string kind = kinds[rank % kinds.size()];
  return kind.empty() ? "" : " stroke-dasharray=\"" + kind + "\"";
}

std::string arrow_head(const Point& from, const Point& to, double radius) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::max(1.0, std::hypot(dx, dy));
  const double ux = dx / length, uy = dy / length, size = 0.8 * radius;
  const double x = to.x - ux * (radius + 2), y = to.y - uy * (radius + 2);
  auto point = [&](double back, double side) {
    return brief(x - back * ux - side * uy, 5) + " " + brief(y - back * uy + side * ux, 5);
  };
  return "<path class=\"arrow\" d=\"M" + point(0, 0) + "L" + point(size, size / 2) + "L" + point(size, -size / 2) +
         "z\"/>";
}

std::string node(const GraphDrawing& d, wl::Node v, const Point& at, bool numbered) {
  const int color = d.colors[v];
  const std::string x = std::to_string(at.x), y = std::to_string(at.y);
  std::string svg = "<circle cx=\"" + x + "\" cy=\"" + y + "\" r=\"" + std::to_string(radius_of(d.graph->order())) +
                    "\" fill=\"hsl(" + fixed(std::fmod(color * 360 * 0.381966, 360), 0) + " 62% 68%)\"" +
                    (d.marked == v ? " class=\"marked\"" : "") + "><title>node " + std::to_string(v) + ", colour " +
                    std::to_string(color) + "</title></circle>";
  if (numbered) svg += "<text x=\"" + x + "\" y=\"" + y + "\">" + std::to_string(color) + "</text>";
  return svg;
}

}  // namespace

std::string draw(const GraphDrawing& d) {
  const wl::Graph& graph = *d.graph;
  const std::vector<Point> places = layout(graph);
  const std::vector<wl::Edge> edges = graph.edges();
  std::set<wl::Color> palette;
  for (const wl::Edge& e : edges) palette.insert(e.color);
  std::string svg =
      "<svg class=\"drawing\" role=\"img\" viewBox=\"-40 -40 1080 1080\" aria-label=\"" + escape(d.title) + "\">";
  for (const wl::Edge& e : edges) {
    const auto rank = static_cast<std::size_t>(std::distance(palette.begin(), palette.find(e.color)));
    svg += "<line" + attribute("x1", places[e.u].x) + attribute("y1", places[e.u].y) + attribute("x2", places[e.v].x) +
           attribute("y2", places[e.v].y) + attribute("stroke-width", edges.size() > 300 ? 1.2 : 2.5) + dashes(rank) +
           "/>";
    if (graph.directed()) svg += arrow_head(places[e.u], places[e.v], radius_of(graph.order()));
  }
  const bool several = std::adjacent_find(d.colors.begin(), d.colors.end(), std::not_equal_to<>()) != d.colors.end();
  for (wl::Node v = 0; v < graph.order(); ++v) svg += node(d, v, places[v], several && graph.order() <= kNumbered);
  return svg + "</svg>";
}

}  // namespace leman::reports
