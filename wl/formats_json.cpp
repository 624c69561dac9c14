#include "wl/formats_json.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "wl/document.hpp"

namespace leman::wl {

namespace {

// An iterator over a text whose position can be seen from outside, so that an error can name it.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char** at = nullptr;  // null: the end
  const char* end = nullptr;

  const char* place() const { return at ? *at : end; }
  reference operator*() const { return **at; }
  Cursor& operator++() {
    ++*at;
    return *this;
  }
  Cursor operator++(int) {
    ++*at;
    return *this;
  }
  friend bool operator==(const Cursor& a, const Cursor& b) { return a.place() == b.place(); }
};

// A value that is an id or a colour.
struct Scalar {
  std::string text;  // as an id
  Value value;
};

// What the tokens stand in: the lists and objects of a graph, each of known depth.
enum class Where { Outside, List, Graph, Nodes, Node, Edges, Edge };

// The interface that nlohmann-json wants: one function per token, false to stop.
class Parser {
 public:
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  explicit Parser(Document& document)
      : document_(document), at_(document.text().data()), end_(at_ + document.text().size()) {}

  void run() {
    while (skip_space()) {
      const char* const begin = at_;
      const Cursor from{&at_, end_}, to{nullptr, end_};
      where_ = Where::Outside;
      if (nlohmann::json::sax_parse(from, to, this, nlohmann::json::input_format_t::json, false)) continue;
      if (!recover(begin)) throw *error_;
    }
  }

  bool null() { return scalar(std::nullopt); }
  bool boolean(bool value) {
    if (where_ == Where::Graph && skipped_ == 0 && key_ == "directed") document_.set_directed(value);
    return scalar(Scalar{value ? "true" : "false", Value{.is_text = true, .text = value ? "true" : "false"}});
  }
  bool number_integer(number_integer_t value) { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) { return number(std::to_string(value)); }
  bool number_float(number_float_t, const std::string& text) { return number(text); }
  bool string(std::string& text) { return scalar(Scalar{text, Value::quoted(text)}); }
  bool binary(binary_t&) { return true; }  // never in JSON

  bool start_object(std::size_t) {
    if (skipped_ > 0 || capturing()) return open();
    switch (where_) {
      case Where::Outside:
      case Where::List: in_list_ = where_ == Where::List; return begin_graph();
      case Where::Nodes:
      case Where::Edges: return begin_element(where_ == Where::Nodes ? Where::Node : Where::Edge);
      default: return open();
    }
  }
  bool start_array(std::size_t) {
    if (skipped_ > 0 || capturing()) return open();
    if (where_ == Where::Outside) return enter(Where::List);
    if (where_ == Where::Graph && key_ == "nodes") return enter(Where::Nodes);
    if (where_ == Where::Graph && (key_ == "links" || key_ == "edges")) return begin_edges();
    if (where_ == Where::List || where_ == Where::Edges)
      return stop(where_ == Where::List ? "a graph is an object in braces"
                                        : "an edge is an object with source and target");
    return open();
  }
  bool end_object() {
    if (skipped_ > 0) return close();
    if (where_ == Where::Node) return end_node();
    if (where_ == Where::Edge) return end_edge();
    return end_graph();
  }
  bool end_array() {
    if (skipped_ > 0) return close();
    return enter(where_ == Where::List ? Where::Outside : Where::Graph);
  }
  bool key(std::string& key) {
    if (skipped_ > 0) return true;
    key_ = key;
    if (where_ == Where::Graph && (key == "elements" || key == "adjacency"))
      return stop(not_read(key == "elements" ? "Cytoscape's JSON" : "networkx's JSON of adjacencies"));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& exception) {
    std::string reason = exception.what();  // [json.exception...] parse error at line 1, column 5: syntax error ...
    if (const auto colon = reason.find(": "); colon != reason.npos) reason.erase(0, colon + 2);
    return stop("JSON: " + reason.substr(0, 200));
  }

 private:
  bool skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
    return at_ != end_;
  }
  std::size_t position() const { return static_cast<std::size_t>(at_ - document_.text().data()); }

  bool stop(const std::string& reason) {
    try {
      document_.fail(position() - (at_ != document_.text().data()), reason);
    } catch (const InputError& e) {
      error_ = e;
    }
    return false;
  }

  // Where every line is a graph, a bad one costs that graph only.
  bool recover(const char* begin) {
    const char* const line_end = std::find(begin, end_, '\n');
    const char* const next = std::find_if(line_end, end_, [](char c) { return c != '\n' && c != '\r' && c != ' '; });
    if (in_list_ || where_ == Where::List || (next != end_ && *next != '{')) return false;
    document_.drop(*error_);
    skipped_ = 0;
    at_ = line_end;
    return true;
  }

  bool enter(Where where) {
    where_ = where;
    return true;
  }
  // A list or object inside of what is read. That of an id or a colour is taken as text.
  bool open() {
    if (skipped_++ == 0) opened_ = at_ - 1;
    return true;
  }
  bool close() {
    if (--skipped_ > 0 || !capturing()) return true;
    const std::string text = compact({opened_, static_cast<std::size_t>(at_ - opened_)});
    return scalar(Scalar{text, Value{.is_text = true, .text = text}});
  }
  bool capturing() const { return where_ == Where::Node || where_ == Where::Edge; }

