#include "wl/formats_gml.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "wl/document.hpp"

namespace leman::wl {

namespace {

enum class Kind { Key, Number, Text, Open, Close, End, Bad };

struct Token {
  Kind kind = Kind::End;
  std::string_view text;  // of a text, without its quotes
  std::size_t at = 0;
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  Token next() {
    skip();
    Token token{.text = {}, .at = at_};
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (c == '[' || c == ']') {
      ++at_;
      token.kind = c == '[' ? Kind::Open : Kind::Close;
    } else if (c == '"') {
      const auto close = text_.find('"', at_ + 1);
      token.kind = close == text_.npos ? Kind::Bad : Kind::Text;
      token.text = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close == text_.npos ? text_.size() : close + 1;
    } else {
      while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '[' && text_[at_] != ']') ++at_;
      token.text = text_.substr(token.at, at_ - token.at);
      token.kind = is_letter(c)                                      ? Kind::Key
                   : is_digit(c) || c == '-' || c == '+' || c == '.' ? Kind::Number
                                                                     : Kind::Bad;
    }
    return token;
  }

 private:
  void skip() {  // comments are lines that start with #
    while (at_ < text_.size()) {
      if (text_[at_] == '#' && (at_ == 0 || text_[at_ - 1] == '\n'))
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (is_space(text_[at_]))
        ++at_;
      else
        return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void append_utf8(std::uint32_t code, std::string& out) {
  const auto more = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    more(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    more(6), more(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    more(12), more(6), more(0);
  }
}

// &quot; &#228; and the like, as GML writes what is not plain ASCII.
std::string decoded(std::string_view text) {
  constexpr std::pair<std::string_view, char> kNamed[]{
      {"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&apos;", '\''}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto named = std::find_if(std::begin(kNamed), std::end(kNamed),
                                    [&](const auto& entity) { return rest.starts_with(entity.first); });
    std::uint32_t code = 0;
    const char* const stop = rest.data() + std::min<std::size_t>(rest.size(), 12);
    if (named != std::end(kNamed)) {
      out += named->second;
      at += named->first.size();
    } else if (auto [end, error] = std::from_chars(rest.data() + std::min<std::size_t>(rest.size(), 2), stop, code);
               rest.starts_with("&#") && error == std::errc() && end != stop && *end == ';' && code < 0x110000) {
      append_utf8(code, out);
      at += static_cast<std::size_t>(end - rest.data()) + 1;
    } else {
      out += text[at++];
    }
  }
  return out;
}

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), tokens_(document.text()) {}

  void run() {
    for (Token key = tokens_.next(); key.kind != Kind::End; key = tokens_.next()) {
      const Token value = value_of(key);
      if (value.kind == Kind::Open && key.text == "graph")
        graph(key.at);
      else if (value.kind == Kind::Open)
        skip_list(value.at);
    }
  }

 private:
  // The value behind a key. Throws if the key is none or has no value.
  Token value_of(const Token& key) {
    if (key.kind != Kind::Key) document_.fail(key.at, "expected a key, such as graph, node or edge");
    const Token value = tokens_.next();
    if (value.kind == Kind::Bad && document_.text()[value.at] == '"')
      document_.fail(value.at, "a text without its second quote");
    if (value.kind == Kind::Key || value.kind == Kind::Close || value.kind == Kind::End || value.kind == Kind::Bad)
      document_.fail(value.at, "expected the value of " + std::string(key.text.substr(0, 40)) +
                                   ": a number, a text in quotes, or a list in brackets");
    return value;
  }

  // The next key of a list, or nothing at its end; `open` is where the list begins.
  std::optional<Token> next_key(std::size_t open) {
    const Token key = tokens_.next();
    if (key.kind == Kind::End) document_.fail(open, "this list is not closed");
    if (key.kind == Kind::Close) return std::nullopt;
    return key;
  }

  void skip_list(std::size_t open) {
    for (std::size_t depth = 1; depth > 0;) {
      const auto key = next_key(open);
      if (!key)
        --depth;
      else if (value_of(*key).kind == Kind::Open)
        ++depth;
    }
  }

  void graph(std::size_t at) {
    document_.begin(at);
    while (const auto key = next_key(at)) {
      const Token value = value_of(*key);
      if (value.kind == Kind::Open && key->text == "node")
        node(key->at);
      else if (value.kind == Kind::Open && key->text == "edge")
        edge(key->at);
      else if (value.kind == Kind::Open)
        skip_list(value.at);
      else if (key->text == "directed")
        document_.set_directed(value.text != "0");
    }
    document_.end(true);
  }

  // The entries of a node or an edge; `take` is given those that are no lists.
  template <class Take>
  void entries(std::size_t at, Take take) {
    while (const auto key = next_key(at)) {
      const Token value = value_of(*key);
      if (value.kind == Kind::Open)
        skip_list(value.at);
      else
        take(key->text, value);
    }
  }

  static Value value(const Token& token) {
    return token.kind == Kind::Text ? Value::quoted(decoded(token.text)) : Value::parsed(token.text);
  }

  void node(std::size_t at) {
    std::optional<std::string_view> id;
    std::uint32_t color = 0;
    entries(at, [&](std::string_view key, const Token& token) {
      if (key == "id")
        id = token.text;
      else if (document_.node_color().take(key))
        color = document_.node_color().number(value(token));
    });
    if (!id) document_.fail(at, "a node without id");
    const Node node = document_.declare(*id, at);
    if (color != 0) document_.set_color(node, color);
  }

  void edge(std::size_t at) {
    std::optional<std::string_view> source, target;
    std::uint32_t color = 0;
    entries(at, [&](std::string_view key, const Token& token) {
      if (key == "source")
        source = token.text;
      else if (key == "target")
        target = token.text;
      else if (document_.edge_color().take(key))
        color = document_.edge_color().number(value(token));
    });
    if (!source || !target) document_.fail(at, "an edge without source or target");
    const Node u = document_.mention(*source, at), v = document_.mention(*target, at);
    document_.add_edge(u, v, at, color);
  }

  Document& document_;
  Tokens tokens_;
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

// Keys with values in front, such as Creator "...", and then graph [.
bool is_gml(const Opening& opening) {
  Tokens tokens(opening.text);
  while (true) {
    const Token key = tokens.next(), value = tokens.next();
    if (key.kind != Kind::Key) return false;
    if (value.kind == Kind::Open) return key.text == "graph";
    if (value.kind != Kind::Number && value.kind != Kind::Text) return false;
  }
}

std::unique_ptr<FormatReader> read_gml(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

}  // namespace leman::wl
