#include "wl/formats_dot.hpp"

#include <algorithm>
#include <optional>

#include "wl/document.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

enum class Kind { Id, Sign, End, Bad };  // signs: { } [ ] = ; , : -- ->

struct Token {
  Kind kind = Kind::End;
  std::string text;
  std::size_t at = 0;
  bool plain = false;   // an id that is not in quotes: it may be a keyword
  std::string problem;  // of a bad one

  bool is(std::string_view sign) const { return kind == Kind::Sign && text == sign; }
  bool is_word(std::string_view word) const { return plain && lower_case(text) == word; }
};

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

bool is_numeral(char c) { return (c >= '0' && c <= '9') || c == '.'; }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  Token next() {
    Token token;
    if (!skip(token)) return token;
    token.at = at_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    const std::string_view two = text_.substr(at_, 2);
    if (two == "--" || two == "->") {
      sign(two, token);
    } else if (c == '"') {
      quoted(token);
    } else if (c == '<') {
      html(token);
    } else if (is_name(c) || c == '.' || (c == '-' && at_ + 1 < text_.size() && is_numeral(text_[at_ + 1]))) {
      id(token);
    } else if (std::string_view("{}[]=;,:").find(c) != std::string_view::npos) {
      sign(two.substr(0, 1), token);
    } else {
      bad(token, "this begins no word of DOT");
    }
    return token;
  }

 private:
  static void bad(Token& token, const char* problem) {
    token.kind = Kind::Bad;
    token.problem = problem;
  }

  // Blanks, // and /* */, and lines that start with #, which a preprocessor leaves.
  bool skip(Token& token) {
    while (at_ < text_.size()) {
      const std::string_view two = text_.substr(at_, 2);
      const bool line_starts = at_ == 0 || text_[at_ - 1] == '\n';
      if (two == "//" || (text_[at_] == '#' && line_starts)) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (two == "/*") {
        token.at = at_;
        const auto close = text_.find("*/", at_ + 2);
        if (close == text_.npos) return bad(token, "a comment that is not closed"), false;
        at_ = close + 2;
      } else if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n') {
        ++at_;
      } else {
        break;
      }
    }
    return true;
  }

  void sign(std::string_view text, Token& token) {
    token.kind = Kind::Sign;
    token.text = text;
    at_ += text.size();
  }

  void id(Token& token) {
    const auto from = at_;
    if (text_[at_] == '-') ++at_;
    while (at_ < text_.size() && (is_name(text_[at_]) || text_[at_] == '.')) ++at_;
    token.kind = Kind::Id;
    token.text = text_.substr(from, at_ - from);
    token.plain = true;
  }

  // "a" + "b" is one string. \" is a quote, a backslash before a line end joins lines, others stay.
  void quoted(Token& token) {
    token.kind = Kind::Id;
    while (true) {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
        const std::string_view two = text_.substr(at_, 2);
        if (two == "\\\n") {
          ++at_;
          continue;
        }
        if (two == "\\\"" || two == "\\\\") ++at_;
        if (two == "\\\\") token.text += '\\';
        token.text += text_[at_];
      }
      if (at_ == text_.size()) return bad(token, "a text without its second quote");
      const auto behind = ++at_;
      Token ignored;
      if (!skip(ignored) || at_ == text_.size() || text_[at_] != '+') return void(at_ = behind);
      ++at_;
      if (!skip(ignored) || at_ == text_.size() || text_[at_] != '"')
        return bad(token, "expected a text in quotes behind +");
    }
  }

  void html(Token& token) {  // brackets are balanced
    const auto from = at_;
    std::size_t depth = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '<') ++depth;
      if (text_[at_] == '>' && --depth == 0) break;
    }
    if (at_ == text_.size()) return bad(token, "a text in < > that is not closed");
    token.kind = Kind::Id;
    token.text = text_.substr(from, ++at_ - from);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::size_t kDepth = 100;  // of subgraphs
