#include "wl/formats_graphml.hpp"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <optional>

#include "wl/document.hpp"

namespace leman::wl {

namespace {

constexpr int kDepth = 1000;

struct Key {  // <key>: an attribute
  std::string name;
  bool of_nodes = false, of_edges = false, is_string = false;

  Value value(std::string_view text) const { return is_string ? Value::quoted(text) : Value::parsed(text); }
};

struct Freed {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};

// What an element is in; attributes of its start tag.
class Attributes {
 public:
  explicit Attributes(const XML_Char** list) : list_(list) {}
  std::optional<std::string_view> operator[](std::string_view name) const {
    for (const XML_Char** at = list_; at[0] != nullptr; at += 2)
      if (name == at[0]) return at[1];
    return std::nullopt;
  }

 private:
  const XML_Char** list_;
};

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), expat_(XML_ParserCreate(nullptr)) {
    XML_SetUserData(expat_.get(), this);
    XML_SetElementHandler(expat_.get(), on_start, on_end);
    XML_SetCharacterDataHandler(expat_.get(), on_text);
    XML_SetEntityDeclHandler(expat_.get(), on_entity);
  }

  void run() {
    constexpr std::size_t kPiece = std::size_t{1} << 30;  // expat counts in int
    const std::string_view text = document_.text();
    for (std::size_t at = 0; at < text.size() || at == 0; at += kPiece) {
      const std::string_view piece = text.substr(at, kPiece);
      const bool last = at + piece.size() == text.size();
      const auto status = XML_Parse(expat_.get(), piece.data(), static_cast<int>(piece.size()), last);
      if (error_) std::rethrow_exception(error_);
      if (status != XML_STATUS_OK)
        document_.fail(position(), std::string("XML: ") + XML_ErrorString(XML_GetErrorCode(expat_.get())));
    }
  }

