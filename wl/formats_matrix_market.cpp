#include <algorithm>
#include <array>
#include <optional>

#include "base/text.hpp"
#include "wl/document.hpp"
#include "wl/formats_sparse.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

constexpr std::string_view kBanner = "%%matrixmarket";

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), lines_(document.text()) {}

  void run() {
    try {
      banner();
      size();
      if (array_)
        read_array();
      else
        read_entries();
      if (next_line()) throw LineError{1, "a line behind the last entry"};
    } catch (const LineError& e) {
      document_.fail(lines_.at() + std::max<std::uint64_t>(e.column, 1) - 1, e.reason);
    }
    decide_direction();
    document_.end(false);
  }

 private:
  // %%MatrixMarket matrix coordinate|array pattern|integer|real general|symmetric
  void banner() {
    std::string_view line;
    lines_.next(line);
    fields_.cut(line);
    document_.begin(0);
    if (fields_.size() != 5 || lower_case(fields_[0]) != kBanner || lower_case(fields_[1]) != "matrix")
      throw LineError{1, "expected %%MatrixMarket matrix, and what kind of"};
    array_ = word(2, {"coordinate", "array"}) == "array";
    pattern_ = word(3, {"pattern", "integer", "real"}) == "pattern";
    symmetric_ = word(4, {"general", "symmetric"}) == "symmetric";
    if (array_ && pattern_) throw LineError{fields_.column(3), "an array has values"};
  }

  std::string word(std::size_t i, const std::vector<std::string>& known) const {
    const std::string word = lower_case(fields_[i]);
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw LineError{fields_.column(i), fields_.quoted(i) + " is not read, only " + join(known)};
    return word;
  }

  bool next_line() {
    for (std::string_view line; lines_.next(line);) {
      fields_.cut(line);
      if (!fields_.empty() && !line.starts_with('%')) return true;
    }
    return false;
  }

  void size() {
    const std::size_t expected = array_ ? 2 : 3;
    if (!next_line()) throw LineError{1, "there is no line with the size"};
    if (fields_.size() != expected)
      throw LineError{1, array_ ? "a size is: ROWS COLUMNS" : "a size is: ROWS COLUMNS ENTRIES"};
    order_ = fields_.number(0, 0, kMaxOrder, "number of rows");
    if (fields_.number(1, 0, kMaxOrder, "number of columns") != order_)
      throw LineError{fields_.column(1), "the matrix of a graph has as many columns as rows"};
    entries_ = array_ ? 0 : fields_.number(2, 0, UINT64_MAX, "number of entries");
    check_order(order_, document_.text().size(), 1, document_.options());
    document_.set_order(static_cast<Node>(order_), 1);
  }

  // A symmetric matrix has its lower triangle only.
  void read_entries() {
    for (std::uint64_t read = 0; read < entries_; ++read) {
      if (!next_line())
        throw LineError{
            1, "the size line says " + std::to_string(entries_) + " entries, the file has " + std::to_string(read)};
      if (fields_.size() != (pattern_ ? 2u : 3u))
        throw LineError{1, pattern_ ? "an entry is: ROW COLUMN" : "an entry is: ROW COLUMN VALUE"};
      if (order_ == 0) throw LineError{1, "an entry of a matrix without rows"};
      const auto row = static_cast<Node>(fields_.number(0, 1, order_, "row") - 1);
      const auto column = static_cast<Node>(fields_.number(1, 1, order_, "column") - 1);
      add(row, column, pattern_ ? std::nullopt : std::optional(value(2)));
    }
  }

  void read_array() {  // column by column
    for (Node column = 0; column < order_; ++column)
      for (Node row = symmetric_ ? column : 0; row < order_; ++row) {
        if (!next_line()) throw LineError{1, "the file ends within column " + std::to_string(column + 1)};
        if (fields_.size() != 1) throw LineError{1, "one value per line is expected"};
        if (const Value entry = value(0); entry.number != 0) add(row, column, entry);
      }
  }

  Value value(std::size_t i) const {
    Value value = Value::parsed(fields_[i]);
    if (value.is_text) throw LineError{fields_.column(i), fields_.quoted(i) + " is not a number"};
    return value;
  }

  void add(Node row, Node column, const std::optional<Value>& value) {
    const bool wanted = value && document_.edge_color().take("weight");
    document_.add_edge(row, column, lines_.at(), wanted ? document_.edge_color().number(*value) : 0);
    if (symmetric_ && document_.options().directed && row != column)
      document_.add_edge(column, row, lines_.at(), document_.edges().back().color);
  }

  // A general matrix may be symmetric nevertheless.
  void decide_direction() {
    if (document_.options().directed) return document_.set_directed(true);
    if (symmetric_) return document_.set_directed(false);
    std::vector<Edge> forth = document_.edges(), back;
    for (const Edge& e : forth) back.push_back({e.v, e.u, e.color});
    std::sort(forth.begin(), forth.end());
    std::sort(back.begin(), back.end());
    const bool undirected = forth == back;
    document_.set_directed(!undirected);
    if (undirected) document_.keep_edges([](const Edge& e) { return e.u <= e.v; });
  }

  Document& document_;
  TextLines lines_;
  Fields fields_;
  bool array_ = false, pattern_ = false, symmetric_ = false;
  std::uint64_t order_ = 0, entries_ = 0;
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

bool is_matrix_market(const Opening& opening) { return lower_case(opening.text.substr(0, kBanner.size())) == kBanner; }

std::unique_ptr<FormatReader> read_matrix_market(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

}  // namespace leman::wl