  // JSON without the blanks between its tokens.
  static std::string compact(std::string_view json) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const char c = json[i];
      if (!quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) continue;
      out += c;
      if (quoted && c == '\\' && i + 1 < json.size()) out += json[++i];
      if (c == '"') quoted = !quoted;
    }
    return out;
  }

  bool begin_graph() {
    document_.begin(position() - 1);
    nodes_ = 0;
    has_edges_ = false;
    return enter(Where::Graph);
  }
  bool begin_edges() {
    if (has_edges_) return stop("a graph with both links and edges");
    has_edges_ = true;
    return enter(Where::Edges);
  }
  bool begin_element(Where where) {
    begun_ = position() - 1;
    id_.reset(), source_.reset(), target_.reset(), color_.reset();
    return enter(where);
  }

  bool number(const std::string& text) { return scalar(Scalar{text, Value::parsed(text)}); }

  bool scalar(std::optional<Scalar> value) {
    if (skipped_ > 0) return true;
    switch (where_) {
      case Where::Node: return node_entry(std::move(value));
      case Where::Edge: return edge_entry(std::move(value));
      case Where::Nodes: return bare_node(value);
      case Where::Edges: return stop("an edge is an object with source and target");
      case Where::Graph: return true;
      default: return stop("a graph is an object in braces");
    }
  }
  bool node_entry(std::optional<Scalar> entry) {
    if (key_ == "id")
      id_ = entry ? entry->text : "null";
    else if (document_.node_color().take(key_) && entry)
      color_ = entry->value;
    return true;
  }
  bool edge_entry(std::optional<Scalar> entry) {
    if (key_ == "source" || key_ == "target")
      (key_ == "source" ? source_ : target_) = entry ? entry->text : "null";
    else if (document_.edge_color().take(key_) && entry)
      color_ = entry->value;
    return true;
  }
  bool bare_node(const std::optional<Scalar>& id) {
    if (!id) return stop("null is no node");
    begin_element(Where::Node);
    id_ = id->text;
    return end_node();
  }
  bool end_node() {
    const std::string id = id_.value_or(std::to_string(nodes_));
    ++nodes_;
    const Node node = document_.declare(id, begun_);
    if (color_) document_.set_color(node, document_.node_color().number(*color_));
    return enter(Where::Nodes);
  }
  bool end_edge() {
    if (!source_ || !target_) return stop("an edge without source or target");
    const Node u = document_.mention(*source_, begun_), v = document_.mention(*target_, begun_);
    document_.add_edge(u, v, begun_, color_ ? document_.edge_color().number(*color_) : 0);
    return enter(Where::Edges);
  }
  bool end_graph() {
    if (!has_edges_) return stop("a graph without links or edges");
    document_.end(true);
    return enter(in_list_ ? Where::List : Where::Outside);
  }

  Document& document_;
  const char* at_;
  const char* end_;
  std::optional<InputError> error_;
  Where where_ = Where::Outside;
  bool in_list_ = false;
  std::string key_;          // the last one that was not skipped
  std::size_t skipped_ = 0;  // lists and objects that are open and not looked into
  const char* opened_ = nullptr;
  std::uint64_t nodes_ = 0;  // of the graph so far
  bool has_edges_ = false;
  std::size_t begun_ = 0;  // where the node or edge at hand begins
  std::optional<std::string> id_, source_, target_;
  std::optional<Value> color_;
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

// Braces and brackets, and then what no graph6 line has: a quote, a digit, or nothing between them.
bool is_json(const Opening& opening) {
  const auto at = opening.text.find_first_not_of(" \t\r\n");
  if (at == opening.text.npos || (opening.text[at] != '{' && opening.text[at] != '[')) return false;
  const auto inner = opening.text.find_first_not_of("{[ \t\r\n", at);
  if (inner == opening.text.npos) return true;
  const char c = opening.text[inner];
  const bool closed = (c == '}' || c == ']') && opening.whole &&
                      opening.text.find_first_not_of("}] \t\r\n", inner) == opening.text.npos;
  return c == '"' || c == '-' || (c >= '0' && c <= '9') || closed;
}

std::unique_ptr<FormatReader> read_json(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

void write_json(const Graph& graph, std::string& out) {
  const auto color = [](bool colored, Color c) { return (colored ? ", \"color\": " + std::to_string(c) : "") + "}"; };
  out += std::string("{\"directed\": ") + (graph.directed() ? "true" : "false") +
         ", \"multigraph\": false, \"graph\": {}, \"nodes\": [";
  for (Node v = 0; v < graph.order(); ++v)
    out +=
        (v == 0 ? "{\"id\": " : ", {\"id\": ") + std::to_string(v) + color(graph.node_colored(), graph.node_color(v));
  out += "], \"edges\": [";
  bool first = true;
  for (const Edge& e : graph.edges()) {
    out += (std::exchange(first, false) ? "{\"source\": " : ", {\"source\": ") + std::to_string(e.u) +
           ", \"target\": " + std::to_string(e.v) + color(graph.edge_colored(), e.color);
  }
  out += "]}\n";
}

}  // namespace leman::wl
