#include "wl/canon.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/graph/isomorphism.hpp>
#include <map>
#include <set>
#include <thread>

#include "tests/reference/graph_reference.hpp"
#include "tests/support.hpp"
#include "wl/boost_graph.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {
namespace {

bool boost_isomorphic(const Graph& a, const Graph& b) { return boost::isomorphism(to_boost(a), to_boost(b)); }

void expect_consistent(const Graph& graph, const Canon& canon) {
  EXPECT_TRUE(reference::maps(graph, canon.form, canon.image));
  for (const auto& g : canon.generators) EXPECT_TRUE(reference::maps(graph, graph, g));
}

TEST(Canon, CountsOfAllSmallGraphs) {
  const std::size_t counts[] = {1, 1, 2, 4, 11, 34, 156, 1044};
  for (Node n = 1; n <= 7; ++n) {
    std::set<std::string> forms;
    for_each_graph(n, {}, [&](const Graph& graph) {
      forms.insert(to_graph6(canonical(graph).form));
      return true;
    });
    EXPECT_EQ(forms.size(), counts[n]) << n;
  }
}

// All labelled graphs on 5 nodes: there are 34 forms, one per class, and a class has
// n! / |Aut| members.
TEST(Canon, LabelledGraphsOnFiveNodes) {
  std::map<std::string, std::pair<int, std::string>> classes;
  for (std::uint32_t mask = 0; mask < 1024; ++mask) {
    std::vector<std::pair<Node, Node>> edges;
    std::uint32_t bit = 0;
    for (Node v = 1; v < 5; ++v)
      for (Node u = 0; u < v; ++u)
        if (mask >> bit++ & 1) edges.emplace_back(u, v);
    Canon canon = canonical(make_graph(5, edges));
    auto& entry = classes[to_graph6(canon.form)];
    ++entry.first;
    entry.second = canon.group_order;
  }
  EXPECT_EQ(classes.size(), 34u);
  for (const auto& [form, entry] : classes) EXPECT_EQ(entry.first * std::stoi(entry.second), 120) << form;
}

TEST(Canon, AgainstBruteForceForEveryKind) {
  Rng rng(11);
  for (int round = 0; round < 40 * test::depth(); ++round)
    for (const auto& kind : test::kKinds) {
      Node n = static_cast<Node>(rng.below(6));
      double p = rng.uniform();
      Graph a = test::random_graph(n, p, kind, rng), b = test::random_graph(n, p, kind, rng);
      Graph moved = relabel(a, rng.permutation(n));
      Canon canon = canonical(a);
      expect_consistent(a, canon);
      EXPECT_EQ(canon.group_order, std::to_string(reference::count_isomorphisms(a, a)));
      EXPECT_EQ(canonical(moved).form, canon.form);
      EXPECT_TRUE(isomorphic(a, moved));
      EXPECT_EQ(isomorphic(a, b), reference::count_isomorphisms(a, b) > 0);
    }
}

TEST(Canon, OrbitsAreThoseOfTheGroup) {
  Rng rng(12);
  for (int round = 0; round < 40; ++round)
    for (const auto& kind : test::kKinds) {
      Graph graph = test::random_graph(5, 0.5, kind, rng);
      std::vector<Node> smallest{0, 1, 2, 3, 4};
      reference::for_each_permutation(5, [&](const std::vector<Node>& image) {
        if (reference::maps(graph, graph, image))
          for (Node v = 0; v < 5; ++v) smallest[v] = std::min(smallest[v], image[v]);
      });
      EXPECT_EQ(canonical(graph).orbits, smallest);
    }
}

TEST(Canon, AgreesWithBoost) {
  Rng rng(13);
  for (int round = 0; round < 100 * test::depth(); ++round) {
    Node n = 6 + static_cast<Node>(rng.below(10));
    Graph a = random_regular(n - n % 2, 3, rng), b = random_regular(n - n % 2, 3, rng);
    EXPECT_EQ(isomorphic(a, b), boost_isomorphic(a, b));
    EXPECT_TRUE(boost_isomorphic(a, relabel(a, rng.permutation(a.order()))));
    EXPECT_TRUE(isomorphic(a, relabel(a, rng.permutation(a.order()))));
  }
}

TEST(Canon, LargeGroupsAreExact) {
  // 30! does not fit into a double without error.
  EXPECT_EQ(canonical(complete(30)).group_order, "265252859812191058636308480000000");
  EXPECT_EQ(canonical(petersen()).group_order, "120");
  EXPECT_EQ(canonical(Graph()).group_order, "1");
}

// Above 1024 nodes the sparse code is used.
TEST(Canon, LargeSparseGraphs) {
  Rng rng(14);
  Graph graph = random_regular(1500, 3, rng);
  Graph moved = relabel(graph, rng.permutation(1500));
  EXPECT_EQ(canonical(graph).form, canonical(moved).form);
  EXPECT_FALSE(isomorphic(graph, random_regular(1500, 3, rng)));
  EXPECT_EQ(canonical(cycle(1100)).group_order, "2200");
}

// Colours count by value: the same partition in other colours is another graph.
TEST(Canon, ColourValuesMatter) {
  Graph a({3, false, {{0, 1, 1}, {1, 2, 2}}, {}}), b({3, false, {{0, 1, 1}, {1, 2, 3}}, {}});
  EXPECT_FALSE(isomorphic(a, b));
  Graph c({2, false, {}, {0, 1}}), d({2, false, {}, {0, 2}});
  EXPECT_FALSE(isomorphic(c, d));
  EXPECT_TRUE(isomorphic(c, Graph({2, false, {}, {1, 0}})));
}

TEST(Canon, ThreadsDoNotDisturbEachOther) {
  std::vector<std::string> order(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < order.size(); ++i)
      threads.emplace_back([&order, i] {
        for (int round = 0; round < 50; ++round) order[i] = canonical(cycle(static_cast<Node>(10 + i))).group_order;
      });
  }
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], std::to_string(2 * (10 + i)));
}

// nauty's stop request is global: while one thread cuts searches short, the searches of
// another must still be complete.
TEST(Canon, AStoppedSearchStopsNoOther) {
  Rng rng(15);
  Graph hard = random_regular(60, 3, rng);
  std::string expected = to_graph6(canonical(cycle(24)).form);
  std::atomic<bool> done = false;
  std::jthread stopper([&] {
    while (!done) some_automorphisms(complete(30), 3);
  });
  for (int round = 0; round < 300; ++round) {
    EXPECT_EQ(to_graph6(canonical(relabel(cycle(24), rng.permutation(24))).form), expected);
    EXPECT_EQ(canonical(hard).form, canonical(relabel(hard, rng.permutation(60))).form);
  }
  done = true;
}

TEST(Canon, SomeAutomorphismsAreAutomorphisms) {
  Rng rng(16);
  for (std::uint64_t limit : {0u, 1u, 5u, 1000u})
    for (const auto& kind : test::kKinds) {
      Graph graph = test::random_graph(8, 0.2, kind, rng);
      for (const auto& g : some_automorphisms(graph, limit)) EXPECT_TRUE(reference::maps(graph, graph, g));
    }
  EXPECT_TRUE(some_automorphisms(complete(30), 0).empty());
  EXPECT_EQ(some_automorphisms(complete(30), 100000).size(), 29u);
}

}  // namespace
}  // namespace leman::wl
