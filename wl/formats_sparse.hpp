// Formats of sparse matrices: METIS (also Chaco) and Matrix Market. Nodes count from one; weights are the
// attribute "weight", METIS's sizes of nodes the attribute "size". Internal to wl/formats.
#pragma once

#include "wl/format_reader.hpp"

namespace leman::wl {

// METIS's first line could be an edge: the lines behind it must be the neighbours that it promises.
bool is_metis(const Opening& opening);
std::unique_ptr<FormatReader> read_metis(LineSource& source, const ReadOptions& options);

// A symmetric matrix is an undirected graph, any other a directed one; with ReadOptions::directed it is
// directed anyway. Entries of a coordinate matrix are edges whatever their value, those of an array
// unless they are 0.
bool is_matrix_market(const Opening& opening);
std::unique_ptr<FormatReader> read_matrix_market(LineSource& source, const ReadOptions& options);

}  // namespace leman::wl
