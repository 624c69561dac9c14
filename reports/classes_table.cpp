#include "reports/classes_table.hpp"

#include "base/csv.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "reports/json.hpp"

namespace leman::reports {

namespace {

using study::ClassesResult;
using study::ClassesStudy;

constexpr std::uint64_t kMostPairs = 10'000'000;  // that are written without a limit

std::string number_text(std::uint64_t place) { return std::to_string(place + 1); }

// ---- rows: graphs and classes count from 1

std::string row_header(RowFormat format, const ClassesStudy& study) {
  if (format == RowFormat::JsonLines) return "";
  CsvRow names{"graph"};
  for (const wl::Engine* engine : study.engines) names.emplace_back(engine->name);
  return to_csv({names});
}

std::string row_text(RowFormat format, const ClassesStudy& study, std::uint64_t number, study::ClassRow row) {
  const bool json = format == RowFormat::JsonLines;
  std::string text = (json ? "{\"graph\":" : "") + std::to_string(number);
  for (std::size_t e = 0; e < row.size(); ++e) {
    text += ',';
    if (json) text += '"' + std::string(study.engines[e]->name) + "\":";
    text += number_text(row[e]);
  }
  return text + (json ? "}\n" : "\n");
}

// The rows of graphs that share a class; how many there are.
std::uint64_t write_sharing(const ClassesStudy& study, const study::ClassRows& rows, const ClassesFiles& files) {
  const std::vector<bool> shared = study::sharing(rows);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (!shared[i]) continue;
    ++count;
    if (files.rows) files.rows(row_text(files.row_format, study, i + 1, rows.row(i)));
  }
  return count;
}

// ---- pairs

// Pairs with the same first graph come one after the other.
class PairWriter {
 public:
  PairWriter(const wl::PackedGraphs& graphs, wl::Format format) : graphs_(graphs), format_(format) {}

  std::string header() const { return csv() ? to_csv({{"id", "family", "category", "first", "second"}}) : ""; }
  std::string row(std::uint32_t first, std::uint32_t second) {
    if (first_ != first) begin(first);
    const std::string line = graphs_.line(second, format_);
    if (!csv()) return line_ + "\n" + line + "\n";
    return to_csv({{number_text(first) + "-" + number_text(second), family_, family_, line_, line}});
  }

 private:
  bool csv() const { return format_ == wl::Format::Auto; }
  void begin(std::uint32_t first) {
    first_ = first;
    line_ = graphs_.line(first, format_);
    family_ = "order " + std::to_string(graphs_.at(first).order());
  }

