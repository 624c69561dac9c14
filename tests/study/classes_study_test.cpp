// The study of a stream against brute force: every pair of graphs compared by every engine.
#include "study/classes_study.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::study {
namespace {

using wl::ClassId;
using wl::Graph;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

const std::atomic<bool> kGoOn{false};

class Classes : public test::WithFiles {
 protected:
  std::string file(const std::string& name, const std::vector<Graph>& graphs, wl::Format format) const {
    std::string text;
    for (const Graph& graph : graphs) wl::write_graph(graph, format, text);
    return write(name, text);
  }
  static ClassesStudy study_of(const std::vector<std::string>& files, const std::string& engines) {
    ClassesStudy study;
    study.engines = wl::engine_list(engines);
    study.inputs = files;
    return study;
  }
  static ClassesResult classified(const ClassesStudy& study) {
    Silent silent;
    return classify(study, {silent, kGoOn});
  }
};

// Which pairs of graphs an engine confuses, by comparing every two.
class BruteForce {
 public:
  BruteForce(const wl::Engine& engine, const std::vector<Graph>& graphs)
      : count_(graphs.size()), alike_(graphs.size() * graphs.size()) {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = i + 1; j < count_; ++j) {
        if (graphs[i].order() != graphs[j].order() || graphs[i].directed() != graphs[j].directed()) continue;
        alike_[i * count_ + j] = !wl::compare(engine, graphs[i], graphs[j]).distinguished;
      }
  }
  bool alike(std::size_t i, std::size_t j) const { return alike_[i * count_ + j]; }

  // Union-find over the pairs, then numbered by first appearance.
  std::vector<ClassId> classes() const {
    std::vector<std::size_t> parent(count_);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    auto root = [&](std::size_t i) {
      while (parent[i] != i) i = parent[i];
      return i;
    };
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = i + 1; j < count_; ++j)
        if (alike(i, j)) parent[std::max(root(i), root(j))] = std::min(root(i), root(j));
    std::vector<ClassId> number(count_), classes;
    ClassId next = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (root(i) == i) number[i] = next++;
      classes.push_back(number[root(i)]);
    }
    return classes;
  }

  Pairs pairs(const BruteForce* separated) const {
    Pairs found;
    for (std::uint32_t i = 0; i < count_; ++i)
      for (std::uint32_t j = i + 1; j < count_; ++j)
        if (alike(i, j) && (!separated || !separated->alike(i, j))) found.emplace_back(i, j);
    return found;
  }

 private:
  std::size_t count_;
  std::vector<bool> alike_;
};

Pairs pairs_of(const ClassesStudy& study, const ClassesResult& result, std::size_t most = SIZE_MAX) {
  Pairs pairs;
  for_each_pair(study, result.rows, [&](std::uint32_t i, std::uint32_t j) {
    pairs.emplace_back(i, j);
    return pairs.size() < most;
  });
  return pairs;
}

std::vector<ClassId> column(const ClassRows& rows, std::size_t e) {
  std::vector<ClassId> ids;
  for (std::size_t i = 0; i < rows.size(); ++i) ids.push_back(rows.row(i)[e]);
  return ids;
}

