#include "wl/formats.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "wl/format_reader.hpp"
#include "wl/formats_dot.hpp"
#include "wl/formats_edgelist.hpp"
#include "wl/formats_gml.hpp"
#include "wl/formats_graphml.hpp"
#include "wl/formats_json.hpp"
#include "wl/formats_nauty.hpp"
#include "wl/formats_networkx.hpp"
#include "wl/formats_sparse.hpp"
#include "wl/formats_text.hpp"
#include "wl/formats_unread.hpp"
#include "wl/graph_ops.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

struct Row {
  FormatInfo info;
  bool (*detect)(const Opening&) = nullptr;  // none: not recognised by itself
  MakeReader read = nullptr;
  void (*write)(const Graph&, std::string&) = nullptr;
  std::string_view begin = {}, end = {};  // around the graphs of a file
};

// In the order of the enumeration, and from what takes anything to what is most particular: a file is
// that of the last row that recognises it.
const std::vector<Row>& table() {
  static const std::vector<Row> rows{
      {.info = {.format = Format::Auto, .name = "auto", .description = "recognised by content"}, .read = read_nauty},
      {.info = {.format = Format::Graph6,
                .name = "graph6",
                .description = "nauty's graph6, one graph per line",
                .written = true,
                .many = true},
       .detect = [](const Opening& opening) { return !opening.lines.empty(); },
       .read = read_nauty,
       .write = write_graph6},
      {.info = {.format = Format::Sparse6,
                .name = "sparse6",
                .description = "nauty's sparse6, incremental lines (;) too",
                .written = true,
                .many = true},
       .read = read_nauty,
       .write = write_sparse6},
      {.info = {.format = Format::Digraph6,
                .name = "digraph6",
                .description = "nauty's digraph6",
                .written = true,
                .directed = true,
                .many = true},
       .read = read_nauty,
       .write = write_digraph6},
      {.info = {.format = Format::EdgeList,
                .name = "edgelist",
                .description = "NODE NODE [COLOUR], whole numbers; SNAP's files",
                .written = true,
                .directed = true,
                .colors = true,
                .many = true},
       .detect = is_edge_list,
       .read = read_edge_list,
       .write = write_edge_list},
      {.info = {.format = Format::Matrix,
                .name = "matrix",
                .description = "rows of an adjacency matrix",
                .directed = true,
                .colors = true,
                .many = true},
       .detect = is_matrix,
       .read = read_matrix},
      {.info = {.format = Format::NetworkX,
                .name = "networkx",
                .description = "NAME NAME [WEIGHT or {'attribute': value}]; CSV with a header",
                .directed = true,
                .colors = true,
                .attributes = true},
       .detect = is_networkx,
       .read = read_networkx},
      {.info = {.format = Format::Dimacs,
                .name = "dimacs",
                .description = "DIMACS, coloured",
                .written = true,
                .directed = true,
                .colors = true,
                .many = true},
       .detect = is_dimacs,
       .read = read_dimacs,
       .write = write_dimacs},
      {.info = {.format = Format::Metis,
                .name = "metis",
                .description = "METIS and Chaco",
                .colors = true,
                .attributes = true},
       .detect = is_metis,
       .read = read_metis},
      {.info = {.format = Format::MatrixMarket,
                .name = "matrixmarket",
                .description = "Matrix Market, coordinate or array",
                .directed = true,
                .colors = true,
                .attributes = true},
       .detect = is_matrix_market,
       .read = read_matrix_market},
      {.info = {.format = Format::Npy,
                .name = "npy",
                .description = "NumPy array of graph6 strings",
                .directed = true,
                .many = true},
       .detect = is_npy,
       .read = read_npy},
      {.info = {.format = Format::Json,
                .name = "json",
                .description = "node-link JSON of networkx and D3",
                .written = true,
                .directed = true,
                .colors = true,
                .many = true,
                .attributes = true},
       .detect = is_json,
       .read = read_json,
       .write = write_json},
      {.info = {.format = Format::Dot,
                .name = "dot",
                .description = "Graphviz",
                .written = true,
                .directed = true,
                .colors = true,
                .many = true,
                .attributes = true},
       .detect = is_dot,
       .read = read_dot,
       .write = write_dot},
      {.info = {.format = Format::Gml,
                .name = "gml",
                .description = "Graph Modelling Language",
                .directed = true,
                .colors = true,
                .many = true,
                .attributes = true},
       .detect = is_gml,
       .read = read_gml},
      {.info = {.format = Format::GraphML,
                .name = "graphml",
                .description = "GraphML",
                .written = true,
                .directed = true,
                .colors = true,
                .many = true,
                .attributes = true},
       .detect = is_graphml,
       .read = read_graphml,
       .write = write_graphml,
       .begin = kGraphMLBegin,
       .end = kGraphMLEnd},
  };
  return rows;
}

