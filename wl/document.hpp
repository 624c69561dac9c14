// Graphs of a file that is read as a whole: nodes have names, or numbers that count from one, and nodes and
// edges have attributes. A parser of a format tells a Document what it sees, in the order of the file, and
// DocumentReader hands the graphs out. Internal to wl/formats*.
//
// Which attribute is a colour is said by ReadOptions::node_color and edge_color. Others cost no memory.
// If all its values in the file are whole numbers 0..4294967295, these are the colours. Otherwise the distinct
// values are numbered from 1 in ascending order, numbers before texts, and what has no value gets 0. So
// colours depend on the values in the file only, not on the order of nodes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wl/format_reader.hpp"
#include "wl/formats_edgelist.hpp"

namespace leman::wl {

// The value of an attribute: a number or a text.
struct Value {
  bool is_text = false;
  double number = 0;
  std::string text;  // of a text, and of a whole number that has no exact double

  // A number if the text is one (1, 1.0 and 1e0 are one value; 01 is a text), else a text.
  static Value parsed(std::string_view text);
  // What the file says is a string: a number only if it is written as whole numbers are, without
  // leading zeros, so that different strings are different values.
  static Value quoted(std::string_view text);
  friend auto operator<=>(const Value&, const Value&) = default;
};

// The attribute of nodes, or that of edges, that is their colour.
class ColorAttribute {
 public:
  ColorAttribute(std::string what, const std::string& wanted) : what_(std::move(what)), wanted_(wanted) {}

  bool take(std::string_view name);  // told of every attribute; true if its value is wanted
  std::uint32_t number(const Value& value);
  // Once all values are known. Colours of the numbers above; number 0 has colour 0.
  void finish();
  Color color(std::uint32_t number) const { return number == 0 ? 0 : colors_[number - 1]; }
  std::string remark() const;  // what a user may want to know, or nothing

 private:
  bool all_small() const;

  std::string what_;  // "node" or "edge"
  const std::string& wanted_;
  std::map<Value, std::uint32_t> values_;     // numbered by first appearance, from 1
  std::vector<Color> colors_;                 // by number - 1
  std::set<std::string, std::less<>> names_;  // some of the attributes that there are
  bool numbered_ = false;                     // colours are not the values themselves
};

// A graph as it was parsed.
struct Parsed {
  GraphData data;  // colours are numbers of ColorAttribute
  std::vector<std::uint64_t> edge_lines;
  std::vector<std::string> names;
  std::uint64_t line = 0;
  Node base = 0;
  bool merge = false;
  std::optional<InputError> error;
};

class Document {
 public:
  Document(LineSource& source, const ReadOptions& options);

  const ReadOptions& options() const { return options_; }
  const std::string& file() const { return source_.name(); }
  std::string_view text() const { return text_; }
  ColorAttribute& node_color() { return node_color_; }
  ColorAttribute& edge_color() { return edge_color_; }

  // Positions in the text are offsets of bytes.
  [[noreturn]] void fail(std::size_t at, const std::string& reason);  // nothing behind can be read
  void bad_graph(std::size_t at, const std::string& reason);  // the graph at hand is none; the first reason counts
  void note(const std::string& what) const { wl::note(source_, options_, what); }

  void begin(std::size_t at);  // a graph
  void set_directed(bool directed) { graph_->data.directed = directed; }
  void set_order(Node order, Node base);        // nodes are numbered from `base` on
  void merge_edges() { graph_->merge = true; }  // of equal ends; the last colour counts
  // A node by its name: declared once, or mentioned by an edge or wherever.
  Node declare(std::string_view name, std::size_t at);
  Node mention(std::string_view name, std::size_t at);
  void set_color(Node node, std::uint32_t color);                          // a number of node_color()
  void add_edge(Node u, Node v, std::size_t at, std::uint32_t color = 0);  // a number of edge_color()
  const std::vector<Edge>& edges() const { return graph_->data.edges; }
  void color_last_edge(std::uint32_t color) { graph_->data.edges.back().color = color; }
  void keep_edges(bool (*keep)(const Edge&));
  // The names of all nodes are whole numbers, and the nodes are those. Throws LineError.
  void number_nodes(NodeIds& ids);
  // Mentioned nodes that are not declared are an error, or nodes behind those that are.
  void end(bool all_declared);
  std::size_t nodes() const { return nodes_.size(); }  // named so far
  void drop(const InputError& error);                  // instead of end: the graph cannot be read, but what follows can
  bool open() const { return graph_.has_value(); }     // between begin and end

  std::vector<Parsed>& graphs() { return graphs_; }

 private:
  struct Known {  // a node that has been named
    const std::string* name;
    std::size_t at;  // where it was first
    bool declared;
  };
  InputError error(std::size_t at, const std::string& reason);
  std::uint64_t line_of(std::size_t at);
  void order_nodes(bool all_declared);
  void forget_names();
  void merge();

  const LineSource& source_;
  const ReadOptions& options_;
  std::string_view text_;
  ColorAttribute node_color_, edge_color_;
  std::optional<Parsed> graph_;
  std::map<std::string, Node, std::less<>> by_name_;
  std::vector<Known> nodes_;
  std::vector<Parsed> graphs_;
  // line_of: where it was asked last, that line, and where the line begins. Positions mostly ascend.
  std::size_t seen_ = 0, line_start_ = 0;
  std::uint64_t lines_ = 1;
};

using Parse = void (*)(Document& document);

std::unique_ptr<FormatReader> read_document(LineSource& source, const ReadOptions& options, Parse parse);

}  // namespace leman::wl
