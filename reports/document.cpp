#include "reports/document.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/parallel.hpp"
#include "base/version.hpp"
#include "brec/verdict.hpp"
#include "reports/dataset_drawing.hpp"
#include "reports/model_table.hpp"
#include "reports/stores.hpp"
#include "reports/verdict_text.hpp"
#include "wl/canon.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {

namespace {

// ---- rows of the table and the map

Row engine_row(const wl::Engine& engine, const std::map<int, study::EngineRow>& verdicts, const brec::Roster& roster) {
  Row row;
  row.id = engine.name, row.title = engine.title, row.engine = &engine;
  row.cells.resize(static_cast<std::size_t>(roster.pairs())), row.counts.resize(roster.groups().size());
  for (const auto& [pair, verdict] : verdicts) {
    const bool distinguished = verdict.distinguished;
    roster.for_groups(pair, [&](std::size_t group) {
      Count& count = row.counts[group];
      ++count.run;
      count.distinguished = count.distinguished.value_or(0) + distinguished;
    });
    Cell& cell = row.cells[static_cast<std::size_t>(pair)].emplace();
    cell.seeds = 1;
    if (verdict.distinguished) cell.distinguished = 1, cell.round = verdict.round;
  }
  return row;
}

// Means are over the seeds that ran as many pairs as any: others would look worse than they are. If
// these ran different pairs, only the first of them and those that ran the same count.
std::vector<const study::SeedSummary*> counted_seeds(const study::ModelSummary& summary) {
  std::map<std::uint64_t, std::set<int>> pairs;
  for (const study::ModelRow& row : summary.result().rows) pairs[row.run.seed].insert(row.run.pair);
  std::size_t most = 0;
  for (const auto& [seed, set] : pairs) most = std::max(most, set.size());
  std::vector<const study::SeedSummary*> counted;
  for (const study::SeedSummary& s : summary.seeds()) {
    const std::set<int>& own = pairs.at(s.seed);
    if (own.size() == most && (counted.empty() || own == pairs.at(counted[0]->seed))) counted.push_back(&s);
  }
  return counted;
}

std::vector<Count> mean_counts(const std::vector<const study::SeedSummary*>& seeds) {
  std::vector<Count> counts(seeds[0]->counts.size());
  const auto n = static_cast<double>(seeds.size());
  for (std::size_t group = 0; group < counts.size(); ++group) {
    Count& count = counts[group];
    count.run = seeds[0]->pairs[group];
    if (count.run == 0) continue;
    double mean = 0, square = 0;
    for (const auto* s : seeds) mean += s->counts[group] / n;
    for (const auto* s : seeds) square += (s->counts[group] - mean) * (s->counts[group] - mean);
    count.distinguished = mean;
    if (seeds.size() > 1) count.deviation = std::sqrt(square / (n - 1));
  }
  return counts;
}

std::string model_title(const study::ModelSummary& summary) {
  const std::string& name = summary.result().study.name;
  if (!name.empty()) return name;
  return std::string(summary.model().title) + ", " + std::string(brec::info(summary.protocol()).name);
}

Row model_row(const study::ModelSummary& summary, const std::string& id) {
  Row row;
  row.id = id, row.title = model_title(summary), row.model = &summary.model();
  row.cells.resize(static_cast<std::size_t>(summary.roster().pairs()));
  std::set<int> false_positives, unchecked;  // pairs
  for (const study::ModelRow& run : summary.result().rows) {
    const brec::Verdict& v = run.run.verdict;
    auto& cell = row.cells[static_cast<std::size_t>(run.run.pair)];
    if (!cell) cell.emplace();
    const std::optional<bool> wrong = summary.false_positive(run);
    cell->distinguished += v.distinguished;
    cell->seeds += 1;
    cell->unreliable += !v.reliable;
    cell->false_positive = cell->false_positive || wrong.value_or(false);
    row.unreliable += !v.reliable;
    if (wrong.value_or(false)) false_positives.insert(run.run.pair);
    if (v.distinguished && !wrong && row.model->bound) unchecked.insert(run.run.pair);
  }
  const auto seeds = counted_seeds(summary);
  row.seeds = seeds.size(), row.counts = mean_counts(seeds);
  if (summary.can_be_wrong()) row.false_positives = false_positives.size(), row.unchecked = unchecked.size();
  return row;
}

// Titles that several rows would have get the names of their stores; if these are the same, numbers.
void make_titles_differ(std::vector<Row>& rows, const std::map<std::string, std::string>& files) {
  std::map<std::string, int> uses;
  for (const Row& row : rows) ++uses[row.title];
  for (Row& row : rows)
    if (row.model && uses[row.title] > 1)
      row.title += " [" + std::filesystem::path(files.at(row.id)).stem().string() + "]";
  std::set<std::string> taken;
  for (const bool models : {false, true})  // engines keep their titles
    for (Row& row : rows) {
      if ((row.model != nullptr) != models) continue;
      const std::string title = row.title;
      for (int k = 2; !taken.insert(row.title).second; ++k) row.title = title + " (" + std::to_string(k) + ")";
    }
}

// ---- what a study measured

// Of a list that is not empty; NaNs are at its end.
double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end(), [](double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; });
  return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
}

