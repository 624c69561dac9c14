// The multi-line formats: edge list, DIMACS, adjacency matrix.
// Internal to wl/formats.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wl/formats.hpp"

namespace leman::wl {

bool is_blank_or_comment(std::string_view line);  // comments start with # or %
// Edge list or matrix, judged by the first lines after the comments.
Format detect_text(const std::vector<std::string>& lines, bool directed);
void write_edge_list(const Graph& graph, std::string& out);
void write_dimacs(const Graph& graph, std::string& out);

}  // namespace leman::wl
