#include "wl/marked_engine.hpp"

#include <algorithm>
#include <map>

#include "wl/derived_engines.hpp"
#include "wl/node_refinement.hpp"

namespace leman::wl {

namespace {

// All copies of all graphs: each graph once per marked node. The copies differ in
// their initial colours (node colour, marked).
struct Copies {
  std::vector<const Graph*> graphs;
  std::vector<std::size_t> owner;           // by copy
  std::vector<std::vector<Color>> initial;  // by copy

  explicit Copies(GraphSpan originals) {
    std::vector<Values> values;
    for (std::size_t g = 0; g < originals.size(); ++g)
      for (Node v = 0; v < originals[g]->order(); ++v) {
        graphs.push_back(originals[g]);
        owner.push_back(g);
        values.emplace_back();
        for (Node w = 0; w < originals[g]->order(); ++w) values.back().push_back({originals[g]->node_color(w), w == v});
      }
    initial = rank_values(values);
  }
};

// Canonical colours of copies: ranks of (colour before, histogram now).
class CopyColors {
 public:
  explicit CopyColors(const Copies& copies) : copies_(copies), colors_(copies.graphs.size(), 0) {}
  void add(const RoundView& view) {
    std::map<std::pair<Color, Histogram>, Color> rank;
    std::vector<std::pair<Color, Histogram>> keys;
    for (std::size_t c = 0; c < colors_.size(); ++c) {
      keys.emplace_back(colors_[c], view.histogram(c));
      rank.emplace(keys.back(), 0);
    }
    count_ = 0;
    for (auto& entry : rank) entry.second = count_++;
    for (std::size_t c = 0; c < colors_.size(); ++c) colors_[c] = rank.at(keys[c]);
  }
  std::vector<Color> of_graph(std::size_t g) const {
    std::vector<Color> result;
    for (std::size_t c = 0; c < colors_.size(); ++c)
      if (copies_.owner[c] == g) result.push_back(colors_[c]);
    return result;
  }
  Histogram histogram(std::size_t g) const {
    std::map<Color, std::uint64_t> count;
    for (Color c : of_graph(g)) ++count[c];
    return {count.begin(), count.end()};
  }
  Color count() const { return count_; }

 private:
  const Copies& copies_;
  std::vector<Color> colors_;  // by copy
  Color count_ = 0;
};

}  // namespace

// Runs over all copies, then folds the results of the copies into one multiset per graph.
RunResult refine_marked(GraphSpan graphs, const RunOptions& options) {
  RunResult result;
  std::vector<std::uint32_t> together(graphs.size(), 0);
  Copies copies(graphs);
  if (copies.graphs.empty()) {
    result.stable = true;
    result.groups.push_back(together);
    return result;
  }
  CopyColors colors(copies);
  RunOptions inner = options;
  inner.until_distinguished = false;
  inner.keep_coloring = false;
  inner.observer = nullptr;
  if (options.observer || options.keep_coloring)
    inner.observer = [&](const RoundView& view) {
      colors.add(view);
      if (options.observer)
        options.observer({view.round, colors.count(), [&](std::size_t g) { return colors.of_graph(g); },
                          [&](std::size_t g) { return colors.histogram(g); }});
    };
  RunResult run = refine_nodes(copies.graphs, inner, copies.initial);
  result.rounds = run.rounds;
  result.stable = run.stable;
  result.colors = run.colors;
  for (std::size_t g = 0; g < graphs.size() && options.keep_coloring; ++g)
    result.coloring.push_back(colors.of_graph(g));
  for (const auto& groups : run.groups) {
    std::vector<std::vector<std::uint32_t>> multiset(graphs.size());
    for (std::size_t c = 0; c < copies.graphs.size(); ++c) multiset[copies.owner[c]].push_back(groups[c]);
    for (auto& m : multiset) std::sort(m.begin(), m.end());
    together = split_groups(together, multiset);
    result.groups.push_back(together);
  }
  return result;
}

std::uint64_t marked_memory(GraphSpan graphs) {
  double bytes = 0;
  for (const Graph* g : graphs)
    bytes += static_cast<double>(g->order()) * (200.0 * g->order() + 60.0 * static_cast<double>(g->size()));
  return bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes);
}

}  // namespace leman::wl
