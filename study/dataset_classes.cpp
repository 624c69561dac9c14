#include "study/dataset_classes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "base/cpu.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::study {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

std::uint64_t pairs_of(std::uint64_t n) { return n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1); }

std::vector<std::uint32_t> all_of(std::size_t items) {
  std::vector<std::uint32_t> all(items);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::uint64_t count_classes(const Leaders& leaders) {
  std::uint64_t classes = 0;
  for (std::uint32_t i = 0; i < leaders.size(); ++i) classes += leaders[i] == i;
  return classes;
}

// Equal values, numbered 0, 1, ...
template <class Value>
class Numbers {
 public:
  std::uint32_t of(const Value& value) {
    return known_.try_emplace(value, static_cast<std::uint32_t>(known_.size())).first->second;
  }

 private:
  std::map<Value, std::uint32_t> known_;
};

}  // namespace

DepthCount& DepthCount::operator+=(const DepthCount& other) {
  classes += other.classes, alike += other.alike, differ += other.differ;
  if (bounds.empty()) bounds.resize(other.bounds.size());
  for (std::size_t k = 0; k < other.bounds.size(); ++k) bounds[k] += other.bounds[k];
  return *this;
}

Counted::Counted(const Dataset& data, std::optional<TaskKind> kind) : set(&data), labels(data.items(), 0) {
  for (const LabelColumn& column : data.columns) {
    targets.emplace_back(column, kind, data.source);
    Numbers<std::pair<std::uint32_t, std::uint32_t>> numbers;
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = numbers.of({labels[i], targets.back().label(i)});
  }
}

DepthCount Counted::count(const Leaders& leaders) const { return count(all_of(leaders.size()), leaders); }

