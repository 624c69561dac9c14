// What models of a given power can reach on labelled graphs, against brute force: reference
// refinement, every assignment of answers to classes, every candidate value.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "reports/dataset_table.hpp"
#include "study/dataset_study.hpp"
#include "study/json.hpp"
#include "study/store.hpp"
#include "tests/reference/wl_reference.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::study {
namespace {

using wl::Graph;
using wl::Node;
using Record = DatasetRecord;

const std::atomic<bool> kGoOn{false};

// Labels are numbered through the graphs, or their nodes.
Dataset data_set(std::vector<Graph> graphs, const std::vector<std::vector<std::string>>& columns, bool nodes = false) {
  Dataset set;
  set.name = "test", set.source = "test.jsonl", set.format = "JSON lines", set.node_labels = nodes;
  set.graphs = std::move(graphs);
  for (std::size_t g = 0; g < set.graphs.size(); ++g) set.places.push_back(g + 1);
  for (const auto& labels : columns) {
    LabelColumn& column = set.columns.emplace_back();
    column.name = "label " + std::to_string(set.columns.size());
    for (const std::string& label : labels) {
      const auto at = std::find(column.values.begin(), column.values.end(), label);
      column.label.push_back(static_cast<std::uint32_t>(at - column.values.begin()));
      if (at == column.values.end()) column.values.push_back(label);
    }
  }
  set.check();
  return set;
}

Record run(const Dataset& set, const std::string& engines, std::optional<TaskKind> task = {}, unsigned threads = 1) {
  DatasetStudy study;
  study.set = &set, study.engines = wl::engine_list(engines), study.task = task;
  study.limits.threads = threads;
  Silent silent;
  const DatasetResult result = run_dataset(study, {silent, kGoOn});
  EXPECT_TRUE(result.complete);
  return result.record;
}

// ---- brute force

// By depth: the class of every item, from reference colourings.
std::vector<std::vector<std::size_t>> reference_classes(const std::vector<Graph>& graphs, reference::Rule rule, int k,
                                                        bool nodes) {
  const reference::Run run = reference::refine(graphs, rule, k);
  std::vector<std::vector<std::size_t>> depths;
  for (const reference::Coloring& round : run.rounds) {
    std::vector<std::vector<long>> items;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      if (nodes) {
        for (Node v = 0; v < graphs[g].order(); ++v)
          items.push_back(
              {round[g][reference::index(std::vector<Node>(static_cast<std::size_t>(k), v), graphs[g].order())]});
      } else {
        items.push_back(round[g]);
        std::sort(items.back().begin(), items.back().end());
      }
    }
    std::map<std::vector<long>, std::size_t> known;
    depths.emplace_back();
    for (const auto& item : items) depths.back().push_back(known.emplace(item, known.size()).first->second);
  }
  return depths;
}

std::uint64_t alike_pairs(const std::vector<std::size_t>& classes,
                          const std::function<bool(std::size_t, std::size_t)>& counts) {
  std::uint64_t pairs = 0;
  for (std::size_t a = 0; a < classes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) pairs += classes[a] == classes[b] && counts(a, b);
  return pairs;
}

// The best of all functions from classes to `answers` under a loss that is added up over items.
double best_function(const std::vector<std::size_t>& classes, std::size_t answers,
                     const std::function<double(std::size_t item, std::size_t answer)>& loss) {
  const std::size_t count = 1 + *std::max_element(classes.begin(), classes.end());
  std::vector<std::size_t> answer(count, 0);
  double best = INFINITY;
  while (true) {
    double sum = 0;
    for (std::size_t i = 0; i < classes.size(); ++i) sum += loss(i, answer[classes[i]]);
    best = std::min(best, sum);
    std::size_t c = 0;
    while (c < count && ++answer[c] == answers) answer[c++] = 0;
    if (c == count) return best;
  }
}

