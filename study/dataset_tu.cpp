// Labelled data sets in the format of the TU collection: DS_A.txt and its companions.
#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.hpp"
#include "study/dataset_builder.hpp"

namespace leman::study {

namespace {

// The lines of one file. Blank lines at its end are none.
class TuLines {
 public:
  explicit TuLines(wl::LineSource& source) : source_(source) {}
  bool next() {
    std::string_view line;
    do
      if (!source_.next(line)) return false;
    while (trimmed(line).empty() && rest_is_blank());
    cells_.clear();
    for (const std::string& cell : split(line, ',')) cells_.emplace_back(trimmed(cell));
    return true;
  }
  const std::vector<std::string>& cells() const { return cells_; }
  std::uint64_t line() const { return source_.line_number(); }
  std::uint64_t whole(std::size_t cell, std::uint64_t low, std::uint64_t high, const char* what) const {
    std::uint64_t value = 0;
    const std::string& text = cells_[cell];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
      fail("\"" + text.substr(0, 40) + "\" is not a " + what + " in " + std::to_string(low) + ".." +
           std::to_string(high));
    return value;
  }
  [[noreturn]] void fail(const std::string& reason) const { throw InputError(source_.name(), line(), 0, reason); }
  // What is wrong with the number of lines.
  void demand_end(std::uint64_t lines, const std::string& what) {
    if (next()) fail("more lines than " + what + " (" + std::to_string(lines) + ")");
  }

 private:
  bool rest_is_blank() {
    const std::string_view more = source_.opening();
    if (!trimmed(more.substr(0, more.find('\n'))).empty()) fail("an empty line");
    return true;
  }
  wl::LineSource& source_;
  std::vector<std::string> cells_;
};

[[noreturn]] void too_short(const wl::LineSource& source, std::uint64_t lines, std::uint64_t wanted,
                            const std::string& what) {
  throw InputError(source.name(), std::to_string(lines) + " lines for " + std::to_string(wanted) + " " + what);
}

// A row of whole numbers per node or edge as one colour: its rank among all rows.
std::vector<wl::Color> read_colors(wl::LineSource& source, std::uint64_t wanted, const std::string& what) {
  TuLines lines(source);
  std::map<std::vector<std::int64_t>, wl::Color> rank;
  std::vector<const std::vector<std::int64_t>*> rows;
  for (std::vector<std::int64_t> row; rows.size() < wanted; row.clear()) {
    if (!lines.next()) too_short(source, rows.size(), wanted, what);
    for (const std::string& cell : lines.cells()) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size())
        lines.fail("\"" + cell.substr(0, 40) + "\" is not a whole number");
      row.push_back(value);
    }
    rows.push_back(&rank.try_emplace(row, 0).first->first);
  }
  lines.demand_end(wanted, what);
  wl::Color next = 0;
  for (auto& entry : rank) entry.second = next++;
  std::vector<wl::Color> colors;
  for (const auto* row : rows) colors.push_back(rank.at(*row));
  return colors;
}

struct Member {
  std::uint64_t graph = 0;
  wl::Node node = 0;  // within the graph
};

// Which graph every node belongs to. Nodes of a graph are numbered in the order of the file.
std::vector<Member> read_members(wl::LineSource& source, std::vector<wl::Node>& orders) {
  TuLines lines(source);
  std::vector<Member> members;
  std::map<std::uint64_t, std::uint64_t> first;  // line
  while (lines.next()) {
    if (lines.cells().size() != 1) lines.fail("more than one number");
    const std::uint64_t graph = lines.whole(0, 1, UINT32_MAX, "graph");
    first.try_emplace(graph, lines.line());
    members.push_back({graph - 1, 0});
  }
  if (members.empty()) throw InputError(source.name(), "there is no node");
  if (first.rbegin()->first != first.size())
    throw InputError(source.name(), first.rbegin()->second, 0,
                     "graph " + std::to_string(first.rbegin()->first) + ", but only " + std::to_string(first.size()) +
                         " graphs have nodes");
  orders.assign(first.size(), 0);
  for (Member& member : members) member.node = orders[member.graph]++;
  return members;
}

struct TuEdge {
  std::uint64_t graph = 0, line = 0;
  wl::Edge edge;
};

std::vector<TuEdge> read_edges(wl::LineSource& source, const std::vector<Member>& members) {
  TuLines lines(source);
  std::vector<TuEdge> edges;
  while (lines.next()) {
    if (lines.cells().size() != 2) lines.fail("not two nodes with a comma between");
    const Member& from = members[lines.whole(0, 1, members.size(), "node") - 1];
    const Member& to = members[lines.whole(1, 1, members.size(), "node") - 1];
    if (from.graph != to.graph)
      lines.fail("an edge from graph " + std::to_string(from.graph + 1) + " to graph " + std::to_string(to.graph + 1));
    edges.push_back({from.graph, lines.line(), {from.node, to.node, 0}});
  }
  return edges;
}

