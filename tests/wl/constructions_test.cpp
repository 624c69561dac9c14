// Invariants and known facts of wl/constructions.
#include <gtest/gtest.h>

#include <set>

#include "tests/reference/graph_reference.hpp"
#include "tests/support.hpp"
#include "wl/canon.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/designs.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/field.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/constructions/two_graph.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"
#include "wl/treewidth.hpp"

namespace leman::wl {
namespace {

std::string form(const Graph& graph) { return to_graph6(canonical(graph).form); }
std::string group(const Graph& graph) { return canonical(graph).group_order; }

std::set<std::string> classes(const std::vector<Graph>& graphs) {
  std::set<std::string> result;
  for (const Graph& graph : graphs) result.insert(form(graph));
  return result;
}

TEST(Field, AxiomsOfSmallFields) {
  for (std::uint32_t q : {2u, 3u, 4u, 5u, 8u, 9u, 16u, 25u, 27u}) {
    Field f(q);
    int squares = 0;
    for (std::uint32_t a = 0; a < q; ++a) {
      squares += f.character(a) == 1;
      EXPECT_EQ(f.add(a, f.negate(a)), 0u);
      std::set<std::uint32_t> row;
      for (std::uint32_t b = 0; b < q; ++b) {
        row.insert(f.multiply(a, b));
        for (std::uint32_t c = 0; c < q; ++c)
          ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c)));
      }
      EXPECT_EQ(row.size(), a == 0 ? 1 : q);  // division works
    }
    EXPECT_EQ(squares, q % 2 ? static_cast<int>(q - 1) / 2 : static_cast<int>(q) - 1);
  }
  EXPECT_THROW(Field(6), UsageError);
  EXPECT_THROW(Field(1), UsageError);
}

TEST(Basic, NamesAndSizes) {
  EXPECT_EQ(graph_by_name("K4"), complete(4));
  EXPECT_EQ(graph_by_name("K3,3"), complete_bipartite(3, 3));
  EXPECT_EQ(graph_by_name("C5"), cycle(5));
  EXPECT_EQ(graph_by_name("P1"), make_graph(1, {}));
  for (const char* text : {"K", "K-1", "Kx", "X4", "K3,", "C99999999999", ""})
    EXPECT_FALSE(graph_by_name(text)) << text;
  EXPECT_EQ(grid(3, 4).size(), 17u);
  EXPECT_EQ(group(petersen()), "120");
  EXPECT_EQ(cone(cycle(5)).degree(5), 5u);
}

TEST(Basic, CircularSkipLinks) {
  std::set<std::string> forms;
  for (Node r : {2u, 3u, 4u, 5u, 6u, 9u, 11u, 12u, 13u, 16u}) {
    Graph graph = circular_skip_link(41, r);
    EXPECT_EQ(regular_degree(graph), 4u);
    forms.insert(form(graph));
  }
  EXPECT_EQ(forms.size(), 10u);  // the ten classes of the CSL benchmark
  EXPECT_THROW(circular_skip_link(8, 4), UsageError);
}

TEST(Cfi, Orders) {
  for (auto [base, n] : {std::pair{complete(3), 18u}, {complete(4), 40u}, {complete(6), 156u}, {cycle(5), 30u}}) {
    auto [straight, twisted] = cfi_pair(base);
    EXPECT_EQ(straight.order(), n);
    EXPECT_EQ(twisted.order(), n);
    EXPECT_EQ(degree_sequence(straight), degree_sequence(twisted));
    EXPECT_FALSE(isomorphic(straight, twisted));
  }
}

// It does not matter which edge is crossed, and two crossed edges cancel out.
TEST(Cfi, OnlyTheParityOfTwistsMatters) {
  for_each_graph(5, {.connected = true, .min_degree = {}, .max_degree = {}, .min_edges = {}, .max_edges = {}},
                 [](const Graph& base) {
                   std::set<std::string> twisted;
                   for (std::size_t e = 0; e < base.size(); ++e) twisted.insert(form(cfi(base, e)));
                   EXPECT_EQ(twisted.size(), 1u);
                   EXPECT_EQ(twisted.count(form(cfi(base))), 0u) << to_graph6(base);
                   return true;
                 });
}

