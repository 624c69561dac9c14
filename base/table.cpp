#include "base/table.hpp"

#include <algorithm>

#include "base/csv.hpp"
#include "base/text.hpp"

namespace leman {

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {
  for (std::string& name : header_) {
    right_.push_back(name.starts_with('>'));
    if (right_.back()) name.erase(0, 1);
  }
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (const auto& name : header_) widths.push_back(width_of(name));
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  return widths;
}

std::size_t Table::width() const {
  std::size_t sum = 0;
  for (const std::size_t width : widths()) sum += width + 2;
  return sum < 2 ? 0 : sum - 2;
}

std::string Table::text() const {
  const std::vector<std::size_t> width = widths();
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string pad(width[i] - width_of(cells[i]), ' ');
      row += (i == 0 ? "" : "  ") + (right_[i] ? pad + cells[i] : cells[i] + pad);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  };
  line(header_);
  for (const auto& cells : rows_) line(cells);
  return out;
}

std::string Table::csv() const {
  std::vector<CsvRow> all{header_};
  all.insert(all.end(), rows_.begin(), rows_.end());
  return to_csv(all);
}

}  // namespace leman
