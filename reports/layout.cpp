#include "reports/layout.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/fruchterman_reingold.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <boost/graph/random_layout.hpp>
#include <cmath>
#include <map>

#include "wl/graph_ops.hpp"

namespace leman::reports {

namespace {

using Topology = boost::square_topology<>;
using Place = Topology::point_type;
using Weight = boost::property<boost::edge_weight_t, double>;
using Drawn = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property, Weight>;

constexpr wl::Node kSpringOrder = 48;  // springs take n^3 and more
constexpr double kDenseDegree = 5.5;
constexpr double kSide = 100;

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

// Into 0 .. 999, the longer side filling it.
std::vector<Point> fitted(const std::vector<Place>& places) {
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

}  // namespace

std::vector<Point> layout(const wl::Graph& graph) {
  if (graph.order() == 0) return {};
  Drawn drawn(graph.order());
  for (const wl::Edge& e : graph.edges()) boost::add_edge(e.u, e.v, 1.0, drawn);
  std::vector<Place> places(graph.order());
  auto at = boost::make_iterator_property_map(places.begin(), boost::get(boost::vertex_index, drawn));
  boost::circle_graph_layout(drawn, at, kSide / 2);
  const double degree = 2 * static_cast<double>(graph.size()) / graph.order();
  if (graph.order() <= 3 || degree > kDenseDegree) return fitted(places);
  Topology square(kSide);
  if (graph.order() <= kSpringOrder && wl::is_connected(graph)) {
    boost::kamada_kawai_spring_layout(drawn, at, boost::get(boost::edge_weight, drawn), square,
                                      boost::side_length(kSide), Settled(100 * graph.order()));
    return fitted(places);
  }
  boost::fruchterman_reingold_force_directed_layout(drawn, at, square,
                                                    boost::cooling(boost::linear_cooling<double>(150, kSide / 10)));
  return fitted(places);
}

}  // namespace leman::reports
