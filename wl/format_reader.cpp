#include "wl/format_reader.hpp"

namespace leman::wl {

void Draft::clear(bool directed) {
  data.order = 0;
  data.directed = directed;
  data.edges.clear();
  data.node_colors.clear();
  edge_lines.clear();
  line = 0;
  place.clear();
  dropped = 0;
  base = 0;
  names.clear();
}

void check_order(std::uint64_t order, std::uint64_t bytes, std::uint64_t column, const ReadOptions& options,
                 const char* hint) {
  const std::uint64_t limit = options.max_nodes != 0 ? options.max_nodes : 1000 + 1000 * bytes;
  if (order <= limit) return;
  std::string reason = std::to_string(order) + " nodes are over the limit of " + std::to_string(limit);
  if (options.max_nodes == 0) reason += " for " + std::to_string(bytes) + " bytes of input (--max-nodes raises it)";
  throw LineError{column, reason + hint};
}

void note(const LineSource& source, const ReadOptions& options, const std::string& what) {
  if (options.on_note) options.on_note(source.name() + ": " + what);
}

}  // namespace leman::wl
