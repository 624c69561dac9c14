// Agreement with models whose answer is known: tokens made from 2-FWL's own colours,
// with information removed or added.
#include "proofs_check/agreement.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "proofs_check/agreement_sample.hpp"
#include "proofs_check/parametrization.hpp"
#include "tests/support.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {
namespace {

using wl::Color;
using wl::Graph;
using wl::Node;

constexpr int kWidth = 3, kLayers = 4;

// Numbers in (0, 1) that depend only on the arguments.
double code(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  Rng rng(a * 1'000'003 + b * 7919 + c * 31 + 1);
  return 0.1 + 0.9 * rng.uniform();
}

// The token of a pair is a code of its name, plus rounding noise. Names must not depend
// on other graphs; fingerprints of colours do not.
class CodeTokens : public TokenSource {
 public:
  // The names of all pairs (i,j), row-major, after a layer.
  using Names = std::vector<std::uint64_t>;
  using Name = std::function<Names(const Graph&, int)>;
  CodeTokens(Name name, double noise) : name_(std::move(name)), noise_(noise) {}
  int width() const override { return kWidth; }
  int layers() const override { return kLayers; }
  Tokens tokens(std::span<const Graph* const> graphs) const override {
    Tokens result;
    for (const Graph* graph : graphs) {
      auto& layers = result.emplace_back();
      for (int t = 0; t <= kLayers; ++t) {
        auto& rows = layers.emplace_back();
        const Names names = name_(*graph, t);
        for (Node i = 0; i < graph->order(); ++i)
          for (Node j = 0; j < graph->order(); ++j)
            for (std::uint64_t k = 0; k < kWidth; ++k)
              rows.push_back(code(names[i * graph->order() + j], 0, k) + noise_ * (code(i, j, k) - 0.5));
      }
    }
    return result;
  }

 private:
  Name name_;
  double noise_;
};

// Slow and obvious 2-FWL: the colour is the whole unfolded history as text, hashed by
// the standard library. Equal histories give equal numbers in any graph.
CodeTokens::Names history(const Graph& graph, int t) {
  const std::size_t n = graph.order();
  CodeTokens::Names now(n * n);
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < n; ++v)
      now[u * n + v] = 10 * (u == v) + graph.has_edge(u, v) + 100 * (graph.node_color(u) + 10 * graph.node_color(v));
  for (int round = 0; round < t; ++round) {
    CodeTokens::Names next;
    for (Node u = 0; u < n; ++u)
      for (Node v = 0; v < n; ++v) {
        std::multiset<std::pair<std::size_t, std::size_t>> around;
        for (Node w = 0; w < n; ++w) around.emplace(now[u * n + w], now[w * n + v]);
        std::string text = std::to_string(now[u * n + v]);
        for (const auto& [a, b] : around) text += "," + std::to_string(a) + "-" + std::to_string(b);
        next.push_back(std::hash<std::string>()(text));
      }
    now = next;
  }
  return now;
}

std::vector<Graph> small_sample() {
  std::vector<Graph> graphs;
  for (const Chunk& chunk : sample_chunks({"er", "tree", "cfi", "lift"}, 5, 7, 24, true))
    for (Graph& graph : draw_chunk(chunk, 2, 5)) graphs.push_back(std::move(graph));
  return graphs;
}

Tested tested_with(const CodeTokens& source, const std::vector<Graph>& graphs) {
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  Rng rng(3);
  Tested tested;
  tested.source = &source;
  tested.tolerance = measure_tolerance(source, pointers, 2, rng);
  return tested;
}

