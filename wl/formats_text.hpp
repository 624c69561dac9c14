// DIMACS and adjacency matrices, streams of lines. Internal to wl/formats.
#pragma once

#include <string>

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_dimacs(const Opening& opening);
std::unique_ptr<FormatReader> read_dimacs(LineSource& source, const ReadOptions& options);
void write_dimacs(const Graph& graph, std::string& out);

bool is_matrix(const Opening& opening);
std::unique_ptr<FormatReader> read_matrix(LineSource& source, const ReadOptions& options);

}  // namespace leman::wl
