// Graph formats, one row of a table each (wl/formats.cpp; grammars in docs/formats.md). Formats of
// lines (graph6, sparse6, digraph6 of nauty, edge list, DIMACS, matrix) are read as a stream, one graph
// at a time, in the memory of one. Documents (GraphML, GML, DOT, JSON, ...) are read as a whole.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wl/graph.hpp"
#include "wl/line_source.hpp"

namespace leman::wl {

enum class Format {
  Auto,
  Graph6,
  Sparse6,
  Digraph6,
  EdgeList,
  Matrix,
  NetworkX,
  Dimacs,
  Metis,
  MatrixMarket,
  Npy,
  Json,
  Dot,
  Gml,
  GraphML
};

struct FormatInfo {
  Format format;
  std::string_view name, description;
  bool written = false, directed = false, colors = false;  // can be written; holds directions; holds colours
  bool many = false;                                       // a file may hold several graphs
  bool attributes = false;                                 // colours are attributes with names
};
std::vector<FormatInfo> formats();  // in the order of the enumeration
const FormatInfo& info(Format format);
Format format_named(std::string_view name);  // throws UsageError
std::vector<std::string> format_names(bool written);

struct ReadOptions {
  Format format = Format::Auto;
  bool directed = false;    // read arcs, unless the file says otherwise
  bool simplify = false;    // drop self-loops and repeated edges instead of refusing them
  bool relabel = false;     // edge lists: number the nodes that there are in ascending order of their ids
  bool keep_going = false;  // skip a bad graph and go on with the next
  // The attributes of nodes and edges that are their colours; empty: attributes are ignored. Values that
  // are all whole numbers (0..4294967295) are the colours. Otherwise the distinct values of the file
  // are numbered from 1 in ascending order, numbers before texts; without a value: 0.
  std::string node_color = {}, edge_color = {};
  // The largest order accepted. 0: 1000 + 1000 times the bytes that describe
  // the graph, so that ten bytes cannot ask for gigabytes.
  std::uint64_t max_nodes = 0;
  std::function<void(const InputError&)> on_skip = {};   // keep_going: told of every bad graph
  std::function<void(const std::string&)> on_note = {};  // told, once per source, what may be a surprise
};

class GraphReader {
 public:
  explicit GraphReader(LineSource source, ReadOptions options = {});
  GraphReader(GraphReader&&) noexcept;
  GraphReader& operator=(GraphReader&&) noexcept;
  ~GraphReader();

  // Reads the next graph; false at the end. Throws InputError on bad input,
  // unless keep_going. After a throw the reader is positioned after the bad graph.
  bool next(Graph& graph);

  Format format() const;  // Auto until the first line is seen
  std::uint64_t graphs() const;
  std::uint64_t skipped() const;
  std::uint64_t dropped() const;  // edges that simplify took out
  std::uint64_t line() const;     // the first line of the graph that next() read last
  const std::string& name() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// All graphs of a text, e.g. graph6 from the command line.
std::vector<Graph> read_all(LineSource source, ReadOptions options = {});
Graph graph_from_graph6(std::string_view text);  // graph6, sparse6 or digraph6

// Appends a file of this one graph. Files of lines are made of several such, one after the other. Throws
// GraphError if the format cannot hold the graph: directions, colours (info), or its size.
void write_graph(const Graph& graph, Format format, std::string& out);
std::string to_graph6(const Graph& graph);  // no line end; digraph6 if directed

// The same for a file of many graphs: GraphML begins and ends once.
class GraphWriter {
 public:
  explicit GraphWriter(Format format) : format_(format) {}
  void write(const Graph& graph, std::string& out);  // as write_graph; nothing is appended if it throws
  void finish(std::string& out);

 private:
  Format format_;
  bool begun_ = false;
};

// "GEXF is not read; formats that are: graph6, ..."
std::string not_read(std::string_view what);

}  // namespace leman::wl
