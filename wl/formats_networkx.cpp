#include "wl/formats_networkx.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/csv.hpp"
#include "wl/document.hpp"
#include "wl/formats_edgelist.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

// The first line of a CSV file that says which columns are the ends.
bool is_header(const std::vector<std::string_view>& fields) {
  constexpr std::array<std::pair<const char*, const char*>, 3> kEnds{
      {{"source", "target"}, {"from", "to"}, {"src", "dst"}}};
  return fields.size() >= 2 && std::any_of(kEnds.begin(), kEnds.end(), [&](const auto& ends) {
           return lower_case(fields[0]) == ends.first && lower_case(fields[1]) == ends.second;
         });
}

bool is_number(std::string_view field) { return !Value::parsed(field).is_text; }

// {'weight': 3, "name": 'x', 'list': [1, 2]}: a dictionary as Python prints it. Values end at a comma or
// brace outside of quotes and brackets, so that none of them needs to be understood.
class Dictionary {
 public:
  Dictionary(std::string_view line, std::size_t at) : line_(line), at_(at + 1) {}

  // Calls see(key, value) for each entry. Throws LineError.
  template <class See>
  void read(See see) {
    for (space(); at_ < line_.size() && line_[at_] != '}'; space()) {
      const std::string key = text();
      space();
      demand(':');
      space();
      see(key, value());
      space();
      if (at_ < line_.size() && line_[at_] == ',') ++at_;
    }
    demand('}');
    space();
    if (at_ != line_.size()) throw LineError{at_ + 1, "something stands behind the attributes"};
  }

 private:
  void space() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
  }
  void demand(char c) {
    if (at_ == line_.size() || line_[at_] != c)
      throw LineError{at_ + 1, std::string("expected ") + c + " in the attributes"};
    ++at_;
  }
  bool at_quote() const { return at_ < line_.size() && (line_[at_] == '\'' || line_[at_] == '"'); }

  // A string in quotes. Python escapes the quote and the backslash; other escapes stay as they are.
  std::string quoted() {
    const char quote = line_[at_++];
    std::string out;
    for (; at_ < line_.size() && line_[at_] != quote; ++at_) {
      const bool escape = line_[at_] == '\\' && at_ + 1 < line_.size();
      if (escape && (line_[at_ + 1] == '\\' || line_[at_ + 1] == '\'' || line_[at_ + 1] == '"')) ++at_;
      out += line_[at_];
    }
    demand(quote);
    return out;
  }

  std::string text() {  // a key
    if (at_quote()) return quoted();
    const auto from = at_;
    while (at_ < line_.size() && std::string_view(":,{} ").find(line_[at_]) == std::string_view::npos) ++at_;
    return std::string(line_.substr(from, at_ - from));
  }

  Value value() {
    if (at_quote()) return Value::quoted(quoted());
    const auto from = at_;
    for (std::size_t depth = 0; at_ < line_.size();) {
      const char c = line_[at_];
      if (at_quote()) {
        quoted();
        continue;
      }
      if (depth == 0 && (c == ',' || c == '}')) break;
      if (c == '[' || c == '(' || c == '{') ++depth;
      if (c == ']' || c == ')' || c == '}') --depth;
      ++at_;
    }
    return Value::parsed(unwrapped(line_.substr(from, at_ - from)));
  }

  // np.float64(0.5) -> 0.5, as NumPy 2 prints its numbers.
  static std::string_view unwrapped(std::string_view text) {
    const auto open = text.find('(');
    if (!text.starts_with("np.") || open == text.npos || !text.ends_with(')')) return text;
    return text.substr(open + 1, text.size() - open - 2);
  }

  std::string_view line_;
  std::size_t at_;
};

// Numbers with leading zeros are names, since 01 and 1 may be two nodes.
bool is_id(std::string_view name) { return is_whole_number(name) && (name.size() == 1 || name[0] != '0'); }

class Parser {
 public:
  explicit Parser(Document& document) : document_(document) {}

