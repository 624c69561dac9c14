// `leman brec`: which pairs do the exact engines tell apart, or a model?
#include <algorithm>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/model_options.hpp"
#include "cli/progress.hpp"
#include "reports/engine_table.hpp"
#include "reports/model_table.hpp"
#include "study/engine_sweep.hpp"
#include "study/model_study.hpp"
#include "study/model_summary.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engines, json, csv;
  PairChoice pairs;
  ModelOptions model;
  unsigned threads = default_threads();
  std::uint64_t memory_gb = 0;
  bool wide = false;
};

int run_engines(const Options& o, const Context& context) {
  const auto engines = o.engines.empty() ? wl::standard_engines() : wl::engine_list(o.engines);
  const brec::PairSet set = o.pairs.load();
  std::vector<const brec::Pair*> pairs;
  for (const int id : o.pairs.ids_in(set)) pairs.push_back(&set.at(id));
  Progress progress;
  const std::atomic<bool> never{false};
  const auto rows = study::sweep(study::sweep_items(pairs, engines), o.threads, o.memory_gb << 30, {progress, never});
  if (o.json != "-" && o.csv != "-")
    print(set.source + ", pairs distinguished\n\n" + reports::engine_text(rows, engines, set.roster, o.wide) + "\n" +
          context.signature());
  if (!o.json.empty()) write_output(o.json, reports::engine_json(rows, engines, set, context.command));
  if (!o.csv.empty()) write_output(o.csv, reports::engine_csv(rows, set.roster));
  const auto refused = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return !row.refused.empty(); });
  if (refused != rows.end())
    say("refused, e.g. pair " + std::to_string(refused->item.pair->id) + ": " + refused->refused);
  const auto wrong = study::contradictions(rows);
  if (!wrong.empty()) throw BugError("verdict against what is proved: " + wrong[0]);
  return std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.run; }) ? kOk : kRefused;
}

// What was found, and how the run ended.
int finish_model(const Options& o, const study::Store& store, const study::Filled& filled, const brec::PairSet& set,
                 const Context& context) {
  study::ModelResult result = study::read_result(store);
  result.published = brec::published_rows(set);
  result.missing = filled.missing;
  write_model_result(result, o.json, o.csv, o.wide, context);
  for (std::size_t k = 0; k < std::min<std::size_t>(filled.failed.size(), 5); ++k) say(filled.failed[k]);
  if (filled.failed.size() > 5) say("and " + std::to_string(filled.failed.size() - 5) + " more rows failed");
  if (!InterruptGuard::stop()) return filled.failed.empty() ? kOk : kBadInput;
  say("interrupted, " + std::to_string(filled.missing) + " rows are missing" +
      (o.model.store.empty() ? "; with --store FILE it could be resumed"
                             : "; the same command resumes from " + o.model.store));
  return kInterrupted;
}

int run_model(const Options& o, const Context& context) {
  const brec::PairSet set = o.pairs.load();
  study::ModelStudy study = study_of(o.model, set.roster.pairs());
  const bool own = set.kind == brec::PairSet::Kind::Own;
  if (!o.pairs.ids.empty() || study.settings.model != brec::ModelKind::Embeddings)
    study.ids = o.pairs.ids_in(set, own ? "" : info(study.settings.protocol).pairs);
  study.threads = o.threads;
  study.memory = o.memory_gb << 30;
  if (study.settings.model == brec::ModelKind::Embeddings) study::follow_manifest(study, set);
  if (study.settings.model == brec::ModelKind::TorchScript) study.settings.digest = file_digest(study.settings.file);
  const InterruptGuard guard;
  Progress progress;
  if (o.model.store.empty() && study.ids.size() * static_cast<std::size_t>(study.seeds) > 100)
    say("rows are kept in memory only: --store FILE keeps them if this run is killed, and resumes it");
  study::Store store(o.model.store, describe(study, set, context.command, o.model.name));
  const study::Filled filled = study::fill_store(study, set, store, {progress, InterruptGuard::stop()});
  return finish_model(o, store, filled, set, context);
}

int run(const Options& o, const Context& context) {
  check_outputs({o.json, o.csv}, {o.model.store});
  if (o.model.asked()) {
    if (!o.engines.empty()) throw UsageError("--engine is not for a model: it is set beside the exact engines anyway");
    return run_model(o, context);
  }
  o.model.demand_none();
  return run_engines(o, context);
}

}  // namespace

Command brec_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "brec",
      .summary = "Count the pairs that exact engines or a trained model distinguish",
      .positionals = {},
      .options = {with_values(
          {"--engine", "NAMES", "engines, joined by commas (default: " + names_of(wl::standard_engines()) + ")",
           non_empty(o->engines)},
          wl::engine_names())},
      .footer = "Without --pairs: all pairs of BREC; in protocol published those that 3-WL distinguishes.\n\n" +
                engine_table(),
      .examples = {"leman brec --engine 1wl,2wl,3wl,2fwl,3fwl",
                   "leman brec --engine 2fwl --pairs 260-359 --csv cfi.csv",
                   "leman brec --builtin --engine m1,spd,n2 --json -",
                   "leman brec --model et --protocol exact --seeds 10 --store exact.sqlite",
                   "leman brec --model et --protocol published --pairs 0-59 --seeds 3 --csv rows.csv",
                   "leman brec --pairs mine.csv", "leman brec --pairs mine.csv --model et --protocol exact --pairs 0-3",
                   "leman brec --torchscript model.pt --name 'my model' --pairs 0-259",
                   "leman brec --embeddings graphs --name 'my model'",
                   "leman brec --model et --shard 2/4 --store part2.sqlite",
                   "leman brec merge part*.sqlite --out all.sqlite; leman brec show all.sqlite --json all.json"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, o->model.options());
  add(command, o->pairs.options());
  add(command, {threads_option(o->threads),
                memory_option(o->memory_gb),
                {"--wide", "", "all columns, wider than 80 characters", flag(o->wide)},
                json_option(o->json),
                csv_option(o->csv, "pair and engine, or pair and seed")});
  return command;
}

}  // namespace leman::cli
