#include "cli/brec_study.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <set>

#include "brec/embeddings.hpp"
#include "brec/store.hpp"
#include "cli/brec_table.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "et/estimate.hpp"
#include "wl/engine.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

struct Item {
  const brec::Pair* pair;
  std::uint64_t seed;
};

// This shard's rows, seed by seed, large graphs first: they would keep one core
// busy at the end.
std::vector<Item> items_of(const ModelStudy& study, const brec::PairSet& set) {
  std::vector<const brec::Pair*> pairs;
  for (int id : study.ids) pairs.push_back(&set.pairs[static_cast<std::size_t>(id)]);
  std::stable_sort(pairs.begin(), pairs.end(), [](auto* a, auto* b) { return a->first.order() > b->first.order(); });
  std::vector<Item> items;
  std::size_t count = 0;
  for (int k = 0; k < study.seeds; ++k)
    for (const brec::Pair* pair : pairs)
      if (static_cast<int>(count++ % static_cast<std::size_t>(study.shards)) == study.shard - 1)
        items.push_back({pair, study.first_seed + static_cast<std::uint64_t>(k)});
  return items;
}

// Work grows with n^3, plus what every pair costs.
std::uint64_t weight(const brec::Pair& pair) {
  const std::uint64_t n = pair.first.order();
  return n * n * n + 10'000;
}

// What a pair of the largest order needs in memory, by counting. Plain LibTorch
// (the kernel `reference`) keeps its n^3 tensors, for a backward pass those of all
// layers; PPGN in training holds some seventy tensors of its width. 0: not known.
std::uint64_t pair_memory(const brec::Settings& s, std::uint32_t order, const std::string& kernel, unsigned threads) {
  const std::uint64_t size = s.protocol == brec::Protocol::Published ? 4 : 8, n2 = std::uint64_t{order} * order;
  if (s.model == "ppgn") return s.training.batch * n2 * 32 * size * 70;
  if (s.model == "gin") return s.training.batch * n2 * size * 4;
  if (s.model != "et" || s.protocol == brec::Protocol::Exact) return 0;
  const et::Estimate e = et::estimate(s.config, std::vector<std::uint32_t>(s.training.batch, order), threads);
  const bool dense = s.protocol == brec::Protocol::Published;
  const std::uint64_t plain = e.plain_forward_bytes * (dense ? s.training.batch * s.config.layers : 1);
  return (dense ? e.training_bytes : e.forward_bytes) + (kernel == "reference" ? plain : 0);
}

// Pairs at a time: as many as asked for, or as threads and memory allow. Refuses
// before the start what would not fit.
unsigned jobs_for(const ModelStudy& study, const std::vector<Item>& missing, const std::string& kernel) {
  std::uint32_t largest = 0;
  for (const Item& item : missing) largest = std::max(largest, item.pair->first.order());
  const std::uint64_t need = pair_memory(study.settings, largest, kernel, study.threads);
  const auto most = static_cast<unsigned>(std::max<std::size_t>(1, missing.size()));
  unsigned jobs = std::min(study.jobs ? study.jobs : study.threads, most);
  if (!study.jobs && need > 0)
    jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(wl::usable_memory() / need, 1, jobs));
  if (study.memory) wl::demand_memory(need, study.memory, "a pair of " + std::to_string(largest) + " nodes");
  wl::demand_memory(jobs * need, 0,
                    std::to_string(jobs) + " pairs at a time, of " + std::to_string(largest) + " nodes");
  return jobs;
}

// What was refused for lack of memory is not kept: another run may have more.
void run_engines(const ModelStudy& study, const std::vector<Item>& items, brec::Store& store) {
  std::set<std::pair<int, std::string>> seen;
  for (const brec::EngineRun& row : store.engine_runs()) seen.emplace(row.pair, row.engine);
  std::vector<std::pair<const brec::Pair*, std::string>> work;
  for (const Item& item : items)
    for (const std::string& engine : study.engines)
      if (seen.emplace(item.pair->id, engine).second) work.emplace_back(item.pair, engine);
  Progress progress("exact engines", work.size());
  wl::RunOptions options;
  options.memory_limit = memory_share(study.memory, study.threads);
  wl::parallel_for(work.size(), study.threads, [&](std::size_t k) {
    if (InterruptGuard::stop()) return;
    const auto& [pair, engine] = work[k];
    try {
      const wl::PairVerdict verdict = wl::compare(engine, pair->first, pair->second, options);
      store.add({pair->id, engine, verdict.distinguished, verdict.distinguished ? static_cast<int>(verdict.round) : 0});
    } catch (const wl::MemoryError&) {
    }
    progress.done(1, "pair " + std::to_string(pair->id) + " " + engine);
  });
}

