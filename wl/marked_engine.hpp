// m1: one copy of the graph per node, with that node marked. Graphs are compared by the multiset of
// their copies' histograms. The colour of a node stands for the histograms of its copy up to this
// round. Directed and coloured graphs are accepted.
#pragma once

#include "wl/coloring.hpp"

namespace leman::wl {

RunResult refine_marked(GraphSpan graphs, const RunOptions& options);
std::uint64_t marked_memory(GraphSpan graphs);

}  // namespace leman::wl