const Row& row(Format format) { return table()[static_cast<std::size_t>(format)]; }

// Up to `count` lines, without copying them.
std::vector<std::string_view> first_lines(std::string_view text, std::size_t count) {
  std::vector<std::string_view> lines;
  TextLines rest(text);
  for (std::string_view line; lines.size() < count && rest.next(line);)
    if (!lines.empty() || !is_blank_or_comment(line)) lines.push_back(line);
  return lines;
}

// The first line that is neither blank nor a comment decides, for some formats also what precedes it.
Format detect(LineSource& source, bool directed) {
  while (true) {
    Opening opening;
    opening.text = source.opening();
    opening.directed = directed;
    opening.whole = opening.text.size() < LineSource::kOpening;
    opening.lines = first_lines(opening.text, 4);
    if (const auto what = unread_format(opening)) throw InputError(source.name(), not_read(*what));
    const auto found = std::find_if(table().rbegin(), table().rend(),
                                    [&](const Row& each) { return each.detect && each.detect(opening); });
    if (found != table().rend()) return found->info.format;
    if (opening.whole) return Format::Graph6;
    std::string_view line;  // nothing but comments so far
    while (source.next(line))
      if (!is_blank_or_comment(line)) {
        source.unread();
        break;
      }
  }
}

}  // namespace

std::vector<FormatInfo> formats() {
  std::vector<FormatInfo> all;
  for (const Row& each : table()) all.push_back(each.info);
  return all;
}

const FormatInfo& info(Format format) { return row(format).info; }

Format format_named(std::string_view name) {
  for (const Row& each : table())
    if (each.info.name == name) return each.info.format;
  throw UsageError("no format \"" + std::string(name) + "\"" + did_you_mean(name, format_names(false)) +
                   "; there are " + join(format_names(false)));
}

std::vector<std::string> format_names(bool written) {
  std::vector<std::string> names;
  for (const Row& each : table())
    if (each.info.written || !written) names.emplace_back(each.info.name);
  return names;
}

std::string not_read(std::string_view what) {
  auto names = format_names(false);
  names.erase(names.begin());  // auto
  return std::string(what) + " is not read; formats that are: " + join(names);
}

struct GraphReader::State {
  LineSource source;
  ReadOptions options;
  Format format = options.format;
  std::unique_ptr<FormatReader> reader = nullptr;
  Draft draft = {};  // its memory is reused
  std::uint64_t graphs = 0, skipped = 0, dropped = 0;

  void start();
  void read(Graph& graph);
  void simplify();
  InputError explained(const GraphError& error) const;
};

GraphReader::GraphReader(LineSource source, ReadOptions options)
    : state_(new State{.source = std::move(source), .options = std::move(options)}) {}
GraphReader::GraphReader(GraphReader&&) noexcept = default;
GraphReader& GraphReader::operator=(GraphReader&&) noexcept = default;
GraphReader::~GraphReader() = default;

Format GraphReader::format() const { return state_->format; }
std::uint64_t GraphReader::graphs() const { return state_->graphs; }
std::uint64_t GraphReader::skipped() const { return state_->skipped; }
std::uint64_t GraphReader::dropped() const { return state_->dropped; }
std::uint64_t GraphReader::line() const { return state_->draft.line; }
const std::string& GraphReader::name() const { return state_->source.name(); }

