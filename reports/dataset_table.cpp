#include "reports/dataset_table.hpp"

#include <cmath>

#include "base/csv.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "reports/csv_real.hpp"
#include "reports/json.hpp"
#include "reports/names.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

namespace leman::reports {

namespace {

using Record = study::DatasetRecord;

constexpr std::size_t kWidth = 80;
constexpr std::size_t kFirstDepths = 10, kLastDepths = 2;  // that are shown of many
constexpr std::size_t kListed = 4;                         // classes that are named with their counts

std::string count_of(std::uint64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string plural(const Record& record) { return record.node_labels ? "nodes" : "graphs"; }

// A graph as one word for the command line, where there is one that is not too long.
std::string word_of(const std::optional<wl::Graph>& graph) {
  if (!graph || graph->node_colored() || graph->edge_colored() || graph->order() > 40) return "";
  return wl::to_graph6(*graph);
}

// Lines of at most 80 characters, broken at spaces; all but the first are indented.
std::string wrapped(const std::string& text) {
  std::string out, line;
  for (const std::string& word : split(text, ' ')) {
    if (!line.empty() && width_of(line) + 1 + width_of(word) > kWidth) out += line + "\n", line = " ";
    line += (line.empty() ? "" : " ") + word;
  }
  return out + line + "\n";
}

std::string rmse_text(const Record& record, const Record::Score& score) {
  return brief(std::sqrt(score.squared_error / static_cast<double>(record.items)), 6);
}

void add_score(const Record& record, std::size_t task, const Record::Score& score, std::vector<std::string>& cells) {
  if (record.tasks[task].regression) {
    cells.push_back(brief(study::mean_absolute_error(score, record.items), 6));
    cells.push_back(rmse_text(record, score));
  } else {
    cells.push_back(std::to_string(score.correct));
    cells.push_back(share_text(score.correct, record.items, 2));
  }
}

std::vector<std::string> score_header(const Record::Task& task) {
  if (task.regression) return {">MAE", ">RMSE"};
  return {">right", ">%"};
}

std::string text_of(const Cells& cells) {
  Table table(cells.header);
  for (const auto& row : cells.rows) table.row(row);
  return table.text();
}

std::string examples_text(const Record& record) {
  std::string out;
  for (const Record::Row& row : record.rows)
    for (const Record::Example& example : row.examples) {
      out += dataset_title(row) + ": " + item_text(record, example[0]) + "\n" +
             std::string(width_of(dataset_title(row)), ' ') + "  " + item_text(record, example[1]) + "\n";
    }
  return out.empty() ? "" : "\nAlike, with different labels (the smallest first):\n" + out;
}

}  // namespace

std::string dataset_title(const Record::Row& row) {
  const wl::Engine* engine = wl::find_engine(row.engine);
  return engine ? std::string(engine->title) : row.engine;
}

std::string round_text(const Record::Row& row, std::size_t depth) {
  const auto& round = row.depths[depth].round;
  if (!round) return "-";
  return std::to_string(*round) + (depth + 1 == row.depths.size() ? "+" : "");
}

std::string share_text(std::uint64_t part, std::uint64_t all, int digits) {
  const double scale = std::pow(10, digits);
  return fixed(std::floor(100 * scale * static_cast<double>(part) / static_cast<double>(all)) / scale, digits);
}

std::string score_text(const Record& record, std::size_t task, const Record::Score& score) {
  if (!record.tasks[task].regression) return std::to_string(score.correct) + " of " + std::to_string(record.items);
  return "MAE " + brief(study::mean_absolute_error(score, record.items), 6);
}

std::string dataset_facts(const Record& record) {
  std::string text = count_of(record.graphs, record.directed ? "directed graph" : "graph") + " of " +
                     std::to_string(record.smallest) +
                     (record.largest > record.smallest ? "-" + std::to_string(record.largest) : "") + " nodes";
  if (record.node_colors > 1) text += ", " + std::to_string(record.node_colors) + " node colours";
  if (record.edge_colors > 1) text += ", " + std::to_string(record.edge_colors) + " edge colours";
  if (record.node_labels) text += "; labels of " + count_of(record.items, "node");
  return text + " (" + record.format + ")";
}

std::string task_facts(const Record& record, const Record::Task& task) {
  if (task.regression)
    return task.name + ": regression, " + task.lowest + " to " + task.highest + "; always the median: MAE " +
           brief(study::mean_absolute_error(task.always_same, record.items), 6);
  std::vector<std::string> classes;
  for (const auto& [label, count] : task.most_common)
    if (classes.size() < kListed) classes.push_back(shortened(label, 20) + " (" + std::to_string(count) + ")");
  if (task.labels > classes.size()) classes.push_back("...");
  return task.name + ": classification, " + count_of(task.labels, "label") + ": " + join(classes) +
         "; always the most common: " + share_text(task.always_same.correct, record.items, 2) + " %";
}

std::string dataset_sentence(const Record& record, const std::string& title) {
  std::vector<std::string> parts;
  for (const Record::Row& row : record.rows)
    if (!row.depths.empty())
      parts.push_back((row.engine == Record::kIsomorphism ? "any model at all" : dataset_title(row)) + ": " +
                      score_text(record, 0, row.depths.back().scores[0]));
  const std::string& task = record.tasks[0].name;
  return "Data set " + title + (record.tasks.size() > 1 ? ", " + task : "") +
         ": the best that models of a given power can reach: " + join(parts, "; ") + ".";
}

std::string item_text(const Record& record, const Record::Item& item) {
  const std::string word = word_of(item.graph);
  return (item.node ? "node " + std::to_string(*item.node) + " of " : "") +
         (record.format.starts_with("TU") ? "graph " : "line ") + std::to_string(item.place) + ", " +
         (word.empty() ? count_of(item.nodes, "node") : word) + ", label " + shortened(join(item.labels, ", "), 30);
}

Cells depth_cells(const Record& record) {
  const bool one = record.tasks.size() == 1;
  Cells cells{{"engine", ">t", ">classes", ">pairs alike", ">labels differ"}, {}};
  if (one)
    for (const std::string& name : score_header(record.tasks[0])) cells.header.push_back(name);
  for (const Record::Row& row : record.rows) {
    for (std::size_t d = 0; d < row.depths.size(); ++d) {
      if (d == kFirstDepths && row.depths.size() > kFirstDepths + kLastDepths + 1) {
        cells.rows.emplace_back(cells.header.size())[1] = "...";
        d = row.depths.size() - kLastDepths;
      }
      const Record::Depth& depth = row.depths[d];
      auto& line = cells.rows.emplace_back();
      line = {d ? "" : dataset_title(row), round_text(row, d), std::to_string(depth.classes),
              std::to_string(depth.alike), std::to_string(depth.differ)};
      if (one) add_score(record, 0, depth.scores[0], line);
    }
    if (!row.depths.empty()) continue;
    cells.rows.emplace_back(cells.header.size());
    cells.rows.back()[0] = dataset_title(row), cells.rows.back()[2] = "refused";
  }
  return cells;
}

Cells task_cells(const Record& record) {
  Cells cells{{"task", "best possible", ">always the same"}, {}};
  for (const Record::Row& row : record.rows) cells.header.push_back(">" + dataset_title(row));
  for (std::size_t k = 0; k < record.tasks.size(); ++k) {
    const Record::Task& task = record.tasks[k];
    const auto cell = [&](const Record::Score& score) {
      return task.regression ? brief(study::mean_absolute_error(score, record.items), 5)
                             : share_text(score.correct, record.items, 2);
    };
    auto& line = cells.rows.emplace_back();
    line = {shortened(task.name, 16), task.regression ? "MAE" : "accuracy, %", cell(task.always_same)};
    for (const Record::Row& row : record.rows)
      line.push_back(row.depths.empty() ? "refused" : cell(row.depths.back().scores[k]));
  }
  return cells;
}

std::string dataset_text(const Record& record) {
  std::string text = wrapped(record.name + ": " + dataset_facts(record));
  for (const std::string& note : record.notes) text += wrapped(note);
  const bool one = record.tasks.size() == 1;
  if (one) text += wrapped(task_facts(record, record.tasks[0]));
  text += "\n" + text_of(depth_cells(record));
  if (!one) text += "\n" + text_of(task_cells(record));
  for (const Record::Row& row : record.rows)
    if (!row.refused.empty()) text += "\n" + wrapped(dataset_title(row) + " was refused: " + row.refused);
  text += examples_text(record);
  return text + "\n" +
         wrapped("t: rounds, or layers of a model; t+: no deeper model sees more. pairs alike: pairs of " +
                 plural(record) + " that the engine cannot tell apart. " +
                 (one && record.tasks[0].regression ? "MAE, RMSE: the smallest possible error."
                  : one                             ? "right: the most that any model of that power can get right."
                                                    : "Second table: the best possible with the stable colouring.") +
                 " isomorphism: no model at all can do better.");
}

std::string dataset_json(const Record& record, const std::string& command) {
  Json json = reports::record(command);
  json["dataset"] = study::to_json(record);
  return json_text(json);
}

std::string dataset_csv(const Record& record) {
  std::vector<CsvRow> lines{{"dataset", "engine", "round", "stable", "classes", "alike", "differ", "task", "kind",
                             "items", "task_differ", "correct", "absolute_error", "mae", "squared_error", "rmse"}};
  for (const Record::Row& row : record.rows)
    for (std::size_t d = 0; d < row.depths.size(); ++d)
      for (std::size_t k = 0; k < record.tasks.size(); ++k) {
        const Record::Depth& depth = row.depths[d];
        const Record::Score& score = depth.scores[k];
        const bool real = record.tasks[k].regression;
        auto if_real = [&](double x) { return real ? csv_real(x) : ""; };
        lines.push_back({record.name, row.engine, depth.round ? std::to_string(*depth.round) : "",
                         d + 1 == row.depths.size() ? "true" : "false", std::to_string(depth.classes),
                         std::to_string(depth.alike), std::to_string(depth.differ), record.tasks[k].name,
                         real ? "regression" : "classification", std::to_string(record.items),
                         std::to_string(score.differ), real ? "" : std::to_string(score.correct),
                         real ? score.absolute_error : "", if_real(study::mean_absolute_error(score, record.items)),
                         if_real(score.squared_error),
                         if_real(std::sqrt(score.squared_error / static_cast<double>(record.items)))});
      }
  return to_csv(lines);
}

}  // namespace leman::reports
