// GraphML, read with expat: several graphs in a file, keys with defaults. Refused: declared entities
// (a few bytes would stand for gigabytes), elements more than 1000 deep, graphs in nodes, hyperedges, and
// graphs with directed and undirected edges. Boost.Graph's read_graphml was tried: it reads one graph, of
// a type that is known beforehand, and no file that it does not know every attribute type of.
// Internal to wl/formats.
#pragma once

#include <string>

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_graphml(const Opening& opening);  // or other XML, which the reader names
std::unique_ptr<FormatReader> read_graphml(LineSource& source, const ReadOptions& options);

// A file is kGraphMLBegin, graphs, kGraphMLEnd.
constexpr std::string_view kGraphMLBegin =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"node_color\" for=\"node\" attr.name=\"color\" attr.type=\"long\"/>\n"
    "<key id=\"edge_color\" for=\"edge\" attr.name=\"color\" attr.type=\"long\"/>\n";
void write_graphml(const Graph& graph, std::string& out);
constexpr std::string_view kGraphMLEnd = "</graphml>\n";

}  // namespace leman::wl
