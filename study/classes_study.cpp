#include "study/classes_study.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include "base/timing.hpp"

namespace leman::study {

namespace {

struct Batch {
  std::vector<wl::Graph> graphs;
  std::vector<std::uint64_t> numbers;  // of each graph, ascending
  std::uint64_t entries = 0;           // nodes and edges
  void clear() { graphs.clear(), numbers.clear(), entries = 0; }
};

// All inputs, one behind the other.
class Stream {
 public:
  explicit Stream(const ClassesStudy& study) : study_(study) {}

  // Fills the batch with the next graphs, `count` unless they are large or the last. False: none are
  // left. What stands before bad input is delivered first.
  bool next(Batch& batch, std::size_t count) {
    batch.clear();
    try {
      if (!error_) fill(batch, count);
    } catch (const InputError&) {
      error_ = std::current_exception();
    }
    if (batch.graphs.empty() && error_) std::rethrow_exception(error_);
    return !batch.graphs.empty();
  }
  std::uint64_t skipped() const { return skipped_ + (reader_ ? reader_->skipped() : 0); }

 private:
  void fill(Batch& batch, std::size_t count) {
    constexpr std::uint64_t kEntries = 1 << 22;  // so that a batch of large graphs has megabytes, not gigabytes
    for (wl::Graph graph; batch.graphs.size() < count && batch.entries < kEntries && next(graph);) {
      batch.entries += graph.order() + graph.size();
      batch.numbers.push_back(numbered());
      batch.graphs.push_back(std::move(graph));
    }
  }

  bool next(wl::Graph& graph) {
    for (;;) {
      if (!reader_) {
        if (input_ == study_.inputs.size()) return false;
        reader_ = std::make_unique<wl::GraphReader>(wl::LineSource::open(study_.inputs[input_++]), study_.read);
      }
      if (!reader_->next(graph)) {
        before_ = numbered(), skipped_ = skipped();
        reader_.reset();
      } else if (fits(graph)) {
        return true;
      }
    }
  }

  std::uint64_t numbered() const { return before_ + (reader_ ? reader_->graphs() + reader_->skipped() : 0); }

  // Can the format of the pairs hold it? Otherwise it is a bad graph.
  bool fits(const wl::Graph& graph) {
    if (!study_.keep_graphs) return true;
    const wl::Format format = *study_.keep_graphs;
    const bool colored = graph.node_colored() || graph.edge_colored();
    const bool turned = graph.directed() && format != wl::Format::Auto && !wl::info(format).directed;
    if (!colored && !turned) return true;
    const std::string name(format == wl::Format::Auto ? "graph6" : wl::info(format).name);
    const InputError error(reader_->name(), reader_->line(), 0,
                           "a file of pairs holds graphs in " + name + ", which cannot hold " +
                               (colored ? "colours" : "a directed graph"));
    if (!study_.read.keep_going) throw error;
    if (study_.read.on_skip) study_.read.on_skip(error);
    ++skipped_;
    return false;
  }

  const ClassesStudy& study_;
  std::size_t input_ = 0;  // the next to open
  std::unique_ptr<wl::GraphReader> reader_;
  std::uint64_t before_ = 0;   // graphs of the inputs before, bad ones included
  std::uint64_t skipped_ = 0;  // in the inputs before, and for want of a format
  std::exception_ptr error_;   // met, but graphs before it were to be delivered
};

// As many graphs as take about a quarter of a second: progress is seen and a signal heard, and
// short tasks still come in numbers that are worth several threads.
class Pace {
 public:
  std::size_t size() const { return size_; }
  void took(double seconds) {
    if (seconds < 0.125) size_ = std::min<std::size_t>(size_ * 2, 4096);
    if (seconds > 0.5) size_ = std::max<std::size_t>(size_ / 2, 16);
  }

 private:
  std::size_t size_ = 256;
};

int column_of(const ClassesStudy& study, const wl::Engine* engine) {
  const auto at = std::find(study.engines.begin(), study.engines.end(), engine);
  return at == study.engines.end() ? -1 : static_cast<int>(at - study.engines.begin());
}

class Classifier {
 public:
  Classifier(const ClassesStudy& study, ClassesResult& result)
      : study_(study),
        result_(result),
        confused_(column_of(study, study.pairs.confused)),
        separated_(column_of(study, study.pairs.separated)) {
    wl::RunOptions options;
    options.memory_limit = study.memory;
    for (const wl::Engine* engine : study.engines) result.counters.emplace_back(*engine, options);
    result.rows.engines = study.engines.size();
  }

  void add(const Batch& batch) {
    std::vector<std::vector<wl::ClassId>> classes;
    for (wl::ClassCounter& counter : result_.counters) classes.push_back(counter.add(batch.graphs, study_.threads));
    std::vector<wl::ClassId> row(classes.size());
    for (std::size_t i = 0; i < batch.graphs.size(); ++i) {
      for (std::size_t e = 0; e < row.size(); ++e) row[e] = classes[e][i];
      keep(batch.numbers[i], batch.graphs[i], row);
      if (study_.on_row) study_.on_row(batch.numbers[i], row);
    }
    result_.graphs += batch.graphs.size();
    demand_memory(bytes(), study_.memory, "keeping the classes of " + std::to_string(result_.graphs) + " graphs");
  }

 private:
  void keep(std::uint64_t number, const wl::Graph& graph, ClassRow row) {
    if (confused_ >= 0)
      result_.pairs.add(number, at(row, confused_), at(row, separated_), graph,
                        result_.counters[static_cast<std::size_t>(confused_)]);
    if (study_.keep_rows || study_.keep_graphs) {
      if (number > UINT32_MAX) throw MemoryError("more than 4294967295 graphs, whose classes are to be kept");
      std::vector<wl::ClassId>& ids = result_.rows.ids;
      ids.resize((number - 1) * row.size(), wl::kNoClass);
      ids.insert(ids.end(), row.begin(), row.end());
    }
    if (study_.keep_graphs) {
      while (result_.kept.size() + 1 < number) result_.kept.add_none();
      result_.kept.add(graph);
    }
  }

  static wl::ClassId at(ClassRow row, int column) {
    return column < 0 ? wl::kNoClass : row[static_cast<std::size_t>(column)];
  }

  // What is held now. Lists double when they are full, so that as much again must be free.
  std::uint64_t bytes() const {
    std::uint64_t sum = result_.pairs.bytes() + result_.kept.bytes();
    sum += result_.rows.ids.capacity() * sizeof(wl::ClassId);
    for (const wl::ClassCounter& counter : result_.counters) sum += counter.bytes();
    return sum;
  }

  const ClassesStudy& study_;
  ClassesResult& result_;
  int confused_, separated_;  // columns; -1: none
};

}  // namespace

ClassesResult classify(const ClassesStudy& study, const Control& control) {
  const Stage stage(control.observer, "graphs", 0);
  ClassesResult result;
  Classifier classifier(study, result);
  Stream stream(study);
  Pace pace;
  for (Batch batch; (result.complete = !control.stop) && stream.next(batch, pace.size());) {
    const double start = seconds_now(CLOCK_MONOTONIC);
    classifier.add(batch);
    control.observer.done(batch.graphs.size(), "");
    pace.took(seconds_now(CLOCK_MONOTONIC) - start);
  }
  result.skipped = stream.skipped();
  return result;
}

void for_each_pair(const ClassesStudy& study, const ClassRows& rows,
                   const std::function<bool(std::uint32_t first, std::uint32_t second)>& visit) {
  ConfusedPairs(rows, column_of(study, study.pairs.confused), column_of(study, study.pairs.separated)).for_each(visit);
}

}  // namespace leman::study
