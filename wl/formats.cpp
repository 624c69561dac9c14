#include "wl/formats.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "wl/formats_nauty.hpp"
#include "wl/formats_text.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

namespace {

// The type mark of a line in one of nauty's formats, after an optional >>header<<.
// Moves `at` past both.
Format nauty_format(std::string_view line, std::size_t& at) {
  constexpr std::array<std::pair<std::string_view, Format>, 3> headers{
      {{">>graph6<<", Format::Graph6}, {">>sparse6<<", Format::Sparse6}, {">>digraph6<<", Format::Digraph6}}};
  for (auto [text, format] : headers)
    if (line.starts_with(text)) at = text.size();
  if (at >= line.size()) return Format::Graph6;
  if (line[at] == ':' || line[at] == ';') return Format::Sparse6;
  return line[at] == '&' ? Format::Digraph6 : Format::Graph6;
}

// A single word that is not a number. Whatever is wrong with it, the reader of
// nauty's formats gives the right message.
bool looks_like_nauty(std::string_view line) {
  return line != "c" && line.find_first_of(" \t,;", 1) == line.npos &&
         line.find_first_not_of("0123456789") != line.npos;
}

// Detects the format by content. The first line that is not a comment identifies
// nauty's formats and DIMACS; matrix rows differ from edges in shape.
Format detect(LineSource& source, bool directed) {
  for (std::string_view line; source.next(line);) {
    if (is_blank_or_comment(line)) continue;
    source.unread();
    auto lines = source.peek(4);  // a matrix shows within three rows
    if (looks_like_nauty(lines[0])) return Format::Graph6;
    if (lines[0][0] == 'c' || lines[0][0] == 'p') return Format::Dimacs;
    return detect_text(lines, directed);
  }
  return Format::Graph6;
}

}  // namespace

const std::vector<FormatInfo>& formats() {
  static const std::vector<FormatInfo> table{
      {Format::Auto, "auto", false, true, true},        {Format::Graph6, "graph6", true, false, false},
      {Format::Sparse6, "sparse6", true, false, false}, {Format::Digraph6, "digraph6", true, true, false},
      {Format::EdgeList, "edgelist", true, true, true}, {Format::Dimacs, "dimacs", true, true, true},
      {Format::Matrix, "matrix", false, true, false},
  };
  return table;
}

const FormatInfo& info(Format format) { return formats()[static_cast<std::size_t>(format)]; }

Format format_named(std::string_view name) {
  for (const FormatInfo& each : formats())
    if (each.name == name) return each.format;
  throw UsageError("no format \"" + std::string(name) + "\"" + did_you_mean(name, format_names(false)) +
                   "; there are " + join(format_names(false)));
}

std::vector<std::string> format_names(bool written) {
  std::vector<std::string> names;
  for (const FormatInfo& each : formats())
    if (each.written || !written) names.emplace_back(each.name);
  return names;
}

GraphReader::GraphReader(LineSource source, ReadOptions options)
    : source_(std::move(source)), options_(std::move(options)), format_(options_.format) {}

void GraphReader::fail(std::uint64_t column, std::string reason) const {
  throw InputError(source_.name(), source_.line_number(), column, std::move(reason));
}

bool GraphReader::next(Graph& graph) {
  if (format_ == Format::Auto) format_ = detect(source_, options_.directed);
  while (true) {
    try {
      if (!parse_one()) return false;
      if (options_.simplify) simplify();
      graph = Graph(data_);
      ++graphs_;
      return true;
    } catch (const GraphError& e) {
      base_ok_ = false;
      bool known = e.edge() && *e.edge() < edge_lines_.size();
      std::string reason = e.what();
      if (known && format_ == Format::Dimacs)  // the only check left to Graph; DIMACS numbers nodes from 1
        reason = "edge " + std::to_string(data_.edges[*e.edge()].u + 1) + "-" +
                 std::to_string(data_.edges[*e.edge()].v + 1) + " is there twice";
      InputError error(source_.name(), known ? edge_lines_[*e.edge()] : first_line_, 0, reason);
      if (!options_.keep_going) throw error;
      if (options_.on_skip) options_.on_skip(error);
    } catch (const ReadError&) {
      throw;
    } catch (const InputError& e) {
      if (!options_.keep_going) throw;
      if (options_.on_skip) options_.on_skip(e);
      skip_rest_of_graph();
    }
    ++skipped_;
  }
}

void GraphReader::start_graph() {
  std::swap(data_, base_);  // the previous graph: the base of an incremental line
  data_.order = 0;
  data_.directed = options_.directed;
  data_.edges.clear();
  data_.node_colors.clear();
  edge_lines_.clear();
  colored_nodes_.clear();
  order_known_ = false;
  bytes_ = 0;
  first_line_ = 0;
}

