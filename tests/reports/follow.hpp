// What the tests of runs followed round by round share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/rounds.hpp"
#include "tests/support.hpp"

namespace leman::reports {

using wl::Graph;
using wl::Node;

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Followed {
  Refinement refinement;
  Rounds rounds;
};

inline Followed follow(const std::string& engine, const std::vector<NamedGraph>& graphs, wl::RunOptions options = {}) {
  RefinementRequest request;
  request.engine = &wl::engine_named(engine), request.colorings = true, request.options = std::move(options);
  Followed f{refine(request, graphs), {}};
  f.rounds = follow_rounds(f.refinement, request, graphs);
  return f;
}
inline Followed follow(const std::string& engine, const std::vector<Graph>& graphs) {
  std::vector<NamedGraph> named;
  for (const Graph& g : graphs) named.push_back({"G" + std::to_string(named.size() + 1), g});
  return follow(engine, named);
}

inline std::vector<Graph> random_graphs(Node n, test::Kind kind, Rng& rng) {
  const Graph first = test::random_graph(n, 0.35, kind, rng), second = test::random_graph(n, 0.35, kind, rng);
  return {first, second};
}

inline bool takes(const wl::Engine& engine, const Graph& graph) { return engine.directed || !graph.directed(); }

// Every drawable engine on random graphs of every kind.
template <class Check>
void on_many(Check check) {
  for (const wl::Engine& engine : wl::engines()) {
    if (engine.tuple > 2) continue;
    Rng rng(7);
    for (const test::Kind kind : test::kKinds)
      for (int repeat = 0; repeat < 3 * test::depth(); ++repeat) {
        const std::vector<Graph> graphs = random_graphs(static_cast<Node>(4 + rng.below(5)), kind, rng);
        if (!takes(engine, graphs[0])) continue;
        SCOPED_TRACE(std::string(engine.name) + " on " + ::testing::PrintToString(graphs));
        check(engine, graphs, rng);
      }
  }
}

}  // namespace leman::reports
