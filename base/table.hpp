// Rows of text as columns for people, or as CSV.
#pragma once

#include <string>
#include <vector>

namespace leman {

class Table {
 public:
  explicit Table(std::vector<std::string> header);  // ">pairs" = right-aligned column "pairs"
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;
  std::string csv() const;
  std::size_t width() const;  // characters of the widest line of text()

 private:
  std::vector<std::size_t> widths() const;
  std::vector<std::string> header_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace leman
