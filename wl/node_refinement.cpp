#include "wl/node_refinement.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "wl/intern.hpp"

namespace leman::wl {

namespace {

constexpr std::uint32_t kAlone = 0x80000000;  // mark of a node whose cell has no other node

// A node is cheaper by about this factor in a dense round: one random access per arc
// instead of four, and no counters to reset.
constexpr std::uint32_t kDenseGain = 2;
// A dense round passes over the whole graph. It pays off only if at least one in
// this many nodes is in a splitter, so there are at most 8 log n such rounds.
constexpr std::uint32_t kDenseShare = 8;

using Keyed = std::pair<std::uint64_t, Node>;

// Sorts by key; the order of equal keys is unspecified. Large arrays are first
// spread over buckets by the leading bits in which keys differ, so that comparisons
// stay in the cache or are not needed at all.
void sort_by_key(std::span<Keyed> items, std::vector<Keyed>& buffer, std::vector<std::uint32_t>& start) {
  auto less = [](const Keyed& a, const Keyed& b) { return a.first < b.first; };
  auto [low, high] = std::minmax_element(items.begin(), items.end(), less);
  std::uint64_t least = low->first, range = high->first - least;
  if (range == 0) return;
  if (items.size() < 4096) return std::sort(items.begin(), items.end(), less);
  int shift = std::max(0, static_cast<int>(std::bit_width(range)) - 14);
  start.assign((range >> shift) + 2, 0);
  for (const Keyed& item : items) ++start[((item.first - least) >> shift) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  buffer.resize(items.size());
  for (const Keyed& item : items) buffer[start[(item.first - least) >> shift]++] = item;
  std::copy(buffer.begin(), buffer.end(), items.begin());
  if (shift == 0) return;
  for (std::uint32_t b = 0, from = 0; b + 1 < start.size(); from = start[b++])
    if (start[b] - from > 1) std::sort(items.begin() + from, items.begin() + start[b], less);
}

struct Interval {
  std::uint32_t start, length;
  friend auto operator<=>(const Interval&, const Interval&) = default;
};

class NodeRefiner {
 public:
  NodeRefiner(const Graph& graph, const std::vector<Color>& initial, unsigned hash_bits);

  bool round();  // one synchronous refinement; false if no cell split
  Color colors() const { return colors_; }
  // The parts made in the last round, without the largest of each cell.
  const std::vector<Interval>& new_parts() const { return splitters_; }
  std::span<const Node> members(Interval part) const { return {nodes_.data() + part.start, part.length}; }
  std::vector<Color> dense_colors() const;  // 0, 1, ... in the order of cells

 private:
  void sparse_round();
  void dense_round();
  std::uint64_t fingerprint(Node v) const;
  template <class Take>
  void for_each_arc(Node v, Take take) const;
  void signature(Node v, std::vector<std::uint64_t>& keys) const;
  bool all_equal(std::span<const Keyed> run);
  void split_dense(std::uint32_t start, bool exact, std::vector<Interval>& parts);
  void split_by(Interval splitter);
  void split_by_colored(Interval splitter, bool incoming);
  void count(Node w);
  void split_touched();
  void split_cell(std::uint32_t start);
  void sort_tail(std::span<Node> tail, std::uint32_t most);
  void new_cell(std::uint32_t start, std::uint32_t length, std::uint32_t origin);
  void choose_splitters();

  const Graph& graph_;
  std::vector<Node> nodes_;             // cells are intervals of this permutation
  std::vector<std::uint32_t> place_;    // nodes_[place_[v]] == v
  std::vector<std::uint32_t> cell_;     // start of v's cell, with kAlone if v is alone in it
  std::vector<std::uint32_t> length_;   // by start of a cell
  std::vector<std::uint32_t> count_;    // neighbours in the splitter; 0 between splitters
  std::vector<std::uint32_t> marked_;   // by start: nodes of the cell with count > 0, at its end
  std::vector<std::uint32_t> touched_;  // starts of cells with marked nodes
  std::vector<Interval> splitters_;     // what the next round looks at, ascending
  std::vector<Interval> split_;         // cells, as they were before this round, that have split in it
  std::vector<std::uint32_t> origin_;   // by start: cell before this round, valid if born_ == round
  std::vector<std::uint32_t> born_;     // by start: round in which the cell was made
  std::vector<std::uint32_t> logged_;   // by start: last round in which it was put into split_
  std::vector<std::pair<Color, Node>> arcs_;
  std::vector<Keyed> keyed_;  // dense rounds: (fingerprint, node)
  std::vector<Keyed> keyed_buffer_;
  MultisetProbe<std::uint64_t> probe_;
  std::vector<std::uint64_t> expected_, other_;
  std::uint64_t hash_mask_;
  std::uint32_t open_ = 0;     // nodes that are not alone in their cell
  std::vector<Node> members_;  // of the current splitter
  std::vector<Node> buffer_;
  std::vector<std::uint32_t> buckets_;
  std::uint32_t round_ = 0;
  Color colors_ = 0;
};

NodeRefiner::NodeRefiner(const Graph& graph, const std::vector<Color>& initial, unsigned hash_bits)
    : graph_(graph),
      nodes_(graph.order()),
      place_(graph.order()),
      cell_(graph.order()),
      length_(graph.order()),
      count_(graph.order()),
      marked_(graph.order()),
      origin_(graph.order()),
      born_(graph.order()),
      logged_(graph.order()),
      hash_mask_(hash_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << hash_bits) - 1) {
  std::iota(nodes_.begin(), nodes_.end(), 0);
  if (!initial.empty())
    std::stable_sort(nodes_.begin(), nodes_.end(), [&](Node a, Node b) { return initial[a] < initial[b]; });
  for (std::uint32_t i = 0; i < nodes_.size();) {
    std::uint32_t j = i + 1;
    while (j < nodes_.size() && (initial.empty() || initial[nodes_[j]] == initial[nodes_[i]])) ++j;
    for (std::uint32_t at = i; at < j; ++at) {
      place_[nodes_[at]] = at;
      cell_[nodes_[at]] = i | (j - i == 1 ? kAlone : 0);
    }
    length_[i] = j - i;
    if (j - i > 1) open_ += j - i;
    splitters_.push_back({i, j - i});
    ++colors_;
    i = j;
  }
}

bool NodeRefiner::round() {
  ++round_;
  Color before = colors_;
  split_.clear();
  std::uint64_t in_splitters = 0;
  for (Interval splitter : splitters_) in_splitters += splitter.length;
  if (in_splitters >= open_ / kDenseGain && in_splitters >= nodes_.size() / kDenseShare)
    dense_round();
  else
    sparse_round();
  choose_splitters();
  return colors_ != before;
}

void NodeRefiner::sparse_round() {
  for (Interval splitter : splitters_) split_by(splitter);
}

// All fingerprints are taken before any cell changes, and cells are renamed only
// when all have been split: the round is synchronous.
void NodeRefiner::dense_round() {
  keyed_.resize(nodes_.size());
  std::vector<Interval> parts;
  // While all nodes look alike, the degrees are the whole signature.
  bool exact = colors_ == 1 && !graph_.edge_colored();
  auto degrees = [this](Node v) {
    return graph_.directed() ? std::uint64_t{graph_.degree(v)} << 32 | graph_.in_neighbors(v).size() : graph_.degree(v);
  };
  for (Node v = 0; v < nodes_.size(); ++v)  // in this order the rows of the graph are read sequentially
    if (!(cell_[v] & kAlone)) keyed_[place_[v]] = {exact ? degrees(v) : fingerprint(v) & hash_mask_, v};
  for (std::uint32_t at = 0; at < nodes_.size(); at += length_[at])
    if (length_[at] > 1) split_dense(at, exact, parts);
  for (Interval cell : split_) {
    for (std::uint32_t i = cell.start; i < cell.start + cell.length; ++i)
      nodes_[i] = keyed_[i].second, place_[nodes_[i]] = i;
    open_ -= cell.length;
    --colors_;
  }
  std::size_t next = 0;
  for (Interval cell : split_)
    for (; next < parts.size() && parts[next].start < cell.start + cell.length; ++next) {
      new_cell(parts[next].start, parts[next].length, cell.start);
    }
}

// take(key): one key for every arc, (edge colour, direction, cell of the other end).
template <class Take>
void NodeRefiner::for_each_arc(Node v, Take take) const {
  auto side = [&](std::span<const Node> next, std::span<const Color> colors, std::uint64_t direction) {
    for (std::size_t i = 0; i < next.size(); ++i)
      take(std::uint64_t{colors.empty() ? 0 : colors[i]} << 32 | direction << 31 | (cell_[next[i]] & ~kAlone));
  };
  side(graph_.neighbors(v), graph_.neighbor_colors(v), 0);
  if (graph_.directed()) side(graph_.in_neighbors(v), graph_.in_neighbor_colors(v), 1);
}

std::uint64_t NodeRefiner::fingerprint(Node v) const {
  std::uint64_t sum = 0;
  for_each_arc(v, [&](std::uint64_t key) { sum += mix(key + 0x9e3779b97f4a7c15); });
  return sum;
}

void NodeRefiner::signature(Node v, std::vector<std::uint64_t>& keys) const {
  keys.clear();
  for_each_arc(v, [&](std::uint64_t key) { keys.push_back(key); });
}

bool NodeRefiner::all_equal(std::span<const Keyed> run) {
  if (run.size() == 1) return true;
  signature(run[0].second, expected_);
  probe_.build(expected_);
  for (const auto& [value, v] : run.subspan(1)) {
    signature(v, other_);
    if (other_.size() != expected_.size() || !probe_.matches(other_)) return false;
  }
  return true;
}

// Sorts the cell by fingerprint. Nodes with equal fingerprints stay together only if
// all their signatures equal the first; otherwise they are sorted by content.
void NodeRefiner::split_dense(std::uint32_t start, bool exact, std::vector<Interval>& parts) {
  std::span<Keyed> cell(keyed_.data() + start, length_[start]);
  sort_by_key(cell, keyed_buffer_, buckets_);
  std::size_t first_part = parts.size();
  for (std::uint32_t i = 0; i < cell.size();) {
    std::uint32_t j = i + 1;
    while (j < cell.size() && cell[j].first == cell[i].first) ++j;
    if (exact || all_equal(cell.subspan(i, j - i))) {
      parts.push_back({start + i, j - i});
    } else {
      std::vector<std::pair<std::vector<std::uint64_t>, Node>> contents;
      for (std::uint32_t at = i; at < j; ++at) {
        signature(cell[at].second, other_);
        std::sort(other_.begin(), other_.end());
        contents.emplace_back(other_, cell[at].second);
      }
      std::sort(contents.begin(), contents.end());
      for (std::uint32_t at = i; at < j; ++at) {
        cell[at].second = contents[at - i].second;
        if (at == i || contents[at - i].first != contents[at - i - 1].first) parts.push_back({start + at, 0});
        ++parts.back().length;
      }
    }
    i = j;
  }
  if (parts.size() == first_part + 1)
    parts.pop_back();
  else
    split_.push_back({start, length_[start]});
}

// Cells split within a splitter's interval, never across its ends, so the interval
// holds the same set of nodes for the whole round. Their order changes during
// counting, so they are copied first.
void NodeRefiner::split_by(Interval splitter) {
  if (graph_.edge_colored()) {
    split_by_colored(splitter, true);
    if (graph_.directed()) split_by_colored(splitter, false);
    return;
  }
  auto now = members(splitter);
  members_.assign(now.begin(), now.end());
  for (Node u : members_)
    for (Node w : graph_.in_neighbors(u)) count(w);
  split_touched();
  if (!graph_.directed()) return;
  for (Node u : members_)
    for (Node w : graph_.neighbors(u)) count(w);
  split_touched();
}

// One pass for every edge colour, ascending.
void NodeRefiner::split_by_colored(Interval splitter, bool incoming) {
  arcs_.clear();
  for (std::uint32_t at = splitter.start; at < splitter.start + splitter.length; ++at) {
    Node u = nodes_[at];
    auto next = incoming ? graph_.in_neighbors(u) : graph_.neighbors(u);
    auto colors = incoming ? graph_.in_neighbor_colors(u) : graph_.neighbor_colors(u);
    for (std::size_t i = 0; i < next.size(); ++i) arcs_.emplace_back(colors[i], next[i]);
  }
  std::sort(arcs_.begin(), arcs_.end());
  for (std::size_t i = 0; i < arcs_.size();) {
    Color color = arcs_[i].first;
    for (; i < arcs_.size() && arcs_[i].first == color; ++i) count(arcs_[i].second);
    split_touched();
  }
}

inline void NodeRefiner::count(Node w) {
  std::uint32_t cell = cell_[w];
  if (cell & kAlone) return;
  if (count_[w]++ != 0) return;
  std::uint32_t marked = marked_[cell]++;
  if (marked == 0) touched_.push_back(cell);
  std::uint32_t from = place_[w], to = cell + length_[cell] - 1 - marked;
  Node other = nodes_[to];
  nodes_[to] = w, place_[w] = to;
  nodes_[from] = other, place_[other] = from;
}

void NodeRefiner::split_touched() {
  for (std::uint32_t start : touched_) split_cell(start);
  touched_.clear();
}

// The marked nodes stand at the end of the cell. Sort them by count; nodes with
// count 0 keep the start of the cell, every other count becomes a cell.
void NodeRefiner::split_cell(std::uint32_t start) {
  std::uint32_t length = length_[start], marked = std::exchange(marked_[start], 0);
  std::span<Node> tail(nodes_.data() + start + length - marked, marked);
  std::uint32_t least = UINT32_MAX, most = 0;
  for (Node v : tail) least = std::min(least, count_[v]), most = std::max(most, count_[v]);
  if (marked == length && least == most) {
    for (Node v : tail) count_[v] = 0;
    return;
  }
  if (least != most) sort_tail(tail, most);
  std::uint32_t origin = born_[start] == round_ ? origin_[start] : start;
  if (logged_[origin] != round_) logged_[origin] = round_, split_.push_back({origin, length});
  if (marked < length) new_cell(start, length - marked, origin);
  for (std::size_t i = 0; i < tail.size();) {
    std::size_t j = i;
    std::uint32_t value = count_[tail[i]];
    while (j < tail.size() && count_[tail[j]] == value) count_[tail[j++]] = 0;
    new_cell(start + length - marked + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j - i), origin);
    i = j;
  }
  --colors_;  // the cell itself was counted before
  open_ -= length;
}

void NodeRefiner::sort_tail(std::span<Node> tail, std::uint32_t most) {
  if (tail.size() < 32 || most > 2 * tail.size()) {
    std::sort(tail.begin(), tail.end(), [this](Node a, Node b) { return count_[a] < count_[b]; });
  } else {
    buckets_.assign(most + 2, 0);
    for (Node v : tail) ++buckets_[count_[v] + 1];
    std::partial_sum(buckets_.begin(), buckets_.end(), buckets_.begin());
    buffer_.assign(tail.begin(), tail.end());
    for (Node v : buffer_) tail[buckets_[count_[v]]++] = v;
  }
  auto first = static_cast<std::uint32_t>(tail.data() - nodes_.data());
  for (std::uint32_t i = 0; i < tail.size(); ++i) place_[tail[i]] = first + i;
}

void NodeRefiner::new_cell(std::uint32_t start, std::uint32_t length, std::uint32_t origin) {
  length_[start] = length;
  origin_[start] = origin;
  born_[start] = round_;
  std::uint32_t name = start | (length == 1 ? kAlone : 0);
  if (cell_[nodes_[start]] != name)  // the part that keeps its start needs no renaming
    for (std::uint32_t at = start; at < start + length; ++at) cell_[nodes_[at]] = name;
  if (length > 1) open_ += length;
  ++colors_;
}

void NodeRefiner::choose_splitters() {
  splitters_.clear();
  for (Interval cell : split_) {
    Interval largest{cell.start, length_[cell.start]};
    for (std::uint32_t at = cell.start; at < cell.start + cell.length; at += length_[at])
      if (length_[at] > largest.length) largest = {at, length_[at]};
    for (std::uint32_t at = cell.start; at < cell.start + cell.length; at += length_[at])
      if (at != largest.start) splitters_.push_back({at, length_[at]});
  }
  if (!std::is_sorted(splitters_.begin(), splitters_.end())) std::sort(splitters_.begin(), splitters_.end());
}

std::vector<Color> NodeRefiner::dense_colors() const {
  std::vector<Color> result(nodes_.size());
  Color color = 0;
  for (std::uint32_t at = 0; at < nodes_.size(); at += length_[at], ++color)
    for (std::uint32_t i = at; i < at + length_[at]; ++i) result[nodes_[i]] = color;
  return result;
}

// The graphs of a run as one graph, and which node belongs to which.
struct Joint {
  const Graph* graph = nullptr;
  Graph owned;
  std::vector<Node> first;            // first node of every graph, and the total
  std::vector<std::uint32_t> member;  // graph of every node; empty for a single graph