std::vector<LossCurve> loss_curves(const std::vector<study::ModelRow>& rows, const brec::Roster& roster) {
  std::vector<LossCurve> curves;
  for (const brec::Family& family : roster.families()) {
    std::vector<const std::vector<double>*> losses;
    std::size_t epochs = 0;
    for (const study::ModelRow& row : rows)
      if (row.family == family.name && !row.run.losses.empty())
        losses.push_back(&row.run.losses), epochs = std::max(epochs, row.run.losses.size());
    if (losses.empty()) continue;
    LossCurve& curve = curves.emplace_back();
    curve.family = family.name, curve.pairs = losses.size();
    for (std::size_t e = 0; e < epochs; ++e) {
      std::vector<double> now;
      for (const auto* each : losses) now.push_back((*each)[std::min(e, each->size() - 1)]);
      curve.median.push_back(quantile(now, 0.5));
      curve.low.push_back(quantile(now, 0.1)), curve.high.push_back(quantile(now, 0.9));
    }
  }
  return curves;
}

double threshold_of(const study::ModelSummary& summary) {
  switch (summary.protocol()) {
    case brec::Protocol::Exact: return study::kRounding;
    case brec::Protocol::Published: return brec::kPublishedThreshold;
    case brec::Protocol::Sound: break;
  }
  return full_rank_threshold(summary.level().value_or(brec::kFamilyLevel));
}

Measurements measurements(const study::ModelSummary& summary, const std::string& id) {
  const study::ModelResult& result = summary.result();
  const bool exact = summary.protocol() == brec::Protocol::Exact;
  Measurements m;
  m.row = id, m.settings = result.study.settings, m.command = result.study.command;
  m.statistic = exact ? Statistic::Separation : Statistic::T2;
  m.threshold = threshold_of(summary);
  m.losses = loss_curves(result.rows, summary.roster());
  for (const study::ModelRow& row : result.rows) {
    const brec::Verdict& v = row.run.verdict;
    m.points.push_back({row.run.pair, row.run.seed, exact ? v.separation : v.pairs.t2,
                        exact ? std::nullopt : std::optional(v.reliability.t2), v.distinguished, v.reliable});
    m.commits.insert(row.commit), m.seeds.insert(row.run.seed);
    m.cpu_seconds += row.run.seconds, m.most_epochs = std::max(m.most_epochs, row.run.epochs);
  }
  return m;
}

// ---- the pairs themselves

constexpr wl::Node kTwoFwlNodes = 200;  // larger pairs are coloured by 1-WL

// One entry per node: its stable colour in a joint run, numbered from 0 on over both graphs.
std::array<std::vector<int>, 2> node_colors(const brec::Pair& pair, const wl::Engine& engine) {
  const wl::Graph* graphs[] = {&pair.first, &pair.second};
  wl::RunOptions options;
  options.keep_coloring = true;
  const wl::RunResult run = wl::run_engine(engine, graphs, options);
  std::array<std::vector<wl::Color>, 2> colors;
  std::map<wl::Color, int> names;
  for (std::size_t g = 0; g < 2; ++g) {
    const std::size_t n = graphs[g]->order(), step = engine.tuple == 2 ? n + 1 : 1;  // a node v is the tuple (v, v)
    for (std::size_t v = 0; v < n; ++v) names.emplace(colors[g].emplace_back(run.coloring[g][v * step]), 0);
  }
  int next = 0;
  for (auto& [color, name] : names) name = next++;
  std::array<std::vector<int>, 2> numbers;
  for (std::size_t g = 0; g < 2; ++g)
    for (const wl::Color color : colors[g]) numbers[g].push_back(names.at(color));
  return numbers;
}

DrawnGraph drawn_graph(const wl::Graph& graph, std::vector<int> colors) {
  const wl::Canon canon = wl::canonical(graph);
  return {wl::to_graph6(wl::without_colors(graph)),
          graph.size(),
          canon.group_order,
          std::set<wl::Node>(canon.orbits.begin(), canon.orbits.end()).size(),
          layout(graph),
          std::move(colors)};
}

DrawnPair drawn_pair(const brec::Pair& pair) {
  const wl::Node largest = std::max(pair.first.order(), pair.second.order());
  const wl::Engine& engine = largest <= kTwoFwlNodes ? wl::folklore(2) : wl::color_refinement();
  auto colors = node_colors(pair, engine);
  return {pair.id,
          largest,
          pair.origin,
          pair.truth.reason,
          std::string(engine.title),
          {drawn_graph(pair.first, std::move(colors[0])), drawn_graph(pair.second, std::move(colors[1]))}};
}

void add_rows(const LoadedStores& loaded, Document& document) {
  for (const auto& [engine, verdicts] : loaded.engines)
    document.rows.push_back(engine_row(*engine, verdicts, document.roster));
  std::map<std::string, std::string> files;  // by row
  for (const LoadedStore& store : loaded.stores) {
    if (store.result.rows.empty()) continue;
    const study::ModelSummary summary(store.result);
    const std::string id = "model" + std::to_string(document.studies.size() + 1);
    files[id] = store.file;
    document.rows.push_back(model_row(summary, id));
    document.studies.push_back(measurements(summary, id));
  }
  make_titles_differ(document.rows, files);
  for (Measurements& study : document.studies)
    for (const Row& row : document.rows)
      if (row.id == study.row) study.title = row.title;
  std::stable_sort(document.rows.begin(), document.rows.end(),
                   [](const Row& a, const Row& b) { return a.power() < b.power(); });
}

}  // namespace

Document build_document(const Input& input) {
  Document document;
  document.version = version(), document.commit = commit();
  document.title = input.title, document.command = input.command, document.machine = input.machine.text();
  document.published = input.published;
  add_rows(load_stores(input.stores, document), document);
  draw_datasets(document.datasets, input.threads);
  document.verdict = verdict_sentences(document);
  document.not_run = not_run_sentences(document);
  if (!input.pairs) return document;
  document.pairs.resize(input.pairs->pairs.size());
  parallel_for(document.pairs.size(), input.threads,
               [&](std::size_t k) { document.pairs[k] = drawn_pair(input.pairs->pairs[k]); });
  return document;
}

}  // namespace leman::reports