void GraphReader::State::start() {
  if (format == Format::Auto) format = detect(source, options.directed);
  reader = row(format).read(source, options);
  if (!info(format).colors && !(options.node_color + options.edge_color).empty())
    note(source, options, std::string(info(format).name) + " has no attributes: its graphs have no colours");
}

bool GraphReader::next(Graph& graph) {
  State& s = *state_;
  if (!s.reader) s.start();
  while (true) {
    std::optional<InputError> error;
    try {
      if (!s.reader->next(s.draft)) return false;
      s.read(graph);
      return true;
    } catch (const GraphError& e) {
      error = s.explained(e);
      s.reader->reject();
    } catch (const ReadError&) {
      throw;
    } catch (const InputError& e) {
      error = e;
      if (s.options.keep_going) s.reader->skip_rest();
    } catch (const LineError& e) {
      error = InputError(s.source.name(), s.source.line_number(), e.column, e.reason);
      if (s.options.keep_going) s.reader->skip_rest();
    }
    if (!s.options.keep_going) throw *error;
    if (s.options.on_skip) s.options.on_skip(*error);
    ++s.skipped;
  }
}

void GraphReader::State::read(Graph& graph) {
  dropped += draft.dropped;
  if (options.simplify) simplify();
  graph = Graph(draft.data);
  ++graphs;
}

// The error in the words of the file: its line, its names of the nodes.
InputError GraphReader::State::explained(const GraphError& error) const {
  std::string reason = error.what();
  std::uint64_t line = draft.line;
  if (const auto i = error.edge(); i && *i < draft.data.edges.size()) {
    const Edge& e = draft.data.edges[*i];
    if (*i < draft.edge_lines.size()) line = draft.edge_lines[*i];
    if (e.u < draft.data.order && e.v < draft.data.order)
      reason = "edge " + draft.name(e.u) + "-" + draft.name(e.v) +
               (e.u == e.v ? " is a self-loop" : " is there twice") + " (--simplify drops it)";
  }
  if (!draft.place.empty()) return {source.name() + draft.place, reason};
  return {source.name(), line, 0, reason};
}

// Keeps the first of every set of equal edges; their colours must agree.
void GraphReader::State::simplify() {
  dropped += drop_repeats(draft.data, [this](Node v) { return draft.name(v); });
  draft.edge_lines.clear();  // indices have changed; no duplicate is left to name
}

std::vector<Graph> read_all(LineSource source, ReadOptions options) {
  GraphReader reader(std::move(source), std::move(options));
  std::vector<Graph> graphs;
  for (Graph graph; reader.next(graph);) graphs.push_back(graph);
  return graphs;
}

Graph graph_from_graph6(std::string_view text) {
  ReadOptions options;
  options.format = Format::Auto;
  GraphReader reader(LineSource::from_text("\"" + std::string(text) + "\"", text), options);
  Graph graph;
  if (!reader.next(graph)) throw InputError("\"" + std::string(text) + "\"", 1, 0, "no graph here");
  return graph;
}

void GraphWriter::write(const Graph& graph, std::string& out) {
  const Row& to = row(format_);
  const std::string name(to.info.name);
  if (!to.info.colors && (graph.node_colored() || graph.edge_colored()))
    throw GraphError(name + " cannot hold colours");
  if (graph.directed() && !to.info.directed) throw GraphError(name + " cannot hold a directed graph");
  if (to.write == nullptr) throw UsageError("write_graph: " + name + " is not written");
  const std::size_t before = out.size();
  if (!begun_) out += to.begin;
  try {
    to.write(graph, out);
  } catch (...) {
    out.resize(before);
    throw;
  }
  begun_ = true;
}

void GraphWriter::finish(std::string& out) {
  if (!begun_) out += row(format_).begin;
  out += row(format_).end;
}

void write_graph(const Graph& graph, Format format, std::string& out) {
  GraphWriter writer(format);
  writer.write(graph, out);
  writer.finish(out);
}

std::string to_graph6(const Graph& graph) {
  std::string out;
  write_graph(graph, graph.directed() ? Format::Digraph6 : Format::Graph6, out);
  out.pop_back();
  return out;
}

}  // namespace leman::wl
