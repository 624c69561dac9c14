// What the rows of a model study say, beside the exact engines.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "brec/models.hpp"
#include "brec/roster.hpp"
#include "brec/suites.hpp"
#include "study/store.hpp"

namespace leman::study {

// All that a run store of a model study holds.
struct ModelResult {
  std::string file;  // for messages
  Study study;
  std::vector<ModelRow> rows;  // by seed, then pair
  std::vector<EngineRow> engines;
  std::vector<brec::PublishedRow> published;  // for comparison
  std::optional<std::size_t> missing;         // rows that were asked for and are not there; none: not known
};
ModelResult read_result(const Store& store);

// Differences below this may be rounding of float64.
inline constexpr double kRounding = 1e-12;

struct SeedSummary {
  std::uint64_t seed = 0;
  int run = 0, unreliable = 0, most_epochs = 0, trained = 0, within_rounding = 0;
  // Counted pairs that are false positives, and those that 2-FWL cannot tell apart; unchecked: on which
  // the bound, or 2-FWL, was not run.
  int false_positives = 0, beyond_3wl = 0, unchecked = 0, unchecked_3wl = 0;
  double first_loss = 0, last_loss = 0;  // means over pairs
  double largest_gradient = 0, seconds = 0;
  double least_separation = 0;                // of the counted pairs
  std::vector<int> counts, pairs;             // by group: distinguished; run
  std::map<int, std::pair<int, int>> rounds;  // of 2-FWL -> pairs, missed
};

// Refers to the result it is made of.
class ModelSummary {
 public:
  explicit ModelSummary(const ModelResult& result);  // throws StoreError for a store of something else

  const ModelResult& result() const { return *result_; }
  const brec::ModelInfo& model() const { return *model_; }
  brec::Protocol protocol() const { return protocol_; }
  std::optional<double> level() const { return level_; }  // of a single test
  std::string title() const;                              // the name that the user gave, or the model's
  const brec::Roster& roster() const { return result_->study.roster; }
  const std::vector<int>& pairs() const { return pairs_; }  // by group: pairs that ran
  std::size_t pair_count() const { return ran_.size(); }
  int distinguished(const SeedSummary& seed) const { return seed.counts[roster().all()]; }
  // A model whose false positives can be known: it has a bound, or there are controls.
  bool can_be_wrong() const { return model_->bound || roster().has_controls(); }
  const std::vector<SeedSummary>& seeds() const { return seeds_; }
  // Those that ran all pairs that any seed did: means are over them.
  std::vector<const SeedSummary*> whole_seeds() const;

  // Engines that ran on some of the pairs; which pairs an engine distinguishes, and how many were
  // not run.
  std::vector<const wl::Engine*> engines() const;
  std::vector<int> counts(const wl::Engine& engine, int& not_run) const;  // by group

  // Whether an engine tells the pair apart; no value: it was not run.
  const EngineRow* verdict(const wl::Engine& engine, int pair) const;
  std::optional<bool> by(const wl::Engine& engine, int pair) const;
  // The row says distinguished, and the graphs are isomorphic, or the engine that the model cannot
  // beat cannot tell them apart. No value: not known.
  std::optional<bool> false_positive(const ModelRow& row) const;

 private:
  std::optional<bool> beyond(const wl::Engine& engine, const ModelRow& row) const;
  void add(SeedSummary& s, const ModelRow& row) const;

  const ModelResult* result_;
  const brec::ModelInfo* model_ = nullptr;
  brec::Protocol protocol_ = brec::Protocol::Sound;
  std::optional<double> level_;
  std::set<int> ran_;  // pairs
  std::vector<int> pairs_;
  std::map<std::string, std::map<int, const EngineRow*>> verdicts_;
  std::vector<SeedSummary> seeds_;
};

// A pair of a protocol that cannot err and that the model's bound cannot tell apart, yet counted: a
// bug. Empty if there is none.
std::string impossible(const ModelSummary& summary);

}  // namespace leman::study