  const wl::PackedGraphs& graphs_;
  const wl::Format format_;
  std::optional<std::uint32_t> first_;  // of the row before
  std::string line_, family_;           // of it
};

std::uint64_t write_pairs(const ClassesReport& report, const ClassesFiles& files, std::uint64_t wanted,
                          const study::Control& control) {
  const study::Stage stage(control.observer, "pairs", wanted);
  PairWriter writer(report.result.kept, *report.study.keep_graphs);
  files.pairs(writer.header());
  std::uint64_t written = 0;
  auto write = [&](std::uint32_t first, std::uint32_t second) {
    if (written == wanted || control.stop) return false;
    files.pairs(writer.row(first, second));
    ++written;
    control.observer.done(1, "");
    return true;
  };
  for_each_pair(report.study, report.result.rows, write);
  return written;
}

std::string too_many(const ClassesReport& report) {
  const std::uint64_t count = report.result.pairs.count(), graphs = std::max<std::uint64_t>(report.result.graphs, 1);
  const std::uint64_t per_pair = 2 * report.result.kept.text_bytes() / graphs + 30;
  return std::to_string(count) + " pairs would take about " + gigabytes(count * per_pair);
}

void write_pairs_or_refuse(ClassesReport& report, const ClassesFiles& files, const study::Control& control) {
  const std::uint64_t count = report.result.pairs.count();
  report.pairs_written = 0;
  if (!files.limit && count > kMostPairs)
    report.refused = too_many(report);
  else
    report.pairs_written = write_pairs(report, files, std::min(count, files.limit.value_or(count)), control);
  report.result.complete = report.result.complete && !control.stop;
}

// ---- counts

std::string counts_table(const ClassesResult& result) {
  Table table({"engine", ">graphs", ">classes", ">graphs in shared classes", ">largest"});
  for (const wl::ClassCounter& counter : result.counters)
    table.row({std::string(counter.engine().title), std::to_string(counter.graphs()), std::to_string(counter.classes()),
               std::to_string(counter.confused()), std::to_string(counter.largest())});
  return table.text();
}

std::string pairs_text(const ClassesReport& report) {
  const study::PairQuestion& question = report.study.pairs;
  const std::uint64_t count = report.result.pairs.count();
  std::string text =
      std::to_string(count) + " pairs of graphs that " + std::string(question.confused->title) + " confuses";
  if (question.separated) text += " and " + std::string(question.separated->title) + " separates";
  if (report.pairs_written && *report.pairs_written < count)
    text += "; " + (*report.pairs_written ? std::to_string(*report.pairs_written) : "none") + " of them written";
  return text + "\n";
}

// As graph6, or null: it cannot hold colours.
Json graphs_of(const wl::Graph& first, const wl::Graph& second) {
  for (const wl::Graph* graph : {&first, &second})
    if (graph->node_colored() || graph->edge_colored()) return nullptr;
  return {wl::to_graph6(first), wl::to_graph6(second)};
}

Json json_of(const wl::ClassCounter& counter) {
  Json entry{{"engine", counter.engine().name},         {"graphs", counter.graphs()},   {"classes", counter.classes()},
             {"in_shared_classes", counter.confused()}, {"largest", counter.largest()}, {"examples", Json::array()}};
  for (const auto& example : counter.examples())
    if (Json graphs = graphs_of(example.first, example.second); !graphs.is_null()) entry["examples"].push_back(graphs);
  return entry;
}

Json pairs_json(const ClassesReport& report) {
  const study::PairQuestion& question = report.study.pairs;
  Json json{{"confused", question.confused->name},
            {"separated", question.separated ? Json(question.separated->name) : Json(nullptr)},
            {"count", report.result.pairs.count()},
            {"written", or_null(report.pairs_written)},
            {"examples", Json::array()}};
  for (const auto& example : report.result.pairs.examples())
    json["examples"].push_back({{"first", example.first},
                                {"second", example.second},
                                {"graphs", graphs_of(example.first_graph, example.second_graph)}});
  return json;
}

}  // namespace

RowFormat row_format(const std::string& file) {
  return file.ends_with(".jsonl") || file.ends_with(".json") ? RowFormat::JsonLines : RowFormat::Csv;
}

wl::Format pair_format(const std::string& file) {
  return file.ends_with(".g6") ? wl::Format::Graph6 : file.ends_with(".s6") ? wl::Format::Sparse6 : wl::Format::Auto;
}

ClassesReport report_classes(ClassesStudy study, const ClassesFiles& files, const study::Control& control) {
  ClassesReport report;
  report.study = std::move(study);
  report.study.keep_rows = files.only_shared;
  if (files.rows) files.rows(row_header(files.row_format, report.study));
  if (files.rows && !files.only_shared)
    report.study.on_row = [&](std::uint64_t number, study::ClassRow row) {
      files.rows(row_text(files.row_format, report.study, number, row));
    };
  report.result = classify(report.study, control);
  report.study.on_row = nullptr;
  if (!report.result.complete) return report;
  if (files.only_shared) report.sharing = write_sharing(report.study, report.result.rows, files);
  if (files.pairs) write_pairs_or_refuse(report, files, control);
  return report;
}

std::string classes_text(const ClassesReport& report) {
  std::string text = counts_table(report.result), more;
  if (report.sharing)
    more += std::to_string(*report.sharing) + " of " + std::to_string(report.result.graphs) +
            " graphs share a class with another under some engine\n";
  if (report.study.pairs.confused) more += pairs_text(report);
  return more.empty() ? text : text + "\n" + more;
}

std::string classes_json(const ClassesReport& report, const std::string& command) {
  Json json = record(command);
  json["graphs"] = report.result.graphs;
  json["skipped"] = report.result.skipped;
  json["complete"] = report.result.complete;
  json["engines"] = Json::array();
  for (const wl::ClassCounter& counter : report.result.counters) json["engines"].push_back(json_of(counter));
  if (report.sharing) json["sharing"] = *report.sharing;
  if (report.study.pairs.confused) json["pairs"] = pairs_json(report);
  return json_text(json);
}

}  // namespace leman::reports
