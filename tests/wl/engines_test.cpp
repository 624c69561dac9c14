#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.hpp"
#include "tests/reference/wl_reference.hpp"
#include "tests/support.hpp"
#include "wl/canon.hpp"
#include "wl/certificate.hpp"
#include "wl/classes.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/distance_engines.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"
#include "wl/local_engines.hpp"
#include "wl/quotient.hpp"

namespace leman::wl {
namespace {

using reference::Rule;

struct Case {
  const char* name;
  Rule rule;
  int k;
  Node largest;  // order that the reference can handle
};
const Case kEngines[] = {
    {"1wl", Rule::ColorRefinement, 1, 9}, {"1fwl", Rule::Folklore, 1, 8}, {"2wl", Rule::Oblivious, 2, 7},
    {"2fwl", Rule::Folklore, 2, 7},       {"d2lwl", Rule::Local, 2, 7},   {"3wl", Rule::Oblivious, 3, 5},
    {"3fwl", Rule::Folklore, 3, 5},       {"4wl", Rule::Oblivious, 4, 4}, {"4fwl", Rule::Folklore, 4, 4}};

struct Recorded {
  RunResult result;
  std::vector<std::vector<std::vector<Color>>> rounds;  // by round and graph
};

Recorded record(const char* engine, const std::vector<Graph>& graphs, RunOptions options = {}) {
  Recorded recorded;
  options.observer = [&](const RoundView& view) {
    EXPECT_EQ(view.round, static_cast<int>(recorded.rounds.size()));
    recorded.rounds.emplace_back();
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      recorded.rounds.back().push_back(view.coloring(g));
      std::map<Color, std::uint64_t> count;
      for (Color c : recorded.rounds.back().back()) ++count[c];
      EXPECT_EQ(view.histogram(g), Histogram(count.begin(), count.end()));
    }
  };
  recorded.result = run_engine(engine_named(engine), pointers_to(graphs), options);
  return recorded;
}

// Whether both give the same partition of the tuples of all graphs together.
template <class A, class B>
bool same_partition(const std::vector<std::vector<A>>& a, const std::vector<std::vector<B>>& b) {
  std::map<A, B> there;
  std::map<B, A> back;
  for (std::size_t g = 0; g < a.size(); ++g)
    for (std::size_t t = 0; t < a[g].size(); ++t)
      if (there.emplace(a[g][t], b[g][t]).first->second != b[g][t] ||
          back.emplace(b[g][t], a[g][t]).first->second != a[g][t])
        return false;
  return true;
}

std::string describe(const std::vector<Graph>& graphs) {
  std::string text;
  for (const Graph& g : graphs) write_graph(g, Format::EdgeList, text);
  return text;
}

void expect_as_reference(const Case& engine, const std::vector<Graph>& graphs, RunOptions options = {}) {
  SCOPED_TRACE(std::string(engine.name) + "\n" + describe(graphs));
  auto expected = reference::refine(graphs, engine.rule, engine.k);
  auto found = record(engine.name, graphs, options);
  ASSERT_EQ(found.rounds.size(), expected.rounds.size());
  EXPECT_EQ(found.result.rounds, static_cast<int>(expected.rounds.size()) - 1);
  EXPECT_TRUE(found.result.stable);
  for (std::size_t t = 0; t < found.rounds.size(); ++t)
    ASSERT_TRUE(same_partition(found.rounds[t], expected.rounds[t])) << t;
  for (std::size_t a = 0; a < graphs.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_EQ(found.result.first_difference(a, b), expected.first_difference(a, b));
}

TEST(Engines, RoundByRoundAsTheReference) {
  Rng rng(41);
  for (int round = 0; round < 12 * test::depth(); ++round)
    for (const Case& engine : kEngines)
      for (const auto& kind : test::kKinds) {
        Node n = 1 + static_cast<Node>(rng.below(engine.largest));
        double p = 0.2 + 0.6 * rng.uniform();
        Graph a = test::random_graph(n, p, kind, rng), b = test::random_graph(n, p, kind, rng);
        expect_as_reference(engine, {a, b, relabel(a, rng.permutation(n))});
        if (HasFatalFailure()) return;
      }
}

// The documentation has a line for every engine of the registry.
TEST(Engines, AreDocumented) {
  const std::string text = read_file(LEMAN_SOURCE_DIR "/docs/engines.md");
  for (const wl::Engine& engine : engines())
    EXPECT_NE(text.find("`" + std::string(engine.name) + "`"), std::string::npos) << engine.name;
}

TEST(Engines, EmptyAndTinyGraphs) {
  for (const Case& engine : kEngines) {
    std::vector<Graph> graphs{Graph(), Graph({1, false, {}, {}}), Graph({1, false, {}, {3}}),
                              Graph({2, false, {}, {}})};
    auto run = run_engine(engine_named(engine.name), pointers_to(graphs));
    EXPECT_TRUE(run.stable) << engine.name;
    EXPECT_TRUE(run.all_different()) << engine.name;
    EXPECT_EQ(run.first_difference(0, 0), std::nullopt);
  }
}

// Hash collisions may change nothing except the time.
TEST(Engines, AWeakHashChangesNothing) {
  Rng rng(42);
  for (unsigned bits : {0u, 1u, 3u})
    for (const Case& engine : kEngines)
      for (const auto& kind : test::kKinds) {
        Node n = 2 + static_cast<Node>(rng.below(engine.largest - 1));
        RunOptions weak;
        weak.hash_bits = bits;
        expect_as_reference(engine, {test::random_graph(n, 0.4, kind, rng), test::random_graph(n, 0.4, kind, rng)},
                            weak);
        if (HasFatalFailure()) return;
      }
}

TEST(Engines, OrbitsChangeNothing) {
  Rng rng(43);
  std::vector<std::vector<Graph>> sets;
  for (const Graph& base : {complete(3), cycle(4), complete(4)}) {
    auto [straight, twisted] = cfi_pair(base);
    sets.push_back({straight, twisted});
  }
  sets.push_back({rook(5, 5), paley(25), relabel(paley(25), rng.permutation(25))});
  sets.push_back({random_tree(30, rng), random_tree(30, rng)});
  sets.push_back({grid(5, 5), grid(5, 5)});
  for (const auto& graphs : sets)
    for (const char* engine : {"2wl", "2fwl", "d2lwl", "3wl"}) {
      RunOptions without;
      without.use_orbits = false;
      auto a = record(engine, graphs), b = record(engine, graphs, without);
      EXPECT_EQ(a.rounds, b.rounds) << engine;  // exactly the same numbers
      EXPECT_EQ(a.result.groups, b.result.groups);
    }
}

TEST(Engines, ColoursAreCanonical) {
  Rng rng(44);
  for (const Case& engine : kEngines)
    for (const auto& kind : test::kKinds) {
      Node n = engine.k >= 3 ? 5 : 12;
      Graph graph = test::random_graph(n, 0.3, kind, rng);
      auto image = rng.permutation(n);
      auto a = record(engine.name, {graph}), b = record(engine.name, {relabel(graph, image)});
      ASSERT_EQ(a.rounds.size(), b.rounds.size());
      for (std::size_t t = 0; t < a.rounds.size(); ++t)
        for (const auto& tuple : reference::all_tuples(n, engine.k)) {
          auto moved = tuple;
          for (Node& v : moved) v = image[v];
          ASSERT_EQ(a.rounds[t][0][reference::index(tuple, n)], b.rounds[t][0][reference::index(moved, n)])
              << engine.name;
        }
    }
}

// 1-WL on larger graphs, where dense and sparse rounds alternate. Compared on relabelled
// graphs and with plain rounds of hashing, which must give the same partition.
TEST(Engines, ColourRefinementOnLargerGraphs) {
  Rng rng(45);
  std::vector<Graph> graphs{grid(20, 30),
                            random_tree(500, rng),
                            erdos_renyi(400, 0.01, rng),
                            random_regular(300, 3, rng),
                            preferential_attachment(400, 2, rng),
                            path(301),
                            two_lift(petersen(), 5),
                            disjoint_union(grid(7, 9), random_tree(80, rng))};
  for (const Graph& graph : graphs) {
    auto image = rng.permutation(graph.order());
    auto a = record("1wl", {graph}), b = record("1wl", {relabel(graph, image)});
    ASSERT_EQ(a.rounds.size(), b.rounds.size());
    auto expected = reference::refine({graph}, Rule::ColorRefinement, 1);
    ASSERT_EQ(a.rounds.size(), expected.rounds.size());
    for (std::size_t t = 0; t < a.rounds.size(); ++t) {
      ASSERT_TRUE(same_partition(a.rounds[t], expected.rounds[t]));
      for (Node v = 0; v < graph.order(); ++v) ASSERT_EQ(a.rounds[t][0][v], b.rounds[t][0][image[v]]);
    }
  }
}

// Directed graphs whose cells are adjacent to themselves: sparse rounds move the nodes
// that they iterate over.
TEST(Engines, ColourRefinementOnDirectedGraphs) {
  auto ring = [](Node n, Node shift, bool both) {
    GraphData data{.order = shift + n, .directed = true, .edges = {}, .node_colors = {}};
    for (Node v = 0; v < n; ++v) {
      data.edges.push_back({shift + v, shift + (v + 1) % n});
      if (both) data.edges.push_back({shift + (v + 1) % n, shift + v});
    }
    return data;
  };
  Rng rng(51);
  for (int round = 0; round < 60 * test::depth(); ++round) {
    GraphData all{.order = 0, .directed = true, .edges = {}, .node_colors = {}};
    for (std::uint64_t parts = 1 + rng.below(4); parts > 0; --parts) {
      GraphData next = ring(3 + static_cast<Node>(rng.below(5)), all.order, rng.below(2));
      all.order = next.order;
      all.edges.insert(all.edges.end(), next.edges.begin(), next.edges.end());
    }
    if (round % 3 == 0) all.node_colors = std::vector<Color>(all.order, 0), all.node_colors[0] = 1;
    Graph a(all);
    expect_as_reference(kEngines[0], {a, relabel(a, rng.permutation(a.order()))});
    expect_as_reference(kEngines[0], {test::random_graph(20, 0.08, {true, 1, 1}, rng), a});
    if (HasFatalFailure()) return;
  }
}

// 0->1->0, 2->3->2 and a directed 4-cycle: every node has one arc in and one arc out. 1-WL keeps these
// multisets apart and so sees no difference. Engines that look at a pair of nodes see both directions.
TEST(Engines, OnDirectedGraphsColourRefinementIsWeakerThanPairs) {
  auto directed = [](std::vector<Edge> arcs) {
    return Graph(GraphData{.order = 4, .directed = true, .edges = std::move(arcs), .node_colors = {}});
  };
  const Graph cycles = directed({{0, 1}, {1, 0}, {2, 3}, {3, 2}}), cycle = directed({{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  EXPECT_FALSE(compare(engine_named("1wl"), cycles, cycle).distinguished);
  EXPECT_TRUE(compare(engine_named("1fwl"), cycles, cycle).distinguished);
  EXPECT_TRUE(compare(engine_named("2wl"), cycles, cycle).distinguished);
}

// For every engine, observer and verdict must agree on the first round whose
// histograms differ.
TEST(Engines, HistogramsShowTheFirstDifference) {
  Rng rng(52);
  for (const Engine& engine : engines()) {
    Node n = engine.tuple == 4 ? 4 : engine.tuple == 3 ? 6 : 10;
    std::vector<std::vector<Graph>> sets;
    for (int i = 0; i < 6; ++i) sets.push_back({random_tree(n, rng), random_tree(n, rng), erdos_renyi(n, 0.3, rng)});
    sets.push_back({cycle(6), disjoint_union(cycle(3), cycle(3))});
    for (const auto& graphs : sets) {
      std::vector<std::vector<Histogram>> seen;
      RunOptions options;
      options.keep_coloring = true;
      options.observer = [&](const RoundView& view) {
        seen.emplace_back();
        for (std::size_t g = 0; g < graphs.size(); ++g) seen.back().push_back(view.histogram(g));
      };
      RunResult run = run_engine(engine, pointers_to(graphs), options);
      ASSERT_EQ(run.coloring.size(), graphs.size());
      for (std::size_t a = 0; a < graphs.size(); ++a) {
        std::size_t tuples = 1;
        for (int p = 0; p < engine.tuple; ++p) tuples *= graphs[a].order();
        EXPECT_EQ(run.coloring[a].size(), tuples) << engine.name;
        for (std::size_t b = 0; b < a; ++b) {
          std::optional<int> first;
          for (std::size_t t = 0; t < seen.size() && !first; ++t)
            if (seen[t][a] != seen[t][b]) first = static_cast<int>(t);
          EXPECT_EQ(run.first_difference(a, b), first) << engine.name;
        }
      }
    }
  }
}

TEST(Engines, SwappingAPairChangesNothing) {
  Rng rng(46);
  for (const Case& engine : kEngines) {
    Graph a = random_tree(engine.k >= 3 ? 6 : 12, rng), b = random_tree(engine.k >= 3 ? 6 : 12, rng);
    PairVerdict x = compare(engine_named(engine.name), a, b), y = compare(engine_named(engine.name), b, a);
    EXPECT_EQ(x.round, y.round);
    EXPECT_EQ(x.colors, y.colors);
  }
}

// A joint run is a run on the disjoint union, for colour refinement.
TEST(Engines, JointRunEqualsDisjointUnion) {
  Rng rng(47);
  for (int round = 0; round < 30; ++round) {
    Graph a = erdos_renyi(12, 0.2, rng), b = erdos_renyi(9, 0.3, rng);
    auto joint = record("1wl", {a, b}), united = record("1wl", {disjoint_union(a, b)});
    ASSERT_EQ(joint.rounds.size(), united.rounds.size());
    for (std::size_t t = 0; t < joint.rounds.size(); ++t) {
      auto both = joint.rounds[t][0];
      both.insert(both.end(), joint.rounds[t][1].begin(), joint.rounds[t][1].end());
      EXPECT_EQ(both, united.rounds[t][0]);
    }
  }
}

TEST(Engines, StopsWhenToldTo) {
  Graph a = path(40);
  RunOptions two;
  two.max_rounds = 2;
  const Graph* one[] = {&a};
  RunResult run = run_engine(engine_named("1wl"), one, two);
  EXPECT_EQ(run.rounds, 2);
  EXPECT_FALSE(run.stable);
  PairVerdict verdict = compare(engine_named("1wl"), path(40), cycle(40));
  EXPECT_EQ(verdict.round, 1);
  EXPECT_EQ(verdict.rounds, 1);
}

TEST(Engines, RefusesWhatDoesNotFit) {
  Graph big = make_graph(20000, {});
  const Graph* one[] = {&big};
  RunOptions small;
  small.memory_limit = 1 << 20;
  EXPECT_THROW(run_engine(engine_named("1wl"), one, small), MemoryError);
  try {
    run_engine(engine_named("3fwl"), one);
    FAIL();
  } catch (const MemoryError& e) {
    EXPECT_NE(std::string(e.what()).find("3-FWL needs about 655651.1 GB"), std::string::npos) << e.what();
  }
  EXPECT_THROW(run_engine(engine_named("5wl"), one), UsageError);
  Graph arcs({2, true, {{0, 1}}, {}}), edge({2, false, {{0, 1}}, {}});
  for (const char* engine : {"1wl", "2fwl"}) EXPECT_THROW(compare(engine_named(engine), arcs, edge), UsageError);
}

// The class of every graph according to the counter: fingerprints, then exact runs.
std::vector<std::size_t> counted_classes(const char* engine, const std::vector<Graph>& graphs) {
  ClassCounter counter(engine_named(engine));
  std::vector<std::size_t> classes;
  auto before = counter.members();
  for (const Graph& g : graphs) {
    counter.add({g}, 1);
    before.resize(counter.members().size(), 0);
    std::size_t c = 0;
    while (before[c] == counter.members()[c]) ++c;
    before[c] = counter.members()[c];
    classes.push_back(c);
  }
  return classes;
}

bool same_classes(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  return same_partition<std::size_t, std::size_t>({a}, {b});
}

// All graphs up to order 7: one joint run of the reference on all of them, the counter,
// and certificates must give the same partition into classes. Twenty times the depth
// goes up to order 8 (minutes and gigabytes).
TEST(Classes, AllSmallGraphsAsTheReference) {
  Node most = test::depth() >= 20 ? 8 : 7;
  for (Node n = 1; n <= most; ++n) {
    auto graphs = all_graphs(n);
    std::map<std::string, std::vector<std::size_t>> found;
    for (const Case& engine : kEngines) {
      bool deep = std::string(engine.name) == "1wl" || std::string(engine.name) == "2wl" ||
                  std::string(engine.name) == "2fwl" || std::string(engine.name) == "3wl";
      if (n > (engine.k >= 4 ? 4u : engine.k == 3 ? 5u : deep ? 7u : 6u) && !(deep && test::depth() >= 20)) continue;
      found[engine.name] = counted_classes(engine.name, graphs);
      auto expected = reference::refine(graphs, engine.rule, engine.k).classes();
      EXPECT_TRUE(same_classes(found[engine.name], expected)) << engine.name << " " << n;
      if (!engine_named(engine.name).certificate || n > 6) continue;
      std::map<Certificate, std::size_t> known;
      std::vector<std::size_t> certified;
      for (const Graph& g : graphs)
        certified.push_back(known.emplace(certificate(engine_named(engine.name), g), known.size()).first->second);
      EXPECT_TRUE(same_classes(certified, expected)) << engine.name << " " << n;
    }
    for (auto [a, b] : {std::pair{"1wl", "2wl"}, {"1wl", "1fwl"}, {"3wl", "2fwl"}, {"4wl", "3fwl"}})
      if (found.count(a) && found.count(b)) {
        EXPECT_TRUE(same_classes(found[a], found[b])) << a << " " << b << " " << n;
      }
  }
}

TEST(Classes, OrderSeven) {
  auto graphs = all_graphs(7);
  std::map<std::string, std::uint64_t> classes;
  for (const char* engine : {"1wl", "2wl", "2fwl", "3wl"}) {
    ClassCounter counter(engine_named(engine));
    counter.add(graphs, 2);
    classes[engine] = counter.classes();
  }
  EXPECT_EQ(classes["1wl"], 1022u);
  EXPECT_EQ(classes["2wl"], 1022u);
  EXPECT_EQ(classes["2fwl"], 1044u);
  EXPECT_EQ(classes["3wl"], 1044u);
}

TEST(Classes, DoNotDependOnThreadsOrOrder) {
  auto graphs = all_graphs(6);
  ClassCounter one(color_refinement()), two(color_refinement());
  one.add(graphs, 1);
  std::reverse(graphs.begin(), graphs.end());
  for (const Graph& g : graphs) two.add({g}, 2);
  EXPECT_EQ(one.classes(), two.classes());
  EXPECT_EQ(one.confused(), two.confused());
  for (const Engine& engine : engines()) {  // every engine has at least as many classes as 1-WL
    if (engine.tuple >= 3 || engine.name == "rd") continue;
    ClassCounter counter(engine);
    counter.add(graphs, 2);
    EXPECT_GE(counter.classes(), one.classes()) << engine.name;
  }
  EXPECT_EQ(one.graphs(), 156u);
  for (const auto& example : one.examples()) {
    EXPECT_FALSE(compare(engine_named("1wl"), example.first, example.second).distinguished);
    EXPECT_FALSE(isomorphic(example.first, example.second));
  }
}

// Certificates agree with joint runs on every pair of some hard graphs, such as
// 2-lifts, which 1-WL cannot tell apart.
TEST(Certificates, EqualIfAndOnlyIfNotDistinguished) {
  std::vector<Graph> graphs{rook(4, 4),
                            shrikhande(),
                            cfi(complete(3)),
                            cfi(complete(3), 0),
                            petersen(),
                            disjoint_union(cycle(3), cycle(3)),
                            cycle(6),
                            two_lift(petersen(), 3),
                            two_lift(petersen(), 6),
                            circular_skip_link(16, 2),
                            circular_skip_link(16, 3)};
  for (const char* engine : {"1wl", "2wl", "2fwl", "3wl"})
    for (const Graph& a : graphs)
      for (const Graph& b : graphs) {
        bool same = !compare(engine_named(engine), a, b).distinguished;
        EXPECT_EQ(certificate(engine_named(engine), a) == certificate(engine_named(engine), b), same) << engine;
        if (same) {
          EXPECT_EQ(fingerprint(engine_named(engine), a), fingerprint(engine_named(engine), b));
          EXPECT_EQ(fingerprint_of(certificate(engine_named(engine), a)),
                    fingerprint_of(certificate(engine_named(engine), b)));
        } else {
          EXPECT_NE(fingerprint(engine_named(engine), a), fingerprint(engine_named(engine), b));
        }
      }
}

TEST(Quotients, AreCoherentConfigurations) {
  Rng rng(48);
  auto [straight, twisted] = cfi_pair(complete(4));
  std::vector<std::vector<Graph>> sets{{rook(4, 4), shrikhande()}, {paley(29)},
                                       {straight, twisted},        {petersen()},
                                       {random_tree(15, rng)},     {test::random_graph(12, 0.3, {true, 2, 2}, rng)}};
  for (const auto& graphs : sets) {
    Quotient q = color_quotient(pointers_to(graphs));
    q.verify();
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      std::uint64_t total = 0;
      for (std::uint64_t size : q.sizes[g]) total += size;
      EXPECT_EQ(total, std::uint64_t{graphs[g].order()} * graphs[g].order());
    }
    Quotient broken = q;
    ++broken.triples[0].multiplicity;
    EXPECT_THROW(broken.verify(), BugError);
    broken = q;
    broken.coloring[0][1] = broken.coloring[0][0];
    EXPECT_THROW(broken.verify(), BugError);
  }
  const std::vector<Graph> rigid{erdos_renyi(120, 0.5, rng)};  // almost as many colours as pairs: 120^3 triples
  RunOptions small;
  small.memory_limit = 8u << 20;
  EXPECT_THROW(color_quotient(pointers_to(rigid), small), MemoryError);
  small.memory_limit = 64u << 20;
  EXPECT_GT(color_quotient(pointers_to(rigid), small).triples.size(), 1u << 20);
  EXPECT_EQ(color_quotient(pointers_to(sets[0])).colors, 3u);  // equal, adjacent, neither
  EXPECT_EQ(color_quotient(pointers_to(sets[1])).triples.size(),
            3u + 6u + 6u);  // (i,l) and (l,j) are "equal" only where they can be
}

TEST(Derived, Definitions) {
  // Triangles: in K4 minus an edge some nodes are in two, others in one.
  Graph diamond({4, false, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}, {}});
  auto counts = subgraph_counts(diamond, 3);
  EXPECT_EQ(counts[0], counts[3]);
  EXPECT_EQ(counts[1], counts[2]);
  EXPECT_NE(counts[0], counts[1]);
  EXPECT_EQ(ego_types(cycle(5), 1)[0], ego_types(cycle(7), 1)[3]);
  EXPECT_NE(ego_types(cycle(5), 2)[0], ego_types(cycle(7), 2)[0]);
}

// C6 and two triangles: 1-WL and the engines of its power cannot tell them apart, the others can.
TEST(Derived, PowerOnKnownPairs) {
  Graph hexagon = cycle(6), triangles = disjoint_union(cycle(3), cycle(3));
  for (const char* engine : {"1wl", "2wl", "1fwl"})
    EXPECT_FALSE(compare(engine_named(engine), hexagon, triangles).distinguished) << engine;
  for (const char* engine : {"s3", "s4", "n1", "n2", "m1", "spd", "rd", "2fwl", "3wl", "d2lwl"})
    EXPECT_TRUE(compare(engine_named(engine), hexagon, triangles).distinguished) << engine;
  for (const Engine& engine : engines()) {
    if (engine.tuple == 4) continue;
    bool sees = engine.name == "s4" || engine.name == "n1" || engine.name == "n2" || engine.name == "3fwl";
    EXPECT_EQ(compare(engine, rook(4, 4), shrikhande()).distinguished, sees) << engine.name;
  }
}

// Resistance distances as exact rationals: on a cycle of n nodes R = d(n-d)/n.
TEST(Derived, ResistanceIsExact) {
  Graph ring = cycle(7), tree = path(7);
  const Graph* both[] = {&ring, &tree};
  auto values = resistance_values(both);
  for (Node u = 0; u < 7; ++u)
    for (Node v = 0; v < 7; ++v) {
      Node d = (u + 7 - v) % 7;
      EXPECT_EQ(values[0][u * 7 + v], values[0][std::min(d, 7 - d)]);
      EXPECT_EQ(values[1][u * 7 + v], values[1][u > v ? u - v : v - u]);  // the distance itself
      EXPECT_EQ(values[1][u * 7 + v][0], u > v ? u - v : v - u);
    }
  EXPECT_NE(values[0][1], values[1][1]);  // 6/7 and 1
  EXPECT_NE(values[0][1], values[0][2]);
  Graph apart = disjoint_union(path(2), path(3));
  const Graph* one[] = {&apart};
  EXPECT_TRUE(resistance_values(one)[0][0 * 5 + 3].empty());  // no path
}

// Colours use all 32 bits, and edge colours do not enter distances.
TEST(Derived, ColoursAtTheirLimits) {
  Graph low({3, false, {{0, 1}}, {0, 0, 0}}), high({3, false, {{0, 1}}, {2147483648u, 0, 0}});
  for (const char* engine : {"1wl", "m1", "n1", "n2", "s3", "spd", "rd", "2fwl"})
    EXPECT_TRUE(compare(engine_named(engine), low, high).distinguished) << engine;
  Graph plain({3, false, {{0, 1, 0}, {1, 2, 0}}, {}}), red({3, false, {{0, 1, 1}, {1, 2, 1}}, {}});
  for (const Engine& engine : engines()) {
    bool same = !compare(engine, plain, red).distinguished;
    EXPECT_EQ(same, engine.name == "spd" || engine.name == "rd") << engine.name;
    if (same) {
      EXPECT_EQ(fingerprint(engine, plain), fingerprint(engine, red));
    }
    ClassCounter counter(engine);
    counter.add({plain, red}, 1);
    EXPECT_EQ(counter.classes(), same ? 1u : 2u) << engine.name;
  }
}

TEST(Derived, MatricesThatDoNotFitAreRefused) {
  Graph big = path(60000);
  const Graph* one[] = {&big};
  RunOptions small;
  small.memory_limit = std::uint64_t{1} << 30;
  for (const char* engine : {"spd", "rd", "1fwl", "m1", "s4"})
    EXPECT_THROW(run_engine(engine_named(engine), one, small), MemoryError) << engine;
}

TEST(Derived, InvariantUnderRelabelling) {
  Rng rng(49);
  for (const Engine& engine : engines()) {
    Node n = engine.tuple == 4 ? 5 : engine.tuple == 3 ? 7 : 12;
    for (int round = 0; round < 10; ++round) {
      Graph a = erdos_renyi(n, 0.3, rng), moved = relabel(a, rng.permutation(n));
      EXPECT_FALSE(compare(engine, a, moved).distinguished) << engine.name;
      EXPECT_EQ(fingerprint(engine, a), fingerprint(engine, moved)) << engine.name;
    }
  }
}

}  // namespace
}  // namespace leman::wl
