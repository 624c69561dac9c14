// Inside reports/: tables with one column per group of pairs.
#pragma once

#include <string>
#include <vector>

#include "brec/roster.hpp"

namespace leman::reports {

inline std::vector<std::string> with_groups(std::vector<std::string> header, const brec::Roster& roster, bool wide) {
  for (const std::size_t group : roster.columns(wide)) header.push_back(">" + roster.groups()[group].name);
  return header;
}

// A row of such a table, its cells made by text(group).
template <class Text>
std::vector<std::string> group_cells(const std::string& name, const brec::Roster& roster, bool wide, Text text) {
  std::vector<std::string> cells{name};
  for (const std::size_t group : roster.columns(wide)) cells.push_back(text(group));
  return cells;
}

}  // namespace leman::reports
