#include "study/dataset_study.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "study/json.hpp"

namespace leman::study {

namespace {

using Record = DatasetRecord;

constexpr std::size_t kMostCommon = 10;

Record::Score score_of(const Bound& bound, const Target& target) {
  return {bound.differ, bound.correct, target.decimal(bound.absolute), static_cast<double>(bound.squared)};
}

Record::Task task_of(const Target& target, const Bound& always_same) {
  Record::Task task;
  task.name = target.name(), task.regression = target.kind() == TaskKind::Regression;
  task.labels = target.names().size();
  task.always_same = score_of(always_same, target);
  if (task.regression) {
    task.lowest = target.names().front(), task.highest = target.names().back();
    return task;
  }
  for (const std::string& name : target.names()) task.most_common.emplace_back(name, 0);
  for (const std::uint32_t label : target.labels()) ++task.most_common[label].second;
  std::stable_sort(task.most_common.begin(), task.most_common.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (task.most_common.size() > kMostCommon) task.most_common.resize(kMostCommon);
  return task;
}

Record::Depth depth_of(const DepthCount& count, std::optional<int> round, const Counted& counted) {
  Record::Depth depth{round, count.classes, count.alike, count.differ, {}};
  for (std::size_t k = 0; k < counted.targets.size(); ++k)
    depth.scores.push_back(score_of(count.bounds[k], counted.targets[k]));
  return depth;
}

Record describe(const Counted& counted) {
  const Dataset& set = *counted.set;
  Record record;
  record.name = set.name, record.source = set.source, record.format = set.format, record.notes = set.notes;
  record.node_labels = set.node_labels, record.directed = set.directed();
  record.graphs = set.graphs.size(), record.items = set.items();
  const auto [low, high] = std::minmax_element(set.graphs.begin(), set.graphs.end(),
                                               [](const auto& a, const auto& b) { return a.order() < b.order(); });
  record.smallest = low->order(), record.largest = high->order();
  std::set<wl::Color> nodes, edges;
  for (const wl::Graph& graph : set.graphs) {
    for (wl::Node v = 0; v < graph.order(); ++v) nodes.insert(graph.node_color(v));
    for (const wl::Edge& e : graph.edges()) edges.insert(e.color);
  }
  record.node_colors = std::max<std::size_t>(1, nodes.size());
  record.edge_colors = std::max<std::size_t>(1, edges.size());
  const DepthCount all = counted.count(Leaders(set.items(), 0));
  for (std::size_t k = 0; k < counted.targets.size(); ++k)
    record.tasks.push_back(task_of(counted.targets[k], all.bounds[k]));
  return record;
}

// ---- examples

// Where an item stands, and its size: small graphs come first.
struct Place {
  std::uint32_t graph = 0;
  wl::Node node = 0;
  std::uint64_t order = 0, edges = 0;
  auto size() const { return std::tuple(order, edges, graph, node); }
};

std::vector<Place> places_of(const Dataset& set) {
  std::vector<Place> places;
  for (std::uint32_t g = 0; g < set.graphs.size(); ++g)
    for (wl::Node v = 0; v < (set.node_labels ? set.graphs[g].order() : 1); ++v)
      places.push_back({g, v, set.graphs[g].order(), set.graphs[g].size()});
  return places;
}

// Two items of a class with different labels, the smallest first. `same`: items that are alike for
// another reason must differ there (null: none). Members are sorted by size.
std::optional<std::pair<std::uint32_t, std::uint32_t>> example_in(const std::vector<std::uint32_t>& members,
                                                                  const Counted& counted, const Leaders* same) {
  // One member per label and reason, two labels per reason: whatever pair there is, one is left.
  std::vector<std::uint32_t> left;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::map<std::uint32_t, int> kept;
  for (const std::uint32_t i : members) {
    const std::uint32_t reason = same ? (*same)[i] : i;
    if (!seen.insert({reason, counted.labels[i]}).second || kept[reason] == 2) continue;
    ++kept[reason];
    left.push_back(i);
  }
  // At most two first items are tried in vain: one whose label all others have, and one of its kind.
  for (const std::uint32_t a : left)
    for (const std::uint32_t b : left)
      if (counted.labels[a] != counted.labels[b] && !(same && (*same)[a] == (*same)[b])) return std::pair(a, b);
  return std::nullopt;
}

Record::Item item_of(std::uint32_t i, const Place& place, const Counted& counted) {
  const wl::Graph& graph = counted.set->graphs[place.graph];
  Record::Item item{counted.set->places[place.graph], {}, {}, graph.order(), {}};
  if (graph.order() + graph.size() <= DatasetRecord::kKept) item.graph = graph;
  if (counted.set->node_labels) item.node = place.node;
  for (const Target& target : counted.targets) item.labels.push_back(target.names()[target.label(i)]);
  return item;
}

std::vector<Record::Example> examples_of(const Leaders& leaders, const Leaders* same, const Counted& counted,
                                         std::size_t most) {
  const std::vector<Place> places = places_of(*counted.set);
  std::vector<std::uint32_t> order(leaders.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return places[a].size() < places[b].size(); });
  std::vector<bool> mixed(leaders.size(), false);
  for (std::uint32_t i = 0; i < leaders.size(); ++i)
    if (counted.labels[i] != counted.labels[leaders[i]]) mixed[leaders[i]] = true;
  std::vector<std::uint32_t> classes;  // in the order of their smallest members
  std::vector<std::vector<std::uint32_t>> members(leaders.size());
  for (const std::uint32_t i : order) {
    if (!mixed[leaders[i]]) continue;
    if (members[leaders[i]].empty()) classes.push_back(leaders[i]);
    members[leaders[i]].push_back(i);
  }
  std::vector<Record::Example> examples;
  for (std::size_t c = 0; c < classes.size() && examples.size() < most; ++c)
    if (const auto pair = example_in(members[classes[c]], counted, same))
      examples.push_back(
          {item_of(pair->first, places[pair->first], counted), item_of(pair->second, places[pair->second], counted)});
  return examples;
}

// ---- the driver

struct Finished {
  std::size_t row = 0;
  Leaders leaders;
};

std::optional<Finished> run_engine_row(const DatasetStudy& study, const Counted& counted, const wl::Engine& engine,
                                       Record& record, const Control& control) {
  Record::Row row;
  row.engine = engine.name;
  Finished finished{record.rows.size(), {}};
  try {
    const Stage stage(control.observer, std::string(engine.title) + ", graphs", counted.set->graphs.size());
    EngineClasses classes = engine_classes(counted, engine, study.limits, control);
    row.seconds = classes.seconds;
    for (const DepthCount& depth : classes.depths)
      row.depths.push_back(depth_of(depth, static_cast<int>(row.depths.size()), counted));
    finished.leaders = std::move(classes.leaders);
  } catch (const MemoryError& e) {
    row.refused = e.what();
  }
  record.rows.push_back(std::move(row));
  if (finished.leaders.empty()) return std::nullopt;
  return finished;
}

Finished run_isomorphism(const DatasetStudy& study, const Counted& counted, const Leaders& known, Record& record,
                         const Control& control) {
  const Stage stage(control.observer, "isomorphism, graphs", 0);
  IsomorphismClasses classes = isomorphism_classes(*counted.set, known, study.limits, control);
  Record::Row row;
  row.engine = Record::kIsomorphism, row.seconds = classes.seconds;
  row.depths.push_back(depth_of(counted.count(classes.leaders), std::nullopt, counted));
  record.rows.push_back(std::move(row));
  return {record.rows.size() - 1, std::move(classes.leaders)};
}

}  // namespace

Study datasets_study(const std::string& source, const std::string& command) {
  return {Json{{"kind", "datasets"}}.dump(), source, "", "", command, ""};
}

DatasetResult run_dataset(const DatasetStudy& study, const Control& control) {
  for (const wl::Engine* engine : study.engines)
    if (!engine->directed && study.set->directed())
      throw UsageError(std::string(engine->name) + " is for undirected graphs, and these are directed");
  const Counted counted(*study.set, study.task);
  DatasetResult result{describe(counted), false};
  std::vector<Finished> finished;
  Leaders known(counted.set->items(), 0);
  try {
    for (const wl::Engine* engine : study.engines)
      if (auto row = run_engine_row(study, counted, *engine, result.record, control)) {
        known = meet(known, row->leaders);
        finished.push_back(std::move(*row));
      }
    const Finished last = run_isomorphism(study, counted, known, result.record, control);
    // Isomorphic items are examples of the last row only.
    for (const Finished& row : finished)
      result.record.rows[row.row].examples = examples_of(row.leaders, &last.leaders, counted, study.examples);
    result.record.rows[last.row].examples = examples_of(last.leaders, nullptr, counted, study.examples);
    result.complete = true;
  } catch (const Interrupted&) {
  }
  return result;
}

}  // namespace leman::study
