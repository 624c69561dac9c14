#include "cli/brec_study.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "brec/embeddings.hpp"
#include "brec/store.hpp"
#include "cli/brec_table.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "et/estimate.hpp"
#include "wl/engine.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

constexpr int kInterrupted = 130;
const std::vector<std::string> kEngines{"1wl", "2fwl", "3fwl"};  // beside which a model is set

std::atomic<bool> stop{false};

// The first signal ends the run in order; a second one ends it at once.
class SignalGuard {
 public:
  SignalGuard() {
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, on_signal);
  }
  ~SignalGuard() {
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }

 private:
  static void on_signal(int signal) {
    stop = true;
    std::signal(signal, SIG_DFL);
  }
};

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

// Refuses before the start what would not fit. Plain LibTorch (the kernel
// `reference`) keeps its n^3 tensors, for a backward pass those of all layers.
void check_memory(const ModelStudy& study, const std::vector<Item>& items, unsigned jobs, bool reference) {
  if (items.empty() || study.settings.model != "et" || study.settings.protocol == brec::Protocol::Exact) return;
  std::uint32_t largest = 0;
  for (const Item& item : items) largest = std::max(largest, item.pair->first.order());
  const std::vector<std::uint32_t> batch(study.settings.training.batch, largest);
  const et::Estimate e = et::estimate(study.settings.config, batch);
  const bool dense = study.settings.protocol == brec::Protocol::Published;
  std::uint64_t bytes = dense ? e.training_bytes : e.forward_bytes;
  if (reference) bytes += e.plain_forward_bytes * (dense ? batch.size() * study.settings.config.layers : 1);
  wl::demand_memory(jobs * bytes, study.memory,
                    std::to_string(jobs) + " pairs at a time, of " + std::to_string(largest) + " nodes");
}

void run_engines(const ModelStudy& study, const std::vector<Item>& items, brec::Store& store) {
  std::vector<std::pair<const brec::Pair*, std::string>> work;
  std::vector<char> seen(brec::kPairs, 0);
  for (const brec::EngineRun& row : store.engine_runs())
    if (row.engine == kEngines.back()) seen[static_cast<std::size_t>(row.pair)] = 1;
  for (const Item& item : items)
    if (!std::exchange(seen[static_cast<std::size_t>(item.pair->id)], 1))
      for (const std::string& engine : kEngines) work.emplace_back(item.pair, engine);
  Progress progress("exact engines", work.size());
  wl::RunOptions options;
  options.memory_limit = (study.memory ? study.memory : wl::usable_memory()) / study.threads;
  wl::parallel_for(work.size(), study.threads, [&](std::size_t k) {
    if (stop) return;
    const auto& [pair, engine] = work[k];
    brec::EngineRun row{pair->id, engine, false, 0, ""};
    try {
      const wl::PairVerdict verdict = wl::compare(engine, pair->first, pair->second, options);
      row.distinguished = verdict.distinguished;
      row.round = verdict.distinguished ? static_cast<int>(verdict.round) : 0;
    } catch (const wl::MemoryError& e) {
      row.refused = e.what();
    }
    store.add(row);
    progress.done(1, "pair " + std::to_string(pair->id) + " " + engine);
  });
}

void run_items(const ModelStudy& study, const std::vector<Item>& items, brec::Store& store, const Context& context) {
  const unsigned jobs = study.jobs ? study.jobs : study.threads;
  const bool torch = study.settings.model != "embeddings";
  const std::string kernel = study.settings.model != "et"                       ? ""
                             : study.settings.protocol == brec::Protocol::Exact ? "quotient"
                                                                                : torch_api().kernel("");
  check_memory(study, items, jobs, kernel == "reference");
  std::vector<Item> missing;
  std::uint64_t total = 0;
  for (const Item& item : items)
    if (!store.has(item.pair->id, item.seed)) missing.push_back(item), total += weight(*item.pair);
  if (missing.size() < items.size())
    std::cerr << "leman: " << items.size() - missing.size() << " of " << items.size() << " rows are in " << study.store
              << " already\n";
  const brec::RunControl control{std::max(1u, study.threads / jobs), &stop};
  Progress progress("rows", items.size(), items.size() - missing.size(), total);
  wl::parallel_for(missing.size(), jobs, [&](std::size_t k) {
    const auto& [pair, seed] = missing[k];
    // Another process on the same store may have been here.
    if (stop || store.has(pair->id, seed)) return;
    const std::string name = "pair " + std::to_string(pair->id) + " seed " + std::to_string(seed);
    progress.begin(name);
    try {
      brec::StoredRun row{torch ? torch_api().run_pair(study.settings, *pair, seed, control)
                                : brec::run_embeddings(study.settings, *pair, seed),
                          pair->family,
                          static_cast<int>(pair->first.order()),
                          context.commit,
                          kernel,
                          0};
      row.memory = peak_memory();
      store.add(row);
    } catch (const brec::Interrupted&) {
      return;
    } catch (const std::runtime_error& e) {
      throw std::runtime_error(name + ": " + e.what());
    }
    progress.done(1, name, weight(*pair));
  });
}

}  // namespace

void write_study(const StudyResult& result, const std::string& json, const std::string& csv, const Context& context) {
  if (!json.empty()) write_file(json, study_json(result, context));
  if (!csv.empty()) write_file(csv, study_csv(result));
  if (json != "-" && csv != "-")
    write_file("-", study_text(result) + "\n" + context.about() + ": " + context.command + "\n");
  const std::string bug = impossible(result);
  if (!bug.empty()) throw std::logic_error(bug);
}

int run_model_study(const ModelStudy& study, const brec::PairSet& set, const Context& context) {
  stop = false;
  SignalGuard guard;
  const std::vector<Item> items = items_of(study, set);
  try {
    brec::Store store(study.store,
                      {brec::describe(study.settings), set.source, brec::pair_digest(set), context.command});
    run_items(study, items, store, context);
    run_engines(study, items, store);
    StudyResult result{store.study(), store.runs(), store.engine_runs(), published_rows(study.brec), items.size()};
    write_study(result, study.json, study.csv, context);
    if (!stop) return kOk;
    std::cerr << "leman: interrupted with " << result.runs.size() << " of " << items.size() << " rows"
              << (study.store.empty() ? "; with --store FILE it could be resumed\n"
                                      : "; the same command resumes from " + study.store + "\n");
    return kInterrupted;
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
}

}  // namespace leman::cli
