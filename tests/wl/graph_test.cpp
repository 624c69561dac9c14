#include "wl/graph.hpp"

#include <gtest/gtest.h>


#include "tests/reference/graph_reference.hpp"
#include "tests/support.hpp"
#include "wl/bit_matrix.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {
namespace {

GraphData square() { return {4, false, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, {}}; }

std::string reason(const GraphData& data) {
  try {
    Graph graph(data);
  } catch (const GraphError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(Graph, RefusesWhatIsNoGraph) {
  GraphData data = square();
  data.edges.push_back({1, 4});
  EXPECT_EQ(reason(data), "edge 1-4 names node 4, but the graph has nodes 0..3");
  data = square();
  data.edges.push_back({2, 2});
  EXPECT_EQ(reason(data), "edge 2-2 is a self-loop");
  data = square();
  data.edges.push_back({1, 0});
  EXPECT_EQ(reason(data), "edge 1-0 is there twice");
  data = square();
  data.node_colors = {1, 2};
  EXPECT_EQ(reason(data), "2 node colours for 4 nodes");
  EXPECT_EQ(reason({0, false, {{0, 0}}, {}}), "edge 0-0 names node 0, but the graph has nodes 0..-1");
  EXPECT_EQ(reason({UINT32_MAX, false, {}, {}}), "a graph may have at most 4294967294 nodes");
}

TEST(Graph, NamesTheOffendingEdgeInTheOrderGiven) {
  GraphData data{5, false, {{3, 4}, {0, 1}, {1, 2}, {4, 3}}, {}};
  try {
    Graph graph(data);
    FAIL();
  } catch (const GraphError& e) {
    EXPECT_EQ(e.edge(), 3u);
  }
}

TEST(Graph, ArcsBothWaysAreNoDuplicateWhenDirected) {
  Graph graph({2, true, {{0, 1}, {1, 0}}, {}});
  EXPECT_EQ(graph.size(), 2u);
  EXPECT_EQ(reason({2, true, {{0, 1}, {0, 1}}, {}}), "edge 0-1 is there twice");
}

TEST(Graph, EmptyGraphs) {
  EXPECT_EQ(Graph().order(), 0u);
  Graph().check();
  Graph lonely({3, true, {}, {}});
  lonely.check();
  EXPECT_EQ(lonely.in_neighbors(2).size(), 0u);
}

TEST(Graph, AgreesWithAMapOfArcs) {
  Rng rng(1);
  for (int round = 0; round < 60 * test::depth(); ++round)
    for (const auto& kind : test::kKinds) {
      Node n = static_cast<Node>(rng.below(12));
      Graph graph = test::random_graph(n, 0.4, kind, rng);
      graph.check();
      auto arcs = reference::arcs(graph);
      EXPECT_EQ(arcs.size(), graph.size() * (kind.directed ? 1 : 2));
      for (Node u = 0; u < n; ++u) {
        std::size_t out = 0;
        for (Node v = 0; v < n; ++v) {
          bool edge = arcs.count({u, v}) != 0;
          ASSERT_EQ(graph.has_edge(u, v), edge);
          ASSERT_EQ(BitMatrix(graph).test(u, v), edge);
          if (edge) {
            ASSERT_EQ(graph.edge_color(u, v), arcs.at({u, v}));
          }
          out += edge;
        }
        ASSERT_EQ(graph.degree(u), out);
      }
    }
}

TEST(Graph, OrderOfEdgesDoesNotMatter) {
  Rng rng(2);
  for (const auto& kind : test::kKinds)
    for (int round = 0; round < 30; ++round) {
      Graph graph = test::random_graph(9, 0.5, kind, rng);
      GraphData data = graph.data();
      auto order = rng.permutation(static_cast<Node>(data.edges.size()));
      GraphData shuffled = data;
      for (std::size_t i = 0; i < order.size(); ++i) {
        Edge e = data.edges[order[i]];
        if (!kind.directed && rng.below(2)) std::swap(e.u, e.v);
        shuffled.edges[i] = e;
      }
      EXPECT_EQ(Graph(shuffled), graph);
    }
}

TEST(Graph, EqualityLooksAtEverything) {
  GraphData data = square();
  Graph plain(data);
  data.node_colors = {0, 0, 0, 0};
  EXPECT_EQ(Graph(data), plain);  // colour 0 everywhere means uncoloured
  data.node_colors = {0, 0, 0, 1};
  EXPECT_FALSE(Graph(data) == plain);
  data = square();
  data.edges[2].color = 1;
  EXPECT_FALSE(Graph(data) == plain);
  data = square();
  data.order = 5;
  EXPECT_FALSE(Graph(data) == plain);
}

TEST(Graph, EdgeColorOfANonEdgeIsAnError) { EXPECT_THROW(Graph(square()).edge_color(0, 2), UsageError); }

TEST(GraphOps, RelabelMovesEverything) {
  Rng rng(3);
  for (const auto& kind : test::kKinds) {
    Graph graph = test::random_graph(8, 0.4, kind, rng);
    auto image = rng.permutation(8);
    Graph moved = relabel(graph, image);
    moved.check();
    EXPECT_TRUE(reference::maps(graph, moved, image));
  }
  EXPECT_THROW(relabel(cycle(3), std::vector<Node>{0, 0, 1}), UsageError);
}

TEST(GraphOps, UnionComplementInduced) {
  Graph both = disjoint_union(cycle(3), path(2));
  EXPECT_EQ(both.edges(), (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {3, 4}}));
  EXPECT_FALSE(is_connected(both));
  EXPECT_EQ(complement(complement(both)), both);
  EXPECT_EQ(complement(both).size(), 10u - 4u);
  EXPECT_EQ(induced_subgraph(both, std::vector<Node>{4, 3, 0}).edges(), (std::vector<Edge>{{0, 1}}));
}

TEST(GraphOps, IntersectionArrays) {
  EXPECT_EQ(intersection_array(petersen()), (IntersectionArray{{3, 2}, {1, 1}}));
  EXPECT_EQ(intersection_array(cycle(6)), (IntersectionArray{{2, 1, 1}, {1, 1, 2}}));
  EXPECT_EQ(intersection_array(path(3)), std::nullopt);
  EXPECT_EQ(strongly_regular(petersen()), (StronglyRegular{10, 3, 0, 1}));
  EXPECT_EQ(strongly_regular(cycle(6)), std::nullopt);
}

}  // namespace
}  // namespace leman::wl
