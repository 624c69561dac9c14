// What several tests use: seeded random graphs of every kind, and the
// multiplier that deepens a run (LEMAN_TEST_DEPTH=10 does ten times the work).
#pragma once

#include <cstdlib>
#include <ostream>
#include <string>

#include "wl/constructions/random.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

// What GoogleTest prints of a graph when an expectation fails.
inline void PrintTo(const Graph& graph, std::ostream* out) {
  *out << (graph.directed() ? "directed " : "") << graph.order() << " nodes:";
  for (const Edge& e : graph.edges())
    *out << ' ' << e.u << '-' << e.v << (e.color ? "/" + std::to_string(e.color) : "");
  for (Node v = 0; v < graph.order() && graph.node_colored(); ++v) *out << (v ? ',' : ';') << graph.node_color(v);
}

}  // namespace leman::wl

namespace leman::test {

inline int depth() {
  const char* text = std::getenv("LEMAN_TEST_DEPTH");
  int value = text ? std::atoi(text) : 1;
  return value > 0 ? value : 1;
}

struct Kind {
  bool directed = false;
  wl::Color node_colors = 1;  // how many; 1 = uncoloured
  wl::Color edge_colors = 1;
};

inline wl::Graph random_graph(wl::Node n, double p, Kind kind, Rng& rng) {
  wl::GraphData data{.order = n, .directed = kind.directed, .edges = {}, .node_colors = {}};
  for (wl::Node u = 0; u < n; ++u)
    for (wl::Node v = 0; v < n; ++v)
      if (u != v && (kind.directed || u < v) && rng.uniform() < p)
        data.edges.push_back({u, v, static_cast<wl::Color>(rng.below(kind.edge_colors))});
  for (wl::Node v = 0; v < n; ++v) data.node_colors.push_back(static_cast<wl::Color>(rng.below(kind.node_colors)));
  return wl::Graph(data);
}

inline const Kind kKinds[] = {{false, 1, 1}, {true, 1, 1}, {false, 3, 1}, {false, 1, 3}, {true, 2, 5}};

}  // namespace leman::test
