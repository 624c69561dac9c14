#include "study/model_summary.hpp"

#include <algorithm>
#include <limits>

#include "study/json.hpp"
#include "wl/engine.hpp"

namespace leman::study {

ModelResult read_result(const Store& store) {
  return {store.name(), store.study(), store.model_rows(), store.engine_rows(), {}, {}};
}

namespace {

// A setting that is text; empty: there is none.
std::string text_of(const Json& settings, const char* key) {
  const auto at = settings.find(key);
  return at != settings.end() && at->is_string() ? at->get<std::string>() : "";
}

}  // namespace

ModelSummary::ModelSummary(const ModelResult& result) : result_(&result) {
  const Json settings = Json::parse(result.study.settings);
  const std::string model = text_of(settings, "model"), protocol = text_of(settings, "protocol");
  if (model.empty() || protocol.empty()) {
    const std::string kind = text_of(settings, "kind");
    throw StoreError(result.file, "is one of " + (kind.empty() ? "something else" : kind) + ", not of `leman brec`");
  }
  try {
    model_ = &brec::model_named(model);
    protocol_ = brec::protocol_named(protocol).protocol;
  } catch (const UsageError& e) {  // of another version
    throw StoreError(result.file, e.what());
  }
  if (settings.contains("level") && settings["level"].is_number()) level_ = settings["level"].get<double>();
  if (level_ && !(*level_ > 0 && *level_ < 1)) throw StoreError(result.file, "its level is not between 0 and 1");
  for (const ModelRow& row : result.rows) ran_.insert(row.run.pair);
  pairs_.resize(roster().groups().size());
  for (const int pair : ran_) roster().for_groups(pair, [this](std::size_t group) { ++pairs_[group]; });
  for (const EngineRow& row : result.engines)
    if (ran_.count(row.pair)) verdicts_[row.engine][row.pair] = &row;
  for (const ModelRow& row : result.rows) {
    if (seeds_.empty() || seeds_.back().seed != row.run.seed) {
      SeedSummary& seed = seeds_.emplace_back();
      seed.seed = row.run.seed;
      seed.counts.resize(pairs_.size()), seed.pairs.resize(pairs_.size());
      seed.least_separation = std::numeric_limits<double>::infinity();
    }
    add(seeds_.back(), row);
  }
  for (SeedSummary& s : seeds_) s.first_loss /= std::max(1, s.trained), s.last_loss /= std::max(1, s.trained);
}

void ModelSummary::add(SeedSummary& s, const ModelRow& row) const {
  const brec::PairRun& r = row.run;
  const wl::Engine& three_wl = wl::folklore(2);  // which has the power of 3-WL
  ++s.run;
  roster().for_groups(r.pair, [&](std::size_t group) { ++s.pairs[group]; });
  s.unreliable += !r.verdict.reliable;
  s.false_positives += false_positive(row).value_or(false);
  s.unchecked += model_->bound && !false_positive(row);
  s.unchecked_3wl += !beyond(three_wl, row);
  s.beyond_3wl += beyond(three_wl, row).value_or(false);
  s.most_epochs = std::max(s.most_epochs, r.epochs);
  if (!r.losses.empty()) ++s.trained, s.first_loss += r.losses.front(), s.last_loss += r.losses.back();
  for (double g : r.gradients) s.largest_gradient = brec::larger(s.largest_gradient, g);
  s.seconds += r.seconds;
  if (r.verdict.distinguished) {
    roster().for_groups(r.pair, [&](std::size_t group) { ++s.counts[group]; });
    s.least_separation = std::min(s.least_separation, r.verdict.separation);
    s.within_rounding += r.verdict.separation < kRounding;
  }
  if (by(three_wl, r.pair) == true) {
    auto& [pairs, missed] = s.rounds[verdict(three_wl, r.pair)->round];
    ++pairs, missed += !r.verdict.distinguished;
  }
}

std::string ModelSummary::title() const {
  return result_->study.name.empty() ? std::string(model_->title) : result_->study.name;
}

std::vector<const SeedSummary*> ModelSummary::whole_seeds() const {
  std::vector<const SeedSummary*> whole;
  for (const SeedSummary& s : seeds_)
    if (static_cast<std::size_t>(s.run) == ran_.size()) whole.push_back(&s);
  return whole;
}

std::vector<const wl::Engine*> ModelSummary::engines() const {
  std::vector<const wl::Engine*> list;
  for (const wl::Engine& engine : wl::engines())
    if (verdicts_.count(std::string(engine.name))) list.push_back(&engine);
  return list;
}

std::vector<int> ModelSummary::counts(const wl::Engine& engine, int& not_run) const {
  std::vector<int> counts(pairs_.size());
  not_run = 0;
  for (const int pair : ran_) {
    const auto verdict = by(engine, pair);
    not_run += !verdict;
    if (verdict == true) roster().for_groups(pair, [&](std::size_t group) { ++counts[group]; });
  }
  return counts;
}

const EngineRow* ModelSummary::verdict(const wl::Engine& engine, int pair) const {
  const auto all = verdicts_.find(std::string(engine.name));
  if (all == verdicts_.end()) return nullptr;
  const auto at = all->second.find(pair);
  return at == all->second.end() ? nullptr : at->second;
}

std::optional<bool> ModelSummary::by(const wl::Engine& engine, int pair) const {
  const EngineRow* row = verdict(engine, pair);
  return row ? std::optional(row->distinguished) : std::nullopt;
}

std::optional<bool> ModelSummary::beyond(const wl::Engine& engine, const ModelRow& row) const {
  if (!row.run.verdict.distinguished) return false;
  const std::optional<bool> seen = by(engine, row.run.pair);
  return seen ? std::optional(!*seen) : std::nullopt;
}

std::optional<bool> ModelSummary::false_positive(const ModelRow& row) const {
  if (roster().is_control(row.run.pair)) return row.run.verdict.distinguished;
  return model_->bound ? beyond(*model_->bound, row) : std::nullopt;
}

std::string impossible(const ModelSummary& summary) {
  if (summary.protocol() != brec::Protocol::Exact) return "";
  for (const ModelRow& row : summary.result().rows)
    if (summary.false_positive(row).value_or(false))
      return "pair " + std::to_string(row.run.pair) + ", seed " + std::to_string(row.run.seed) +
             ": distinguished by the model, not by " + std::string(summary.model().bound->name);
  return "";
}

}  // namespace leman::study
