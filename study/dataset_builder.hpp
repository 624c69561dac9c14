// Inside study/: what the readers of labelled data sets share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "study/dataset_file.hpp"

namespace leman::study {

// Collects graphs and labels, and checks them as they come. Every error names file and line.
class DatasetBuilder {
 public:
  DatasetBuilder(std::string file, const DatasetOptions& options) : file_(std::move(file)), options_(options) {}

  void name_columns(std::vector<std::string> names);
  bool has_columns() const { return !data_.columns.empty(); }
  // One label per column. Without names, the first item says how many there are.
  void add_labels(std::span<const std::string> labels, std::uint64_t line);

  // A graph in graph6, sparse6 or digraph6.
  wl::GraphData decode(const std::string& text, std::uint64_t line) const;
  // `edge_lines`: the line of every edge; empty: all stand on `line`.
  void add_graph(wl::GraphData graph, std::uint64_t line, std::span<const std::uint64_t> edge_lines = {});
  // Throws InputError if a graph of so many nodes, described by so many bytes, is refused.
  void check_order(std::uint64_t order, std::uint64_t bytes, std::uint64_t line) const;

  [[noreturn]] void fail(std::uint64_t line, const std::string& reason, std::uint64_t column = 0) const {
    throw InputError(file_, line, column, reason);
  }
  Dataset& data() { return data_; }
  const DatasetOptions& options() const { return options_; }
  const std::string& file() const { return file_; }
  Dataset finish(const std::string& format);

 private:
  void add_label(std::size_t column, const std::string& label, std::uint64_t line);

  std::string file_;
  const DatasetOptions& options_;
  Dataset data_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> known_;  // by column: place in values
  std::uint64_t dropped_ = 0;                                          // edges that simplify took out
};

std::string_view trimmed(std::string_view text);  // without blanks at both ends

}  // namespace leman::study
