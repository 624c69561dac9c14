// Inside reports/: tables with one column per group of pairs.
#pragma once

#include <string>
#include <vector>

#include "brec/groups.hpp"

namespace leman::reports {

// Groups from this one on are columns: categories and all; wide: families before them.
inline std::size_t first_group(bool wide) { return wide ? 0 : brec::kFamilies; }

inline std::vector<std::string> with_groups(std::vector<std::string> header, bool wide) {
  for (std::size_t group = first_group(wide); group < brec::kGroups; ++group)
    header.push_back(">" + brec::group_names()[group]);
  return header;
}

// A row of such a table, its cells made by text(group).
template <class Text>
std::vector<std::string> group_cells(const std::string& name, bool wide, Text text) {
  std::vector<std::string> cells{name};
  for (std::size_t group = first_group(wide); group < brec::kGroups; ++group) cells.push_back(text(group));
  return cells;
}

}  // namespace leman::reports