TEST(Lifts, CoverTheBase) {
  Rng rng(21);
  for (int round = 0; round < 50; ++round) {
    Graph base = erdos_renyi(7, 0.5, rng);
    if (!is_connected(base)) continue;
    std::uint64_t mask = rng.below(std::uint64_t{1} << (base.size() + 1 - base.order()));
    Graph lift = two_lift(base, mask);
    EXPECT_EQ(lift.size(), 2 * base.size());
    for (Node v = 0; v < lift.order(); ++v) {
      std::vector<Node> images;
      for (Node w : lift.neighbors(v)) images.push_back(w / 2);
      std::sort(images.begin(), images.end());
      auto expected = base.neighbors(v / 2);
      EXPECT_TRUE(std::equal(images.begin(), images.end(), expected.begin(), expected.end()));
    }
    if (mask == 0) {
      EXPECT_FALSE(is_connected(lift));
    }
  }
  EXPECT_THROW(two_lift(cycle(5), 2), UsageError);
  EXPECT_EQ(connected_lift_classes(cycle(5)), std::vector<std::uint64_t>{1});  // C10
}

TEST(StronglyRegular, Parameters) {
  using S = StronglyRegular;
  EXPECT_EQ(strongly_regular(rook(4, 4)), (S{16, 6, 2, 2}));
  EXPECT_EQ(strongly_regular(shrikhande()), (S{16, 6, 2, 2}));
  EXPECT_EQ(strongly_regular(triangular(8)), (S{28, 12, 6, 4}));
  EXPECT_EQ(strongly_regular(paley(29)), (S{29, 14, 6, 7}));
  EXPECT_EQ(strongly_regular(paley(25)), (S{25, 12, 5, 6}));
  EXPECT_EQ(strongly_regular(latin_square_graph(cyclic_latin_square(6))), (S{36, 15, 6, 6}));
  EXPECT_EQ(strongly_regular(block_graph(sts13(1))), (S{26, 15, 8, 9}));
  EXPECT_EQ(strongly_regular(block_graph(projective_sts(4))), (S{35, 18, 9, 9}));
  EXPECT_EQ(strongly_regular(symplectic(3)), (S{63, 30, 13, 15}));
}

TEST(StronglyRegular, TwoWithSixteenNodes) {
  EXPECT_EQ(group(rook(4, 4)), "1152");
  EXPECT_EQ(group(shrikhande()), "192");
  EXPECT_EQ(classes({rook(4, 4), shrikhande(), latin_square_graph(cyclic_latin_square(4))}).size(), 3u);
}

TEST(StronglyRegular, FourWithTwentyEightNodes) {
  std::vector<Graph> graphs{triangular(8), chang(1), chang(2), chang(3)};
  for (const Graph& graph : graphs) EXPECT_EQ(strongly_regular(graph), (StronglyRegular{28, 12, 6, 4}));
  EXPECT_EQ(classes(graphs).size(), 4u);
  EXPECT_EQ(group(graphs[0]), "40320");
  EXPECT_EQ(group(graphs[1]), "384");
  EXPECT_EQ(group(graphs[2]), "96");
  EXPECT_EQ(group(graphs[3]), "360");
}

TEST(SteinerTriples, AreSystems) {
  EXPECT_TRUE(is_steiner_triple_system(sts13(1), 0, 13));
  EXPECT_TRUE(is_steiner_triple_system(sts13(2), 0, 13));
  EXPECT_TRUE(is_steiner_triple_system(projective_sts(3), 1, 7));
  EXPECT_TRUE(is_steiner_triple_system(projective_sts(4), 1, 15));
  Blocks broken = sts13(1);
  broken.pop_back();
  EXPECT_FALSE(is_steiner_triple_system(broken, 0, 13));
  EXPECT_FALSE(isomorphic(block_graph(sts13(1)), block_graph(sts13(2))));
}

TEST(LatinSquares, AreChecked) {
  EXPECT_EQ(latin_square("012/120/201"), cyclic_latin_square(3));
  for (const char* text : {"012/120/012", "01/10/01", "02/20", "0/", ""})
    EXPECT_THROW(latin_square(text), UsageError) << text;
}

TEST(TwoGraphs, OnTwentySixPoints) {
  std::set<std::string> descendants, members;
  for (char which : {'A', 'B', 'C', 'D'}) {
    TwoGraph t = two_graph_26(which);
    EXPECT_TRUE(t.regular()) << which;
    for (Node v = 0; v < 26; ++v) {
      Graph d = t.descendant(v);
      ASSERT_EQ(strongly_regular(d), (StronglyRegular{25, 12, 5, 6}));
      descendants.insert(form(d));
    }
    for (const Graph& m : t.regular_members(10)) {
      ASSERT_EQ(strongly_regular(m), (StronglyRegular{26, 10, 3, 4}));
      members.insert(form(m));
    }
  }
  EXPECT_EQ(descendants.size(), 15u);
  EXPECT_EQ(members.size(), 10u);
}

