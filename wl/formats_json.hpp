// Node-link JSON, as networkx and D3 have it: one object per graph, objects one after the other (JSON lines)
// or in a list.
//
//   {"directed": false, "nodes": [{"id": 0, "color": 3}, {"id": "b"}],
//    "edges": [{"source": 0, "target": "b", "weight": 2.5}]}       "links" for "edges" (networkx 2, D3)
//
// Read by the tokens of nlohmann-json, which does not recurse. Nodes without id are numbered, as D3's are.
// Internal to wl/formats.
#pragma once

#include <string>

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_json(const Opening& opening);
std::unique_ptr<FormatReader> read_json(LineSource& source, const ReadOptions& options);
void write_json(const Graph& graph, std::string& out);  // one line

}  // namespace leman::wl
