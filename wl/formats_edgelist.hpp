// Edge lists of whole numbers, a stream of lines. Internal to wl/formats.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wl/format_reader.hpp"

namespace leman::wl {

bool is_edge_list(const Opening& opening);
std::unique_ptr<FormatReader> read_edge_list(LineSource& source, const ReadOptions& options);
void write_edge_list(const Graph& graph, std::string& out);

// Nodes from ids that are whole numbers: the ids themselves, or with ReadOptions::relabel their places
// among those that there are.
class NodeIds {
 public:
  explicit NodeIds(const ReadOptions& options) : options_(options) {}
  // The largest id that may be read, and what an error about a larger one adds.
  std::uint64_t largest() const { return options_.relabel ? UINT64_MAX : kMaxOrder - 1; }
  const char* hint() const { return options_.relabel ? "" : "; --relabel compacts ids"; }

  // Replaces the ids by nodes; the ids of the nodes, where these are others, are their names. Throws
  // LineError if `bytes` of input are too few for that many nodes.
  Node number(std::vector<std::uint64_t>& ids, std::uint64_t bytes, std::vector<std::string>& names);
  // What to say, once, of nodes without an edge that nobody may have meant; or nothing.
  std::string remark();

 private:
  void look_for_gaps(std::span<const std::uint64_t> ids, Node order);

  const ReadOptions& options_;
  std::string remark_;
  bool said_ = false;
};

}  // namespace leman::wl