TEST(TwoGraphs, OnThirtyPoints) {
  std::set<std::string> descendants{form(paley(29))};
  for (int which : {1, 2, 5, 6, 7}) {
    TwoGraph t = two_graph_30(which);
    EXPECT_TRUE(t.regular()) << which;
    for (Node v = 0; v < 30; ++v) {
      ASSERT_EQ(strongly_regular(t.descendant(v)), (StronglyRegular{29, 14, 6, 7}));
      descendants.insert(form(t.descendant(v)));
    }
  }
  EXPECT_EQ(descendants.size(), 41u);  // all srg(29,14,6,7)
}

TEST(TwoGraphs, SwitchingKeepsThemRegular) {
  TwoGraph t = two_graph_36();
  EXPECT_TRUE(t.regular());
  TwoGraph s = t.switch_sequence("0.1.2.35/1 0.1.3.6/0");
  EXPECT_TRUE(s.regular());
  EXPECT_FALSE(isomorphic(t.descendant(0), s.descendant(0)));
  EXPECT_TRUE(TwoGraph(rook(4, 4)).regular());
  EXPECT_THROW(TwoGraph(rook(4, 4)).switch_four({0, 1, 2, 3}, 1), UsageError);  // would not stay regular
  EXPECT_THROW(t.switch_sequence("0.1.2.3/0"), UsageError);
  EXPECT_THROW(t.switch_sequence("0.1.2"), UsageError);
  EXPECT_THROW(t.switch_sequence("0.x"), UsageError);
  EXPECT_FALSE(TwoGraph(path(5)).regular());
}

TEST(TwoGraphs, SwitchingTwiceIsNothing) {
  Rng rng(22);
  Graph graph = erdos_renyi(12, 0.5, rng);
  EXPECT_EQ(seidel_switch(seidel_switch(graph, {1, 4, 7}), {1, 4, 7}), graph);
  EXPECT_EQ(TwoGraph(graph).descendant(3).order(), 11u);
  EXPECT_TRUE(isomorphic(TwoGraph(graph).descendant(3), TwoGraph(seidel_switch(graph, {0, 3, 5})).descendant(3)));
}

TEST(Designs, ParametersAndIncidenceGraphs) {
  EXPECT_TRUE(is_symmetric_design(pg32_design(), 7, 3));
  EXPECT_TRUE(is_symmetric_design(design_25_9_3(), 9, 3));
  EXPECT_TRUE(is_symmetric_design(BitMatrix(rook(4, 4)), 6, 2));
  EXPECT_TRUE(is_symmetric_design(difference_set_design(7, {1, 2, 4}), 3, 1));
  EXPECT_TRUE(is_symmetric_design(difference_set_design(13, {0, 1, 3, 9}), 4, 1));
  EXPECT_FALSE(is_symmetric_design(BitMatrix(cycle(5)), 2, 1));
  EXPECT_THROW(difference_set_design(7, {1, 2, 3}), UsageError);
  Graph heawood = incidence_graph(difference_set_design(7, {1, 2, 4}));
  EXPECT_EQ(intersection_array(heawood), (IntersectionArray{{3, 2, 2}, {1, 1, 3}}));
  EXPECT_EQ(group(heawood), "336");
  EXPECT_EQ(intersection_array(incidence_graph(pg32_design())), (IntersectionArray{{7, 6, 4}, {1, 3, 7}}));
}

TEST(Designs, HadamardMatrices) {
  for (std::uint32_t q : {3u, 7u, 11u, 19u, 23u, 27u}) EXPECT_TRUE(is_hadamard(hadamard_paley1(q))) << q;
  for (std::uint32_t q : {5u, 9u, 13u}) EXPECT_TRUE(is_hadamard(hadamard_paley2(q))) << q;
  SignMatrix circulant = hadamard_two_circulant("--++-+-+++", "--+-++++++");
  EXPECT_TRUE(is_hadamard(circulant));
  SignMatrix twelve_by_two = kronecker(hadamard_paley1(11), {{1, 1}, {1, -1}});
  EXPECT_TRUE(is_hadamard(twelve_by_two));
  for (std::size_t column : {0, 1, 5}) {
    EXPECT_TRUE(is_symmetric_design(hadamard_design(hadamard_paley1(19), 0, column), 9, 4));
    EXPECT_TRUE(is_symmetric_design(hadamard_design(circulant, 2, column), 9, 4));
    EXPECT_TRUE(is_symmetric_design(hadamard_design(twelve_by_two, 0, column), 11, 5));
  }
  SignMatrix broken = circulant;
  broken[3][4] = -broken[3][4];
  EXPECT_FALSE(is_hadamard(broken));
}

