#include "wl/formats_edgelist.hpp"

#include <algorithm>
#include <utility>

#include "wl/text_fields.hpp"

namespace leman::wl {

Node NodeIds::number(std::vector<std::uint64_t>& ids, std::uint64_t bytes, std::vector<std::string>& names) {
  if (options_.relabel) {
    std::vector<std::uint64_t> used = ids;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (std::uint64_t& id : ids)
      id = static_cast<std::uint64_t>(std::lower_bound(used.begin(), used.end(), id) - used.begin());
    for (const std::uint64_t id : used) names.push_back(std::to_string(id));
  }
  const std::uint64_t order = ids.empty() ? 0 : *std::max_element(ids.begin(), ids.end()) + 1;
  check_order(order, bytes, 0, options_, hint());
  if (!options_.relabel && !said_) look_for_gaps(ids, static_cast<Node>(order));
  return static_cast<Node>(order);
}

std::string NodeIds::remark() {
  said_ = said_ || !remark_.empty();
  return std::exchange(remark_, "");
}

void NodeIds::look_for_gaps(std::span<const std::uint64_t> ids, Node order) {
  std::vector<bool> used(order);
  for (const std::uint64_t id : ids) used[id] = true;
  const auto count = static_cast<std::uint64_t>(std::count(used.begin(), used.end(), true));
  if (count == order) return;
  if (count + 1 == order && !used[0])
    remark_ = "node 0 has no edge and ids start at 1: --relabel compacts ids";
  else
    remark_ = "only " + std::to_string(count) + " of the " + std::to_string(order) +
              " nodes up to the largest id have an edge: --relabel compacts ids";
}

namespace {

class EdgeListReader : public FormatReader {
 public:
  EdgeListReader(LineSource& source, const ReadOptions& options)
      : source_(source), options_(options), nodes_(options) {}

  bool next(Draft& draft) override {
    draft.clear(options_.directed);
    ids_.clear();
    colored_.clear();
    order_known_ = false;
    bytes_ = 0;
    for (std::string_view line; source_.next(line);) {
      if (is_blank_or_comment(line)) continue;
      fields_.cut(line);
      if (fields_.empty()) continue;
      if (draft.line != 0 && fields_[0] == "n") {
        source_.unread();
        break;
      }
      if (draft.line == 0) draft.line = source_.line_number();
      bytes_ += line.size() + 1;
      read_line(draft);
    }
    if (draft.line != 0) finish(draft);
    return draft.line != 0;
  }

  void skip_rest() override {
    for (std::string_view line; source_.next(line);) {
      fields_.cut(line);
      if (!fields_.empty() && fields_[0] == "n") return source_.unread();
    }
  }

 private:
  void read_line(Draft& draft) {
    if (fields_[0] == "n")
      header(draft);
    else if (fields_[0] == "v")
      node();
    else
      edge(draft);
  }

  void header(Draft& draft) {
    if (fields_.size() < 2 || fields_.size() > 3) throw LineError{1, "a header is: n NODES [directed|undirected]"};
    order_ = fields_.number(1, 0, kMaxOrder, "number of nodes");
    order_known_ = true;
    if (fields_.size() < 3) return;
    if (fields_[2] != "directed" && fields_[2] != "undirected")
      throw LineError{fields_.column(2), "expected directed or undirected"};
    draft.data.directed = fields_[2] == "directed";
  }

  std::uint64_t id(std::size_t i, const char* what) const {
    if (!order_known_) return fields_.number(i, 0, nodes_.largest(), "node", nodes_.hint());
    if (order_ == 0) throw LineError{1, std::string(what) + " in a graph without nodes"};
    return fields_.number(i, 0, order_ - 1, "node");
  }

  void node() {
    if (fields_.size() != 3) throw LineError{1, "a node line is: v NODE COLOUR"};
    colored_.emplace_back(id(1, "a colour"), fields_.color(2));
  }

  void edge(Draft& draft) {
    if (fields_.size() < 2 || fields_.size() > 3)
      throw LineError{1, "an edge is two nodes and an optional colour, this line has " +
                             std::to_string(fields_.size()) + " fields"};
    const std::uint64_t u = id(0, "an edge"), v = id(1, "an edge");
    if (u == v && !options_.simplify)
      throw LineError{fields_.column(1),
                      "node " + std::to_string(u) + " joined to itself: a self-loop (--simplify drops it)"};
    ids_.insert(ids_.end(), {u, v});
    draft.data.edges.push_back({0, 0, fields_.size() == 3 ? fields_.color(2) : 0});
    draft.edge_lines.push_back(source_.line_number());
  }

  void finish(Draft& draft) {
    for (const auto& [node, color] : colored_) ids_.push_back(node);
    if (order_known_) check_order(order_, bytes_, 0, options_);
    draft.data.order = order_known_ ? static_cast<Node>(order_) : nodes_.number(ids_, bytes_, draft.names);
    if (const std::string remark = nodes_.remark(); !remark.empty()) note(source_, options_, remark);
    std::size_t at = 0;
    for (Edge& e : draft.data.edges) {
      e.u = static_cast<Node>(ids_[at++]);
      e.v = static_cast<Node>(ids_[at++]);
    }
    for (auto& [node, color] : colored_) node = ids_[at++];
    color_nodes(draft);
  }

  void color_nodes(Draft& draft) {
    if (colored_.empty()) return;
    draft.data.node_colors.assign(draft.data.order, 0);
    std::sort(colored_.begin(), colored_.end());
    for (std::size_t i = 0; i < colored_.size(); ++i) {
      auto [node, color] = colored_[i];
      if (i > 0 && colored_[i - 1].first == node && colored_[i - 1].second != color)
        throw GraphError("node " + draft.name(static_cast<Node>(node)) + " is given two colours");
      draft.data.node_colors[node] = color;
    }
  }

  LineSource& source_;
  const ReadOptions& options_;
  NodeIds nodes_;
  Fields fields_;
  std::vector<std::uint64_t> ids_;                        // two per edge, then one per node line
  std::vector<std::pair<std::uint64_t, Color>> colored_;  // node lines
  bool order_known_ = false;                              // a header has given the order
  std::uint64_t order_ = 0, bytes_ = 0;
};

}  // namespace

// What is neither a word nor anything else; the other formats of lines have been asked before.
bool is_edge_list(const Opening& opening) { return !opening.lines.empty() && !is_word(opening.lines[0]); }

std::unique_ptr<FormatReader> read_edge_list(LineSource& source, const ReadOptions& options) {
  return make_reader<EdgeListReader>(source, options);
}

void write_edge_list(const Graph& graph, std::string& out) {
  out += "n " + std::to_string(graph.order()) + (graph.directed() ? " directed\n" : "\n");
  for (Node v = 0; v < graph.order(); ++v)
    if (graph.node_color(v) != 0) out += "v " + std::to_string(v) + " " + std::to_string(graph.node_color(v)) + "\n";
  for (const Edge& e : graph.edges()) {
    out += std::to_string(e.u) + " " + std::to_string(e.v);
    if (graph.edge_colored()) out += " " + std::to_string(e.color);
    out += '\n';
  }
}

}  // namespace leman::wl