// The same class by class, for larger sets.
double best_by_class(const std::vector<std::size_t>& classes, std::size_t answers,
                     const std::function<double(std::size_t, std::size_t)>& loss) {
  double sum = 0;
  for (std::size_t c = 0; c <= *std::max_element(classes.begin(), classes.end()); ++c) {
    double best = INFINITY;
    for (std::size_t answer = 0; answer < answers; ++answer) {
      double here = 0;
      for (std::size_t i = 0; i < classes.size(); ++i)
        if (classes[i] == c) here += loss(i, answer);
      best = std::min(best, here);
    }
    sum += best;
  }
  return sum;
}

// A row against the reference: depth by depth, and nothing behind the last.
void expect_depths(const Record::Row& row, const std::vector<std::vector<std::size_t>>& expected,
                   const std::vector<std::string>& labels) {
  auto classes = [](const std::vector<std::size_t>& items) { return std::set(items.begin(), items.end()).size(); };
  for (std::size_t t = 0; t < std::max(row.depths.size(), expected.size()); ++t) {
    const Record::Depth& depth = row.depths[std::min(t, row.depths.size() - 1)];
    const auto& items = expected[std::min(t, expected.size() - 1)];
    EXPECT_EQ(depth.classes, classes(items)) << row.engine << " depth " << t;
    EXPECT_EQ(depth.alike, alike_pairs(items, [](auto, auto) { return true; })) << row.engine << " depth " << t;
    EXPECT_EQ(depth.differ, alike_pairs(items, [&](auto a, auto b) { return labels[a] != labels[b]; }));
  }
  if (row.depths.size() > 1) {
    EXPECT_NE(row.depths[row.depths.size() - 2].classes, row.depths.back().classes) << "a depth too many";
  }
}

struct Known {
  const char* engine;
  reference::Rule rule;
  int k;
};
const Known kKnown[] = {{"1wl", reference::Rule::ColorRefinement, 1},
                        {"2wl", reference::Rule::Oblivious, 2},
                        {"d2lwl", reference::Rule::Local, 2},
                        {"2fwl", reference::Rule::Folklore, 2}};

// Random graphs, some of them twice with other numbers, and regular graphs that 1-WL confuses.
std::vector<Graph> sample(test::Kind kind, std::size_t count, Node largest, Rng& rng) {
  std::vector<Graph> graphs;
  while (graphs.size() < count) {
    const auto n = static_cast<Node>(1 + rng.below(largest));
    const Graph graph = test::random_graph(n, 0.2 + 0.2 * static_cast<double>(rng.below(3)), kind, rng);
    graphs.push_back(graph);
    if (rng.below(2)) graphs.push_back(wl::relabel(graph, rng.permutation(n)));
  }
  if (kind.directed) return graphs;
  graphs.push_back(wl::cycle(6));
  graphs.push_back(wl::disjoint_union(wl::cycle(3), wl::cycle(3)));
  return graphs;
}

std::vector<std::string> random_labels(std::size_t count, std::uint64_t kinds, Rng& rng) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(rng.below(kinds)));
  return labels;
}

std::size_t nodes_of(const std::vector<Graph>& graphs) {
  std::size_t nodes = 0;
  for (const Graph& graph : graphs) nodes += graph.order();
  return nodes;
}

// ---- classes

TEST(Dataset, ClassesAtEveryDepthAreThoseOfTheReference) {
  Rng rng(5);
  for (int round = 0; round < 2 * test::depth(); ++round)
    for (const test::Kind kind : test::kKinds)
      for (const bool nodes : {false, true}) {
        const std::vector<Graph> graphs = sample(kind, 12, 6, rng);
        const auto labels = random_labels(nodes ? nodes_of(graphs) : graphs.size(), 3, rng);
        const Record record = run(data_set(graphs, {labels}, nodes), "1wl,2wl,d2lwl,2fwl");
        for (const Known& known : kKnown) {
          const auto row = std::find_if(record.rows.begin(), record.rows.end(),
                                        [&](const auto& r) { return r.engine == known.engine; });
          expect_depths(*row, reference_classes(graphs, known.rule, known.k, nodes), labels);
        }
      }
}

