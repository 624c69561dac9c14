#include "study/engine_sweep.hpp"

#include "base/cpu.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"

namespace leman::study {

namespace {

SweepRow run_one(const SweepItem& item, std::uint64_t memory) {
  SweepRow row{item, {}, 0, "", false};
  const double start = thread_seconds();
  try {
    wl::RunOptions options;
    options.memory_limit = memory;
    row.verdict = wl::compare(*item.engine, item.pair->first, item.pair->second, options);
    row.run = true;
  } catch (const MemoryError& e) {
    row.refused = e.what();
  }
  row.seconds = thread_seconds() - start;
  return row;
}

}  // namespace

std::vector<SweepItem> sweep_items(const std::vector<const brec::Pair*>& pairs,
                                   const std::vector<const wl::Engine*>& engines) {
  std::vector<SweepItem> items;
  for (const brec::Pair* pair : pairs)
    for (const wl::Engine* engine : engines) items.push_back({pair, engine});
  return items;
}

std::vector<SweepRow> sweep(const std::vector<SweepItem>& items, unsigned threads, std::uint64_t memory,
                            const Control& control, const std::function<void(const SweepRow&)>& keep) {
  std::vector<SweepRow> rows(items.size());
  const Stage stage(control.observer, "exact engines", items.size());
  const std::uint64_t share = memory_share(memory, threads);
  parallel_for(items.size(), threads, [&](std::size_t k) {
    rows[k].item = items[k];
    if (control.stop) return;
    rows[k] = run_one(items[k], share);
    if (rows[k].run && keep) keep(rows[k]);
    control.observer.done(1, "pair " + std::to_string(items[k].pair->id) + " " + std::string(items[k].engine->name));
  });
  return rows;
}

std::vector<std::string> contradictions(const std::vector<SweepRow>& rows) {
  std::vector<std::string> found;
  for (const SweepRow& row : rows) {
    const int power = row.item.engine->fwl;
    const brec::Truth& truth = row.item.pair->truth;
    const bool isomorphic = truth.fwl_at_least == brec::Truth::kNever;
    if (!row.run || (power == 0 && !isomorphic)) continue;
    const bool wrong =
        row.verdict.distinguished ? power < truth.fwl_at_least : truth.fwl_at_most && power >= *truth.fwl_at_most;
    if (wrong)
      found.push_back("pair " + std::to_string(row.item.pair->id) + ", " + std::string(row.item.engine->name) + ": " +
                      truth.reason);
  }
  return found;
}

}  // namespace leman::study
