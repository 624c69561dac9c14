// Comma-separated values, RFC 4180: cells with commas, quotes or line breaks are quoted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace leman {

using CsvRow = std::vector<std::string>;

std::string to_csv(const std::vector<CsvRow>& rows);

// The rows of a file, with the line that each begins on. Throws InputError for a quote that is
// not closed. Empty lines are no rows.
struct CsvLine {
  std::size_t line = 0;
  CsvRow cells;
};
std::vector<CsvLine> parse_csv(std::string_view text, const std::string& file);

}  // namespace leman
