#include "reports/model_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/table.hpp"
#include "base/text.hpp"
#include "brec/sample.hpp"
#include "brec/verdict.hpp"
#include "reports/group_columns.hpp"
#include "reports/names.hpp"

namespace leman::reports {

namespace {

using study::ModelSummary;
using study::SeedSummary;

constexpr int kDimensions = 16;  // of the embeddings that Hotelling's test compares
constexpr std::size_t kTerminal = 80, kLongestTitle = 16;

const wl::Engine& three_wl() { return wl::folklore(2); }  // which has its power
std::string three_wl_title() { return std::string(wl::oblivious(3).title); }

// ---- counts

using Lines = std::vector<std::vector<std::string>>;

std::string count_or_dash(int count, int run) { return run ? std::to_string(count) : "-"; }

std::vector<std::string> engine_line(const ModelSummary& summary, const wl::Engine& engine, bool wide) {
  int not_run = 0;
  const std::vector<int> counts = summary.counts(engine, not_run);
  std::vector<int> run(counts.size());
  std::set<int> pairs;
  for (const study::ModelRow& row : summary.result().rows)
    if (summary.verdict(engine, row.run.pair) && pairs.insert(row.run.pair).second)
      summary.roster().for_groups(row.run.pair, [&](std::size_t group) { ++run[group]; });
  std::string title(engine.title);
  if (&engine == &three_wl()) title += " = " + three_wl_title();
  if (not_run) title += " (" + std::to_string(not_run) + " not run)";
  return group_cells(title, summary.roster(), wide, [&](std::size_t g) { return count_or_dash(counts[g], run[g]); });
}

std::vector<std::string> seed_line(const ModelSummary& summary, const std::string& title, const SeedSummary& s,
                                   bool wide) {
  const bool part = static_cast<std::size_t>(s.run) < summary.pair_count();
  return group_cells(title + ", seed " + std::to_string(s.seed) + (part ? " (" + std::to_string(s.run) + " run)" : ""),
                     summary.roster(), wide, [&](std::size_t g) { return count_or_dash(s.counts[g], s.pairs[g]); });
}

std::string mean_and_deviation(const std::vector<const SeedSummary*>& seeds, std::size_t group) {
  double mean = 0, square = 0;
  const auto n = static_cast<double>(seeds.size());
  for (const SeedSummary* s : seeds) mean += s->counts[group] / n;
  for (const SeedSummary* s : seeds) square += (s->counts[group] - mean) * (s->counts[group] - mean);
  return fixed(mean, 1) + "±" + fixed(std::sqrt(square / (n - 1)), 1);
}

void add_published(const ModelSummary& summary, bool wide, Lines& lines) {
  const auto& published = summary.result().published;
  if (published.empty()) return;
  const int all = summary.roster().pairs();
  const bool part = summary.pairs()[summary.roster().all()] < all;
  lines.push_back({part ? "published, of all " + std::to_string(all) + " pairs:" : "published:"});
  for (const brec::PublishedRow& row : published) {
    std::vector<std::string> cells{"  " + row.model};
    if (wide) cells.resize(1 + summary.roster().families().size(), "");
    cells.insert(cells.end(), row.counts.begin(), row.counts.end());
    lines.push_back(std::move(cells));
  }
}

Lines count_lines(const ModelSummary& summary, bool wide) {
  const std::string title = wide ? summary.title() : shortened(summary.title(), kLongestTitle);
  const brec::Roster& roster = summary.roster();
  Lines lines{
      group_cells("(pairs run)", roster, wide, [&](std::size_t g) { return std::to_string(summary.pairs()[g]); })};
  for (const wl::Engine* engine : summary.engines()) lines.push_back(engine_line(summary, *engine, wide));
  for (const SeedSummary& s : summary.seeds()) lines.push_back(seed_line(summary, title, s, wide));
  if (const auto whole = summary.whole_seeds(); whole.size() > 1)
    lines.push_back(
        group_cells(title + ", " + std::to_string(whole.size()) + " seeds", roster, wide,
                    [&](std::size_t g) { return summary.pairs()[g] ? mean_and_deviation(whole, g) : "-"; }));
  add_published(summary, wide, lines);
  return lines;
}

std::string count_table(const ModelSummary& summary, bool wide) {
  Lines lines = count_lines(summary, wide);
  auto table_of = [&] {
    Table table(with_groups({"distinguished by"}, summary.roster(), wide));
    for (const auto& line : lines) table.row(line);
    return table;
  };
  const Table table = table_of();
  if (wide || table.width() <= kTerminal) return table.text();
  std::size_t longest = 0;
  for (const auto& line : lines) longest = std::max(longest, width_of(line[0]));
  const std::size_t excess = table.width() - kTerminal;
  const std::size_t room = longest > excess + kLongestTitle ? longest - excess : kLongestTitle;
  for (auto& line : lines) line[0] = shortened(line[0], room);
  return table_of().text();
}

// ---- seeds and rounds

std::string seed_table(const ModelSummary& summary, bool wide) {
  const bool bounded = summary.can_be_wrong();
  const std::string beyond = bounded ? (wide ? ">false positives" : ">false pos.") : ">beyond " + three_wl_title();
  Table table(wide ? std::vector<std::string>{">seed", beyond, ">reliability failures", ">epochs", ">loss, first",
                                              ">last", ">largest gradient", ">least separation", ">below 1e-12",
                                              ">CPU s"}
                   : std::vector<std::string>{">seed", beyond, ">unreliable", ">epochs", ">loss, first", ">last",
                                              ">least sep.", ">CPU s"});
  for (const SeedSummary& s : summary.seeds()) {
    std::vector<std::string> cells{
        std::to_string(s.seed),
        (bounded ? s.unchecked : s.unchecked_3wl) ? "-" : std::to_string(bounded ? s.false_positives : s.beyond_3wl),
        std::to_string(s.unreliable),
        std::to_string(s.most_epochs),
        s.trained ? fixed(s.first_loss, 4) : "-",
        s.trained ? fixed(s.last_loss, 4) : "-"};
    if (wide) cells.push_back(s.trained ? brief(s.largest_gradient, 2) : "-");
    cells.push_back(summary.distinguished(s) ? brief(s.least_separation, 2) : "-");
    if (wide) cells.push_back(std::to_string(s.within_rounding));
    cells.push_back(fixed(s.seconds, 1));
    table.row(cells);
  }
  return table.text();
}

std::string round_table(const ModelSummary& summary) {
  std::map<int, std::pair<int, int>> rounds;
  for (const SeedSummary& s : summary.seeds())
    for (const auto& [round, counts] : s.rounds)
      rounds[round].first += counts.first, rounds[round].second += counts.second;
  if (rounds.empty()) return "";
  Table table({">round of " + std::string(three_wl().title), ">pairs and seeds", ">missed"});
  for (const auto& [round, counts] : rounds)
    table.row({std::to_string(round), std::to_string(counts.first), std::to_string(counts.second)});
  return "\n" + table.text();
}

}  // namespace

double full_rank_threshold(double level) {
  return brec::t2_threshold(kDimensions, static_cast<int>(brec::kCouples), level);
}

std::string model_text(const ModelSummary& summary, bool wide) {
  const study::ModelResult& result = summary.result();
  const std::string kind(summary.model().title);
  std::string text = result.study.source + ", " + std::to_string(summary.pair_count()) + " pairs, model " +
                     summary.title() + (summary.title() == kind ? "" : " (" + kind + ")") + ", protocol " +
                     std::string(brec::info(summary.protocol()).name);
  if (const auto level = summary.level())
    text += "\neach test at level " + brief(*level, 3) + " (" + brief(100 * *level * summary.roster().pairs(), 3) +
            " % over " + std::to_string(summary.roster().pairs()) + " tests); T2 above " +
            brief(full_rank_threshold(*level), 4) + " at full rank";
  text += "\n\n" + count_table(summary, wide);
  if (!result.rows.empty()) text += "\n" + seed_table(summary, wide) + round_table(summary);
  if (result.missing.value_or(0)) text += "\nincomplete: " + std::to_string(*result.missing) + " rows are missing\n";
  return text;
}

}  // namespace leman::reports