bool GraphReader::parse_one() {
  start_graph();
  switch (format_) {
    case Format::EdgeList: return parse_edge_list();
    case Format::Dimacs: return parse_dimacs();
    case Format::Matrix: return parse_matrix();
    default: return parse_nauty_line();
  }
}

bool GraphReader::parse_nauty_line() {
  std::string_view line;
  do {
    if (!source_.next(line)) return false;
  } while (is_blank_or_comment(line));
  bool base_ok = std::exchange(base_ok_, false);
  first_line_ = source_.line_number();
  bytes_ = line.size();
  std::size_t at = 0;
  Format kind = nauty_format(line, at);
  if (at == line.size()) {  // a >>header<< alone on its line
    base_ok_ = base_ok;
    return parse_nauty_line();
  }
  if (options_.format != Format::Auto && kind != options_.format)
    fail(at + 1, "this is " + std::string(info(kind).name) + ", not " + std::string(info(options_.format).name));
  OrderCheck check = [this](std::uint64_t order, std::uint64_t column) { check_order(order, column); };
  try {
    if (line[at] == ';') {
      if (!base_ok) fail(at + 1, "incremental sparse6 (;) must follow a good line with an undirected graph");
      decode_incremental(line, at + 1, base_, data_);
    } else if (kind == Format::Sparse6) {
      decode_sparse6(line, at + 1, check, data_);
    } else if (kind == Format::Digraph6) {
      decode_digraph6(line, at + 1, check, data_);
    } else {
      decode_graph6(line, at, check, data_);
    }
  } catch (const LineError& e) {
    fail(e.column, std::string(info(kind).name) + ": " + e.reason);
  }
  base_ok_ = !data_.directed;
  return true;
}

void GraphReader::check_order(std::uint64_t order, std::uint64_t column) const {
  std::uint64_t limit = options_.max_nodes != 0 ? options_.max_nodes : 1000 + 1000 * bytes_;
  if (order <= limit) return;
  std::string reason = std::to_string(order) + " nodes are over the limit of " + std::to_string(limit);
  if (options_.max_nodes == 0) reason += " for " + std::to_string(bytes_) + " bytes of input (max-nodes raises it)";
  fail(column, reason);
}

// Keeps the first of every set of equal edges; their colours must agree.
void GraphReader::simplify() {
  dropped_ += drop_repeats(data_);
  edge_lines_.clear();  // indices have changed; no duplicate is left to name
}

std::vector<Graph> read_all(LineSource source, ReadOptions options) {
  GraphReader reader(std::move(source), std::move(options));
  std::vector<Graph> graphs;
  for (Graph graph; reader.next(graph);) graphs.push_back(graph);
  return graphs;
}

Graph graph_from_graph6(std::string_view text) {
  GraphReader reader(LineSource::from_text("\"" + std::string(text) + "\"", text), {.format = Format::Auto,
                                                                                    .directed = false,
                                                                                    .simplify = false,
                                                                                    .keep_going = false,
                                                                                    .max_nodes = 0,
                                                                                    .on_skip = {}});
  Graph graph;
  if (!reader.next(graph)) throw InputError("\"" + std::string(text) + "\"", 1, 0, "no graph here");
  return graph;
}

void write_graph(const Graph& graph, Format format, std::string& out) {
  if (!info(format).colors && (graph.node_colored() || graph.edge_colored()))
    throw GraphError(std::string(info(format).name) + " cannot hold colours");
  if (graph.directed() && !info(format).directed)
    throw GraphError(std::string(info(format).name) + " cannot hold a directed graph");
  std::uint64_t bits = std::uint64_t{graph.order()} * graph.order() / (format == Format::Graph6 ? 2 : 1);
  if ((format == Format::Graph6 || format == Format::Digraph6) && bits / 6 > std::uint64_t{1} << 31)
    throw GraphError(std::string(info(format).name) + " needs " + std::to_string(bits / 6 >> 30) + " GB for " +
                     std::to_string(graph.order()) + " nodes (sparse6, edgelist and dimacs do not)");
  switch (format) {
    case Format::Graph6: encode_graph6(graph, out); break;
    case Format::Sparse6: encode_sparse6(graph, out); break;
    case Format::Digraph6: encode_digraph6(graph, out); break;
    case Format::EdgeList: return write_edge_list(graph, out);
    case Format::Dimacs: return write_dimacs(graph, out);
    default: throw UsageError("write_graph: " + std::string(info(format).name) + " is not written");
  }
  out += '\n';
}

std::string to_graph6(const Graph& graph) {
  std::string out;
  write_graph(graph, graph.directed() ? Format::Digraph6 : Format::Graph6, out);
  out.pop_back();
  return out;
}

}  // namespace leman::wl
