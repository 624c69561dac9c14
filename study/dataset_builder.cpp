#include "study/dataset_builder.hpp"

#include <algorithm>
#include <filesystem>

#include "study/dataset_bounds.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::study {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void Dataset::check() const {
  std::size_t nodes = 0;
  for (const wl::Graph& graph : graphs) nodes += graph.order();
  bool fits = places.size() == graphs.size() && !columns.empty();
  for (const LabelColumn& column : columns) {
    fits = fits && column.label.size() == (node_labels ? nodes : graphs.size());
    for (const std::uint32_t label : column.label) fits = fits && label < column.values.size();
  }
  for (const wl::Graph& graph : graphs) fits = fits && graph.directed() == directed();
  if (!fits) throw BugError("a data set whose parts do not fit together");
}

void DatasetBuilder::name_columns(std::vector<std::string> names) {
  data_.columns.resize(names.size()), known_.resize(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) data_.columns[k].name = std::move(names[k]);
}

void DatasetBuilder::add_labels(std::span<const std::string> labels, std::uint64_t line) {
  if (!has_columns()) {
    if (labels.empty()) fail(line, "has no label");
    std::vector<std::string> names{"label"};
    for (std::size_t k = 0; k < labels.size() && labels.size() > 1; ++k) {
      names.resize(k + 1);
      names[k] = "label " + std::to_string(k + 1);
    }
    name_columns(std::move(names));
  }
  if (labels.size() != data_.columns.size())
    fail(line,
         std::to_string(labels.size()) + " labels, " + std::to_string(data_.columns.size()) + " in the items before");
  for (std::size_t k = 0; k < labels.size(); ++k) add_label(k, labels[k], line);
}

void DatasetBuilder::add_label(std::size_t column, const std::string& label, std::uint64_t line) {
  if (const std::string wrong = bad_label(label); !wrong.empty()) {
    const std::string& name = data_.columns[column].name;
    fail(line, (name == "label" ? name : "label \"" + name + "\"") + " " + wrong);
  }
  LabelColumn& values = data_.columns[column];
  const auto [at, fresh] = known_[column].try_emplace(label, static_cast<std::uint32_t>(values.values.size()));
  if (fresh) values.values.push_back(label);
  values.label.push_back(at->second);
}

void DatasetBuilder::check_order(std::uint64_t order, std::uint64_t bytes, std::uint64_t line) const {
  const std::uint64_t limit =
      options_.max_nodes ? options_.max_nodes : std::min<std::uint64_t>(1000 + 1000 * bytes, UINT32_MAX - 1);
  if (order > limit)
    fail(line,
         std::to_string(order) + " nodes, but at most " + std::to_string(limit) + " are accepted here (--max-nodes N)");
}

wl::GraphData DatasetBuilder::decode(const std::string& text, std::uint64_t line) const {
  if (text.find_first_of("\r\n") != text.npos) fail(line, "graph6: more than one line");
  wl::ReadOptions read;
  read.format = text.starts_with(':')   ? wl::Format::Sparse6
                : text.starts_with('&') ? wl::Format::Digraph6
                                        : wl::Format::Graph6;
  read.max_nodes = options_.max_nodes;
  try {
    const auto graphs = wl::read_all(wl::LineSource::from_text("graph6", text), read);
    if (graphs.size() == 1) return graphs[0].data();
  } catch (const InputError& e) {
    fail(line, "graph6: " + e.reason());
  }
  fail(line, "graph6: no graph here");
}

void DatasetBuilder::add_graph(wl::GraphData graph, std::uint64_t line, std::span<const std::uint64_t> edge_lines) {
  try {
    if (options_.simplify) dropped_ += wl::drop_repeats(graph);
    data_.graphs.emplace_back(graph);
  } catch (const GraphError& e) {
    const bool known = !options_.simplify && e.edge() && *e.edge() < edge_lines.size();
    fail(known ? edge_lines[*e.edge()] : line, e.what());
  }
  data_.places.push_back(line);
}

namespace {

// An edge as two arcs: what an undirected graph is among directed ones.
wl::Graph as_directed(const wl::Graph& graph) {
  wl::GraphData data = graph.data();
  const std::size_t edges = data.edges.size();
  for (std::size_t k = 0; k < edges; ++k) {
    const wl::Edge e = data.edges[k];
    data.edges.push_back({e.v, e.u, e.color});
  }
  data.directed = true;
  return wl::Graph(data);
}

// "a/b/ZINC.jsonl.gz" -> "ZINC"
std::string name_of(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  for (const char* ending : {".gz", ".jsonl", ".ndjson", ".json", ".csv"})
    if (name.size() > std::string(ending).size() && name.ends_with(ending))
      name.resize(name.size() - std::string(ending).size());
  return name;
}

}  // namespace

Dataset DatasetBuilder::finish(const std::string& format) {
  if (data_.items() == 0) fail(0, data_.graphs.empty() ? "there is no graph" : "there is no label");
  data_.source = file_, data_.format = format;
  data_.name = options_.name.empty() ? name_of(file_) : options_.name;
  const auto directed = [](const wl::Graph& graph) { return graph.directed(); };
  const auto arcs = std::count_if(data_.graphs.begin(), data_.graphs.end(), directed);
  if (arcs != 0 && static_cast<std::size_t>(arcs) != data_.graphs.size()) {
    for (wl::Graph& graph : data_.graphs)
      if (!graph.directed()) graph = as_directed(graph);
    data_.notes.push_back("directed and undirected graphs: an undirected edge is read as two arcs");
  }
  if (dropped_) data_.notes.push_back("dropped " + std::to_string(dropped_) + " self-loops and repeated edges");
  data_.check();
  return std::move(data_);
}

}  // namespace leman::study
