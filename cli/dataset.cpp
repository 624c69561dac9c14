// `leman dataset`: how far models of a given power can get on labelled graphs.
#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "reports/dataset_table.hpp"
#include "study/dataset_file.hpp"
#include "study/dataset_study.hpp"
#include "study/store.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string file, engines = "1wl,2fwl", task, labels, store, json, csv;
  std::size_t examples = 3;
  unsigned threads = default_threads();
  std::uint64_t memory = 0;  // GB
  study::DatasetOptions read;
};

study::Dataset read(const Options& o) {
  study::DatasetOptions options = o.read;
  using Labels = study::DatasetOptions::Labels;
  if (!o.labels.empty()) options.labels = o.labels == "node" ? Labels::Node : Labels::Graph;
  options.attributes = o.task == "regression";
  if (options.directed && options.undirected) throw UsageError("--directed or --undirected, not both");
  return study::read_dataset(o.file, options);
}

int run(const Options& o, const Context& context) {
  check_outputs({o.json, o.csv}, {o.store});
  study::DatasetStudy study;
  study.engines = wl::engine_list(o.engines);
  study.limits = {o.threads, o.memory << 30};
  study.examples = o.examples;
  if (!o.task.empty())
    study.task = o.task == "regression" ? study::TaskKind::Regression : study::TaskKind::Classification;
  const study::Dataset set = read(o);
  study.set = &set;
  const InterruptGuard guard;
  std::optional<study::Store> store;
  if (!o.store.empty()) store.emplace(o.store, study::datasets_study(set.source, context.command));
  Progress progress;
  const study::DatasetResult result = run_dataset(study, {progress, InterruptGuard::stop()});
  progress.finish();
  if (store && result.complete) store->put(result.record);
  if (o.json != "-" && o.csv != "-") print(reports::dataset_text(result.record) + "\n" + context.signature());
  if (!o.json.empty()) write_output(o.json, reports::dataset_json(result.record, context.command));
  if (!o.csv.empty()) write_output(o.csv, reports::dataset_csv(result.record));
  if (!result.complete) {
    say("interrupted; the engines that are shown were finished");
    return kInterrupted;
  }
  int code = kOk;
  for (const auto& row : result.record.rows)
    if (!row.refused.empty()) say(row.refused), code = kRefused;
  return code;
}

}  // namespace

Command dataset_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "dataset",
      .summary = "The best that models of a given power can reach on labelled graphs",
      .positionals = {{"FILE", "", "JSON lines, CSV with a column graph6, or a TU data set; - for standard input",
                       non_empty(o->file), Option::Required}},
      .options = {with_values({"--engine", "NAMES", "engines, joined by commas (default: " + o->engines + ")",
                               non_empty(o->engines)},
                              wl::engine_names()),
                  with_values({"--task", "KIND", "classification or regression (default: by content)",
                               choice(o->task, {"classification", "regression"})},
                              {"classification", "regression"}),
                  with_values({"--labels", "WHAT", "labels of graph or node (default: by content)",
                               choice(o->labels, {"graph", "node"})},
                              {"graph", "node"}),
                  {"--name", "NAME", "of the data set, in every output (default: the file's)", non_empty(o->read.name)},
                  {"--directed", "", "read edges as arcs, unless the file says otherwise", flag(o->read.directed)},
                  {"--undirected", "", "TU format: every edge stands there once", flag(o->read.undirected)},
                  {"--simplify", "", "drop self-loops and repeated edges instead of refusing them",
                   flag(o->read.simplify)},
                  {"--max-nodes", "N", "largest order accepted (default: 1000 + 1000 per byte of input)",
                   number<std::uint64_t>(o->read.max_nodes, 1)},
                  {"--examples", "K", "pairs to show per engine (default: 3)",
                   number<std::size_t>(o->examples, 0, 100)},
                  threads_option(o->threads),
                  memory_option(o->memory),
                  {"--store", "FILE", "keep the result in this SQLite file, for `leman report`", non_empty(o->store)},
                  json_option(o->json),
                  csv_option(o->csv, "engine, depth and task")},
      .footer =
          "Labels: numbers that are not all whole are for regression, all else for classification.\n"
          "A model that is no more powerful than an engine gives equal answers to what the engine cannot tell\n"
          "apart: at best the most common label, the median or the mean. The bounds are exact, and the last\n"
          "row, isomorphism, holds for every model. docs/dataset.md has the formats.\n\n" +
          engine_table(),
      .examples = {"leman dataset molecules.jsonl", "leman dataset parity.csv --engine 1wl,2wl,2fwl,3fwl --csv -",
                   "leman dataset MUTAG --name mutagens --json -",
                   "leman dataset roles.jsonl --labels node --store datasets.sqlite",
                   "leman dataset parity.csv --task regression --engine 1wl"},
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