// Rows, graphs that share a class, and all pairs of all two engines are those of brute force.
void expect_brute_force(const std::string& file, const std::vector<Graph>& graphs, const std::string& engines) {
  ClassesStudy study;
  study.engines = wl::engine_list(engines);
  study.inputs = {file};
  study.threads = 2;
  study.keep_rows = true;
  Silent silent;
  const ClassesResult result = classify(study, {silent, kGoOn});
  ASSERT_EQ(result.rows.size(), graphs.size());
  std::vector<BruteForce> brute;
  for (const wl::Engine* engine : study.engines) brute.emplace_back(*engine, graphs);
  std::vector<bool> shared(graphs.size());
  for (std::size_t e = 0; e < brute.size(); ++e) {
    EXPECT_EQ(column(result.rows, e), brute[e].classes()) << study.engines[e]->name;
    for (const auto& [i, j] : brute[e].pairs(nullptr)) shared[i] = shared[j] = true;
  }
  EXPECT_EQ(sharing(result.rows), shared);
  std::uint64_t found = 0;
  for (std::size_t a = 0; a < brute.size(); ++a)
    for (std::size_t b = 0; b <= brute.size(); ++b) {  // the last: no second engine
      if (a == b) continue;
      const bool separated = b < brute.size();
      study.pairs = {study.engines[a], separated ? study.engines[b] : nullptr};
      const Pairs expected = brute[a].pairs(separated ? &brute[b] : nullptr);
      EXPECT_EQ(pairs_of(study, result), expected) << study.engines[a]->name << " " << b;
      const ClassesResult counted = classify(study, {silent, kGoOn});
      EXPECT_EQ(counted.pairs.count(), expected.size());
      EXPECT_EQ(counted.pairs.examples().empty(), expected.empty());
      for (const PairTally::Example& example : counted.pairs.examples()) {
        EXPECT_TRUE(std::binary_search(
            expected.begin(), expected.end(),
            std::pair(static_cast<std::uint32_t>(example.first - 1), static_cast<std::uint32_t>(example.second - 1))));
        EXPECT_EQ(example.first_graph, graphs[example.first - 1]);
        EXPECT_EQ(example.second_graph, graphs[example.second - 1]);
      }
      found += expected.size();
    }
  EXPECT_GT(found, 0u) << "no engine confuses a pair: the test says nothing";
}

// In random order, with isomorphic copies and repetitions.
std::vector<Graph> shuffled_with_copies(std::vector<Graph> graphs, std::size_t step, Rng& rng) {
  for (std::size_t i = 0, count = graphs.size(); i < count; i += step)
    graphs.push_back(i % 2 ? graphs[i] : wl::relabel(graphs[i], rng.permutation(graphs[i].order())));
  std::vector<Graph> shuffled;
  for (const std::uint32_t i : rng.permutation(static_cast<std::uint32_t>(graphs.size())))
    shuffled.push_back(graphs[i]);
  return shuffled;
}

TEST_F(Classes, AllSmallGraphsAsBruteForce) {
  Rng rng(1);
  std::vector<Graph> graphs;
  for (wl::Node n = 1; n <= (test::depth() >= 10 ? 7 : 6); ++n)
    for (const Graph& graph : wl::all_graphs(n)) graphs.push_back(graph);
  graphs = shuffled_with_copies(graphs, 5, rng);
  expect_brute_force(file("a.g6", graphs, wl::Format::Graph6), graphs, "1wl,spd,2fwl");
}

TEST_F(Classes, DirectedAndColoredGraphsAsBruteForce) {
  Rng rng(2);
  for (const test::Kind& kind : test::kKinds) {
    std::vector<Graph> graphs;
    for (int i = 0; i < 40; ++i) graphs.push_back(test::random_graph(static_cast<wl::Node>(2 + i % 4), 0.5, kind, rng));
    graphs.push_back(Graph({6, kind.directed, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}, {}}));
    graphs.push_back(Graph({6, kind.directed, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}, {}}));
    graphs = shuffled_with_copies(graphs, 3, rng);
    expect_brute_force(file("a.edgelist", graphs, wl::Format::EdgeList), graphs, "1wl,m1,2wl,2fwl");
  }
}

// Classes of any sizes, in any order, with places without a graph.
TEST(ConfusedPairs, OfRandomRows) {
  Rng rng(5);
  for (int round = 0; round < 200; ++round) {
    const auto count = static_cast<std::uint32_t>(rng.below(30));
    ClassRows rows{2, {}};
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool none = rng.below(5) == 0;
      for (const std::uint64_t classes : {3, 6})
        rows.ids.push_back(none ? wl::kNoClass : static_cast<ClassId>(rng.below(classes)));
    }
    for (const int separated : {-1, 1}) {
      Pairs expected, found;
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = i + 1; j < count; ++j)
          if (rows.row(i)[0] == rows.row(j)[0] && rows.row(i)[0] != wl::kNoClass &&
              (separated < 0 || rows.row(i)[1] != rows.row(j)[1]))
            expected.emplace_back(i, j);
      ConfusedPairs(rows, 0, separated).for_each([&](std::uint32_t i, std::uint32_t j) {
        found.emplace_back(i, j);
        return true;
      });
      EXPECT_EQ(found, expected) << "round " << round;
    }
  }
}