  explicit Joint(GraphSpan graphs) : first{0} {
    for (const Graph* g : graphs) first.push_back(first.back() + g->order());
    graph = graphs[0];
    if (graphs.size() == 1) return;
    GraphData all{.order = first.back(), .directed = graphs[0]->directed(), .edges = {}, .node_colors = {}};
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      if (graphs[g]->directed() != all.directed)
        throw UsageError("a joint run needs graphs that are all directed or all undirected");
      member.insert(member.end(), graphs[g]->order(), static_cast<std::uint32_t>(g));
      for (Edge e : graphs[g]->edges()) all.edges.push_back({e.u + first[g], e.v + first[g], e.color});
    }
    owned = Graph(all);
    graph = &owned;
  }
};

// Splits by the counts of every graph in the new parts. Graphs with equal histograms
// before and equal counts now have equal histograms now: the counts in the largest
// parts follow from the rest.
std::vector<std::uint32_t> split_by_parts(const std::vector<std::uint32_t>& groups, const NodeRefiner& refiner,
                                          std::span<const Interval> parts, const Joint& joint) {
  if (groups.size() == 1) return groups;
  std::vector<Histogram> signature(groups.size());
  for (Interval part : parts)
    for (Node v : refiner.members(part)) {
      Histogram& h = signature[joint.member[v]];
      if (h.empty() || h.back().first != part.start) h.emplace_back(part.start, 0);
      ++h.back().second;
    }
  return split_groups(groups, signature);
}

