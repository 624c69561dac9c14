// A labelled data set: graphs, and one label per graph or one per node, for one or more tasks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::study {

// The labels of one task. Equal labels are stored once, as they were written.
struct LabelColumn {
  std::string name;
  std::vector<std::string> values;   // distinct
  std::vector<std::uint32_t> label;  // by item: index into values
};

// An item is what has a label: a graph, or a node. Nodes are numbered through, graph by graph.
struct Dataset {
  std::string name;    // of the user, or of the file
  std::string source;  // file
  std::string format;  // in words
  bool node_labels = false;
  std::vector<wl::Graph> graphs;      // all directed or all undirected
  std::vector<std::uint64_t> places;  // by graph: its line, or its number in a TU data set
  std::vector<LabelColumn> columns;   // at least one
  std::vector<std::string> notes;     // what the reader decided, for the user

  bool directed() const { return !graphs.empty() && graphs[0].directed(); }
  std::size_t items() const { return columns.empty() ? 0 : columns[0].label.size(); }
  void check() const;  // throws BugError if the sizes do not fit together
};

}  // namespace leman::study