TEST(Agreement, AModelThatIs2FwlAgreesEverywhere) {
  const CodeTokens source(history, 1e-9);
  const std::vector<Graph> graphs = small_sample();
  const Tested tested = tested_with(source, graphs);
  for (const double tolerance : tested.tolerance.tokens) {
    EXPECT_GT(tolerance, 1e-9);
    EXPECT_LT(tolerance, 1e-7);
  }
  const Agreement result = agree(graphs, tested, 1);
  EXPECT_EQ(result.graphs, graphs.size());
  EXPECT_EQ(result.agree, graphs.size());
  for (const Counts& c : result.tokens) {
    EXPECT_EQ(c.agree, graphs.size());
    EXPECT_LT(c.gap.within, 2e-9);
    EXPECT_GT(c.gap.between, 1e-7);
  }
  // Means of generic codes tell apart whatever histograms tell apart.
  for (const Counts& c : result.poolings[2]) EXPECT_EQ(c.agree, c.compared);
  EXPECT_GT(result.stable_poolings[2].compared, 10u);
}

TEST(Agreement, WhatIsForgottenIsCoarserAndExplained) {
  // From layer 3 on this model has only the colours of round 1.
  const CodeTokens forgets([](const Graph& g, int t) { return history(g, t < 3 ? t : 1); }, 1e-9);
  const CodeTokens knows(history, 1e-12);
  const std::vector<Graph> graphs = small_sample();
  Tested tested = tested_with(forgets, graphs);
  Agreement result = agree(graphs, tested, 1);
  EXPECT_EQ(result.tokens[2].coarser, 0u);
  EXPECT_GT(result.tokens[3].coarser, 0u);
  EXPECT_EQ(result.tokens[3].finer, 0u);
  EXPECT_EQ(result.tokens[3].agree + result.tokens[3].coarser, graphs.size());
  EXPECT_EQ(result.agree, graphs.size() - result.tokens[3].coarser);
  EXPECT_GT(result.reasons["tokens/round/coarser/open"], 0u);
  tested.wide = &knows;
  tested.wide_tolerance = tested_with(knows, graphs).tolerance;
  result = agree(graphs, tested, 1);
  EXPECT_EQ(result.reasons.count("tokens/round/coarser/open"), 0u);
  EXPECT_GT(result.reasons["tokens/round/coarser/precision"], 0u);
  tested.wide = nullptr;
  tested.quotient = &knows;
  EXPECT_GT(agree(graphs, tested, 1).reasons["tokens/round/coarser/undecided"], 0u);
  ASSERT_FALSE(result.examples.empty());
  EXPECT_NO_THROW(graph_from_text(result.examples[0].graphs));
}

// A model that gives (i,j) and (j,i) the same token is coarser where 2-FWL tells them apart,
// and only there.
TEST(Agreement, TransposedPairsAreNamed) {
  const CodeTokens symmetric(
      [](const Graph& g, int t) {
        const auto names = history(g, t);
        auto both = names;
        const std::size_t n = g.order();
        for (std::size_t at = 0; at < names.size(); ++at) both[at] = names[at] + names[at % n * n + at / n];
        return both;
      },
      1e-9);
  const std::vector<Graph> graphs{wl::path(3), wl::cycle(4)};
  const Agreement result = agree(graphs, tested_with(symmetric, graphs), 1);
  EXPECT_EQ(result.tokens[0].coarser, 0u);
  EXPECT_EQ(result.tokens[1].coarser, 1u);  // the path
  EXPECT_EQ(result.reasons.at("tokens/round/coarser/transposed pairs"), 4u);
  EXPECT_EQ(result.reasons.count("tokens/round/coarser/open"), 0u);
}

TEST(Agreement, TooFewLayersIsSeenAgainstTheStableColouring) {
  // On a long path 2-FWL takes more rounds than the model has layers.
  const CodeTokens source(history, 1e-9);
  const std::vector<Graph> graphs{wl::path(40)};
  const Agreement result = agree(graphs, tested_with(source, graphs), 1);
  EXPECT_GT(result.most_rounds, kLayers);
  EXPECT_EQ(result.tokens[kLayers].agree, 1u);
  EXPECT_EQ(result.stable.coarser, 1u);
  EXPECT_EQ(result.reasons.at("tokens/stable/coarser/too few layers"), 1u);
}