// Without --directed and --undirected every edge must be there in both directions; one of them stays.
void keep_one_direction(std::vector<TuEdge>& edges, const std::string& file) {
  auto key = [](const TuEdge& e) {
    return std::tuple(e.graph, std::min(e.edge.u, e.edge.v), std::max(e.edge.u, e.edge.v), e.edge.u > e.edge.v);
  };
  std::stable_sort(edges.begin(), edges.end(), [&](const TuEdge& a, const TuEdge& b) { return key(a) < key(b); });
  std::vector<TuEdge> kept;
  for (std::size_t k = 0; k < edges.size();) {
    const TuEdge& e = edges[k];
    std::size_t end = k, forth = 0;
    for (; end < edges.size() && edges[end].graph == e.graph &&
           std::minmax(edges[end].edge.u, edges[end].edge.v) == std::minmax(e.edge.u, e.edge.v);
         ++end)
      forth += edges[end].edge.u <= edges[end].edge.v;
    const std::size_t back = end - k - forth;
    if (e.edge.u != e.edge.v && forth != back)
      throw InputError(
          file, e.line, 0,
          "this edge has no reverse: --undirected if every edge stands here once, --directed if it is an arc");
    for (std::size_t i = 0; i < std::max<std::size_t>(forth, 1); ++i) kept.push_back(edges[k + i]);
    for (std::size_t i = k; i < end; ++i)
      if (edges[i].edge.color != e.edge.color)
        throw InputError(file, edges[i].line, 0, "this edge has another label than on line " + std::to_string(e.line));
    k = end;
  }
  edges = std::move(kept);
}

void read_labels(DatasetBuilder& builder, wl::LineSource& source, std::uint64_t wanted, const std::string& what) {
  TuLines lines(source);
  DatasetBuilder place(source.name(), builder.options());  // names the file of the labels
  for (std::uint64_t k = 0; k < wanted; ++k) {
    if (!lines.next()) too_short(source, k, wanted, what);
    place.add_labels(lines.cells(), lines.line());
  }
  lines.demand_end(wanted, what);
  builder.data().columns = std::move(place.data().columns);
}

void add_graphs(DatasetBuilder& builder, std::vector<TuEdge> edges, const std::vector<Member>& members,
                const std::vector<wl::Node>& orders, const std::vector<wl::Color>& colors) {
  std::vector<wl::GraphData> graphs(orders.size());
  std::vector<std::vector<std::uint64_t>> lines(orders.size());
  for (std::size_t g = 0; g < graphs.size(); ++g)
    graphs[g].order = orders[g], graphs[g].directed = builder.options().directed;
  for (std::size_t v = 0; v < colors.size(); ++v) graphs[members[v].graph].node_colors.push_back(colors[v]);
  for (const TuEdge& e : edges) graphs[e.graph].edges.push_back(e.edge), lines[e.graph].push_back(e.line);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    builder.add_graph(std::move(graphs[g]), 0, lines[g]);
    builder.data().places.back() = g + 1;
  }
}

}  // namespace

Dataset read_tu(TuSources sources, const DatasetOptions& options) {
  DatasetBuilder builder(sources.edges.name(), options);
  builder.data().node_labels = options.labels == DatasetOptions::Labels::Node;
  std::vector<wl::Node> orders;
  const std::vector<Member> members = read_members(sources.graph_of_node, orders);
  std::vector<TuEdge> edges = read_edges(sources.edges, members);
  if (sources.edge_labels) {
    const auto colors = read_colors(*sources.edge_labels, edges.size(), "edges");
    for (std::size_t k = 0; k < edges.size(); ++k) edges[k].edge.color = colors[k];
  }
  if (!options.directed && !options.undirected) keep_one_direction(edges, builder.file());
  std::vector<wl::Color> colors;
  const bool values = sources.graph_attributes && (options.attributes || !sources.graph_labels);
  if (builder.data().node_labels) {
    if (!sources.node_labels) builder.fail(0, "there is no file of node labels beside it");
    read_labels(builder, *sources.node_labels, members.size(), "nodes");
  } else {
    if (sources.node_labels) colors = read_colors(*sources.node_labels, members.size(), "nodes");
    auto& labels = values ? sources.graph_attributes : sources.graph_labels;
    if (!labels) builder.fail(0, "there is neither a file of graph labels nor of graph attributes beside it");
    read_labels(builder, *labels, orders.size(), "graphs");
  }
  add_graphs(builder, std::move(edges), members, orders, colors);
  return builder.finish(values ? "TU format, graph attributes" : "TU format");
}

}  // namespace leman::study