std::vector<Color> initial_colors(GraphSpan graphs, const std::vector<std::vector<Color>>& initial) {
  std::vector<Color> colors;
  bool any = !initial.empty();
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    any = any || graphs[g]->node_colored();
    for (Node v = 0; v < graphs[g]->order(); ++v)
      colors.push_back(initial.empty() ? graphs[g]->node_color(v) : initial[g][v]);
  }
  return any ? colors : std::vector<Color>{};
}

void observe(const RunOptions& options, const NodeRefiner& refiner, const Joint& joint, int round) {
  if (!options.observer) return;
  auto all = refiner.dense_colors();
  auto coloring = [&](std::size_t g) {
    return std::vector<Color>(all.begin() + joint.first[g], all.begin() + joint.first[g + 1]);
  };
  auto histogram = [&](std::size_t g) {
    std::vector<std::uint64_t> count(refiner.colors());
    for (Color c : coloring(g)) ++count[c];
    Histogram h;
    for (Color c = 0; c < count.size(); ++c)
      if (count[c] != 0) h.emplace_back(c, count[c]);
    return h;
  };
  options.observer({round, refiner.colors(), coloring, histogram});
}

}  // namespace

// Eleven arrays of 4 bytes and two of 16 bytes per node, plus the result.
std::uint64_t node_memory(GraphSpan graphs) {
  std::uint64_t nodes = 0, arcs = 0;
  for (const Graph* g : graphs) nodes += g->order(), arcs += 2 * g->size();
  return 110 * nodes + (graphs.size() > 1 ? 24 * arcs : 0);
}

