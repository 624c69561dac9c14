#include "reports/stores.hpp"

#include <filesystem>

#include "study/store.hpp"

namespace leman::reports {

namespace {

using study::StoreError;

const wl::Engine& check_row(const std::string& file, const study::EngineRow& row, const brec::Roster& roster) {
  if (!roster.contains(row.pair)) throw StoreError(file, "there is no pair " + std::to_string(row.pair));
  const wl::Engine* engine = wl::find_engine(row.engine);
  if (!engine) throw StoreError(file, "there is no engine \"" + row.engine + "\"");
  if (row.round < 0)
    throw StoreError(
        file, row.engine + " on pair " + std::to_string(row.pair) + ": there is no round " + std::to_string(row.round));
  return *engine;
}

// Tables have one column per depth, and a row for every family.
void check_record(const std::string& file, const study::AgreementRecord& record) {
  const std::size_t depths = record.all.tokens.size();
  auto check = [&](const proofs::Agreement& result) {
    bool same = result.tokens.size() == depths;
    for (const auto& layers : result.poolings) same = same && layers.size() == depths;
    if (!same) throw StoreError(file, "the record agreement " + record.model + " has rows of different depths");
  };
  check(record.all);
  for (const auto& row : record.rows) check(row.result);
}

void check_record(const std::string& file, const study::DatasetRecord& record) {
  for (const study::DatasetRecord::Row& row : record.rows)
    if (!wl::find_engine(row.engine) && row.engine != study::DatasetRecord::kIsomorphism)
      throw StoreError(file, "the data set " + record.name + ": there is no engine \"" + row.engine + "\"");
  if (record.tasks.empty()) throw StoreError(file, "the data set " + record.name + " has no task");
}

template <class T>
void append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Stores of format 1 have only the shorter digest.
bool on_other_pairs(const study::Study& a, const study::Study& b) {
  return a.pairs.empty() || b.pairs.empty() ? a.legacy_pairs != b.legacy_pairs : a.pairs != b.pairs;
}
bool has_pairs(const study::Study& study) { return !study.pairs.empty() || !study.legacy_pairs.empty(); }

void take_pairs(const LoadedStore& store, std::vector<study::Study>& seen, Document& document) {
  const study::Study& study = store.result.study;
  if (!has_pairs(study)) return;
  for (const study::Study& before : seen)
    if (on_other_pairs(before, study))
      throw StoreError(store.file,
                       "is on other pairs than the stores before it (" + study.source + ", not " + before.source + ")");
  seen.push_back(study);
  document.source = study.source, document.roster = study.roster;
  document.own_pairs = !study.path.empty();
  if (!study.pairs.empty())
    document.pairs_digest = study.pairs;
  else if (document.pairs_digest.empty())
    document.pairs_digest = study.legacy_pairs;
}

void take_engines(const LoadedStore& store, EngineTable& table) {
  for (const study::EngineRow& row : store.result.engines) {
    const wl::Engine& engine = check_row(store.file, row, store.result.study.roster);
    const auto [at, fresh] = table[&engine].try_emplace(row.pair, row);
    if (!fresh && (at->second.distinguished != row.distinguished || at->second.round != row.round))
      throw StoreError(store.file,
                       row.engine + " on pair " + std::to_string(row.pair) + ": another store says otherwise");
  }
}

LoadedStore load_store(const std::string& file, Document& document) {
  const study::Store store(file);
  LoadedStore loaded{file, study::read_result(store), {}};
  const study::ModelResult& result = loaded.result;
  loaded.facts = {std::filesystem::path(file).filename().string(), result.study.command, result.study.source,
                  result.rows.size(), result.engines.size()};
  auto agreement = store.all<study::AgreementRecord>();
  for (const auto& record : agreement) check_record(file, record);
  append(document.agreement, std::move(agreement));
  append(document.claims, store.all<study::ClaimRecord>());
  append(document.kernels, store.all<study::KernelTime>());
  append(document.steps, store.all<study::StepRecord>());
  for (study::DatasetRecord& record : store.all<study::DatasetRecord>()) {
    check_record(file, record);
    const std::string title = record.name + " [" + std::filesystem::path(file).stem().string() + "]";
    document.datasets.push_back({std::move(record), title, {}});
  }
  return loaded;
}

}  // namespace

LoadedStores load_stores(const std::vector<std::string>& files, Document& document) {
  LoadedStores all;
  std::vector<study::Study> on_pairs;
  for (const std::string& file : files) {
    all.stores.push_back(load_store(file, document));
    take_pairs(all.stores.back(), on_pairs, document);
    take_engines(all.stores.back(), all.engines);
    document.runs.push_back(all.stores.back().facts);
  }
  std::vector<study::EngineRow> rows;
  for (const auto& [engine, verdicts] : all.engines)
    for (const auto& [pair, verdict] : verdicts) rows.push_back(verdict);
  for (LoadedStore& store : all.stores) store.result.engines = rows;
  return all;
}

}  // namespace leman::reports
