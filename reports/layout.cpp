#include "reports/layout.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>

#include "wl/boost_graph.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {

namespace {

using Topology = boost::square_topology<>;
using Place = Topology::point_type;
using Drawn = wl::BoostGraph;
using Places = std::vector<Place>;

constexpr wl::Node kSpringOrder = 48;  // springs take n^3 and more
constexpr double kDenseDegree = 5.5;
constexpr double kSide = 100;
// Ideal length of an edge, in Boost's sqrt(area / n). With that itself graphs fill the square, and
// nodes that are pushed out of it pile up at its border; a drawing that stays away from the border
// is scaled up later.
constexpr double kEdge = 0.3;
constexpr int kMoves = 150;
constexpr double kFirstMove = 3;  // longest one; the last is 0

// Springs may swing for ever; so many moves are enough.
class Settled {
 public:
  explicit Settled(std::uint32_t moves) : moves_(moves) {}
  bool operator()(double change, Drawn::vertex_descriptor v, const Drawn& g, bool all) {
    if (moves_ == 0) return true;
    --moves_;
    return tolerance_(change, v, g, all);
  }

 private:
  std::uint32_t moves_;
  boost::layout_tolerance<double> tolerance_{0.001};
};

void by_springs(const Drawn& graph, Places& places) {
  auto at = boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, graph));
  boost::kamada_kawai_spring_layout(graph, at, boost::make_static_property_map<Drawn::edge_descriptor>(1.0),
                                    Topology(kSide), boost::side_length(kSide),
                                    Settled(100 * static_cast<std::uint32_t>(places.size())));
}

void by_forces(const Drawn& graph, Places& places) {
  auto at = boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, graph));
  auto attraction = [](const auto&, double k, double distance, const auto&) {
    return distance * distance / (kEdge * k);
  };
  auto repulsion = [](const auto&, const auto&, double k, double distance, const auto&) {
    return kEdge * k * kEdge * k / distance;
  };
  Topology square(kSide);
  boost::fruchterman_reingold_force_directed_layout(graph, at, square,
                                                    boost::attractive_force(attraction)
                                                        .repulsive_force(repulsion)
                                                        .cooling(boost::linear_cooling<double>(kMoves, kFirstMove)));
}

// Into 0 .. 999, the longer side filling it.
std::vector<Point> fitted(const Places& places) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (const Place& p : places)
    for (std::size_t k = 0; k < 2; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
  const double size = std::max({high[0] - low[0], high[1] - low[1], 1e-9});
  std::vector<Point> points;
  for (const Place& p : places) {
    int at[2];
    for (std::size_t k = 0; k < 2; ++k)
      at[k] = static_cast<int>(std::lround(499.5 + 999 * (p[k] - (low[k] + high[k]) / 2) / size));
    points.push_back({std::clamp(at[0], 0, 999), std::clamp(at[1], 0, 999)});
  }
  return points;
}

Places connected_places(const wl::Graph& graph) {
  const Drawn drawn = wl::to_boost(graph);
  Places places(graph.order());
  boost::circle_graph_layout(
      drawn, boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, drawn)), kSide / 2);
  const double degree = 2 * static_cast<double>(graph.size()) / graph.order();
  if (graph.order() <= 3 || degree > kDenseDegree) return places;
  if (graph.order() <= kSpringOrder)
    by_springs(drawn, places);
  else
    by_forces(drawn, places);
  return places;
}

// The connected components, the largest first.
std::vector<std::vector<wl::Node>> components(const wl::Graph& graph) {
  std::vector<std::vector<wl::Node>> all;
  std::vector<bool> seen(graph.order(), false);
  for (wl::Node start = 0; start < graph.order(); ++start) {
    if (seen[start]) continue;
    std::vector<wl::Node>& nodes = all.emplace_back(1, start);
    seen[start] = true;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (const auto next : {graph.neighbors(nodes[k]), graph.in_neighbors(nodes[k])})
        for (const wl::Node w : next)
          if (!seen[w]) seen[w] = true, nodes.push_back(w);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return all;
}

// Components side by side in lines, each in a square with room for its nodes.
Places packed_places(const wl::Graph& graph) {
  Places places(graph.order());
  const double width = 1.3 * std::sqrt(static_cast<double>(graph.order()));
  double x = 0, y = 0, line = 0;
  for (const std::vector<wl::Node>& nodes : components(graph)) {
    const Places own = connected_places(wl::induced_subgraph(graph, nodes));
    const double side = std::sqrt(static_cast<double>(nodes.size()) - 1);
    if (x > 0 && x + side > width) x = 0, y += line + 1, line = 0;
    const std::vector<Point> points = fitted(own);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      places[nodes[k]][0] = x + side * points[k].x / 999;
      places[nodes[k]][1] = y + side * points[k].y / 999;
    }
    x += side + 1, line = std::max(line, side);
  }
  return places;
}

}  // namespace

std::vector<Point> layout(const wl::Graph& graph) {
  if (graph.order() == 0) return {};
  return fitted(wl::is_connected(graph) ? connected_places(graph) : packed_places(graph));
}

}  // namespace leman::reports
