// Graph formats: graph6, sparse6 (incremental too) and digraph6 as nauty's
// formats.txt defines them, edge list, DIMACS, adjacency matrix (grammars in
// docs/formats.md). Graphs are read as a stream, one at a time, in the memory of one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wl/graph.hpp"
#include "wl/line_source.hpp"

namespace leman::wl {

enum class Format { Auto, Graph6, Sparse6, Digraph6, EdgeList, Dimacs, Matrix };

struct FormatInfo {
  Format format;
  std::string_view name;
  bool written, directed, colors;  // can be written; holds directions; holds colours
};
const std::vector<FormatInfo>& formats();  // in the order of the enumeration
const FormatInfo& info(Format format);
Format format_named(std::string_view name);  // throws UsageError
std::vector<std::string> format_names(bool written);

struct ReadOptions {
  Format format = Format::Auto;
  bool directed = false;    // edge list and matrix: read arcs, unless the file says otherwise
  bool simplify = false;    // drop self-loops and repeated edges instead of refusing them
  bool keep_going = false;  // skip a bad graph and go on with the next
  // The largest order accepted. 0: 1000 + 1000 times the bytes that describe
  // the graph, so that ten bytes cannot ask for gigabytes.
  std::uint64_t max_nodes = 0;
  std::function<void(const InputError&)> on_skip;  // keep_going: told of every bad graph
};

class GraphReader {
 public:
  explicit GraphReader(LineSource source, ReadOptions options = {});

  // Reads the next graph; false at the end. Throws InputError on bad input,
  // unless keep_going. After a throw the reader is positioned after the bad graph.
  bool next(Graph& graph);

  Format format() const { return format_; }  // Auto until the first line is seen
  std::uint64_t graphs() const { return graphs_; }
  std::uint64_t skipped() const { return skipped_; }
  std::uint64_t dropped() const { return dropped_; }  // edges that simplify took out
  // The first line of the graph that next() read last.
  std::uint64_t line() const { return first_line_; }
  const std::string& name() const { return source_.name(); }

 private:
  bool parse_one();  // fills data_; false at the end of input
  bool parse_nauty_line();
  bool parse_edge_list();
  bool parse_dimacs();
  bool parse_matrix();
  std::uint64_t dimacs_problem(const std::vector<std::string_view>& fields, std::string_view line);
  void dimacs_line(const std::vector<std::string_view>& fields, std::string_view line);
  void edge_list_header(const std::vector<std::string_view>& fields, std::string_view line);
  void add_edge(const std::vector<std::string_view>& fields, std::size_t first, std::string_view line,
                std::uint64_t base);
  void color_node(const std::vector<std::string_view>& fields, std::string_view line, std::uint64_t base);
  std::uint64_t number(std::string_view field, std::string_view line, std::uint64_t low, std::uint64_t high,
                       const char* what) const;
  void check_order(std::uint64_t order, std::uint64_t column) const;
  void finish_nodes();
  void start_graph();
  void simplify();
  void skip_rest_of_graph();
  [[noreturn]] void fail(std::uint64_t column, std::string reason) const;

  LineSource source_;
  ReadOptions options_;
  Format format_ = Format::Auto;
  GraphData data_;                                              // the graph being read; its memory is reused
  GraphData base_;                                              // the previous graph, which an incremental line changes
  bool base_ok_ = false;                                        // base_ was read without error and is undirected
  std::vector<std::uint64_t> edge_lines_;                       // text formats: the line of each edge of data_
  std::vector<std::pair<std::uint64_t, Color>> colored_nodes_;  // text formats: as read
  bool order_known_ = false;                                    // text formats: a header has given the order
  std::uint64_t bytes_ = 0;                                     // bytes read so far of the current graph
  std::uint64_t first_line_ = 0;
  std::uint64_t graphs_ = 0, skipped_ = 0, dropped_ = 0;
};

// All graphs of a text, e.g. graph6 from the command line.
std::vector<Graph> read_all(LineSource source, ReadOptions options = {});
Graph graph_from_graph6(std::string_view text);  // graph6, sparse6 or digraph6

// Appends one graph with its line end. Throws GraphError if the format cannot
// hold it: directions (graph6, sparse6), colours (all except edge list and DIMACS).
void write_graph(const Graph& graph, Format format, std::string& out);
std::string to_graph6(const Graph& graph);  // no line end; digraph6 if directed

}  // namespace leman::wl