// Every engine of the registry: graphs of different parts are never alike at any depth.
TEST(Dataset, PartsChangeNothing) {
  Rng rng(6);
  for (const test::Kind kind : test::kKinds) {
    const std::vector<Graph> graphs = sample(kind, 12, 5, rng);
    const auto labels = random_labels(graphs.size(), 2, rng);
    for (const wl::Engine& engine : wl::engines()) {
      if (kind.directed && !engine.directed) continue;
      const Record record = run(data_set(graphs, {labels}), std::string(engine.name));
      const auto& depths = record.rows[0].depths;
      for (std::size_t t = 0; t < depths.size(); ++t) {
        std::uint64_t alike = 0;
        for (std::size_t a = 0; a < graphs.size(); ++a)
          for (std::size_t b = 0; b < a; ++b) {
            const Graph* both[] = {&graphs[a], &graphs[b]};
            const auto first = wl::run_engine(engine, both).first_difference(0, 1);
            const bool last = t + 1 == depths.size();
            alike += !first || (!last && *first > static_cast<int>(t));
            if (last && first) {
              EXPECT_LE(*first, static_cast<int>(t)) << engine.name;
            }
          }
        EXPECT_EQ(depths[t].alike, alike) << engine.name << " depth " << t;
      }
    }
  }
}

TEST(Dataset, IsomorphismIsThatOfAllPermutations) {
  Rng rng(7);
  for (const test::Kind kind : test::kKinds)
    for (const bool nodes : {false, true}) {
      const std::vector<Graph> graphs = sample(kind, 10, 5, rng);
      const auto labels = random_labels(nodes ? nodes_of(graphs) : graphs.size(), 2, rng);
      const Record record = run(data_set(graphs, {labels}, nodes), "1wl");
      // Items up to all permutations: the smallest relabelled graph, and where the node goes in it.
      std::map<std::vector<std::uint64_t>, std::size_t> known;
      std::vector<std::size_t> classes;
      for (const Graph& graph : graphs)
        for (Node v = 0; v < (nodes ? graph.order() : 1); ++v) {
          std::vector<Node> image(graph.order());
          std::iota(image.begin(), image.end(), 0);
          std::vector<std::uint64_t> best;
          do {
            const Graph moved = wl::relabel(graph, image);
            std::vector<std::uint64_t> key{graph.order(), nodes ? image[v] : 0};
            for (Node w = 0; w < moved.order(); ++w) key.push_back(moved.node_color(w));
            for (Node a = 0; a < moved.order(); ++a)
              for (Node b = 0; b < moved.order(); ++b)
                key.push_back(static_cast<std::uint64_t>(reference::relation(moved, a, b)));
            if (best.empty() || key < best) best = key;
          } while (std::next_permutation(image.begin(), image.end()));
          classes.push_back(known.emplace(best, known.size()).first->second);
        }
      ASSERT_EQ(record.rows[1].engine, Record::kIsomorphism);
      EXPECT_FALSE(record.rows[1].depths[0].round);
      expect_depths(record.rows[1], {classes}, labels);
    }
}

// ---- bounds

TEST(Dataset, AccuracyIsTheBestOfAllAssignments) {
  Rng rng(8);
  for (int round = 0; round < 20 * test::depth(); ++round) {
    const std::vector<Graph> graphs = sample({}, 7, 4, rng);
    const auto labels = random_labels(graphs.size(), 3, rng);
    const Record record = run(data_set(graphs, {labels}), "1wl");
    const auto expected = reference_classes(graphs, reference::Rule::ColorRefinement, 1, false);
    for (std::size_t t = 0; t < record.rows[0].depths.size(); ++t) {
      const double wrong = best_function(expected[std::min(t, expected.size() - 1)], 3, [&](auto item, auto answer) {
        return labels[item] == std::to_string(answer) ? 0 : 1;
      });
      EXPECT_EQ(record.rows[0].depths[t].scores[0].correct, graphs.size() - static_cast<std::size_t>(wrong));
    }
  }
}

