// A model study as JSON and CSV.
#include <cmath>
#include <map>
#include <numeric>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "reports/json.hpp"
#include "reports/model_table.hpp"

namespace leman::reports {

namespace {

using study::ModelRow;
using study::ModelSummary;

const wl::Engine& three_wl() { return wl::folklore(2); }  // which has its power

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(x > 0 ? "inf" : "nan"); }

Json test_json(const brec::Hotelling& test, bool with_p) {
  Json json{{"t2", number(test.t2)}};
  if (!with_p) return json;
  json["p_value"] = test.p_value;
  json["rank"] = test.rank;
  json["by_equality"] = test.by_equality;
  return json;
}

Json row_json(const ModelSummary& summary, const ModelRow& row) {
  const brec::PairRun& r = row.run;
  const brec::Verdict& v = r.verdict;
  const bool with_p = summary.protocol() != brec::Protocol::Published;
  Json json{{"id", r.pair},
            {"seed", r.seed},
            {"name", summary.roster().name(r.pair)},
            {"family", row.family},
            {"category", summary.roster().family_of(r.pair).category},
            {"control", summary.roster().is_control(r.pair)},
            {"n", row.order},
            {"distinguished", v.distinguished},
            {"reliable", v.reliable},
            {"false_positive", or_null(summary.false_positive(row))},
            {"test", test_json(v.pairs, with_p)},
            {"reliability_test", test_json(v.reliability, with_p)},
            {"separation", v.separation},
            {"epochs", r.epochs},
            {"losses", r.losses},
            {"cosine_distances", r.distances},
            {"gradient_norms", r.gradients},
            {"couples", r.couples},
            {"kernel", row.kernel},
            {"commit", row.commit},
            {"seconds", r.seconds},
            {"memory_bytes", row.memory}};
  std::map<std::string, bool> engines;
  for (const wl::Engine* engine : summary.engines())
    if (const auto verdict = summary.by(*engine, r.pair)) engines[std::string(engine->name)] = *verdict;
  for (const auto& [engine, verdict] : engines) json["engines"][engine] = verdict;
  if (summary.by(three_wl(), r.pair) == true) json["round_of_2fwl"] = summary.verdict(three_wl(), r.pair)->round;
  return json;
}

Json seed_json(const ModelSummary& summary, const study::SeedSummary& s) {
  const bool known = summary.can_be_wrong() && !s.unchecked;
  auto if_trained = [&](double x) { return s.trained ? Json(x) : Json(nullptr); };
  Json json{{"seed", s.seed},
            {"run", s.run},
            {"distinguished", summary.distinguished(s)},
            {"false_positives", known ? Json(s.false_positives) : Json(nullptr)},
            {"beyond_3wl", s.unchecked_3wl ? Json(nullptr) : Json(s.beyond_3wl)},
            {"reliability_failures", s.unreliable},
            {"most_epochs", s.most_epochs},
            {"first_loss", if_trained(s.first_loss)},
            {"last_loss", if_trained(s.last_loss)},
            {"largest_gradient_norm", if_trained(s.largest_gradient)},
            {"least_separation", summary.distinguished(s) ? Json(s.least_separation) : Json(nullptr)},
            {"within_rounding", s.within_rounding},
            {"seconds", s.seconds}};
  const brec::Roster& roster = summary.roster();
  for (std::size_t group = 0; group < s.counts.size(); ++group)
    if (group != roster.all())
      json[group < roster.families().size() ? "families"
           : group < roster.all()           ? "categories"
                                            : "controls"][roster.groups()[group].name] = s.counts[group];
  for (const auto& [round, counts] : s.rounds)
    json["rounds_of_2fwl"].push_back({{"round", round}, {"pairs", counts.first}, {"missed", counts.second}});
  return json;
}

std::string digit(bool b) { return b ? "1" : "0"; }
std::string digit(std::optional<bool> b) { return b ? digit(*b) : ""; }

CsvRow csv_row(const ModelSummary& summary, const ModelRow& row) {
  const brec::PairRun& r = row.run;
  const brec::Verdict& v = r.verdict;
  const auto by_3wl = summary.by(three_wl(), r.pair);
  const bool with_p = summary.protocol() != brec::Protocol::Published;
  const double largest = std::accumulate(r.gradients.begin(), r.gradients.end(), 0.0, brec::larger);
  return {std::to_string(r.pair),
          std::to_string(r.seed),
          row.family,
          std::to_string(row.order),
          digit(v.distinguished),
          digit(by_3wl),
          by_3wl == true ? std::to_string(summary.verdict(three_wl(), r.pair)->round) : "",
          digit(summary.false_positive(row)),
          brief(v.pairs.t2, 9),
          with_p ? brief(v.pairs.p_value, 9) : "",
          with_p ? std::to_string(v.pairs.rank) : "",
          digit(v.reliable),
          brief(v.reliability.t2, 9),
          with_p ? brief(v.reliability.p_value, 9) : "",
          brief(v.separation, 9),
          std::to_string(r.epochs),
          r.losses.empty() ? "" : brief(r.losses.back(), 9),
          r.gradients.empty() ? "" : brief(largest, 9),
          row.kernel,
          fixed(r.seconds, 3),
          summary.title(),
          summary.roster().name(r.pair)};
}

}  // namespace

std::string model_json(const ModelSummary& summary, const std::string& command) {
  const study::ModelResult& result = summary.result();
  Json json = record(command);
  json["model"] = summary.title();
  json["source"] = result.study.source;
  json["settings"] = Json::parse(result.study.settings);
  json["complete"] = result.missing ? Json(*result.missing == 0) : Json(nullptr);
  json["summary"] = json["rows"] = Json::array();
  for (const study::SeedSummary& s : summary.seeds()) json["summary"].push_back(seed_json(summary, s));
  for (const ModelRow& row : result.rows) json["rows"].push_back(row_json(summary, row));
  return json_text(json);
}

std::string model_csv(const ModelSummary& summary) {
  std::vector<CsvRow> rows{{"id",
                            "seed",
                            "family",
                            "n",
                            "distinguished",
                            "distinguished_by_3wl",
                            "round_of_2fwl",
                            "false_positive",
                            "t2",
                            "p_value",
                            "rank",
                            "reliable",
                            "reliability_t2",
                            "reliability_p_value",
                            "separation",
                            "epochs",
                            "last_loss",
                            "largest_gradient_norm",
                            "kernel",
                            "seconds",
                            "model",
                            "name"}};
  for (const ModelRow& row : summary.result().rows) rows.push_back(csv_row(summary, row));
  return to_csv(rows);
}

}  // namespace leman::reports
