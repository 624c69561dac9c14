// The document as JSON: report.json, and what the page's script needs of it.
#include "reports/json.hpp"
#include "reports/render.hpp"

namespace leman::reports {

namespace {

// A list of JSON values, one per element.
template <class List, class Function>
Json list_of(const List& list, Function function) {
  Json json = Json::array();
  for (const auto& each : list) json.push_back(function(each));
  return json;
}
template <class List>
Json records(const List& list) {
  return list_of(list, [](const auto& record) { return study::to_json(record); });
}

Json cell_json(const Row& row, const std::optional<Cell>& cell) {
  if (!cell) return nullptr;
  if (row.engine) return {{"distinguished", cell->distinguished}, {"round", or_null(cell->round)}};
  return {{"distinguished", cell->distinguished},
          {"seeds", cell->seeds},
          {"false_positive", cell->false_positive},
          {"unreliable", cell->unreliable}};
}
Json cells_json(const Row& row) {
  return list_of(row.cells, [&](const auto& cell) { return cell_json(row, cell); });
}
const char* kind_of(const Row& row) { return row.engine ? "engine" : "model"; }

Json row_json(const Row& row, const brec::Roster& roster) {
  Json counts = Json::object();
  for (std::size_t group = 0; group < row.counts.size(); ++group) {
    const Count& count = row.counts[group];
    counts[roster.groups()[group].name] = {
        {"run", count.run}, {"distinguished", or_null(count.distinguished)}, {"deviation", or_null(count.deviation)}};
  }
  return {{"id", row.id},
          {"title", row.title},
          {"kind", kind_of(row)},
          {"power", row.power()},
          {"seeds", row.engine ? Json(nullptr) : Json(row.seeds)},
          {"false_positives", or_null(row.false_positives)},
          {"unchecked", or_null(row.unchecked)},
          {"reliability_failures", row.engine ? Json(nullptr) : Json(row.unreliable)},
          {"counts", std::move(counts)},
          {"cells", cells_json(row)}};
}

Json reliability_json(const Measurement& m) {
  return m.reliability ? study::number_or_null(*m.reliability) : Json(nullptr);
}
const char* statistic_name(Statistic statistic) { return statistic == Statistic::T2 ? "T2" : "separation"; }

Json study_json(const Measurements& study) {
  auto point = [](const Measurement& m) -> Json {
    return {{"pair", m.pair},
            {"seed", m.seed},
            {"value", study::number_or_null(m.value)},
            {"reliability", reliability_json(m)},
            {"distinguished", m.distinguished},
            {"reliable", m.reliable}};
  };
  auto curve = [](const LossCurve& c) -> Json {
    return {{"family", c.family}, {"pairs", c.pairs}, {"median", c.median}, {"low", c.low}, {"high", c.high}};
  };
  return {{"row", study.row},
          {"title", study.title},
          {"settings", Json::parse(study.settings)},
          {"command", study.command},
          {"statistic", statistic_name(study.statistic)},
          {"threshold", study.threshold},
          {"points", list_of(study.points, point)},
          {"losses", list_of(study.losses, curve)},
          {"commits", study.commits},
          {"seeds", study.seeds},
          {"cpu_seconds", study.cpu_seconds},
          {"most_epochs", study.most_epochs}};
}

Json graph_json(const DrawnGraph& graph) {
  std::vector<int> xy;
  for (const Point& p : graph.places) xy.push_back(p.x), xy.push_back(p.y);
  return {{"graph6", graph.graph6},
          {"edges", graph.edges},
          {"group_order", graph.group_order},
          {"orbits", graph.orbits},
          {"xy", xy},
          {"colors", graph.colors}};
}

Json pairs_json(const Document& d) {
  return list_of(d.pairs, [&](const DrawnPair& pair) -> Json {
    return {{"id", pair.id},
            {"family", d.roster.family_of(pair.id).name},
            {"name", d.roster.name(pair.id)},
            {"control", d.roster.is_control(pair.id)},
            {"nodes", pair.nodes},
            {"origin", pair.origin},
            {"truth", pair.truth},
            {"engine", pair.engine},
            {"graphs", list_of(pair.graphs, graph_json)}};
  });
}

Json families_json(const brec::Roster& roster) {
  return list_of(roster.families(), [](const brec::Family& f) -> Json {
    return {{"name", f.name}, {"category", f.category}, {"first", f.first_id}, {"pairs", f.pairs}};
  });
}

// Statistics of the first seed: pair, value, reliability.
Json script_study(const Measurements& study) {
  Json points = Json::array();
  for (const Measurement& m : study.points)
    if (m.seed == *study.seeds.begin())
      points.push_back(Json::array({m.pair, study::number_or_null(m.value), reliability_json(m)}));
  return {{"row", study.row},
          {"statistic", statistic_name(study.statistic)},
          {"threshold", study.threshold},
          {"points", std::move(points)}};
}

}  // namespace

std::string document_json(const Document& d) {
  Json json{{"leman", {{"version", d.version}, {"commit", d.commit}, {"command", d.command}, {"machine", d.machine}}}};
  json["title"] = d.title;
  json["verdict"] = d.verdict;
  json["rows"] = list_of(d.rows, [&](const Row& row) { return row_json(row, d.roster); });
  json["published"] = list_of(d.published, [](const brec::PublishedRow& row) -> Json {
    return {{"model", row.model}, {"counts", row.counts}};
  });
  json["studies"] = list_of(d.studies, study_json);
  json["agreement"] = records(d.agreement);
  json["claims"] = records(d.claims);
  json["kernels"] = records(d.kernels);
  json["steps"] = records(d.steps);
  json["datasets"] = list_of(d.datasets, [](const DrawnDataset& set) {
    Json record = study::to_json(set.record);
    record["title"] = set.title;
    return record;
  });
  json["runs"] = list_of(d.runs, [](const StoreFacts& run) -> Json {
    return {{"store", run.name},
            {"command", run.command},
            {"source", run.source},
            {"rows", run.model_rows},
            {"engine_rows", run.engine_rows}};
  });
  json["not_run"] = d.not_run;
  json["source"] = d.source;
  json["pairs_digest"] = d.pairs_digest;
  json["families"] = families_json(d.roster);
  json["controls"] = d.roster.controls();
  json["pairs"] = pairs_json(d);
  return json_text(json);
}

std::string script_data(const Document& d) {
  auto row = [](const Row& r) -> Json {
    return {{"id", r.id}, {"title", r.title}, {"kind", kind_of(r)}, {"cells", cells_json(r)}};
  };
  Json data{{"count", d.roster.pairs()}};
  data["rows"] = list_of(d.rows, row);
  data["studies"] = list_of(d.studies, script_study);
  data["pairs"] = pairs_json(d);
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  // "</script" would end the script element, "<!--" change how it is read. In JSON "<" stands in
  // strings only.
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos;) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace leman::reports