TEST(Agreement, WhatDependsOnLabelsIsFiner) {
  const CodeTokens cheats(
      [](const Graph& g, int t) {
        auto names = history(g, t);
        names[0] += t == 2;
        return names;
      },
      1e-9);
  const std::vector<Graph> graphs{wl::cycle(6)};
  Tested tested;
  tested.source = &cheats;
  tested.tolerance.tokens.assign(kLayers + 1, 1e-8);
  for (auto& list : tested.tolerance.poolings) list.assign(kLayers + 1, 1e-8);
  Agreement result = agree(graphs, tested, 1);
  EXPECT_EQ(result.tokens[2].finer, 1u);
  EXPECT_EQ(result.tokens[1].finer + result.tokens[3].finer, 0u);
  // Its own relabellings show that it is not a function of the graph, so the difference counts
  // as noise, however large.
  EXPECT_EQ(result.reasons.at("tokens/round/finer/precision"), 1u);
  // A measured tolerance would have covered it.
  EXPECT_GT(tested_with(cheats, graphs).tolerance.tokens[2], 0.1);
}

TEST(Agreement, PoolingIsBlamedWhereTokensTellApart) {
  const CodeTokens source(history, 1e-9);
  // 2-FWL tells these apart at round 1, but maxima over equal sets of colours are equal.
  const std::vector<Graph> graphs{wl::graph_from_graph6("EI_G"), wl::graph_from_graph6("EKOG")};
  const Agreement result = agree(graphs, tested_with(source, graphs), 1);
  EXPECT_EQ(result.poolings[0][0].agree, 1u);  // round 0: equally many edges
  std::uint64_t blamed = 0;
  for (const auto& [key, count] : result.reasons) blamed += key.ends_with("coarser/pooling") * count;
  std::uint64_t coarser = 0;
  for (const auto& list : result.poolings)
    for (const Counts& c : list) coarser += c.coarser;
  EXPECT_EQ(blamed, coarser + result.stable_poolings[0].coarser + result.stable_poolings[1].coarser);
  EXPECT_EQ(result.poolings[2][4].agree, 1u);
}

TEST(Agreement, GraphsThat2FwlCannotTellApartMustBeEqual) {
  const std::vector<Graph> graphs{wl::rook(4, 4), wl::shrikhande()};
  const CodeTokens source(history, 1e-9);
  const Agreement result = agree(graphs, tested_with(source, graphs), 1);
  EXPECT_EQ(result.stable_poolings[2].agree, 1u);
  // A model that recognises the Shrikhande graph sees more than 2-FWL.
  const CodeTokens more(
      [](const Graph& g, int t) {
        auto names = history(g, t);
        for (auto& name : names) name += g == wl::shrikhande();
        return names;
      },
      1e-9);
  Tested tested;
  tested.source = &more;
  tested.tolerance = tested_with(source, graphs).tolerance;
  EXPECT_EQ(agree(graphs, tested, 1).stable_poolings[2].finer, 1u);
}

TEST(Agreement, ShrinksToTheSmallest) {
  auto has_triangle = [](const Graph& g) {
    for (const wl::Edge& e : g.edges())
      for (const Node w : g.neighbors(e.u))
        if (g.has_edge(w, e.v)) return true;
    return false;
  };
  const CodeTokens source(
      [&](const Graph& g, int t) {
        return t == 1 && has_triangle(g) ? CodeTokens::Names(g.order() * g.order(), 0) : history(g, t);
      },
      0);
  Rng rng(4);
  const Graph graph = wl::disjoint_union(wl::cycle(5), wl::disjoint_union(wl::complete(4), wl::random_tree(4, rng)));
  Tested tested;
  tested.source = &source;
  tested.tolerance.tokens.assign(kLayers + 1, 1e-9);
  for (auto& list : tested.tolerance.poolings) list.assign(kLayers + 1, 1e-9);
  EXPECT_EQ(wl::to_graph6(shrink(graph, tested, "coarser")), wl::to_graph6(wl::complete(3)));
}

