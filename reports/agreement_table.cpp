#include "reports/agreement_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/csv.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "reports/csv_real.hpp"
#include "reports/json.hpp"
#include "wl/engine.hpp"

namespace leman::reports {

namespace {

using proofs::Agreement;
using proofs::Counts;
using study::AgreementRecord;

std::string two_fwl() { return std::string(wl::folklore(2).title); }  // what the model is compared with

std::string distance(double x) { return std::isfinite(x) ? scientific(x, 1) : "-"; }

// ---- text

std::vector<std::string> depth_header(std::vector<std::string> first, std::size_t depths) {
  for (std::size_t t = 0; t < depths; ++t) first.push_back(">t=" + std::to_string(t));
  return first;
}

std::string family_table_of(const AgreementRecord& model) {
  std::vector<std::string> header = depth_header({"family", "colours", ">graphs"}, model.all.tokens.size());
  header.push_back(">stable");
  Table table(header);
  auto line = [&](const std::string& family, bool colored, const Agreement& result) {
    std::vector<std::string> cells{family, colored ? "yes" : "", std::to_string(result.graphs)};
    for (const Counts& counts : result.tokens) cells.push_back(percent(counts, 2));
    cells.push_back(percent(result.stable, 2));
    table.row(cells);
  };
  for (const AgreementRecord::Row& row : model.rows) line(row.family, row.colored, row.result);
  line("all", false, model.all);
  return table.text();
}

std::string gap_table(const AgreementRecord& model) {
  const std::vector<Counts>& tokens = model.all.tokens;
  Table table(depth_header({"distance of tokens"}, tokens.size()));
  std::vector<std::string> within{"largest within a colour"}, tolerance{"tolerance"},
      between{"smallest between colours"};
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    within.push_back(distance(tokens[t].gap.within));
    tolerance.push_back(distance(model.tolerance.tokens[t]));
    between.push_back(distance(tokens[t].gap.between));
  }
  table.row(within), table.row(tolerance), table.row(between);
  return table.text();
}

std::string pooling_table(const AgreementRecord& model) {
  std::vector<std::string> header = depth_header({"pooling", ">pairs of graphs"}, model.all.tokens.size());
  header.push_back(">end of " + two_fwl());
  Table table(header);
  for (std::size_t p = 0; p < proofs::kPoolings.size(); ++p) {
    const Counts& stable = model.all.stable_poolings[p];
    std::vector<std::string> cells{proofs::pooling_name(proofs::kPoolings[p]), std::to_string(stable.compared)};
    for (const Counts& counts : model.all.poolings[p]) cells.push_back(percent(counts, 2));
    cells.push_back(percent(stable, 2));
    table.row(cells);
  }
  return table.text();
}

std::string disagreement_table(const AgreementRecord& model) {
  if (model.all.reasons.empty()) return "no disagreement\n";
  Table table({"what", "against", "model is", "why", ">how often", "the first, and a smaller one"});
  for (const proofs::Disagreement& e : model.all.examples)
    table.row({e.what, e.layer < 0 ? "stable" : "round (t=" + std::to_string(e.layer) + ")", e.kind, e.reason,
               std::to_string(how_often(model.all, e)), e.graphs + (e.smaller.empty() ? "" : " -> " + e.smaller)});
  return table.text();
}

std::string model_text(const AgreementRecord& model) {
  const auto interval = proofs::confidence_interval(model.all.agree, model.all.graphs);
  return "\nEdge Transformer, " + model.model + ": " + std::to_string(model.all.agree) + " of " +
         std::to_string(model.all.graphs) + " graphs agree with " + two_fwl() +
         " after every layer (95 % confidence: " + fixed(100 * interval.low, 2) + "-" + fixed(100 * interval.high, 2) +
         " %)\n\ntokens of node pairs after layer t against colours after t rounds: % of graphs that agree\n" +
         family_table_of(model) + "\n" + gap_table(model) +
         "\ngraph against graph: % of the pairs of graphs that pooled tokens and " + two_fwl() + " judge alike\n" +
         pooling_table(model) + "\n" + disagreement_table(model);
}

// ---- CSV

// Pairs of graphs are not independent: they get no interval.
CsvRow csv_row(CsvRow start, const std::string& what, const std::string& depth, const Counts& c, bool independent) {
  for (const std::string& cell : {what, depth}) start.push_back(cell);
  for (const std::uint64_t count : {c.compared, c.agree, c.coarser, c.finer}) start.push_back(std::to_string(count));
  const auto interval = proofs::confidence_interval(c.agree, c.compared);
  for (const double bound : {interval.low, interval.high}) start.push_back(independent ? csv_real(bound) : "");
  for (const double gap : {c.gap.within, c.gap.between}) start.push_back(csv_real(gap));
  return start;
}

void add_rows(const CsvRow& start, const Agreement& result, std::vector<CsvRow>& rows) {
  auto depths = [&](const std::string& what, const std::vector<Counts>& layers, const Counts& stable, bool single) {
    for (std::size_t t = 0; t < layers.size(); ++t)
      rows.push_back(csv_row(start, what, std::to_string(t), layers[t], single));
    rows.push_back(csv_row(start, what, "stable", stable, single));
  };
  depths("tokens", result.tokens, result.stable, true);
  for (std::size_t p = 0; p < proofs::kPoolings.size(); ++p)
    depths(proofs::pooling_name(proofs::kPoolings[p]), result.poolings[p], result.stable_poolings[p], false);
}

}  // namespace