// Only the numbers of classes may change with the order of the stream.
TEST_F(Classes, OrderOfTheStreamDoesNotMatter) {
  Rng rng(3);
  const auto graphs = wl::all_graphs(7);
  const auto order = rng.permutation(static_cast<std::uint32_t>(graphs.size()));
  std::vector<Graph> moved;
  for (const std::uint32_t i : order) moved.push_back(graphs[i]);
  ClassesStudy one = study_of({file("a.g6", graphs, wl::Format::Graph6)}, "1wl,2fwl");
  ClassesStudy two = study_of({file("b.g6", moved, wl::Format::Graph6)}, "1wl,2fwl");
  one.keep_rows = two.keep_rows = true;
  one.pairs = two.pairs = {&wl::color_refinement(), &wl::folklore(2)};
  const ClassesResult a = classified(one), b = classified(two);
  Pairs translated;
  for (const auto& [i, j] : pairs_of(two, b)) translated.emplace_back(std::minmax(order[i], order[j]));
  std::sort(translated.begin(), translated.end());
  EXPECT_EQ(translated, pairs_of(one, a));
  EXPECT_EQ(a.pairs.count(), 22u);  // 44 graphs in classes of two
  EXPECT_EQ(b.pairs.count(), 22u);
}

// More graphs than a batch has: the same rows for any number of threads, in order, as they come.
TEST_F(Classes, RowsDoNotDependOnThreads) {
  Rng rng(4);
  std::vector<Graph> graphs;
  for (int i = 0; i < 10000; ++i)
    graphs.push_back(test::random_graph(static_cast<wl::Node>(rng.below(7)), 0.4, {}, rng));
  const std::string path = file("a.g6", graphs, wl::Format::Graph6);
  std::vector<std::vector<ClassId>> seen;
  for (const unsigned threads : {1u, 2u, 7u}) {
    ClassesStudy study = study_of({path}, "1wl,2fwl");
    study.threads = threads, study.keep_rows = true;
    std::vector<ClassId> rows;
    std::uint64_t next = 1;
    study.on_row = [&](std::uint64_t number, ClassRow row) {
      EXPECT_EQ(number, next++);
      rows.insert(rows.end(), row.begin(), row.end());
    };
    EXPECT_EQ(classified(study).rows.ids, rows);
    seen.push_back(rows);
  }
  EXPECT_EQ(seen[0].size(), 20000u);
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_EQ(seen[0], seen[2]);
}

TEST_F(Classes, NumbersRunOnThroughFilesAndBadGraphsKeepTheirs) {
  const std::string one = write("one.g6", "Bw\n!!\nBw\n"), two = write("two.g6", "BW\n");
  ClassesStudy study = study_of({one, one, two}, "1wl");
  EXPECT_THROW(classified(study), InputError);
  std::vector<std::uint64_t> numbers;
  int told = 0;
  study.on_row = [&](std::uint64_t number, ClassRow) { numbers.push_back(number); };
  study.read.keep_going = study.keep_rows = true;
  study.read.on_skip = [&](const InputError&) { ++told; };
  const ClassesResult result = classified(study);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{1, 3, 4, 6, 7}));
  EXPECT_EQ(result.rows.ids, (std::vector<ClassId>{0, wl::kNoClass, 0, 0, wl::kNoClass, 0, 1}));
  EXPECT_EQ(result.skipped, 2u);
  EXPECT_EQ(told, 2);
  EXPECT_EQ(result.graphs, 5u);
  study.pairs = {&wl::color_refinement(), nullptr};
  EXPECT_EQ(pairs_of(study, result), (Pairs{{0, 2}, {0, 3}, {0, 5}, {2, 3}, {2, 5}, {3, 5}}));
  EXPECT_EQ(pairs_of(study, result, 2), (Pairs{{0, 2}, {0, 3}}));
  EXPECT_EQ(sharing(result.rows), (std::vector<bool>{true, false, true, true, false, true, false}));
}

