#include "wl/packed_graphs.hpp"

#include <bit>

namespace leman::wl {

namespace {

// A format that holds the graph and is short: matrices of bits as long as they are not much longer
// than a list of the edges, so that a large sparse graph does not take a byte for every six pairs.
Format packing(const Graph& graph) {
  if (graph.node_colored() || graph.edge_colored()) return Format::EdgeList;
  const std::uint64_t n = graph.order(), m = graph.size();
  const auto entry = static_cast<std::uint64_t>(1 + std::bit_width(n));  // bits of an entry of sparse6
  if (graph.directed()) return n * n / 6 <= 64 + 14 * m ? Format::Digraph6 : Format::EdgeList;
  return n * (n - 1) / 2 <= 256 + 4 * m * entry ? Format::Graph6 : Format::Sparse6;
}

Graph parse(Format format, std::string_view text) {
  ReadOptions options;
  options.format = format;
  options.max_nodes = UINT32_MAX;  // it was accepted before
  return read_all(LineSource::from_text("packed graph", text), options).at(0);
}

}  // namespace

void PackedGraphs::add(const Graph& graph) {
  const Format format = packing(graph);
  text_ += static_cast<char>(format);
  write_graph(graph, format, text_);
  end_.push_back(text_.size());
}

void PackedGraphs::add_none() { end_.push_back(text_.size()); }

std::string_view PackedGraphs::entry(std::size_t i) const {
  const std::uint64_t begin = i == 0 ? 0 : end_[i - 1];
  return std::string_view(text_).substr(begin, end_[i] - begin);
}

Graph PackedGraphs::at(std::size_t i) const {
  const std::string_view packed = entry(i);
  return parse(static_cast<Format>(packed[0]), packed.substr(1));
}

std::string PackedGraphs::line(std::size_t i, Format format) const {
  const std::string_view packed = entry(i);
  const auto kept = static_cast<Format>(packed[0]);
  const bool one_line = kept != Format::EdgeList;
  if (format == kept || (format == Format::Auto && one_line)) return std::string(packed.substr(1, packed.size() - 2));
  const Graph graph = parse(kept, packed.substr(1));
  std::string text;
  write_graph(graph, format != Format::Auto ? format : graph.directed() ? Format::Digraph6 : Format::Graph6, text);
  text.pop_back();
  return text;
}

}  // namespace leman::wl