 private:
  // expat is C: an exception must not pass through it.
  template <class Do>
  static void guarded(void* self, Do action) {
    auto& parser = *static_cast<Parser*>(self);
    if (parser.error_) return;
    try {
      action(parser);
    } catch (...) {
      parser.error_ = std::current_exception();
      XML_StopParser(parser.expat_.get(), XML_FALSE);
    }
  }
  static void on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    guarded(self, [&](Parser& parser) { parser.start(name, Attributes(attributes)); });
  }
  static void on_end(void* self, const XML_Char*) {
    guarded(self, [](Parser& parser) { parser.end(); });
  }
  static void on_text(void* self, const XML_Char* text, int length) {
    guarded(self, [&](Parser& parser) { parser.text(text, static_cast<std::size_t>(length)); });
  }
  static void on_entity(void* self, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
                        const XML_Char*, const XML_Char*) {
    guarded(self, [](Parser& parser) { parser.fail("declarations of entities are not read"); });
  }

  std::size_t position() const { return static_cast<std::size_t>(XML_GetCurrentByteIndex(expat_.get())); }
  [[noreturn]] void fail(const std::string& reason) { document_.fail(position(), reason); }

  void start(std::string_view name, const Attributes& attributes) {
    if (++depth_ > kDepth) fail("elements are more than " + std::to_string(kDepth) + " deep");
    if (depth_ == 1) return root(name);
    if (!name.starts_with(prefix_)) return;
    name.remove_prefix(prefix_.size());
    if (name == "key")
      key(attributes);
    else if (name == "default" && !key_.empty())
      collect();
    else if (name == "graph")
      graph(attributes);
    else if (name == "node")
      node(attributes);
    else if (name == "edge")
      edge(attributes);
    else if (name == "data")
      data(attributes);
    else if (name == "hyperedge")
      fail("hyperedges are not read");
  }

  void root(std::string_view name) {
    const auto colon = name.find(':');
    if (colon != name.npos) prefix_ = name.substr(0, colon + 1);
    if (name.substr(prefix_.size()) != "graphml")
      fail(not_read("XML whose root is <" + std::string(name.substr(0, 40)) + ">"));
  }

  void key(const Attributes& attributes) {
    const auto id = attributes["id"];
    if (!id) fail("a <key> without id");
    key_ = *id;
    key_depth_ = depth_;
    Key& key = keys_[key_];
    const std::string_view domain = attributes["for"].value_or("all");
    key.name = attributes["attr.name"].value_or(*id);
    key.of_nodes = domain == "node" || domain == "all";
    key.of_edges = domain == "edge" || domain == "all";
    key.is_string = attributes["attr.type"] == "string";
  }

  void graph(const Attributes& attributes) {
    if (document_.open()) fail("a graph in a graph is not read");
    document_.begin(position());
    graph_depth_ = depth_;
    directed_.reset();
    const auto direction = attributes["edgedefault"];
    if (direction && direction != "directed" && direction != "undirected")
      fail("edgedefault is directed or undirected");
    default_directed_ = direction ? direction == "directed" : document_.options().directed;
  }

  void node(const Attributes& attributes) {
    const auto id = attributes["id"];
    if (!document_.open() || !id) fail("a <node> without id, or outside of a <graph>");
    node_ = document_.declare(*id, position());
    edge_ = false;
    owner_depth_ = depth_;
    if (node_default_ != 0) document_.set_color(*node_, node_default_);
  }

  void edge(const Attributes& attributes) {
    const auto source = attributes["source"], target = attributes["target"], directed = attributes["directed"];
    if (!document_.open() || !source || !target) fail("an <edge> without source or target, or outside of a <graph>");
    const bool arc = directed ? directed == "true" || directed == "1" : default_directed_;
    if (directed_.value_or(arc) != arc) document_.bad_graph(position(), "directed and undirected edges in one graph");
    directed_ = arc;
    const Node u = document_.mention(*source, position()), v = document_.mention(*target, position());
    document_.add_edge(u, v, position());
    edge_ = true;
    node_.reset();
    owner_depth_ = depth_;
    document_.color_last_edge(edge_default_);
  }

  // Only of what is a colour the text is kept.
  void data(const Attributes& attributes) {
    if (depth_ != owner_depth_ + 1 || (!node_ && !edge_)) return;
    const auto found = keys_.find(attributes["key"].value_or(""));
    if (found == keys_.end()) fail("<data> whose key is not declared");
    data_key_ = &found->second;
    ColorAttribute& color = node_ ? document_.node_color() : document_.edge_color();
    if (color.take(data_key_->name)) collect();
  }

  void collect() {
    text_.clear();
    text_depth_ = depth_;
  }

  void text(const XML_Char* text, std::size_t length) {
    if (text_depth_ == depth_) text_.append(text, length);
  }

  void set_default(const Key& key) {
    if (key.of_nodes && document_.node_color().take(key.name))
      node_default_ = document_.node_color().number(key.value(text_));
    if (key.of_edges && document_.edge_color().take(key.name))
      edge_default_ = document_.edge_color().number(key.value(text_));
  }

  void end() {
    if (text_depth_ == depth_) {
      if (!key_.empty())
        set_default(keys_[key_]);
      else if (node_)
        document_.set_color(*node_, document_.node_color().number(data_key_->value(text_)));
      else
        document_.color_last_edge(document_.edge_color().number(data_key_->value(text_)));
      text_depth_ = 0;
    }
    if (depth_ == key_depth_) key_.clear(), key_depth_ = 0;
    if (depth_ == owner_depth_) node_.reset(), edge_ = false, owner_depth_ = 0;
    if (depth_ == graph_depth_) {
      document_.set_directed(directed_.value_or(default_directed_));
      document_.end(true);
      graph_depth_ = 0;
    }
    --depth_;
  }

  Document& document_;
  std::unique_ptr<XML_ParserStruct, Freed> expat_;
  std::exception_ptr error_;
  std::string prefix_;  // of GraphML's elements, with the colon
  std::map<std::string, Key, std::less<>> keys_;
  int depth_ = 0;
  // Depths of the elements that are open, 0: none.
  int key_depth_ = 0, graph_depth_ = 0, owner_depth_ = 0, text_depth_ = 0;
  std::string key_;           // <key>
  std::optional<Node> node_;  // <node>, or
  bool edge_ = false;         // <edge>
  const Key* data_key_ = nullptr;
  std::string text_;
  std::uint32_t node_default_ = 0, edge_default_ = 0;  // colours of what has no data of its own
  bool default_directed_ = false;
  std::optional<bool> directed_;  // the edges so far
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

bool is_graphml(const Opening& opening) {
  std::string_view text = opening.text;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto at = text.find_first_not_of(" \t\r\n");
  return at != text.npos && text[at] == '<';
}

std::unique_ptr<FormatReader> read_graphml(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

void write_graphml(const Graph& graph, std::string& out) {
  const auto close = [&](const char* element, bool colored, Color color) {
    const std::string name(element);
    if (colored)
      out += "><data key=\"" + name + "_color\">" + std::to_string(color) + "</data></" + name + ">\n";
    else
      out += "/>\n";
  };
  out += graph.directed() ? "<graph edgedefault=\"directed\">\n" : "<graph edgedefault=\"undirected\">\n";
  for (Node v = 0; v < graph.order(); ++v) {
    out += "<node id=\"" + std::to_string(v) + "\"";
    close("node", graph.node_colored(), graph.node_color(v));
  }
  for (const Edge& e : graph.edges()) {
    out += "<edge source=\"" + std::to_string(e.u) + "\" target=\"" + std::to_string(e.v) + "\"";
    close("edge", graph.edge_colored(), e.color);
  }
  out += "</graph>\n";
}

}  // namespace leman::wl