// What stands before a bad graph is classified before the error comes.
TEST_F(Classes, GraphsBeforeABadOneAreDelivered) {
  ClassesStudy study = study_of({write("a.g6", "Bw\nBW\n!!\nBw\n")}, "1wl");
  std::uint64_t rows = 0;
  study.on_row = [&](std::uint64_t, ClassRow) { ++rows; };
  EXPECT_THROW(classified(study), InputError);
  EXPECT_EQ(rows, 2u);
}

TEST_F(Classes, AnEmptyStream) {
  ClassesStudy study = study_of({write("empty.g6", "")}, "1wl,2fwl");
  study.keep_rows = true, study.keep_graphs = wl::Format::Auto;
  study.pairs = {study.engines[0], study.engines[1]};
  const ClassesResult result = classified(study);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.graphs, 0u);
  EXPECT_EQ(result.pairs.count(), 0u);
  EXPECT_EQ(result.counters[0].largest(), 0u);
  EXPECT_TRUE(pairs_of(study, result).empty());
  EXPECT_TRUE(sharing(result.rows).empty());
}

// Graphs that the format of the pairs cannot hold are bad input, with their line.
TEST_F(Classes, GraphsThatPairsCannotHold) {
  const std::string colored = write("c.edgelist", "n 2\n0 1\nn 2\nv 0 5\n0 1\nn 2\n0 1\n"),
                    arcs = file("a.d6", {Graph({2, true, {{0, 1}}, {}})}, wl::Format::Digraph6);
  auto message = [&](const std::string& path, wl::Format format) -> std::string {
    ClassesStudy study = study_of({path}, "1wl");
    study.keep_graphs = format;
    try {
      classified(study);
    } catch (const InputError& e) {
      return std::to_string(e.line()) + ": " + e.reason();
    }
    return "";
  };
  EXPECT_EQ(message(colored, wl::Format::Auto), "3: a file of pairs holds graphs in graph6, which cannot hold colours");
  EXPECT_EQ(message(arcs, wl::Format::Auto), "");
  EXPECT_EQ(message(arcs, wl::Format::Sparse6),
            "1: a file of pairs holds graphs in sparse6, which cannot hold a directed graph");
  ClassesStudy study = study_of({colored}, "1wl");
  study.keep_graphs = wl::Format::Auto, study.read.keep_going = true;
  const ClassesResult result = classified(study);
  EXPECT_EQ(result.skipped, 1u);
  EXPECT_EQ(result.rows.ids, (std::vector<ClassId>{0, wl::kNoClass, 0}));
  EXPECT_EQ(result.kept.line(2, wl::Format::Auto), "A_");
}

TEST_F(Classes, RefusesToKeepWhatDoesNotFit) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "Bw\n";
  ClassesStudy study = study_of({write("a.g6", text)}, "1wl");
  study.memory = 10'000;
  EXPECT_EQ(classified(study).graphs, 5000u);  // counts alone take the memory of one class
  study.keep_rows = true;
  try {
    classified(study);
    FAIL();
  } catch (const MemoryError& e) {
    EXPECT_NE(std::string(e.what()).find("keeping the classes of "), std::string::npos) << e.what();
  }
}

struct Counting : Silent {
  std::uint64_t graphs = 0;
  bool finished = false;
  void done(std::uint64_t items, const std::string&, std::uint64_t) override { graphs += items; }
  void finish() override { finished = true; }
};

TEST_F(Classes, TellsHowFarItIsAndStops) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "Bw\n";
  ClassesStudy study = study_of({write("a.g6", text)}, "1wl");
  Counting counting;
  EXPECT_TRUE(classify(study, {counting, kGoOn}).complete);
  EXPECT_EQ(counting.graphs, 20000u);
  EXPECT_TRUE(counting.finished);
  std::atomic<bool> stop{false};
  study.on_row = [&](std::uint64_t number, ClassRow) { stop = stop || number == 300; };
  Counting stopped;
  const ClassesResult result = classify(study, {stopped, stop});
  EXPECT_FALSE(result.complete);
  EXPECT_GE(result.graphs, 300u);
  EXPECT_LT(result.graphs, 20000u);
  EXPECT_EQ(stopped.graphs, result.graphs);
}

}  // namespace
}  // namespace leman::study