constexpr std::uint64_t kEdgesPerByte = 100;

using Nodes = std::vector<Node>;

struct Defaults {  // the colours that node [...] and edge [...] have set, as numbers of ColorAttribute
  std::uint32_t node = 0, edge = 0;
};

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), tokens_(document.text()) { advance(); }

  void run() {
    while (token_.kind != Kind::End) graph();
  }

 private:
  void advance() {
    token_ = tokens_.next();
    if (token_.kind == Kind::Bad) document_.fail(token_.at, token_.problem);
  }
  [[noreturn]] void expected(const std::string& what) {
    document_.fail(token_.at,
                   "expected " + what +
                       (token_.kind == Kind::End ? ", the file ends" : ", not \"" + token_.text.substr(0, 40) + "\""));
  }
  bool take(std::string_view sign) {
    if (!token_.is(sign)) return false;
    advance();
    return true;
  }
  bool take_word(std::string_view word) {
    if (!token_.is_word(word)) return false;
    advance();
    return true;
  }
  void demand(std::string_view sign) {
    if (!take(sign)) expected(std::string(sign));
  }
  std::string take_id(const char* what) {
    if (token_.kind != Kind::Id) expected(what);
    std::string id = std::move(token_.text);
    advance();
    return id;
  }

  void graph() {
    document_.begin(token_.at);
    if (take_word("strict")) document_.merge_edges();
    directed_ = token_.is_word("digraph");
    if (!take_word("digraph") && !take_word("graph")) expected("graph or digraph");
    document_.set_directed(directed_);
    if (token_.kind == Kind::Id) advance();
    demand("{");
    Defaults defaults;
    statements(defaults, nullptr, 0);
    document_.end(false);
  }

  // Up to the closing brace. Nodes that are named are added to `members`, if there is such a list.
  void statements(Defaults& defaults, Nodes* members, std::size_t depth) {
    while (!take("}")) {
      if (take(";")) continue;
      statement(defaults, members, depth);
    }
  }

  void statement(Defaults& defaults, Nodes* members, std::size_t depth) {
    if (token_.is_word("graph") || token_.is_word("node") || token_.is_word("edge")) return set_defaults(defaults);
    const bool subgraph = token_.is("{") || token_.is_word("subgraph");
    Nodes left;
    if (subgraph) {
      left = this->subgraph(defaults, depth);
    } else {
      const std::size_t at = token_.at;
      std::string name = take_id("a node, an edge, a subgraph or }");
      if (take("=")) return void(take_id("a value"));
      left = {node(name, at, defaults)};
    }
    if (token_.is("--") || token_.is("->"))
      edges(left, defaults, depth);
    else if (token_.is("[") && !subgraph)
      attributes([&](std::string_view key, const Value& value) {
        if (document_.node_color().take(key)) document_.set_color(left[0], document_.node_color().number(value));
      });
    if (members) members->insert(members->end(), left.begin(), left.end());
  }

  void set_defaults(Defaults& defaults) {
    const std::string what = lower_case(token_.text);
    advance();
    if (!token_.is("[")) expected("[");
    attributes([&](std::string_view key, const Value& value) {
      if (what == "node" && document_.node_color().take(key)) defaults.node = document_.node_color().number(value);
      if (what == "edge" && document_.edge_color().take(key)) defaults.edge = document_.edge_color().number(value);
    });
  }

  // [a=b, c=d; e] and further such lists.
  template <class See>
  void attributes(See see) {
    while (take("[")) {
      while (!take("]")) {
        const std::string key = take_id("an attribute or ]");
        if (take("=")) see(key, Value::parsed(take_id("a value")));
        if (!take(",")) take(";");
      }
    }
  }

  // A node, with the default attribute if it is new, and an optional port.
  Node node(const std::string& name, std::size_t at, const Defaults& defaults) {
    const std::size_t before = document_.nodes();
    const Node node = document_.mention(name, at);
    if (document_.nodes() > before && defaults.node != 0) document_.set_color(node, defaults.node);
    for (int ports = 0; ports < 2 && take(":"); ++ports) take_id("a port");
    return node;
  }

  // Its nodes. Defaults that are set inside do not leave it.
  Nodes subgraph(const Defaults& outer, std::size_t depth) {
    const std::size_t at = token_.at;
    if (depth == kDepth) document_.fail(at, "subgraphs are more than " + std::to_string(kDepth) + " deep");
    if (take_word("subgraph") && token_.kind == Kind::Id) advance();
    if (!token_.is("{")) expected("{ (a subgraph is not read by its name alone)");
    advance();
    Defaults inner = outer;
    Nodes members;
    statements(inner, &members, depth + 1);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return members;
  }

  // left -- right -- ... [attributes]. All nodes end up in `left`.
  void edges(Nodes& left, const Defaults& defaults, std::size_t depth) {
    Nodes all = left;
    std::vector<std::pair<Nodes, std::size_t>> chain{{left, 0}};
    while (token_.is("--") || token_.is("->")) {
      if (token_.is("->") != directed_)
        document_.fail(token_.at,
                       directed_ ? "-- in a directed graph, which has ->" : "-> in an undirected graph, which has --");
      const std::size_t at = token_.at;
      advance();
      Nodes right;
      if (token_.is("{") || token_.is_word("subgraph")) {
        right = subgraph(defaults, depth);
      } else {
        const std::size_t from = token_.at;
        const std::string name = take_id("a node or a subgraph");
        right = {node(name, from, defaults)};
      }
      all.insert(all.end(), right.begin(), right.end());
      chain.emplace_back(std::move(right), at);
    }
    std::uint32_t color = defaults.edge;
    attributes([&](std::string_view key, const Value& value) {
      if (document_.edge_color().take(key)) color = document_.edge_color().number(value);
    });
    for (std::size_t i = 1; i < chain.size(); ++i) product(chain[i - 1].first, chain[i].first, chain[i].second, color);
    left = std::move(all);
  }

  void product(const Nodes& left, const Nodes& right, std::size_t at, std::uint32_t color) {
    edges_ += std::uint64_t{left.size()} * right.size();
    if (edges_ > 1000 + kEdgesPerByte * document_.text().size())
      document_.fail(at, "edges between subgraphs: " + std::to_string(edges_) + " edges are too many for " +
                             std::to_string(document_.text().size()) + " bytes");
    for (const Node u : left)
      for (const Node v : right) document_.add_edge(u, v, at, color);
  }

  Document& document_;
  Tokens tokens_;
  Token token_;
  bool directed_ = false;
  std::uint64_t edges_ = 0;  // of all graphs
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

// [strict] graph|digraph [ID] {
bool is_dot(const Opening& opening) {
  Tokens tokens(opening.text);
  Token token = tokens.next();
  if (token.is_word("strict")) token = tokens.next();
  if (!token.is_word("graph") && !token.is_word("digraph")) return false;
  token = tokens.next();
  if (token.kind == Kind::Id) token = tokens.next();
  return token.is("{");
}

std::unique_ptr<FormatReader> read_dot(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

void write_dot(const Graph& graph, std::string& out) {
  const auto color = [](Color c) { return " [color=" + std::to_string(c) + "]"; };
  out += graph.directed() ? "digraph {\n" : "graph {\n";
  for (Node v = 0; v < graph.order(); ++v)
    out += "  " + std::to_string(v) + (graph.node_colored() ? color(graph.node_color(v)) : "") + ";\n";
  const std::string arrow = graph.directed() ? " -> " : " -- ";
  for (const Edge& e : graph.edges())
    out +=
        "  " + std::to_string(e.u) + arrow + std::to_string(e.v) + (graph.edge_colored() ? color(e.color) : "") + ";\n";
  out += "}\n";
}

}  // namespace leman::wl
