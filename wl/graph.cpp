#include "wl/graph.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/invariants.hpp"

namespace leman::wl {

namespace {

// Sort key. Undirected edges by (larger end, smaller end): scattering them into
// rows in this order leaves every row sorted, since the neighbours of x below x
// come in x's own group and those above x in later groups, both ascending.
std::uint64_t key(const Edge& e, bool directed) {
  if (directed) return (std::uint64_t{e.u} << 32) | e.v;
  return (std::uint64_t{std::max(e.u, e.v)} << 32) | std::min(e.u, e.v);
}

Node checked_order(const GraphData& data) {
  if (data.order == UINT32_MAX) throw GraphError("a graph may have at most 4294967294 nodes");
  return data.order;
}

std::string name(const Edge& e) { return std::to_string(e.u) + "-" + std::to_string(e.v); }

// Checks ranges and loops. Returns whether the keys ascend strictly; if so, there
// are no duplicates either.
bool check_edges(const GraphData& data) {
  bool ascending = true;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < data.edges.size(); ++i) {
    const Edge& e = data.edges[i];
    if (e.u >= data.order || e.v >= data.order)
      throw GraphError("edge " + name(e) + " names node " + std::to_string(std::max(e.u, e.v)) +
                           ", but the graph has nodes 0.." + std::to_string(std::int64_t{data.order} - 1),
                       i);
    if (e.u == e.v) throw GraphError("edge " + name(e) + " is a self-loop", i);
    std::uint64_t k = key(e, data.directed);
    ascending = ascending && (i == 0 || k > last);
    last = k;
  }
  return ascending;
}

std::vector<Edge> sorted_edges(const GraphData& data) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order(data.edges.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = {key(data.edges[i], data.directed), i};
  std::sort(order.begin(), order.end());
  std::vector<Edge> result(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && order[i].first == order[i - 1].first)
      throw GraphError("edge " + name(data.edges[order[i].second]) + " is there twice", order[i].second);
    result[i] = data.edges[order[i].second];
  }
  return result;
}

}  // namespace

// Counting sort of the arcs by source, stable: a row keeps the order of the edges.
void Graph::Rows::fill(std::span<const Edge> edges, bool forward, bool backward, std::vector<Color>* colors) {
  for (const Edge& e : edges) {
    if (forward) ++start[e.u];
    if (backward) ++start[e.v];
  }
  std::exclusive_scan(start.begin(), start.end(), start.begin(), std::uint32_t{0});
  column.resize(start.back());
  if (colors) colors->resize(column.size());
  auto scatter = [&](auto place) {
    for (const Edge& e : edges) {
      if (forward) place(start[e.u]++, e.v, e.color);
      if (backward) place(start[e.v]++, e.u, e.color);
    }
  };
  if (colors)
    scatter([&](std::uint32_t at, Node to, Color color) { column[at] = to, (*colors)[at] = color; });
  else
    scatter([&](std::uint32_t at, Node to, Color) { column[at] = to; });
  // Every start has moved to that of the next row: move them back.
  for (std::size_t i = start.size() - 1; i > 0; --i) start[i] = start[i - 1];
  start[0] = 0;
}

Graph::Graph(const GraphData& data) : order_(data.order), directed_(data.directed), out_(checked_order(data)) {
  if (data.edges.size() >= UINT32_MAX / 2) throw GraphError("a graph may have at most 2147483646 edges");
  if (!data.node_colors.empty() && data.node_colors.size() != data.order)
    throw GraphError(std::to_string(data.node_colors.size()) + " node colours for " + std::to_string(data.order) +
                     " nodes");
  if (check_edges(data))
    build_rows(data.edges);
  else
    build_rows(sorted_edges(data));
  if (std::any_of(data.node_colors.begin(), data.node_colors.end(), [](Color c) { return c != 0; }))
    node_colors_ = data.node_colors;
  if constexpr (kCheckInvariants) check();
}

void Graph::build_rows(std::span<const Edge> sorted) {
  bool colored = std::any_of(sorted.begin(), sorted.end(), [](const Edge& e) { return e.color != 0; });
  out_.fill(sorted, true, !directed_, colored ? &out_colors_ : nullptr);
  if (directed_) in_.emplace(order_).fill(sorted, false, true, colored ? &in_colors_ : nullptr);
}

bool Graph::has_edge(Node u, Node v) const {
  auto r = neighbors(u);
  return std::binary_search(r.begin(), r.end(), v);
}

Color Graph::edge_color(Node u, Node v) const {
  auto r = neighbors(u);
  auto at = std::lower_bound(r.begin(), r.end(), v);
  if (at == r.end() || *at != v) throw UsageError("edge_color: " + name({u, v}) + " is no edge");
  return edge_colored() ? neighbor_colors(u)[static_cast<std::size_t>(at - r.begin())] : 0;
}

std::vector<Edge> Graph::edges() const {
  std::vector<Edge> result;
  result.reserve(size());
  for (Node v = 0; v < order_; ++v) {
    auto r = neighbors(v);
    auto c = neighbor_colors(v);
    for (std::size_t i = 0; i < r.size(); ++i) {
      Color color = c.empty() ? 0 : c[i];
      if (directed_)
        result.push_back({v, r[i], color});
      else if (r[i] < v)
        result.push_back({r[i], v, color});
    }
  }
  return result;
}

bool operator==(const Graph& a, const Graph& b) {
  return a.order_ == b.order_ && a.directed_ == b.directed_ && a.out_ == b.out_ && a.out_colors_ == b.out_colors_ &&
         a.node_colors_ == b.node_colors_;
}

void Graph::check() const {
  auto demand = [](bool ok, const char* what) {
    if (!ok) throw BugError(std::string("Graph::check: ") + what);
  };
  demand(out_.start.size() == order_ + std::size_t{1}, "rows of out_");
  demand(directed_ ? in_ && in_->start.size() == order_ + std::size_t{1} : !in_, "rows of in_");
  demand(out_colors_.empty() || out_colors_.size() == arc_count(), "colours of out_");
  demand(node_colors_.empty() || node_colors_.size() == order_, "number of node colours");
  demand(node_colors_.empty() || std::any_of(node_colors_.begin(), node_colors_.end(), [](Color c) { return c; }),
         "node colours all 0 are left out");
  std::uint64_t in_arcs = 0;
  for (Node v = 0; v < order_; ++v) {
    auto r = neighbors(v);
    demand(std::adjacent_find(r.begin(), r.end(), std::greater_equal<>()) == r.end(), "row ascends strictly");
    for (Node w : r) {
      demand(w < order_ && w != v, "neighbour in range, no loop");
      auto back = in_neighbors(w);
      auto at = std::lower_bound(back.begin(), back.end(), v);
      demand(at != back.end() && *at == v, "every arc has its reverse entry");
      if (edge_colored())
        demand(in_neighbor_colors(w)[static_cast<std::size_t>(at - back.begin())] == edge_color(v, w),
               "both entries have one colour");
    }
    in_arcs += in_neighbors(v).size();
  }
  demand(in_arcs == arc_count(), "as many incoming as outgoing arcs");
}

}  // namespace leman::wl