DepthCount Counted::count(std::span<const std::uint32_t> items, const Leaders& leaders) const {
  // Members of a class stand together, behind each other in `order`.
  std::vector<std::uint32_t> start(leaders.size() + 1, 0), order(leaders.size());
  for (const std::uint32_t leader : leaders) ++start[leader + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint32_t> next = start;
  for (std::size_t k = 0; k < leaders.size(); ++k) order[next[leaders[k]]++] = items[k];
  DepthCount count;
  count.bounds.resize(targets.size());
  std::vector<std::uint32_t> kinds;
  for (std::size_t c = 0; c < leaders.size(); ++c) {
    const std::span<const std::uint32_t> members(order.data() + start[c], start[c + 1] - start[c]);
    if (members.empty()) continue;
    ++count.classes, count.alike += pairs_of(members.size());
    for (std::size_t k = 0; k < targets.size(); ++k) count.bounds[k] += targets[k].bound(members);
    kinds.clear();
    for (const std::uint32_t item : members) kinds.push_back(labels[item]);
    std::sort(kinds.begin(), kinds.end());
    count.differ += pairs_of(kinds.size());
    for (std::size_t k = 0, end = 0; k < kinds.size(); k = end) {
      while (end < kinds.size() && kinds[end] == kinds[k]) ++end;
      count.differ -= pairs_of(end - k);
    }
  }
  return count;
}

namespace {

// Depths of one part: a depth is counted anew where classes split.
class Depths {
 public:
  Depths(const Counted& counted, std::span<const std::uint32_t> items) : counted_(counted), items_(items) {}
  void add(const Leaders& leaders) {
    const std::uint64_t classes = count_classes(leaders);
    if (list_.empty() || list_.back().classes != classes)
      list_.push_back(counted_.count(items_, leaders)), last_ = leaders;
    else
      list_.push_back(list_.back());
  }
  // Classes only split: as many as before are the same ones.
  void trim() {
    while (list_.size() > 1 && list_[list_.size() - 2].classes == list_.back().classes) list_.pop_back();
  }
  const std::vector<DepthCount>& list() const { return list_; }
  const Leaders& last() const { return last_; }

 private:
  const Counted& counted_;
  std::span<const std::uint32_t> items_;
  std::vector<DepthCount> list_;
  Leaders last_;
};

// ---- graphs

using Part = std::vector<std::uint32_t>;  // graphs, ascending

// What differs between graphs of different parts; see the header.
std::vector<std::uint64_t> part_key(const wl::Graph& graph, bool edges) {
  std::vector<wl::Color> colors = graph.node_colors();
  std::sort(colors.begin(), colors.end());
  std::vector<std::uint64_t> key{graph.order()};
  key.insert(key.end(), colors.begin(), colors.end());
  if (edges) key.push_back(graph.size());
  return key;
}

std::vector<Part> parts_of(const std::vector<wl::Graph>& graphs, const wl::Engine& engine) {
  Numbers<std::vector<std::uint64_t>> numbers;
  std::vector<Part> parts;
  for (std::uint32_t g = 0; g < graphs.size(); ++g) {
    const std::uint32_t part = numbers.of(part_key(graphs[g], engine.tuple > 1));
    if (part == parts.size()) parts.emplace_back();
    parts[part].push_back(g);
  }
  return parts;
}

struct PartResult {
  std::vector<DepthCount> depths;
  Leaders leaders;  // of the last depth, as graphs of the data set
  double seconds = 0;
};

wl::RunOptions run_options(const RunLimits& limits, const Control& control) {
  wl::RunOptions options;
  options.memory_limit = limits.memory;
  options.observer = [&control](const wl::RoundView&) {
    if (control.stop) throw Interrupted();
  };
  return options;
}

PartResult run_part(const Counted& counted, const wl::Engine& engine, const Part& part, const wl::RunOptions& options) {
  const double start = thread_seconds();
  Depths depths(counted, part);
  if (part.size() == 1) {
    depths.add({0});
  } else {
    std::vector<const wl::Graph*> graphs;
    for (const std::uint32_t g : part) graphs.push_back(&counted.set->graphs[g]);
    for (const Leaders& groups : wl::run_engine(engine, graphs, options).groups) depths.add(groups);
    depths.trim();
  }
  PartResult result{depths.list(), {}, 0};
  for (const std::uint32_t leader : depths.last()) result.leaders.push_back(part[leader]);
  result.seconds = thread_seconds() - start;
  return result;
}

std::vector<std::uint64_t> part_memory(const std::vector<wl::Graph>& graphs, const std::vector<Part>& parts,
                                       const wl::Engine& engine) {
  std::vector<std::uint64_t> bytes;
  for (const Part& part : parts) {
    std::vector<const wl::Graph*> all;
    for (const std::uint32_t g : part) all.push_back(&graphs[g]);
    bytes.push_back(part.size() > 1 ? engine.memory(all) : 0);
  }
  return bytes;
}

EngineClasses graph_classes(const Counted& counted, const wl::Engine& engine, const RunLimits& limits,
                            const Control& control) {
  const std::vector<wl::Graph>& graphs = counted.set->graphs;
  const std::vector<Part> parts = parts_of(graphs, engine);
  const std::vector<std::uint64_t> bytes = part_memory(graphs, parts, engine);
  const std::size_t largest = static_cast<std::size_t>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin());
  demand_memory(bytes[largest], limits.memory,
                std::string(engine.title) + " on " + std::to_string(parts[largest].size()) + " graphs of order " +
                    std::to_string(graphs[parts[largest][0]].order()) + " jointly");
  // Large parts run one after the other, small ones side by side.
  const std::uint64_t share =
      limits.memory ? limits.memory / std::max(1u, limits.threads) : memory_share(0, limits.threads);
  std::vector<PartResult> results(parts.size());
  wl::RunOptions options = run_options(limits, control);
  options.until_distinguished = true;
  auto run = [&](std::size_t p) {
    if (control.stop) throw Interrupted();
    results[p] = run_part(counted, engine, parts[p], options);
    control.observer.done(parts[p].size(), std::string(engine.title));
  };
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (bytes[p] > share) run(p);
  parallel_for(parts.size(), limits.threads, [&](std::size_t p) {
    if (bytes[p] <= share) run(p);
  });
  EngineClasses classes;
  std::size_t depths = 1;
  for (const PartResult& result : results) depths = std::max(depths, result.depths.size());
  classes.depths.resize(depths), classes.leaders.resize(graphs.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const PartResult& result = results[p];
    classes.seconds += result.seconds;
    for (std::size_t t = 0; t < depths; ++t) classes.depths[t] += result.depths[std::min(t, result.depths.size() - 1)];
    for (std::size_t k = 0; k < parts[p].size(); ++k) classes.leaders[parts[p][k]] = result.leaders[k];
  }
  return classes;
}

// ---- nodes

// The colours of all nodes in a round, each replaced by the first node that has it.
Leaders node_leaders(const wl::RoundView& view, const std::vector<wl::Graph>& graphs, int tuple) {
  std::vector<std::uint32_t> first(view.colors, kNone);
  Leaders leaders;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::vector<wl::Color> colors = view.coloring(g);
    std::size_t step = 1;  // from (v, v, ...) to (v + 1, v + 1, ...)
    for (int k = 1; k < tuple; ++k) step = step * graphs[g].order() + 1;
    for (wl::Node v = 0; v < graphs[g].order(); ++v) {
      std::uint32_t& leader = first[colors[v * step]];
      if (leader == kNone) leader = static_cast<std::uint32_t>(leaders.size());
      leaders.push_back(leader);
    }
  }
  return leaders;
}