TEST(Designs, SwitchingKeepsTheParameters) {
  BitMatrix d = switch_rows_sequence(pg32_design(), "r0.1.3.6 r0.1.4.5");
  EXPECT_TRUE(is_symmetric_design(d, 7, 3));
  EXPECT_FALSE(isomorphic(incidence_graph(d), incidence_graph(pg32_design())));
  EXPECT_TRUE(is_symmetric_design(switch_rows_sequence(design_25_9_3(), "c1.9.10.24 c3.8.16.22 c0.4.10.17"), 9, 3));
  EXPECT_THROW(switch_rows_sequence(pg32_design(), "r0.1.2.3"), UsageError);
}

TEST(Hexagons, BothAreGeneralizedAndDifferent) {
  Graph a = generalized_hexagon(false), b = generalized_hexagon(true);
  for (const Graph& graph : {a, b}) {
    EXPECT_EQ(graph.order(), 63u);
    EXPECT_EQ(intersection_array(graph), (IntersectionArray{{6, 4, 4}, {1, 1, 3}}));
    EXPECT_EQ(group(graph), "12096");
  }
  EXPECT_FALSE(isomorphic(a, b));
}

TEST(GodsilMcKay, KeepsParametersAndTheFourVertexCondition) {
  Graph graph = symplectic(3);
  EXPECT_TRUE(four_vertex_condition(graph));
  EXPECT_EQ(group(graph), "1451520");  // Sp(6,2)
  Graph switched = godsil_mckay_switch(graph, {5, 12, 37, 44});
  EXPECT_EQ(strongly_regular(switched), strongly_regular(graph));
  EXPECT_THROW(godsil_mckay_switch(graph, {0, 1, 3, 7}), UsageError);
  EXPECT_THROW(godsil_mckay_switch(path(4), {0, 1, 2, 3}), UsageError);
  EXPECT_FALSE(four_vertex_condition(shrikhande()));
  EXPECT_FALSE(four_vertex_condition(cycle(6)));  // not strongly regular
}

TEST(Random, SameSeedSameGraph) {
  for (int which = 0; which < 4; ++which) {
    auto make = [which](std::uint64_t seed) {
      Rng rng(seed);
      switch (which) {
        case 0: return erdos_renyi(40, 0.2, rng);
        case 1: return random_regular(40, 5, rng);
        case 2: return random_tree(40, rng);
        default: return preferential_attachment(40, 3, rng);
      }
    };
    EXPECT_EQ(make(1), make(1));
    EXPECT_FALSE(make(1) == make(2));
  }
  Rng rng(3);
  EXPECT_EQ(to_graph6(random_tree(8, rng)), "GD?WIO");  // pinned: integers only, the same on every platform
}

TEST(Random, ErdosRenyiHasTheRightDensity) {
  Rng rng(31);
  double edges = 0;
  for (int i = 0; i < 200; ++i) edges += static_cast<double>(erdos_renyi(50, 0.3, rng).size());
  EXPECT_NEAR(edges / 200 / 1225, 0.3, 4 * std::sqrt(0.21 / 200 / 1225));
  EXPECT_EQ(erdos_renyi(10, 0, rng).size(), 0u);
  EXPECT_EQ(erdos_renyi(10, 1, rng), complete(10));
  EXPECT_THROW(erdos_renyi(10, 1.5, rng), UsageError);
  EXPECT_THROW(erdos_renyi(10, std::nan(""), rng), UsageError);
}

