// GML, the Graph Modelling Language: a list of keys and values, of which those in brackets are lists
// again.
//
//   graph [ directed 1  node [ id 0 label "a" ]  node [ id 1 ]  edge [ source 0 target 1 weight 2.5 ] ]
//
// Written by hand, since Debian has no parser: tokens, and a loop that counts brackets, so that no nesting
// is too deep. Internal to wl/formats.
#pragma once

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_gml(const Opening& opening);
std::unique_ptr<FormatReader> read_gml(LineSource& source, const ReadOptions& options);

}  // namespace leman::wl
