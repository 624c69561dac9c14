// The counter of classes and the list of packed graphs. engines_test.cpp compares the classes of all
// small graphs with the reference of the engines.
#include "wl/classes.hpp"

#include <gtest/gtest.h>

#include "tests/support.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {
namespace {

// Graphs of every kind that an engine takes, with relabelled copies and plain repetitions, shuffled.
std::vector<Graph> mixed_stream(const Engine& engine, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Graph> graphs;
  for (const test::Kind& kind : test::kKinds) {
    if (kind.directed && !engine.directed) continue;
    for (int i = 0; i < 12; ++i) graphs.push_back(test::random_graph(static_cast<Node>(1 + i % 5), 0.5, kind, rng));
  }
  for (const Graph& graph : {cycle(6), disjoint_union(cycle(3), cycle(3)), path(6)}) graphs.push_back(graph);
  for (std::size_t i = 0, count = graphs.size(); i < count; ++i) {
    graphs.push_back(relabel(graphs[i], rng.permutation(graphs[i].order())));
    if (i % 3 == 0) graphs.push_back(graphs[i]);
  }
  std::vector<Graph> shuffled;
  for (const std::uint32_t i : rng.permutation(static_cast<std::uint32_t>(graphs.size())))
    shuffled.push_back(graphs[i]);
  return shuffled;
}

// Pair by pair: a graph is in the class of the first graph that the engine does not tell from it.
std::vector<ClassId> classes_by_pairs(const Engine& engine, const std::vector<Graph>& graphs) {
  std::vector<ClassId> classes;
  ClassId next = 0;
  for (std::size_t j = 0; j < graphs.size(); ++j) {
    std::size_t i = 0;
    while (i < j &&
           (graphs[i].directed() != graphs[j].directed() || compare(engine, graphs[i], graphs[j]).distinguished))
      ++i;
    classes.push_back(i < j ? classes[i] : next++);
  }
  return classes;
}

std::vector<ClassId> classes_in_batches(const Engine& engine, const std::vector<Graph>& graphs, std::size_t size,
                                        unsigned threads) {
  ClassCounter counter(engine);
  std::vector<ClassId> classes;
  for (std::size_t i = 0; i < graphs.size(); i += size) {
    const auto batch = std::span(graphs).subspan(i, std::min(size, graphs.size() - i));
    for (const ClassId c : counter.add(batch, threads)) classes.push_back(c);
  }
  EXPECT_EQ(counter.graphs(), graphs.size());
  return classes;
}

TEST(Classes, AreThoseOfThePairsWhateverTheBatches) {
  for (const Engine& engine : engines()) {
    if (engine.tuple > 2) continue;
    const auto graphs = mixed_stream(engine, 7);
    const auto expected = classes_by_pairs(engine, graphs);
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, graphs.size()})
      for (const unsigned threads : {1u, 2u, 5u})
        EXPECT_EQ(classes_in_batches(engine, graphs, size, threads), expected)
            << engine.name << ", batches of " << size << ", threads " << threads;
  }
}

TEST(Classes, CountsAreThoseOfTheRows) {
  const Engine& engine = color_refinement();
  const auto graphs = mixed_stream(engine, 8);
  ClassCounter counter(engine);
  const auto classes = counter.add(graphs, 2);
  std::vector<std::uint64_t> members(counter.classes());
  for (const ClassId c : classes) ++members.at(c);
  EXPECT_EQ(counter.members(), members);
  EXPECT_EQ(counter.largest(), *std::max_element(members.begin(), members.end()));
  std::uint64_t confused = 0;
  for (const std::uint64_t m : members) confused += m > 1 ? m : 0;
  EXPECT_EQ(counter.confused(), confused);
  for (std::size_t i = 0, next = 0; i < graphs.size(); ++i)
    if (classes[i] == next) {
      EXPECT_EQ(counter.first(static_cast<ClassId>(next++)), graphs[i]);
    }
  EXPECT_EQ(counter.examples().size(), 10u);
}

TEST(Classes, NothingIsAddedWhereAnEngineRefuses) {
  ClassCounter counter(engine_named("s3"));
  counter.add({path(3)}, 1);
  EXPECT_THROW(counter.add({path(4), Graph({2, true, {{0, 1}}, {}})}, 2), UsageError);
  RunOptions small;
  small.memory_limit = 1000;
  ClassCounter limited(folklore(2), small);
  limited.add({cycle(9)}, 2);
  const Graph moved = relabel(cycle(9), std::vector<Node>{1, 0, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THROW(limited.add({path(4), moved}, 2), MemoryError);
  for (const ClassCounter* each : {&counter, &limited}) {
    EXPECT_EQ(each->graphs(), 1u);
    EXPECT_EQ(each->classes(), 1u);
    EXPECT_EQ(each->members(), std::vector<std::uint64_t>{1});
  }
}

TEST(PackedGraphs, ComeBackAsTheyWere) {
  Rng rng(3);
  std::vector<Graph> graphs;
  for (const test::Kind& kind : test::kKinds)
    for (Node n = 0; n < 12; ++n)
      for (const double p : {0.0, 0.2, 0.9}) graphs.push_back(test::random_graph(n, p, kind, rng));
  PackedGraphs packed;
  for (const Graph& graph : graphs) {
    packed.add(graph);
    packed.add_none();
  }
  ASSERT_EQ(packed.size(), 2 * graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) EXPECT_EQ(packed.at(2 * i), graphs[i]);
}

// A large sparse graph takes the memory of its edges, whatever its order.
TEST(PackedGraphs, AreShort) {
  PackedGraphs small, sparse;
  small.add(cycle(8));
  EXPECT_LE(small.text_bytes(), 8u);
  sparse.add(Graph({1'000'000, false, {}, {}}));
  sparse.add(Graph({1'000'000, true, {{0, 1}}, {}}));
  sparse.add(path(3000));
  EXPECT_LE(sparse.text_bytes(), 12'000u);
  EXPECT_EQ(sparse.at(0).order(), 1'000'000u);
  EXPECT_EQ(sparse.at(1), Graph({1'000'000, true, {{0, 1}}, {}}));
  EXPECT_EQ(sparse.at(2), path(3000));
}

TEST(PackedGraphs, AsLinesOfAFormat) {
  const Graph colored({2, false, {{0, 1}}, {1, 0}}), arc({2, true, {{0, 1}}, {}}), few({2000, true, {{0, 1}}, {}});
  PackedGraphs packed;
  for (const Graph& graph : {cycle(6), path(3000), arc, few, colored}) packed.add(graph);
  EXPECT_EQ(packed.line(0, Format::Auto), to_graph6(cycle(6)));
  EXPECT_EQ(packed.line(0, Format::Graph6), to_graph6(cycle(6)));
  EXPECT_EQ(packed.line(0, Format::Sparse6)[0], ':');
  EXPECT_EQ(graph_from_graph6(packed.line(0, Format::Sparse6)), cycle(6));
  EXPECT_EQ(packed.line(1, Format::Auto)[0], ':');
  EXPECT_EQ(packed.line(1, Format::Graph6), to_graph6(path(3000)));
  EXPECT_EQ(packed.line(2, Format::Auto), to_graph6(arc));
  EXPECT_EQ(graph_from_graph6(packed.line(3, Format::Auto)), few);
  EXPECT_THROW(packed.line(2, Format::Graph6), GraphError);
  EXPECT_THROW(packed.line(4, Format::Auto), GraphError);
}

}  // namespace
}  // namespace leman::wl
