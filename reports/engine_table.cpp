#include "reports/engine_table.hpp"

#include <algorithm>

#include "base/csv.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "reports/group_columns.hpp"
#include "reports/json.hpp"

namespace leman::reports {

namespace {

// Pairs that an engine distinguishes. What was refused or not begun is said, and not a miss.
struct SweepCount {
  int distinguished = 0, run = 0, refused = 0, asked = 0;

  void add(const study::SweepRow& row) {
    ++asked;
    run += row.run, refused += !row.refused.empty(), distinguished += row.run && row.verdict.distinguished;
  }
};

std::vector<const study::SweepRow*> rows_of(const std::vector<study::SweepRow>& rows, const wl::Engine& engine) {
  std::vector<const study::SweepRow*> own;
  for (const study::SweepRow& row : rows)
    if (row.item.engine == &engine) own.push_back(&row);
  return own;
}

std::string count_cell(const SweepCount& count) {
  if (count.run == 0) return count.refused ? "refused" : "-";
  return std::to_string(count.distinguished) + (count.run < count.asked ? " of " + std::to_string(count.run) : "");
}

Json row_json(const study::SweepRow& row, const brec::Roster& roster) {
  const int id = row.item.pair->id;
  const brec::Family& family = roster.family_of(id);
  Json json{{"id", id},
            {"name", roster.name(id)},
            {"family", family.name},
            {"category", family.category},
            {"control", roster.is_control(id)},
            {"n", row.item.pair->first.order()},
            {"engine", row.item.engine->name}};
  if (!row.refused.empty()) {
    json["refused"] = row.refused;
    return json;
  }
  json["distinguished"] = row.run ? Json(row.verdict.distinguished) : Json(nullptr);
  if (!row.run) return json;
  json["round"] = row.verdict.distinguished ? Json(row.verdict.round) : Json(nullptr);
  json["rounds"] = row.verdict.rounds;
  json["colours"] = row.verdict.colors;
  json["seconds"] = row.seconds;
  return json;
}

}  // namespace

std::string engine_text(const std::vector<study::SweepRow>& rows, const std::vector<const wl::Engine*>& engines,
                        const brec::Roster& roster, bool wide) {
  const bool all_run = std::all_of(rows.begin(), rows.end(), [](const study::SweepRow& row) { return row.run; });
  std::vector<std::string> header = with_groups({"engine"}, roster, wide);
  if (!all_run) header.push_back(">not run");
  header.push_back(">CPU s");
  Table table(header);
  for (const wl::Engine* engine : engines) {
    std::vector<SweepCount> counts(roster.groups().size());
    int not_run = 0;
    double seconds = 0;
    for (const study::SweepRow* row : rows_of(rows, *engine)) {
      roster.for_groups(row->item.pair->id, [&](std::size_t group) { counts[group].add(*row); });
      seconds += row->seconds, not_run += !row->run;
    }
    auto cells =
        group_cells(std::string(engine->title), roster, wide, [&](std::size_t g) { return count_cell(counts[g]); });
    if (!all_run) cells.push_back(std::to_string(not_run));
    cells.push_back(fixed(seconds, 2));
    table.row(cells);
  }
  return table.text();
}

std::string engine_json(const std::vector<study::SweepRow>& rows, const std::vector<const wl::Engine*>& engines,
                        const brec::PairSet& set, const std::string& command) {
  Json json = record(command);
  json["source"] = set.source;
  for (const wl::Engine* engine : engines) {
    SweepCount count;
    for (const study::SweepRow* row : rows_of(rows, *engine)) count.add(*row);
    json["summary"][std::string(engine->name)] = {
        {"distinguished", count.distinguished}, {"run", count.run}, {"refused", count.refused}};
  }
  for (const study::SweepRow& row : rows) json["rows"].push_back(row_json(row, set.roster));
  return json_text(json);
}

std::string engine_csv(const std::vector<study::SweepRow>& rows, const brec::Roster& roster) {
  std::vector<CsvRow> lines{
      {"id", "family", "category", "n", "engine", "distinguished", "round", "rounds", "colours", "seconds", "name"}};
  for (const study::SweepRow& row : rows) {
    const brec::Family& family = roster.family_of(row.item.pair->id);
    const wl::PairVerdict& v = row.verdict;
    auto if_run = [&](const std::string& text) { return row.run ? text : ""; };
    lines.push_back({std::to_string(row.item.pair->id), family.name, family.category,
                     std::to_string(row.item.pair->first.order()), std::string(row.item.engine->name),
                     row.run               ? std::to_string(v.distinguished)
                     : row.refused.empty() ? ""
                                           : "refused",
                     row.run && v.distinguished ? std::to_string(v.round) : "", if_run(std::to_string(v.rounds)),
                     if_run(std::to_string(v.colors)), fixed(row.seconds, 6), roster.name(row.item.pair->id)});
  }
  return to_csv(lines);
}

}  // namespace leman::reports
