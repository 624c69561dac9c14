#include "base/csv.hpp"

#include "base/error.hpp"

namespace leman {

namespace {

void append_cell(const std::string& cell, std::string& out) {
  if (cell.find_first_of(",\"\n\r") == cell.npos) {
    out += cell;
    return;
  }
  out += '"';
  for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  out += '"';
}

}  // namespace

std::string to_csv(const std::vector<CsvRow>& rows) {
  std::string out;
  for (const CsvRow& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k) out += ',';
      append_cell(row[k], out);
    }
    if (row.size() == 1 && row[0].empty()) out += "\"\"";  // else it would be an empty line, which is no row
    out += '\n';
  }
  return out;
}

std::vector<CsvLine> parse_csv(std::string_view text, const std::string& file) {
  std::vector<CsvLine> rows;
  CsvLine now{1, {""}};
  std::size_t line = 1;
  bool quoted = false, any = false;
  auto end_row = [&] {
    if (any) rows.push_back(now);
    now = {line + 1, {""}};
    any = false;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '"' && at + 1 < text.size() && text[at + 1] == '"')
        now.cells.back() += text[++at];
      else if (c == '"')
        quoted = false;
      else
        now.cells.back() += c, line += c == '\n';
      continue;
    }
    if (c == '\n') {
      end_row();
      ++line;
    } else if (c == ',') {
      now.cells.emplace_back();
      any = true;
    } else if (c == '"' && now.cells.back().empty()) {
      quoted = any = true;
    } else if (c != '\r') {
      now.cells.back() += c;
      any = true;
    }
  }
  if (quoted) throw InputError(file, now.line, 0, "a quoted cell is not closed");
  end_row();
  return rows;
}

}  // namespace leman