TEST(Random, RegularTreesAndAttachment) {
  Rng rng(32);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(regular_degree(random_regular(12, 7, rng)), 7u);
    Graph tree = random_tree(20, rng);
    EXPECT_EQ(tree.size(), 19u);
    EXPECT_TRUE(is_connected(tree));
    Graph pa = preferential_attachment(20, 3, rng);
    EXPECT_EQ(pa.size(), 3u + 16u * 3u);
    EXPECT_TRUE(is_connected(pa));
  }
  EXPECT_EQ(regular_degree(random_regular(100, 97, rng)), 97u);
  EXPECT_EQ(random_regular(6, 5, rng), complete(6));
  EXPECT_THROW(random_regular(5, 3, rng), UsageError);
  EXPECT_THROW(random_regular(5, 5, rng), UsageError);
}

TEST(Random, TreesAreUniform) {
  Rng rng(33);  // 16 labelled trees on 4 nodes, 4 of them stars
  std::map<std::string, int> count;
  for (int i = 0; i < 16000; ++i) ++count[to_graph6(random_tree(4, rng))];
  EXPECT_EQ(count.size(), 16u);
  for (const auto& [tree, c] : count) EXPECT_NEAR(c, 1000, 150) << tree;
}

TEST(Enumerate, CountsOfGraphs) {
  const std::size_t all[] = {0, 1, 2, 4, 11, 34, 156, 1044};
  for (Node n = 1; n <= 7; ++n) EXPECT_EQ(all_graphs(n).size(), all[n]);
  EnumerateOptions cubic{.connected = true, .min_degree = 3, .max_degree = 3, .min_edges = {}, .max_edges = {}};
  EXPECT_EQ(all_graphs(8, cubic).size(), 5u);
  EXPECT_EQ(
      all_graphs(5, {.connected = false, .min_degree = {}, .max_degree = {}, .min_edges = 3, .max_edges = 4}).size(),
      10u);
  EXPECT_THROW(all_graphs(0), UsageError);
  EXPECT_EQ(connected_regular_graphs(5, 3).size(), 0u);    // odd sum of degrees
  EXPECT_EQ(connected_regular_graphs(12, 11).size(), 1u);  // K12: twins are not permuted
  EXPECT_EQ(
      all_graphs(4, {.connected = false, .min_degree = 4, .max_degree = {}, .min_edges = {}, .max_edges = {}}).size(),
      0u);
}

TEST(Enumerate, StopsWhenTold) {
  int seen = 0;
  for_each_graph(9, {}, [&](const Graph&) { return ++seen < 10; });
  EXPECT_EQ(seen, 10);
}

TEST(Enumerate, ConnectedRegularGraphs) {
  const std::vector<std::tuple<Node, std::uint32_t, std::size_t>> counts{
      {6, 3, 2},  {7, 4, 2}, {8, 3, 5},   {8, 4, 6},   {8, 5, 3},
      {9, 4, 16}, {9, 6, 4}, {10, 3, 19}, {10, 6, 21}, {10, 7, 5}};
  for (auto [n, k, count] : counts) {
    auto graphs = connected_regular_graphs(n, k);
    EXPECT_EQ(graphs.size(), count) << n << " " << k;
    EXPECT_EQ(classes(graphs).size(), count);
  }
}

TEST(Enumerate, SmallestEdgeListAgainstAllLabellings) {
  for_each_graph(6, {.connected = true, .min_degree = {}, .max_degree = {}, .min_edges = {}, .max_edges = {}},
                 [](const Graph& graph) {
                   auto sorted = [](std::vector<Edge> edges) {
                     std::sort(edges.begin(), edges.end());
                     return edges;
                   };
                   auto best = sorted(graph.edges());
                   reference::for_each_permutation(6, [&](const std::vector<Node>& image) {
                     best = std::min(best, sorted(relabel(graph, image).edges()));
                   });
                   EXPECT_EQ(sorted(smallest_edge_list(graph).edges()), best) << to_graph6(graph);
                   return graph.size() < 9;  // the beginning of geng's list is enough
                 });
}

TEST(Treewidth, AgainstAllEliminationOrders) {
  for (Node n = 1; n <= 6; ++n)
    for_each_graph(n, {}, [](const Graph& graph) {
      EXPECT_EQ(treewidth(graph), reference::treewidth(graph)) << to_graph6(graph);
      return true;
    });
  EXPECT_EQ(treewidth(grid(4, 4)), 4);
  EXPECT_EQ(treewidth(complete(7)), 6);
  EXPECT_EQ(treewidth(petersen()), 4);
  EXPECT_EQ(treewidth(Graph()), -1);
  EXPECT_THROW(treewidth(path(25)), UsageError);
}

}  // namespace
}  // namespace leman::wl