RunResult refine_nodes(GraphSpan graphs, const RunOptions& options, const std::vector<std::vector<Color>>& initial) {
  if (graphs.empty()) throw UsageError("refine_nodes: no graph");
  std::uint64_t nodes = 0;
  for (const Graph* g : graphs) nodes += g->order();
  if (nodes >= kAlone) throw MemoryError("1-WL: more than 2147483647 nodes");
  demand_memory(node_memory(graphs), options.memory_limit, "1-WL");
  Joint joint(graphs);
  NodeRefiner refiner(*joint.graph, initial_colors(graphs, initial), options.hash_bits);
  RunResult result;
  result.groups.push_back(
      split_by_parts(std::vector<std::uint32_t>(graphs.size(), 0), refiner, refiner.new_parts(), joint));
  observe(options, refiner, joint, 0);
  for (int t = 1; !options.max_rounds || t <= *options.max_rounds; ++t) {
    if (options.until_distinguished && result.all_different()) break;
    result.stable = !refiner.round();
    if (result.stable) break;
    result.rounds = t;
    result.groups.push_back(split_by_parts(result.groups.back(), refiner, refiner.new_parts(), joint));
    observe(options, refiner, joint, t);
  }
  result.colors = refiner.colors();
  if (options.keep_coloring) {
    auto all = refiner.dense_colors();
    for (std::size_t g = 0; g < graphs.size(); ++g)
      result.coloring.emplace_back(all.begin() + joint.first[g], all.begin() + joint.first[g + 1]);
  }
  return result;
}

}  // namespace leman::wl
