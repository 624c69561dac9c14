// Labelled data sets as CSV: a column graph6, and labels.
#include <algorithm>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "study/dataset_builder.hpp"

namespace leman::study {

namespace {

std::string whole_text(wl::LineSource& source) {
  std::string text;
  for (std::string_view line; source.next(line);) {
    text += line;
    text += '\n';
  }
  return text;
}

// Which columns are what, by the names in the first row.
struct Header {
  std::size_t graph = 0;
  std::vector<std::size_t> labels;
  std::size_t columns = 0;
};

bool one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Header read_header(DatasetBuilder& builder, const CsvLine& row) {
  Header header;
  header.columns = row.cells.size();
  std::vector<std::string> names, labels;
  for (const std::string& cell : row.cells) names.emplace_back(trimmed(cell));
  const auto graphs = std::count_if(names.begin(), names.end(), [](const auto& n) {
    return one_of(n, {"graph6", "g6"});
  });
  if (graphs != 1)
    builder.fail(row.line, graphs == 0 ? "neither JSON lines nor CSV with a column graph6 (first line: " +
                                             names[0].substr(0, 40) + "): labels are needed, see docs/dataset.md"
                                       : "two columns graph6");
  const bool only = std::count(names.begin(), names.end(), "label") > 0;  // others are about something else
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (one_of(names[k], {"graph6", "g6"}))
      header.graph = k;
    else if (only ? names[k] == "label" : !one_of(names[k], {"id", "name", "index"}))
      header.labels.push_back(k), labels.push_back(names[k]);
  }
  if (labels.empty()) builder.fail(row.line, "no column of labels");
  for (std::size_t k = 0; k < labels.size(); ++k)
    if (std::count(labels.begin(), labels.end(), labels[k]) > 1)
      builder.fail(row.line, "two columns \"" + labels[k] + "\"");
  builder.name_columns(labels);
  return header;
}

void read_row(DatasetBuilder& builder, const Header& header, const CsvLine& row) {
  if (row.cells.size() != header.columns)
    builder.fail(row.line, std::to_string(row.cells.size()) + " cells, but " + std::to_string(header.columns) +
                               " in the first row");
  builder.add_graph(builder.decode(std::string(trimmed(row.cells[header.graph])), row.line), row.line);
  std::vector<std::string> labels;
  for (const std::size_t column : header.labels) labels.emplace_back(trimmed(row.cells[column]));
  builder.add_labels(labels, row.line);
}

}  // namespace

Dataset read_csv_dataset(wl::LineSource source, const DatasetOptions& options) {
  DatasetBuilder builder(source.name(), options);
  if (options.labels == DatasetOptions::Labels::Node) builder.fail(0, "CSV has labels of graphs, not of nodes");
  std::string text = whole_text(source);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  const std::vector<CsvLine> rows = parse_csv(text, source.name());
  if (rows.empty()) builder.fail(0, "there is no graph");
  const Header header = read_header(builder, rows[0]);
  for (std::size_t k = 1; k < rows.size(); ++k) read_row(builder, header, rows[k]);
  return builder.finish("CSV");
}

}  // namespace leman::study