EngineClasses node_classes(const Counted& counted, const wl::Engine& engine, const RunLimits& limits,
                           const Control& control) {
  const std::vector<wl::Graph>& graphs = counted.set->graphs;
  const double start = thread_seconds();
  const std::vector<std::uint32_t> items = all_of(counted.set->items());
  Depths depths(counted, items);
  wl::RunOptions options = run_options(limits, control);
  options.observer = [&](const wl::RoundView& view) {
    if (control.stop) throw Interrupted();
    depths.add(node_leaders(view, graphs, engine.tuple));
    control.observer.begin(std::string(engine.title) + ", round " + std::to_string(view.round));
  };
  const std::vector<const wl::Graph*> pointers = wl::pointers_to(graphs);
  demand_memory(engine.memory(pointers), limits.memory,
                std::string(engine.title) + " on all " + std::to_string(graphs.size()) + " graphs jointly");
  wl::run_engine(engine, pointers, options);
  depths.trim();
  control.observer.done(graphs.size(), std::string(engine.title));
  return {depths.list(), depths.last(), thread_seconds() - start};
}

}  // namespace

EngineClasses engine_classes(const Counted& counted, const wl::Engine& engine, const RunLimits& limits,
                             const Control& control) {
  return counted.set->node_labels ? node_classes(counted, engine, limits, control)
                                  : graph_classes(counted, engine, limits, control);
}

Leaders meet(const Leaders& a, const Leaders& b) {
  std::unordered_map<std::uint64_t, std::uint32_t> first;
  Leaders both;
  for (std::uint32_t i = 0; i < a.size(); ++i)
    both.push_back(first.try_emplace(std::uint64_t{a[i]} << 32 | b[i], i).first->second);
  return both;
}

// ---- up to isomorphism

namespace {

// Equal for isomorphic graphs and for no others.
std::vector<std::uint64_t> form_key(const wl::Graph& form) {
  std::vector<std::uint64_t> key{form.order()};
  for (wl::Node v = 0; v < form.order(); ++v) key.push_back(form.node_color(v));
  for (const wl::Edge& e : form.edges()) key.push_back(std::uint64_t{e.u} << 32 | e.v), key.push_back(e.color);
  return key;
}

struct FormOfGraph {
  std::vector<std::uint64_t> key;
  std::vector<wl::Node> orbit;  // by node: the first node of the form in its orbit
  double seconds = 0;
};

FormOfGraph form_of(const wl::Graph& graph) {
  const double start = thread_seconds();
  const wl::Canon canon = wl::canonical(graph);
  FormOfGraph form{form_key(canon.form), {}, 0};
  std::vector<wl::Node> first(graph.order(), kNone);  // by representative of the orbit
  for (wl::Node v = 0; v < graph.order(); ++v)
    first[canon.orbits[v]] = std::min(first[canon.orbits[v]], canon.image[v]);
  for (wl::Node v = 0; v < graph.order(); ++v) form.orbit.push_back(first[canon.orbits[v]]);
  form.seconds = thread_seconds() - start;
  return form;
}

}  // namespace

IsomorphismClasses isomorphism_classes(const Dataset& set, const Leaders& known, const RunLimits& limits,
                                       const Control& control) {
  std::vector<bool> shared(known.size(), false);  // by leader: its class has other items
  for (std::uint32_t i = 0; i < known.size(); ++i)
    if (known[i] != i) shared[known[i]] = true;
  // Only graphs with an item in a shared class need a form.
  std::vector<std::uint32_t> first_item, needed;
  for (std::uint32_t g = 0, item = 0; g < set.graphs.size(); ++g) {
    first_item.push_back(item);
    const std::uint32_t end = item + (set.node_labels ? set.graphs[g].order() : 1);
    bool any = false;
    for (; item < end; ++item) any = any || shared[known[item]];
    if (any) needed.push_back(g);
  }
  std::vector<FormOfGraph> forms(set.graphs.size());
  parallel_for(needed.size(), limits.threads, [&](std::size_t k) {
    if (control.stop) throw Interrupted();
    forms[needed[k]] = form_of(set.graphs[needed[k]]);
    control.observer.done(1, "canonical forms");
  });
  IsomorphismClasses result{all_of(known.size()), 0};
  Numbers<std::vector<std::uint64_t>> numbers;
  std::map<std::pair<std::uint32_t, wl::Node>, std::uint32_t> first;  // (form, orbit) -> item
  for (const std::uint32_t g : needed) {
    const std::uint32_t form = numbers.of(forms[g].key);
    for (std::uint32_t k = 0; k < (set.node_labels ? set.graphs[g].order() : 1); ++k) {
      const std::uint32_t item = first_item[g] + k;
      result.leaders[item] = first.try_emplace({form, set.node_labels ? forms[g].orbit[k] : 0}, item).first->second;
    }
    result.seconds += forms[g].seconds;
    forms[g] = {};
  }
  return result;
}

}  // namespace leman::study