TEST(Agreement, GapIsThatOfAllPairs) {
  Rng rng(8);
  for (int round = 0; round < 200; ++round) {
    const std::size_t rows = 2 + rng.below(40);
    const int width = static_cast<int>(1 + rng.below(5));
    std::vector<double> x(rows * static_cast<std::size_t>(width));
    std::vector<Color> classes(rows);
    for (double& v : x) v = static_cast<double>(rng.below(6)) / (1 + static_cast<double>(rng.below(3)));
    for (Color& c : classes) c = static_cast<Color>(rng.below(8));
    auto apart = [&](std::size_t a, std::size_t b) {
      double d = 0;
      for (int k = 0; k < width; ++k)
        d = std::max(d, std::abs(x[a * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)] -
                                 x[b * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)]));
      return d / 2;
    };
    auto first = [&](std::size_t r) {
      return static_cast<std::size_t>(std::find(classes.begin(), classes.end(), classes[r]) - classes.begin());
    };
    Gap expected;
    for (std::size_t r = 0; r < rows; ++r) {
      expected.within = std::max(expected.within, apart(r, first(r)));
      for (std::size_t s = 0; s < r; ++s)
        if (first(r) != first(s)) expected.between = std::min(expected.between, apart(first(r), first(s)));
    }
    const Gap gap = measure_gap(x, width, classes, 2);
    EXPECT_EQ(gap.within, expected.within);
    EXPECT_EQ(gap.between, expected.between);
  }
}

TEST(Agreement, TokensThatAreNotFiniteAreRefused) {
  class Broken : public CodeTokens {
   public:
    Broken() : CodeTokens(history, 0) {}
    Tokens tokens(std::span<const Graph* const> graphs) const override {
      Tokens result = CodeTokens::tokens(graphs);
      result[0][1][0] = NAN;
      return result;
    }
  };
  const Broken source;
  const std::vector<Graph> graphs{wl::cycle(4)};
  EXPECT_THROW(tested_with(source, graphs), ValueError);
}

TEST(Agreement, Interval) {
  EXPECT_NEAR(confidence_interval(0, 10).high, 1 - std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(confidence_interval(0, 10).low, 0);
  EXPECT_NEAR(confidence_interval(10, 10).low, std::pow(0.025, 0.1), 1e-12);
  EXPECT_EQ(confidence_interval(10, 10).high, 1);
}

TEST(AgreementSample, IsTheSameForTheSameSeedAndCountsAdd) {
  std::vector<std::string> names;
  for (const auto& family : random_families()) names.push_back(family.name);
  std::size_t total = 0;
  for (const Chunk& chunk : sample_chunks(names, 5, 12, 333, true)) {
    const auto graphs = draw_chunk(chunk, 3, 9);
    EXPECT_EQ(graphs.size(), chunk.graphs);
    total += graphs.size();
    EXPECT_EQ(graphs, draw_chunk(chunk, 3, 9));
    for (const Graph& graph : graphs) {
      EXPECT_LE(graph.order(), std::max<Node>(chunk.order, 6)) << chunk.family;
      EXPECT_EQ(graph_from_text(graph_text(graph)), graph);
    }
  }
  EXPECT_EQ(total, 333u);
  for (const char* damaged : {"Bw colours 1,x,2", "Bw colours 1,2", "Bw colours 1,2,99999999999999999999"})
    EXPECT_THROW(graph_from_text(damaged), Error) << damaged;
  EXPECT_NE(draw_chunk({"er", 12, false, 1}, 0, 1), draw_chunk({"er", 12, false, 1}, 0, 2));
}

}  // namespace
}  // namespace leman::proofs