TEST(Dataset, ErrorIsTheSmallestOfAllCandidates) {
  Rng rng(9);
  for (int round = 0; round < 20 * test::depth(); ++round) {
    const std::vector<Graph> graphs = sample({}, 20, 5, rng);
    std::vector<std::string> labels;
    std::vector<long> cents;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      cents.push_back(static_cast<long>(rng.below(2001)) - 1000);
      const long size = std::abs(cents.back());
      labels.push_back((cents.back() < 0 ? "-" : "") + std::to_string(size / 100) + "." + (size % 100 < 10 ? "0" : "") +
                       std::to_string(size % 100));
    }
    labels[0] = "0.05", cents[0] = 5;  // so that the task is regression
    const Record record = run(data_set(graphs, {labels}), "1wl");
    ASSERT_TRUE(record.tasks[0].regression);
    const auto expected = reference_classes(graphs, reference::Rule::ColorRefinement, 1, false);
    for (std::size_t t = 0; t < record.rows[0].depths.size(); ++t) {
      const auto& classes = expected[std::min(t, expected.size() - 1)];
      const Record::Score& score = record.rows[0].depths[t].scores[0];
      const auto least = static_cast<long>(best_by_class(classes, cents.size(), [&](auto item, auto answer) {
        return std::abs(static_cast<double>(cents[item] - cents[answer]));
      }));
      EXPECT_EQ(std::llround(100 * std::stod(score.absolute_error)), least);
      double squared = 0;
      for (std::size_t c = 0; c < graphs.size(); ++c) {
        double sum = 0, count = 0;
        for (std::size_t i = 0; i < cents.size(); ++i)
          if (classes[i] == c) sum += static_cast<double>(cents[i]), ++count;
        for (std::size_t i = 0; i < cents.size(); ++i)
          if (classes[i] == c) squared += std::pow(static_cast<double>(cents[i]) - sum / count, 2);
      }
      EXPECT_NEAR(score.squared_error, squared / 1e4, 1e-9);
    }
  }
}

// 0.1 + 0.2 in doubles is not 0.3.
TEST(Dataset, SumsOfErrorsAreExactDecimals) {
  const std::vector<Graph> graphs(4, wl::cycle(3));
  auto error = [&](const std::vector<std::string>& labels) {
    const Record record = run(data_set(graphs, {labels}), "1wl", TaskKind::Regression);
    return record.rows[0].depths.back().scores[0].absolute_error;
  };
  EXPECT_EQ(error({"0.1", "0.2", "0.4", "0.4"}), "0.5");
  EXPECT_EQ(error({"0", "0", "1e-30", "1e20"}), "100000000000000000000.000000000000000000000000000001");
  EXPECT_EQ(error({"-1.5", "1.5", "3", "+3.0"}), "6");
  EXPECT_EQ(error({"7", "7.0", "07", "7e0"}), "0");
  EXPECT_EQ(error({"1000", "2000", "1e3", "0"}), "2000");
}

TEST(Dataset, KindsOfTasks) {
  const std::vector<Graph> graphs(3, wl::cycle(3));
  auto task = [&](const std::vector<std::string>& labels, std::optional<TaskKind> kind = {}) {
    return run(data_set(graphs, {labels}), "1wl", kind).tasks[0];
  };
  EXPECT_FALSE(task({"1", "0", "1"}).regression);
  EXPECT_TRUE(task({"1", "0", "0.5"}).regression);
  EXPECT_TRUE(task({"1", "0", "1"}, TaskKind::Regression).regression);
  EXPECT_FALSE(task({"1", "0.5", "1"}, TaskKind::Classification).regression);
  EXPECT_FALSE(task({"yes", "0.5", "1"}).regression);
  EXPECT_EQ(task({"1", "1.0", "01"}).labels, 1u);
  EXPECT_EQ(task({"1", "01", "a"}).labels, 3u);  // texts
  EXPECT_EQ(task({"9007199254740993", "9007199254740992", "-0"}).labels, 3u);
  EXPECT_THROW(task({"yes", "0.5", "1"}, TaskKind::Regression), InputError);
}

// ---- whole studies

