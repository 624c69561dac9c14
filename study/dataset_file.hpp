// Reads labelled data sets: JSON lines, CSV with a column graph6, and the TU format, plain or gzip.
// The grammar is in docs/dataset.md. Memory stays in proportion to the input.
#pragma once

#include <optional>
#include <string>

#include "study/dataset.hpp"
#include "wl/line_source.hpp"

namespace leman::study {

struct DatasetOptions {
  enum class Labels { ByContent, Graph, Node } labels = Labels::ByContent;
  bool attributes = false;      // TU: DS_graph_attributes.txt goes before DS_graph_labels.txt
  bool directed = false;        // edges are arcs, unless the file says otherwise
  bool undirected = false;      // TU: every edge stands there once
  bool simplify = false;        // drop self-loops and repeated edges instead of refusing them
  std::uint64_t max_nodes = 0;  // of a graph; 0: 1000 + 1000 per byte that describes it
  std::string name = {};        // empty: from the file
};

// `path`: a file, "-" for standard input, or a TU data set by its directory or prefix. Throws
// InputError with file, line and reason.
Dataset read_dataset(const std::string& path, const DatasetOptions& options = {});

// One kind of file each; the source is read from where it stands.
Dataset read_json_lines(wl::LineSource source, const DatasetOptions& options);
Dataset read_csv_dataset(wl::LineSource source, const DatasetOptions& options);

// The files of a TU data set.
struct TuSources {
  wl::LineSource edges, graph_of_node;
  std::optional<wl::LineSource> graph_labels, graph_attributes, node_labels, edge_labels;
};
Dataset read_tu(TuSources sources, const DatasetOptions& options);

}  // namespace leman::study