std::string percent(const Counts& counts, int digits) {
  if (counts.compared == 0) return "-";
  if (counts.agree == counts.compared) return "100";
  std::uint64_t scale = 1;
  for (int k = 0; k < digits; ++k) scale *= 10;
  return fixed(static_cast<double>(100 * scale * counts.agree / counts.compared) / static_cast<double>(scale), digits);
}

std::uint64_t how_often(const Agreement& agreement, const proofs::Disagreement& e) {
  const auto at = agreement.reasons.find(e.what + (e.layer < 0 ? "/stable/" : "/round/") + e.kind + "/" + e.reason);
  return at == agreement.reasons.end() ? 0 : at->second;
}

std::string agreement_text(const study::AgreementResult& result, const std::string& source, std::uint64_t seed) {
  std::string text = source + ", seed " + std::to_string(seed) + "\n";
  for (const AgreementRecord& model : result.models) text += model_text(model);
  // What a store knew already says nothing about speed.
  const auto evaluated = static_cast<double>(result.evaluated);
  return text + "\n" + fixed(result.seconds, 1) + " s, " + std::to_string(result.evaluated) + " graphs evaluated, " +
         fixed(evaluated / std::max(1e-9, result.seconds), 0) + " per second\n";
}

std::string agreement_json(const study::AgreementResult& result, const std::string& source, std::uint64_t seed,
                           const std::string& command) {
  Json json = record(command);
  json["source"] = source;
  json["seed"] = seed;
  json["complete"] = result.complete;
  json["models"] = Json::array();
  for (const AgreementRecord& model : result.models) json["models"].push_back(study::to_json(model));
  json["seconds"] = result.seconds;
  json["evaluated"] = result.evaluated;
  return json_text(json);
}

std::string agreement_csv(const std::vector<AgreementRecord>& models) {
  std::vector<CsvRow> rows{{"model", "family", "coloured", "what", "depth", "compared", "agree", "coarser", "finer",
                            "low", "high", "largest_within", "smallest_between"}};
  for (const AgreementRecord& model : models)
    for (const AgreementRecord::Row& row : model.rows)
      add_rows({model.model, row.family, row.colored ? "1" : "0"}, row.result, rows);
  return to_csv(rows);
}

}  // namespace leman::reports