// Labels by the parity of triangles: 2-FWL counts triangles after one round, 1-WL never does.
TEST(Dataset, TriangleParity) {
  std::vector<Graph> graphs = wl::all_graphs(6);
  Rng rng(10);
  for (int k = 0; k < 60; ++k) graphs.push_back(test::random_graph(static_cast<Node>(5 + rng.below(4)), 0.4, {}, rng));
  graphs.push_back(wl::cycle(7));
  graphs.push_back(wl::disjoint_union(wl::cycle(3), wl::cycle(4)));
  std::vector<std::string> parity, number;
  for (const Graph& g : graphs) {
    int triangles = 0;
    for (Node a = 0; a < g.order(); ++a)
      for (Node b = 0; b < a; ++b)
        for (Node c = 0; c < b; ++c) triangles += g.has_edge(a, b) && g.has_edge(b, c) && g.has_edge(a, c);
    parity.push_back(triangles % 2 ? "odd" : "even");
    number.push_back(std::to_string(triangles));
  }
  const Record record = run(data_set(graphs, {parity, number}), "1wl,2fwl");
  for (const auto& [row, rule, k] :
       {std::tuple{0, reference::Rule::ColorRefinement, 1}, {1, reference::Rule::Folklore, 2}}) {
    const Record::Row& found = record.rows[static_cast<std::size_t>(row)];
    const auto expected = reference_classes(graphs, rule, k, false);
    for (std::size_t t = 0; t < found.depths.size(); ++t) {
      const double wrong = best_by_class(
          expected[t], 2, [&](auto item, auto answer) { return parity[item] == (answer ? "odd" : "even") ? 0 : 1; });
      EXPECT_EQ(found.depths[t].scores[0].correct, graphs.size() - static_cast<std::size_t>(wrong)) << row << " " << t;
    }
  }
  EXPECT_LT(record.rows[0].depths.back().scores[0].correct, graphs.size());
  EXPECT_EQ(record.rows[1].depths[1].scores[0].correct, graphs.size());
  EXPECT_EQ(record.rows[1].depths.back().scores[1].correct, graphs.size());
  // The smallest pairs of different parity; no larger one is needed.
  ASSERT_FALSE(record.rows[0].examples.empty());
  const Record::Example& example = record.rows[0].examples[0];
  EXPECT_EQ(example[0].nodes, 6u);
  EXPECT_EQ(example[0].graph->order(), 6u);
  EXPECT_NE(example[0].labels[1], example[1].labels[1]);
  EXPECT_TRUE(record.rows[1].examples.empty());
  EXPECT_TRUE(record.rows[2].examples.empty());  // isomorphic graphs have as many triangles
}

TEST(Dataset, LabelNoiseIsIsomorphism) {
  const Graph triangles = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  // Two hexagons with different labels: no model can; hexagon and triangles: 2-FWL can.
  const Record record = run(data_set({wl::cycle(6), wl::cycle(6), triangles}, {{"a", "b", "b"}}), "1wl,2fwl");
  EXPECT_EQ(record.rows[0].depths.back().scores[0].correct, 2u);
  EXPECT_EQ(record.rows[1].depths.back().scores[0].correct, 2u);
  EXPECT_EQ(record.rows[2].depths.back().scores[0].correct, 2u);
  EXPECT_EQ(record.rows[2].depths.back().differ, 1u);
  ASSERT_EQ(record.rows[0].examples.size(), 1u);  // not isomorphic: the first hexagon and the triangles
  EXPECT_EQ(record.rows[0].examples[0][0].place, 1u);
  EXPECT_EQ(record.rows[0].examples[0][1].place, 3u);
  EXPECT_TRUE(record.rows[1].examples.empty());
  ASSERT_EQ(record.rows[2].examples.size(), 1u);
  EXPECT_EQ(record.rows[2].examples[0][1].place, 2u);
}