  void run() {
    TextLines lines(document_.text());
    bool first = true;
    for (std::string_view line; lines.next(line);) {
      if (is_blank_or_comment(line)) continue;
      at_ = lines.at();
      try {
        if (!std::exchange(first, false) || !read_header(line)) read_line(line);
      } catch (const LineError& e) {
        document_.fail(at_ + std::max<std::uint64_t>(e.column, 1) - 1, e.reason);
      }
    }
    if (!document_.open()) return;
    if (ids_) number();
    document_.end(false);
  }

 private:
  bool read_header(std::string_view line) {
    const auto fields = split_fields(line);
    if (!is_header(fields)) return false;
    csv_ = line.find(',') != line.npos;
    columns_ = cells(line);
    return true;
  }

  CsvRow cells(std::string_view line) const {
    if (csv_) {
      const auto rows = parse_csv(line, document_.file());
      return rows.empty() ? CsvRow{} : rows[0].cells;
    }
    const auto fields = split_fields(line);
    return {fields.begin(), fields.end()};
  }

  void read_line(std::string_view line) {
    color_ = 0;
    if (!columns_.empty()) return read_row(line);
    Fields fields;
    fields.cut(line);
    if (fields.size() < 2) throw LineError{1, "an edge is two nodes, this line has one field"};
    if (fields.size() > 2 && fields[2][0] == '{')
      Dictionary(line, fields.column(2) - 1).read([this](const std::string& key, const Value& value) {
        attribute(key, value);
      });
    else if (fields.size() == 3 && is_number(fields[2]))
      attribute("weight", Value::parsed(fields[2]));
    else if (fields.size() > 2)
      throw LineError{fields.column(2),
                      "behind an edge's nodes there may be a weight or attributes {'name': value}, not this"};
    add(fields[0], fields[1]);
  }

  void read_row(std::string_view line) {
    const CsvRow row = cells(line);
    if (row.size() < 2 || row.size() > columns_.size())
      throw LineError{
          1, "a row of " + std::to_string(row.size()) + " cells under a header of " + std::to_string(columns_.size())};
    for (std::size_t i = 2; i < row.size(); ++i)
      if (!row[i].empty()) attribute(columns_[i], Value::parsed(row[i]));
    add(row[0], row[1]);
  }

  void attribute(std::string_view name, const Value& value) {
    const bool none = value.is_text && value.text == "None";
    if (document_.edge_color().take(name) && !none) color_ = document_.edge_color().number(value);
  }

  void add(std::string_view u, std::string_view v) {
    if (!document_.open()) document_.begin(at_);
    ids_ = ids_ && is_id(u) && is_id(v);
    const Node from = document_.mention(u, at_), to = document_.mention(v, at_);
    document_.add_edge(from, to, at_, color_);
  }

  void number() {
    NodeIds ids(document_.options());
    document_.number_nodes(ids);
    if (const std::string remark = ids.remark(); !remark.empty()) document_.note(remark);
  }

  Document& document_;
  CsvRow columns_;           // of a header
  bool csv_ = false;         // its cells are separated by commas, and may be in quotes
  bool ids_ = true;          // all names are whole numbers
  std::size_t at_ = 0;       // where the line begins
  std::uint32_t color_ = 0;  // of the edge at hand
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

// Two nodes of which not both are numbers; or such that something follows that is no whole number.
bool is_networkx(const Opening& opening) {
  if (opening.lines.empty()) return false;
  const auto fields = split_fields(opening.lines[0]);
  if (fields.size() < 2 || fields[0] == "n" || fields[0] == "v") return false;
  if (is_header(fields)) return true;
  if (fields.size() > 2 && fields[2][0] == '{') return true;
  const bool names = !is_number(fields[0]) || !is_number(fields[1]);
  if (fields.size() == 2) return names;
  return fields.size() == 3 && is_number(fields[2]) && (names || !is_whole_number(fields[2]));
}

std::unique_ptr<FormatReader> read_networkx(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

}  // namespace leman::wl
