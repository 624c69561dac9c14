// A long list of graphs in little memory: each as the text of a format that holds it, all in one
// string. A graph of order 8 takes 16 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wl/formats.hpp"

namespace leman::wl {

class PackedGraphs {
 public:
  void add(const Graph& graph);
  void add_none();  // a place without a graph, so that later ones keep their numbers
  std::size_t size() const { return end_.size(); }
  std::uint64_t text_bytes() const { return text_.size(); }
  std::uint64_t bytes() const {  // of memory
    return text_.capacity() + end_.capacity() * sizeof(end_[0]);
  }

  Graph at(std::size_t i) const;
  // The graph as a line of that format, without the line end; Auto: of graph6, sparse6 or digraph6.
  // Throws GraphError if the format cannot hold it.
  std::string line(std::size_t i, Format format) const;

 private:
  std::string_view entry(std::size_t i) const;  // one byte for the format, then the text; empty: no graph

  std::string text_;
  std::vector<std::uint64_t> end_;  // of each entry in text_, ascending
};

}  // namespace leman::wl
