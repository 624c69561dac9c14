#include "reports/verdict_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "reports/dataset_table.hpp"

namespace leman::reports {

namespace {

// 3-WL is run as 2-FWL, which has its power and needs less time.
const wl::Engine& three_wl() { return wl::folklore(2); }
std::string three_wl_title() { return std::string(wl::oblivious(3).title); }

std::string plain(double x) { return fixed(x, x == std::floor(x) ? 0 : 1); }

const Row* row_of(const Document& document, const wl::Engine& engine) {
  for (const Row& row : document.rows)
    if (row.engine == &engine) return &row;
  return nullptr;
}

// The models of the report that cannot do more than the engine; empty if there are none.
std::string bounded_models(const Document& document, const wl::Engine& engine) {
  std::vector<std::string> names;
  for (const brec::ModelInfo& model : brec::models()) {
    const bool here =
        std::any_of(document.rows.begin(), document.rows.end(), [&](const Row& row) { return row.model == &model; });
    if (!here || model.bound != &engine) continue;
    if (model.kind == brec::ModelKind::Et) return ": no Edge Transformer can do more";
    names.emplace_back(model.title);
  }
  return names.empty() ? "" : ": no " + join(names, " or ") + " can do more";
}

std::string bound_sentence(const Document& document, const Row& row) {
  const Count& all = row.counts[document.roster.all()];
  return three_wl_title() + " (computed as " + std::string(row.engine->title) +
         ", which has its power) distinguishes " + plain(all.distinguished.value_or(0)) + " of " +
         std::to_string(all.run) + " pairs" + bounded_models(document, *row.engine) + ".";
}

// How many of the pairs that 3-WL distinguishes the model does, and how many of the others.
std::string beside_3wl(const Row& row, const Row& bound) {
  int can = 0, within = 0, beyond = 0;
  for (std::size_t pair = 0; pair < row.cells.size(); ++pair) {
    const auto &mine = row.cells[pair], &theirs = bound.cells[pair];
    if (!mine || !theirs) continue;
    const bool possible = theirs->distinguished == 1, always = mine->distinguished == mine->seeds;
    can += possible, within += possible && always, beyond += !possible && mine->distinguished != 0;
  }
  return "; " + std::to_string(within) + " of the " + std::to_string(can) + " that " + three_wl_title() +
         " distinguishes" + (row.seeds == 1 ? "" : " (with every seed)") + ", " +
         (beyond ? std::to_string(beyond) : "none") + " of the others";
}

std::string model_sentence(const Document& document, const Row& row, const Row* bound) {
  const Count& all = row.counts[document.roster.all()];
  const std::string seeds = row.seeds == 1 ? "one seed" : std::to_string(row.seeds) + " seeds";
  std::string text = row.title + " (" + seeds + "): " + plain(all.distinguished.value_or(0)) + " of " +
                     std::to_string(all.run) + " pairs that were run";
  if (bound) text += beside_3wl(row, *bound);
  if (row.false_positives) {
    text += *row.false_positives == 0 ? "; no false positive"
                                      : "; " + std::to_string(*row.false_positives) + " FALSE POSITIVES";
    if (*row.unchecked)
      text += " (" + std::to_string(*row.unchecked) + " pairs not checked: the bound was not run on them)";
  }
  return text + ".";
}

std::string agreement_sentence(const study::AgreementRecord& record) {
  const proofs::Agreement& all = record.all;
  const auto interval = proofs::confidence_interval(all.agree, all.graphs);
  return "An Edge Transformer (" + record.model + ") agrees with " + std::string(three_wl().title) +
         " after every layer on " + std::to_string(all.agree) + " of " + std::to_string(all.graphs) +
         " graphs (95 % confidence: " + fixed(100 * interval.low, 1) + " to " + fixed(100 * interval.high, 1) + " %).";
}

std::string claims_sentence(const std::vector<study::ClaimRecord>& claims) {
  std::map<std::string, int> verdicts;
  for (const study::ClaimRecord& claim : claims)
    ++verdicts[claim.verdict.starts_with("fails")   ? "fail as printed and hold as mended"
               : claim.verdict.starts_with("holds") ? "hold"
                                                    : claim.verdict];
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : verdicts) parts.push_back(std::to_string(count) + " " + verdict);
  return "Of " + std::to_string(claims.size()) + " claims of the paper: " + join(parts) + ".";
}

}  // namespace

bool bounds_a_model(const Document& document, const wl::Engine& engine) {
  return std::any_of(document.rows.begin(), document.rows.end(),
                     [&](const Row& row) { return row.model && row.model->bound == &engine; });
}

std::vector<std::string> verdict_sentences(const Document& document) {
  std::vector<std::string> list;
  const Row* bound = row_of(document, three_wl());
  if (bound) list.push_back(bound_sentence(document, *bound));
  for (const Row& row : document.rows)
    if (row.model) list.push_back(model_sentence(document, row, bound));
  for (const study::AgreementRecord& record : document.agreement) list.push_back(agreement_sentence(record));
  if (!document.claims.empty()) list.push_back(claims_sentence(document.claims));
  for (const DrawnDataset& set : document.datasets) list.push_back(dataset_sentence(set.record, set.title));
  return list;
}

std::vector<std::string> not_run_sentences(const Document& document) {
  const int pairs = document.roster.groups()[document.roster.all()].pairs;
  std::vector<std::string> list;
  for (const Row& row : document.rows)
    if (const int run = row.counts[document.roster.all()].run; run < pairs)
      list.push_back(row.title + ": " + std::to_string(pairs - run) + " of " + std::to_string(pairs) + " pairs");
  if (document.studies.empty()) list.push_back("a trained model");
  if (document.agreement.empty()) list.push_back("agreement on random graphs");
  if (document.own_pairs) return list;
  if (document.claims.empty()) list.push_back("the claims ledger");
  if (document.kernels.empty()) list.push_back("kernel speed and memory");
  return list;
}

}  // namespace leman::reports
