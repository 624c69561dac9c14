// Edge lists whose nodes have names and whose edges have attributes, as networkx writes them:
//
//   a b                      nodes are numbered in order of appearance,
//   0 1 {'weight': 3}        unless all are whole numbers, which are taken as in an edge list
//   0 1 2.5                  the attribute "weight"
//   source,target,sign       CSV whose header names source and target: further columns are attributes
//
// Internal to wl/formats.
#pragma once

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_networkx(const Opening& opening);
std::unique_ptr<FormatReader> read_networkx(LineSource& source, const ReadOptions& options);

}  // namespace leman::wl
