// DOT, the language of Graphviz: node and edge statements, chains a -- b -- c, subgraphs (as ends of
// edges, too), default attributes in their scope, strict graphs, several graphs in a file.
//
// Written by hand: Boost.Graph's read_graphviz reads one graph, wants to know beforehand whether it is
// directed, and names no column. The parser is recursive in subgraphs only, and these may be 100 deep. Edges
// between subgraphs are products; more than 100 edges per byte of the file are refused. Internal to wl/formats.
#pragma once

#include <string>

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_dot(const Opening& opening);
std::unique_ptr<FormatReader> read_dot(LineSource& source, const ReadOptions& options);
void write_dot(const Graph& graph, std::string& out);

}  // namespace leman::wl
