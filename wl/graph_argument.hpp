// A graph named in one word: a file (FILE#3: its third graph), "-" for standard input, a name such
// as K4 or C5, or graph6/sparse6/digraph6 text.
#pragma once

#include <string>
#include <vector>

#include "wl/formats.hpp"

namespace leman::wl {

std::vector<Graph> graphs_argument(const std::string& text, const ReadOptions& options = {});
// The graph; throws InputError if there are several.
Graph graph_argument(const std::string& text, const ReadOptions& options = {});

}  // namespace leman::wl
