#include "reports/layout.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/property_map/property_map.hpp>
#include <cmath>

#include "reports/stress_layout.hpp"
#include "wl/boost_graph.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {

namespace {

using Topology = boost::square_topology<>;
using Place = Topology::point_type;
using Drawn = wl::BoostGraph;
using Spots = std::vector<Spot>;

constexpr wl::Node kStressOrder = 64;
constexpr double kDenseDegree = 5.5;
constexpr double kSide = 100;
// Ideal length of an edge, in Boost's sqrt(area / n). With that itself graphs fill the square, and
// nodes that are pushed out of it pile up at its border; a drawing that stays away from the border
// is scaled up later.
constexpr double kEdge = 0.3;
constexpr int kMoves = 150;
constexpr double kFirstMove = 3;  // longest one; the last is 0
constexpr double kApart = 1.3;    // components, in edges

Spots by_forces(const wl::Graph& graph) {
  const Drawn drawn = wl::to_boost(graph);
  std::vector<Place> places(graph.order());
  auto at = boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, drawn));
  boost::circle_graph_layout(drawn, at, kSide / 2);
  auto attraction = [](const auto&, double k, double distance, const auto&) {
    return distance * distance / (kEdge * k);
  };
  auto repulsion = [](const auto&, const auto&, double k, double distance, const auto&) {
    return kEdge * k * kEdge * k / distance;
  };
  Topology square(kSide);
  boost::fruchterman_reingold_force_directed_layout(drawn, at, square,
                                                    boost::attractive_force(attraction)
                                                        .repulsive_force(repulsion)
                                                        .cooling(boost::linear_cooling<double>(kMoves, kFirstMove)));
  double edges = 0;
  for (const wl::Edge& e : graph.edges())
    edges += std::hypot(places[e.u][0] - places[e.v][0], places[e.u][1] - places[e.v][1]);
  const double edge = std::max(edges / static_cast<double>(graph.size()), 1e-9);
  Spots spots;
  for (const Place& p : places) spots.push_back({p[0] / edge, p[1] / edge});
  return spots;
}

// Of a connected graph; edges are about 1 long, except on a circle.
Spots spots_of(const wl::Graph& graph) {
  const double degree = 2 * static_cast<double>(graph.size()) / std::max(1.0, static_cast<double>(graph.order()));
  if (degree > kDenseDegree) return circle_layout(graph.order());
  return graph.order() <= kStressOrder ? stress_layout(graph) : by_forces(graph);
}

std::vector<std::vector<wl::Node>> components(const wl::Graph& graph) {
  std::vector<std::vector<wl::Node>> all;
  std::vector<bool> seen(graph.order());
  for (wl::Node v = 0; v < graph.order(); ++v) {
    if (seen[v]) continue;
    std::vector<wl::Node>& nodes = all.emplace_back(std::vector<wl::Node>{v});
    seen[v] = true;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      for (const auto next : {graph.neighbors(nodes[k]), graph.in_neighbors(nodes[k])})
        for (const wl::Node w : next)
          if (!seen[w]) seen[w] = true, nodes.push_back(w);
    std::sort(nodes.begin(), nodes.end());
  }
  return all;
}

struct Box {
  double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
  explicit Box(const Spots& spots) {
    for (const Spot& s : spots) {
      left = std::min(left, s.x), right = std::max(right, s.x);
      top = std::min(top, s.y), bottom = std::max(bottom, s.y);
    }
  }
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

// A drawing of some of the nodes.
struct Piece {
  std::vector<wl::Node> nodes;
  Spots spots;
  double width = 0, height = 0;
};

Piece piece_of(const wl::Graph& graph, const std::vector<wl::Node>& nodes) {
  Piece piece{nodes, nodes.size() == 1               ? Spots(1)
                     : nodes.size() == graph.order() ? spots_of(graph)
                                                     : spots_of(wl::induced_subgraph(graph, nodes))};
  const Box box(piece.spots);
  piece.width = box.width() + kApart, piece.height = box.height() + kApart;
  for (Spot& s : piece.spots) s = {s.x - box.left, s.y - box.top};
  return piece;
}

// In rows no wider than `limit`, the tallest pieces first.
Spots in_rows(const std::vector<Piece>& pieces, std::size_t nodes, double limit) {
  Spots spots(nodes);
  double x = 0, y = 0, row = 0;
  for (const Piece& piece : pieces) {
    if (x > 0 && x + piece.width > limit) y += row, x = 0, row = 0;
    row = std::max(row, piece.height);
    for (std::size_t k = 0; k < piece.nodes.size(); ++k)
      spots[piece.nodes[k]] = {x + piece.spots[k].x, y + (row - piece.height) / 2 + piece.spots[k].y};
    x += piece.width;
  }
  return spots;
}

// All components, about as wide as high, rather wider.
Spots packed(const wl::Graph& graph) {
  std::vector<Piece> pieces;
  double area = 0, widest = 0;
  for (const auto& nodes : components(graph)) {
    const Piece& piece = pieces.emplace_back(piece_of(graph, nodes));
    area += piece.width * piece.height, widest = std::max(widest, piece.width);
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.height > b.height; });
  Spots best;
  double least = INFINITY;
  for (const double factor : {1.0, 1.2, 1.5, 1.9}) {
    Spots spots = in_rows(pieces, graph.order(), std::max(widest, factor * std::sqrt(area)) + 1e-6);
    const Box box(spots);
    const double size = std::max(box.width(), 1.3 * box.height());
    if (size < least) least = size, best = std::move(spots);
  }
  return best;
}

// Into 0 .. 999, the longer side filling it.
std::vector<Point> fitted(const Spots& spots) {
  const Box box(spots);
  const double size = std::max({box.width(), box.height(), 1e-9});
  const auto at = [&](double value, double low, double high) {
    return std::clamp(static_cast<int>(std::lround(499.5 + 999 * (value - (low + high) / 2) / size)), 0, 999);
  };
  std::vector<Point> points;
  for (const Spot& s : spots) points.push_back({at(s.x, box.left, box.right), at(s.y, box.top, box.bottom)});
  return points;
}

}  // namespace

std::vector<Point> layout(const wl::Graph& graph) {
  return graph.order() == 0 ? std::vector<Point>{} : fitted(packed(graph));
}

}  // namespace leman::reports
