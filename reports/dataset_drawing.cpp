#include "reports/dataset_drawing.hpp"

#include <algorithm>
#include <map>

#include "base/parallel.hpp"
#include "reports/charts.hpp"
#include "reports/dataset_table.hpp"
#include "reports/graph_drawing.hpp"

namespace leman::reports {

namespace {

using Record = study::DatasetRecord;

constexpr wl::Node kDrawn = 120;                           // nodes of the largest graph that is drawn
constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;  // of a run for colours

// Stable colours of the nodes of both graphs, numbered for the reader; all 0 where that takes too much.
std::array<std::vector<int>, 2> joint_colors(const wl::Engine& engine, const Record::Example& example) {
  const wl::Graph* graphs[] = {&*example[0].graph, &*example[1].graph};
  std::array<std::vector<int>, 2> colors{std::vector<int>(graphs[0]->order(), 0),
                                         std::vector<int>(graphs[1]->order(), 0)};
  wl::RunOptions options;
  options.keep_coloring = true, options.memory_limit = kMemory;
  wl::RunResult run;
  try {
    run = wl::run_engine(engine, graphs, options);
  } catch (const MemoryError&) {
    return colors;
  }
  std::map<wl::Color, int> names;
  auto color = [&](std::size_t g, wl::Node v) {
    std::size_t step = 1;  // from (v, v, ...) to the next such tuple
    for (int k = 1; k < engine.tuple; ++k) step = step * graphs[g]->order() + 1;
    return run.coloring[g][v * step];
  };
  for (std::size_t g = 0; g < 2; ++g)
    for (wl::Node v = 0; v < graphs[g]->order(); ++v) names.emplace(color(g, v), 0);
  int next = 0;
  for (auto& entry : names) entry.second = next++;
  for (std::size_t g = 0; g < 2; ++g)
    for (wl::Node v = 0; v < graphs[g]->order(); ++v) colors[g][v] = names.at(color(g, v));
  return colors;
}

DrawnExample drawn(const Record& record, const Record::Row& row, const Record::Example& example) {
  DrawnExample result;
  result.engine = dataset_title(row);
  for (std::size_t g = 0; g < 2; ++g) result.captions[g] = item_text(record, example[g]);
  for (const Record::Item& item : example)
    if (!item.graph || item.nodes > kDrawn) return result;
  const wl::Engine* engine = wl::find_engine(row.engine);
  const auto colors = joint_colors(engine ? *engine : wl::folklore(2), example);
  for (std::size_t g = 0; g < 2; ++g)
    result.drawings[g] = draw({&*example[g].graph, colors[g], example[g].node, result.captions[g]});
  return result;
}

}  // namespace

void draw_datasets(std::vector<DrawnDataset>& sets, unsigned threads) {
  struct Task {
    DrawnDataset* set;
    const Record::Row* row;
    std::size_t example, place;
  };
  std::vector<Task> tasks;
  std::map<std::string, int> uses;
  for (const DrawnDataset& set : sets) ++uses[set.record.name];
  for (DrawnDataset& set : sets) {
    if (uses[set.record.name] == 1) set.title = set.record.name;
    std::size_t place = 0;
    for (const Record::Row& row : set.record.rows)
      for (std::size_t e = 0; e < row.examples.size(); ++e) tasks.push_back({&set, &row, e, place++});
    set.examples.resize(place);
  }
  parallel_for(tasks.size(), threads, [&](std::size_t k) {
    const Task& task = tasks[k];
    task.set->examples[task.place] = drawn(task.set->record, *task.row, task.row->examples[task.example]);
  });
}

std::string dataset_chart(const Record& record, const std::string& title) {
  std::size_t deepest = 1;
  for (const Record::Row& row : record.rows) deepest = std::max(deepest, row.depths.size() - !row.depths.empty());
  const bool regression = record.tasks[0].regression;
  std::vector<Series> all;
  for (const Record::Row& row : record.rows) {
    if (row.depths.empty()) continue;
    Series& series = all.emplace_back();
    series.name = dataset_title(row), series.style = static_cast<int>(all.size() - 1) % kStyles;
    for (std::size_t t = 0; t <= deepest; ++t) {
      const Record::Score& score = row.depths[std::min(t, row.depths.size() - 1)].scores[0];
      const double value = regression ? study::mean_absolute_error(score, record.items)
                                      : 100 * static_cast<double>(score.correct) / static_cast<double>(record.items);
      series.points.emplace_back(static_cast<double>(t), value);
    }
  }
  return line_chart(title + ": best possible result by depth", {"rounds, or layers of a model", false, true},
                    {regression ? "smallest MAE" : "best accuracy, %", false}, all);
}

}  // namespace leman::reports