// Two nodes of a path's ends are alike whatever the model; 1-WL cannot tell a hexagon's nodes from a
// triangle's.
TEST(Dataset, LabelsOfNodes) {
  std::vector<std::string> labels(12, "long");
  for (std::size_t k = 6; k < 12; ++k) labels[k] = "short";
  const Graph triangles = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  const Record record = run(data_set({wl::cycle(6), triangles}, {labels}, true), "1wl,2fwl");
  EXPECT_EQ(record.rows[0].depths.back().scores[0].correct, 6u);
  EXPECT_EQ(record.rows[1].depths.back().scores[0].correct, 12u);
  EXPECT_EQ(record.rows[2].depths.back().scores[0].correct, 12u);
  const Record::Example& example = record.rows[0].examples.at(0);
  EXPECT_EQ(example[0].node, 0u);
  EXPECT_EQ(example[0].place, 1u);
  EXPECT_EQ(example[1].place, 2u);
}

TEST(Dataset, ThreadsChangeNothing) {
  Rng rng(11);
  const std::vector<Graph> graphs = sample({false, 2, 2}, 60, 7, rng);
  const Dataset set = data_set(graphs, {random_labels(graphs.size(), 2, rng)});
  auto numbers = [&](unsigned threads) {
    Record record = run(set, "1wl,2fwl", {}, threads);
    for (Record::Row& row : record.rows) row.seconds = 0;
    return to_json(record).dump();
  };
  EXPECT_EQ(numbers(1), numbers(4));
}

TEST(Dataset, EmptyAndOneNodeGraphs) {
  const std::vector<Graph> graphs{Graph(), Graph(), wl::complete(1), wl::complete(1), wl::complete(2)};
  const Record record = run(data_set(graphs, {{"a", "b", "a", "a", "b"}}), "1wl,2wl,m1,2fwl");
  for (const Record::Row& row : record.rows) {
    ASSERT_EQ(row.depths.size(), 1u);
    EXPECT_EQ(row.depths[0].classes, 3u);
    EXPECT_EQ(row.depths[0].scores[0].correct, 4u);
  }
  const Record nodes = run(data_set({Graph(), wl::complete(1), wl::complete(2)}, {{"a", "b", "b"}}, true), "1wl,2fwl");
  EXPECT_EQ(nodes.rows[0].depths[0].classes, 1u);
  EXPECT_EQ(nodes.rows[1].depths.back().classes, 2u);
}

TEST(Dataset, RefusedForLackOfMemory) {
  const Dataset set = data_set({wl::cycle(300), wl::cycle(300)}, {{"a", "b"}});
  DatasetStudy study;
  study.set = &set, study.engines = wl::engine_list("1wl,3fwl"), study.limits.memory = 1 << 24;
  Silent silent;
  const Record record = run_dataset(study, {silent, kGoOn}).record;
  EXPECT_EQ(record.rows[0].refused, "");
  EXPECT_NE(record.rows[1].refused.find("3-FWL on 2 graphs of order 300 jointly needs about"), std::string::npos);
  EXPECT_TRUE(record.rows[1].depths.empty());
  EXPECT_EQ(record.rows.size(), 3u);
  EXPECT_NE(reports::dataset_text(record).find("refused"), std::string::npos);
}

TEST(Dataset, StopsWhenTold) {
  const Dataset set = data_set({wl::cycle(6), wl::cycle(6)}, {{"a", "b"}});
  DatasetStudy study;
  study.set = &set, study.engines = wl::engine_list("1wl");
  Silent silent;
  const std::atomic<bool> stop{true};
  const DatasetResult result = run_dataset(study, {silent, stop});
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(result.record.rows.empty());
}

TEST(Dataset, EnginesForUndirectedGraphsSaySo) {
  Rng rng(12);
  const Dataset set = data_set({test::random_graph(4, 0.5, {true, 1, 1}, rng)}, {{"a"}});
  EXPECT_THROW(run(set, "1wl,spd"), UsageError);
}

// ---- records and output

class DatasetFiles : public test::WithFiles {
 protected:
  static Record record() {
    Rng rng(13);
    const std::vector<Graph> graphs = sample({false, 2, 2}, 40, 4, rng);
    std::vector<std::string> values;
    for (std::size_t g = 0; g < graphs.size(); ++g) values.push_back("0." + std::to_string(rng.below(1000)));
    return run(data_set(graphs, {random_labels(graphs.size(), 2, rng), values}), "1wl,2fwl");
  }
};

