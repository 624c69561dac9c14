#include "study/model_study.hpp"

#include <algorithm>
#include <mutex>
#include <set>

#include "base/digest.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "brec/embeddings.hpp"
#include "brec/suites.hpp"
#include "et/estimate.hpp"
#include "study/engine_sweep.hpp"
#include "study/torch.hpp"

namespace leman::study {

namespace {

struct Item {
  const brec::Pair* pair;
  std::uint64_t seed;
  std::string name() const { return "pair " + std::to_string(pair->id) + " seed " + std::to_string(seed); }
};

// This shard's rows, seed by seed, large graphs first: they would keep one core busy at the end.
std::vector<Item> items_of(const ModelStudy& study, const brec::PairSet& set) {
  std::vector<const brec::Pair*> pairs;
  for (int id : study.ids)
    if (trainable(set.at(id))) pairs.push_back(&set.at(id));
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

// What a pair of the largest order needs in memory, by counting. Plain LibTorch (the kernel
// `reference`) keeps its n^3 tensors, for a backward pass those of all layers; PPGN in training
// holds some seventy tensors of its width. 0: not known.
std::uint64_t pair_memory(const brec::Settings& s, std::uint32_t order, const std::string& kernel, unsigned threads) {
  const bool published = s.protocol == brec::Protocol::Published;
  const std::uint64_t size = published ? 4 : 8, n2 = std::uint64_t{order} * order;
  switch (s.model) {
    case brec::ModelKind::Ppgn: return s.training.batch * n2 * 32 * size * 70;
    case brec::ModelKind::Gin: return s.training.batch * n2 * size * 4;
    case brec::ModelKind::Et: break;
    case brec::ModelKind::TorchScript:
    case brec::ModelKind::Embeddings: return 0;
  }
  if (s.protocol == brec::Protocol::Exact) return 0;
  const et::Estimate e = et::estimate(s.config, std::vector<std::uint32_t>(s.training.batch, order), threads);
  const std::uint64_t plain = e.plain_forward_bytes * (published ? s.training.batch * s.config.layers : 1);
  return (published ? e.training_bytes : e.forward_bytes) + (kernel == "reference" ? plain : 0);
}

// Pairs at a time: as many as asked for, or as threads and memory allow. Refuses before the start
// what would not fit.
unsigned jobs_for(const ModelStudy& study, const std::vector<Item>& missing, const std::string& kernel) {
  std::uint32_t largest = 0;
  for (const Item& item : missing) largest = std::max(largest, item.pair->first.order());
  const std::uint64_t need = pair_memory(study.settings, largest, kernel, study.threads);
  const auto most = static_cast<unsigned>(std::max<std::size_t>(1, missing.size()));
  unsigned jobs = std::min(study.jobs ? study.jobs : study.threads, most);
  if (!study.jobs && need > 0) jobs = static_cast<unsigned>(std::clamp<std::uint64_t>(usable_memory() / need, 1, jobs));
  if (study.memory) demand_memory(need, study.memory, "a pair of " + std::to_string(largest) + " nodes");
  demand_memory(jobs * need, 0, std::to_string(jobs) + " pairs at a time, of " + std::to_string(largest) + " nodes");
  return jobs;
}

// The pairs of this shard's rows, and those without rows.
std::vector<const brec::Pair*> pairs_of(const ModelStudy& study, const brec::PairSet& set,
                                        const std::vector<Item>& items, Observer& observer) {
  std::vector<const brec::Pair*> pairs, left_out;
  for (const int id : study.ids)
    if (!trainable(set.at(id))) left_out.push_back(&set.at(id));
  if (left_out.size() == study.ids.size())
    throw InputError(set.path, "no pair has two undirected graphs of one order without colours, as models need");
  if (!left_out.empty())
    observer.note(std::to_string(left_out.size()) + " of " + std::to_string(study.ids.size()) +
                  " pairs are for engines only, e.g. " + set.roster.title(left_out[0]->id) +
                  ": models take two undirected graphs of one order without colours");
  for (const Item& item : items) pairs.push_back(item.pair);
  pairs.insert(pairs.end(), left_out.begin(), left_out.end());
  return pairs;
}

// What was refused for lack of memory is not kept: another run may have more.
void run_engines(const ModelStudy& study, const std::vector<const brec::Pair*>& pairs, Store& store,
                 const Control& control) {
  std::set<std::pair<int, std::string>> seen;
  for (const EngineRow& row : store.engine_rows()) seen.emplace(row.pair, row.engine);
  std::vector<SweepItem> work;
  for (const brec::Pair* pair : pairs)
    for (const wl::Engine* engine : study.engines)
      if (seen.emplace(pair->id, engine->name).second) work.push_back({pair, engine});
  sweep(work, study.threads, study.memory, control, [&](const SweepRow& row) {
    store.add(EngineRow{row.item.pair->id, std::string(row.item.engine->name), row.verdict.distinguished,
                        row.verdict.distinguished ? row.verdict.round : 0});
  });
}

// Which kernel the rows name.
std::string kernel_of(const brec::Settings& settings) {
  if (settings.model != brec::ModelKind::Et) return "";
  return settings.protocol == brec::Protocol::Exact ? "quotient" : torch().kernel("");
}

brec::PairRun run_one(const ModelStudy& study, const Item& item, const brec::RunControl& control) {
  if (study.settings.model == brec::ModelKind::Embeddings)
    return brec::run_embeddings(study.settings, *item.pair, item.seed);
  return torch().run_pair(study.settings, *item.pair, item.seed, control);
}

// The rows that are missing, `jobs` at a time; returns why some could not be made.
class Rows {
 public:
  Rows(const ModelStudy& study, const brec::Roster& roster, Store& store, const Control& control)
      : study_(study), roster_(roster), store_(store), control_(control), kernel_(kernel_of(study.settings)) {}

  std::vector<std::string> run(const std::vector<Item>& items) {
    std::vector<Item> missing;
    std::uint64_t total = 0;
    for (const Item& item : items)
      if (!store_.has(item.pair->id, item.seed)) missing.push_back(item), total += weight(*item.pair);
    const std::size_t there = items.size() - missing.size();
    if (there)
      control_.observer.note(std::to_string(there) + " of " + std::to_string(items.size()) +
                             " rows are in the store already");
    const unsigned jobs = jobs_for(study_, missing, kernel_);
    run_control_ = {std::max(1u, study_.threads / jobs), &control_.stop};
    const Stage stage(control_.observer, "rows", items.size(), there, total);
    parallel_for(missing.size(), jobs, [&](std::size_t k) { run(missing[k]); });
    return failed_;
  }

 private:
  // If the first few all fail, so will the rest.
  bool hopeless() {
    std::lock_guard lock(guard_);
    return made_ == 0 && failed_.size() >= 4;
  }

  void run(const Item& item) {
    // Another process on the same store may have been here.
    if (control_.stop || hopeless() || store_.has(item.pair->id, item.seed)) return;
    control_.observer.begin(item.name());
    ModelRow row{
        {}, roster_.family_of(item.pair->id).name, static_cast<int>(item.pair->first.order()), commit(), kernel_, 0};
    try {
      row.run = run_one(study_, item, run_control_);
    } catch (const brec::Interrupted&) {
      return;
    } catch (const Error& e) {
      if (e.kind() != Error::Kind::Input) throw;
      std::lock_guard lock(guard_);
      failed_.push_back(item.name() + ": " + e.what());
      return;
    }
    row.memory = peak_memory();
    store_.add(row);
    std::lock_guard lock(guard_);
    ++made_;
    control_.observer.done(1, item.name(), weight(*item.pair));
  }

  const ModelStudy& study_;
  const brec::Roster& roster_;
  Store& store_;
  const Control& control_;
  std::string kernel_;
  brec::RunControl run_control_;
  std::mutex guard_;
  std::vector<std::string> failed_;
  std::size_t made_ = 0;
};

}  // namespace

void follow_manifest(ModelStudy& study, const brec::PairSet& set) {
  const brec::Manifest manifest = brec::read_manifest(study.settings.file);
  if (manifest.pairs != digest(brec::graphs_text(set)) && manifest.pairs != legacy_digest(brec::graphs_text(set)))
    throw InputError(study.settings.file + "/manifest.json", "exported for other pairs than " + set.source);
  if (manifest.ids.back() >= set.roster.pairs())
    throw InputError(study.settings.file + "/manifest.json", "there is no pair " + std::to_string(manifest.ids.back()));
  study.first_seed = manifest.seed;
  study.settings.digest = brec::embeddings_digest(study.settings.file, manifest);
  if (study.ids.empty()) study.ids = manifest.ids;
}

Study describe(const ModelStudy& study, const brec::PairSet& set, const std::string& command, const std::string& name) {
  Study about;
  about.settings = brec::describe(study.settings), about.command = command, about.name = name;
  set_pairs(about, set);
  return about;
}

bool trainable(const brec::Pair& pair) {
  const auto plain = [](const wl::Graph& g) { return !g.directed() && !g.node_colored() && !g.edge_colored(); };
  return plain(pair.first) && plain(pair.second) && pair.first.order() == pair.second.order();
}

Filled fill_store(const ModelStudy& study, const brec::PairSet& set, Store& store, const Control& control) {
  const std::vector<Item> items = items_of(study, set);
  run_engines(study, pairs_of(study, set, items, control.observer), store, control);
  Filled result;
  result.failed = Rows(study, set.roster, store, control).run(items);
  for (const Item& item : items) result.missing += !store.has(item.pair->id, item.seed);
  return result;
}

}  // namespace leman::study