brec::PairRun run_one(const ModelStudy& study, const Item& item, const brec::RunControl& control) {
  if (study.settings.model == "embeddings") return brec::run_embeddings(study.settings, *item.pair, item.seed);
  return torch_api().run_pair(study.settings, *item.pair, item.seed, control);
}

std::vector<std::string> run_items(const ModelStudy& study, const std::vector<Item>& items, brec::Store& store,
                                   const Context& context) {
  const std::string kernel = study.settings.model != "et"                       ? ""
                             : study.settings.protocol == brec::Protocol::Exact ? "quotient"
                                                                                : torch_api().kernel("");
  std::vector<Item> missing;
  std::uint64_t total = 0;
  for (const Item& item : items)
    if (!store.has(item.pair->id, item.seed)) missing.push_back(item), total += weight(*item.pair);
  if (missing.size() < items.size())
    std::cerr << "leman: " << items.size() - missing.size() << " of " << items.size() << " rows are in " << study.store
              << " already\n";
  const unsigned jobs = jobs_for(study, missing, kernel);
  const brec::RunControl control{std::max(1u, study.threads / jobs), &InterruptGuard::stop()};
  Progress progress("rows", items.size(), items.size() - missing.size(), total);
  std::mutex guard;
  std::vector<std::string> failed;
  std::size_t made = 0;
  // If the first few all fail, so will the rest.
  auto hopeless = [&] {
    std::lock_guard lock(guard);
    return made == 0 && failed.size() >= 4;
  };
  wl::parallel_for(missing.size(), jobs, [&](std::size_t k) {
    const Item& item = missing[k];
    // Another process on the same store may have been here.
    if (InterruptGuard::stop() || hopeless() || store.has(item.pair->id, item.seed)) return;
    const std::string name = "pair " + std::to_string(item.pair->id) + " seed " + std::to_string(item.seed);
    progress.begin(name);
    brec::StoredRun row{{}, item.pair->family, static_cast<int>(item.pair->first.order()), context.commit, kernel, 0};
    try {
      row.run = run_one(study, item, control);
    } catch (const brec::Interrupted&) {
      return;
    } catch (const wl::MemoryError&) {
      throw;
    } catch (const std::runtime_error& e) {
      std::lock_guard lock(guard);
      failed.push_back(name + ": " + e.what());
      return;
    }
    row.memory = peak_memory();
    store.add(row);
    std::lock_guard lock(guard);
    ++made;
    progress.done(1, name, weight(*item.pair));
  });
  return failed;
}

}  // namespace

void write_study(const StudyResult& result, const std::string& json, const std::string& csv, const Context& context) {
  write_results(study_text(result) + "\n" + context.about() + ": " + context.command + "\n", json,
                json.empty() ? "" : study_json(result, context), csv, csv.empty() ? "" : study_csv(result));
  const std::string bug = impossible(result);
  if (!bug.empty()) throw std::logic_error(bug);
}

std::uint64_t memory_share(std::uint64_t limit, unsigned threads) {
  return limit ? limit : wl::usable_memory() / std::max(threads, default_threads());
}

Filled fill_store(const ModelStudy& study, const brec::PairSet& set, brec::Store& store, const Context& context) {
  const std::vector<Item> items = items_of(study, set);
  run_engines(study, items, store);
  Filled result;
  result.failed = run_items(study, items, store, context);
  for (const Item& item : items) result.missing += !store.has(item.pair->id, item.seed);
  return result;
}

int run_model_study(const ModelStudy& study, const brec::PairSet& set, const Context& context) {
  InterruptGuard guard;
  try {
    brec::Store store(study.store,
                      {brec::describe(study.settings), set.source, brec::pair_digest(set), context.command});
    const auto [missing, failed] = fill_store(study, set, store, context);
    write_study({store.study(), store.runs(), store.engine_runs(), published_rows(study.brec), missing}, study.json,
                study.csv, context);
    for (std::size_t k = 0; k < std::min<std::size_t>(failed.size(), 5); ++k)
      std::cerr << "leman: " << failed[k] << '\n';
    if (failed.size() > 5) std::cerr << "leman: and " << failed.size() - 5 << " more rows failed\n";
    if (!InterruptGuard::stop()) return failed.empty() ? kOk : kBadInput;
    std::cerr << "leman: interrupted, " << missing << " rows are missing"
              << (study.store.empty() ? "; with --store FILE it could be resumed\n"
                                      : "; the same command resumes from " + study.store + "\n");
    return kInterrupted;
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
}

}  // namespace leman::cli