TEST_F(DatasetFiles, RecordsComeBack) {
  const Record before = record();
  const std::string file = path("datasets.sqlite");
  Store(file, datasets_study("test", "leman dataset")).put(before);
  Store again(file, datasets_study("another", "leman dataset more"));  // several may share a store
  const auto all = again.all<Record>();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(to_json(all[0]).dump(), to_json(before).dump());
  EXPECT_FALSE(all[0].rows[0].examples.empty());
}

TEST_F(DatasetFiles, DamagedRecordsAreSaid) {
  const Json good = to_json(record());
  auto wrong = [&](const std::function<void(Json&)>& change) {
    Json json = good;
    change(json);
    try {
      Record read;
      from_json(json, "here", read);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(wrong([](Json&) {}), "");
  EXPECT_EQ(wrong([](Json& j) { j.erase("items"); }), "here: has no items");
  EXPECT_EQ(wrong([](Json& j) { j["items"] = 0; }), "here: has no items");
  EXPECT_EQ(wrong([](Json& j) { j["engines"][0]["depths"][0]["scores"].erase(0); }),
            "here, engines, depths: has not one score per task");
  EXPECT_EQ(wrong([](Json& j) { j["engines"][0]["depths"].clear(); }), "here, engines: has no depths");
  EXPECT_EQ(wrong([](Json& j) { j["engines"][0]["examples"][0][0]["graph"]["n"] = 1; }).substr(0, 46),
            "here, engines, examples, graph: edge 0-1 names");
  EXPECT_EQ(wrong([](Json& j) { j["engines"][0]["examples"][0][0]["graph"]["n"] = UINT32_MAX; }),
            "here, engines, examples, graph: has a graph that is too large to be kept");
  EXPECT_EQ(wrong([](Json& j) { j["engines"][0]["examples"][0][0]["node"] = 999; }),
            "here, engines, examples: has a node or a graph that does not fit");
}

TEST_F(DatasetFiles, TextFitsTheScreen) {
  for (const Record& each : {record(), run(data_set({wl::cycle(6), wl::cycle(5)}, {{"0.25", "12345.678"}}), "1wl,2fwl"),
                             run(data_set({wl::cycle(6), wl::cycle(5)}, {{std::string(90, 'x'), "y"}}), "1wl,2fwl")}) {
    const std::string text = reports::dataset_text(each);
    for (std::size_t from = 0, end; (end = text.find('\n', from)) != text.npos; from = end + 1)
      EXPECT_LE(end - from, 80u) << text.substr(from, end - from);
  }
}

// A path of 61 nodes takes 30 rounds.
TEST_F(DatasetFiles, ManyDepthsAreShortened) {
  std::vector<std::string> labels;
  for (int v = 0; v < 61; ++v) labels.push_back(v % 2 ? "odd" : "even");
  const Record r = run(data_set({wl::path(61)}, {labels}, true), "1wl");
  ASSERT_EQ(r.rows[0].depths.size(), 31u);
  const auto rows = reports::depth_cells(r).rows;
  ASSERT_EQ(rows.size(), 14u);
  EXPECT_EQ(rows[9][1], "9");
  EXPECT_EQ(rows[10][1], "...");
  EXPECT_EQ(rows[11][1], "29");
  EXPECT_EQ(rows[12][1], "30+");
}

TEST_F(DatasetFiles, CsvHasOneRowPerEngineDepthAndTask) {
  const Record r = record();
  std::size_t rows = 1;
  for (const Record::Row& row : r.rows) rows += 2 * row.depths.size();
  const std::string csv = reports::dataset_csv(r);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), rows);
}

TEST(Dataset, SharesAreRoundedDown) {
  EXPECT_EQ(reports::share_text(99999, 100000, 2), "99.99");
  EXPECT_EQ(reports::share_text(3, 3, 2), "100.00");
  EXPECT_EQ(reports::share_text(57, 100, 2), "57.00");
  EXPECT_EQ(reports::share_text(29, 100, 2), "29.00");
  EXPECT_EQ(reports::share_text(0, 3, 2), "0.00");
}

}  // namespace
}  // namespace leman::study
