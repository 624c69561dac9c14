// `leman classes`: how many classes of graphs does an engine see in a stream, and which graphs are
// in them?
#include <algorithm>

#include "base/text.hpp"
#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "reports/classes_table.hpp"

namespace leman::cli {

namespace {

// Those that are both in the default table of pairs and on the ladder.
std::vector<const wl::Engine*> default_engines() {
  std::vector<const wl::Engine*> engines;
  for (const wl::Engine* engine : wl::standard_engines())
    if (engine->ladder) engines.push_back(engine);
  return engines;
}

struct Options {
  std::string engines;
  std::vector<std::string> inputs;
  std::string rows, confused, separated, pairs;
  std::optional<std::uint64_t> limit;
  std::uint64_t memory = 0;
  bool shared = false, json = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

void check(const Options& o) {
  if (o.confused.empty() && !(o.separated + o.pairs).empty())
    throw UsageError("--separated and --pairs-out: of graphs that which engine confuses? (--confused NAME)");
  if (!o.confused.empty() && o.confused == o.separated)
    throw UsageError("--separated " + o.separated + ": an engine separates no pair that it confuses");
  if (o.limit && o.pairs.empty()) throw UsageError("--limit: of the pairs of --pairs-out");
  if (std::count(o.inputs.begin(), o.inputs.end(), "-") > 1) throw UsageError("standard input can be read only once");
  std::vector<std::string> kept = o.inputs;
  std::erase(kept, "-");
  check_outputs({o.rows, o.pairs, o.json ? "-" : ""}, kept);
}

// Those asked for and those of the pairs; without either, the default.
std::vector<const wl::Engine*> engines_of(const Options& o) {
  std::vector<std::string> names;
  for (const std::string& name : {o.engines, o.confused, o.separated})
    if (!name.empty()) names.push_back(name);
  return names.empty() ? default_engines() : wl::engine_list(join(names, ","));
}

study::ClassesStudy study_of(const Options& o) {
  study::ClassesStudy study;
  study.engines = engines_of(o);
  study.inputs = o.inputs.empty() ? std::vector<std::string>{"-"} : o.inputs;
  study.read = o.read;
  study.read.on_skip = [](const InputError& e) { say(std::string("skipped: ") + e.what()); };
  study.threads = o.threads, study.memory = o.memory << 30;
  if (!o.confused.empty()) study.pairs.confused = &wl::engine_named(o.confused);
  if (!o.separated.empty()) study.pairs.separated = &wl::engine_named(o.separated);
  if (!o.pairs.empty()) study.keep_graphs = reports::pair_format(o.pairs);
  return study;
}

reports::ClassesFiles files_of(const Options& o, std::optional<Output>& rows, std::optional<Output>& pairs) {
  reports::ClassesFiles files;
  files.row_format = reports::row_format(o.rows), files.only_shared = o.shared, files.limit = o.limit;
  if (!o.rows.empty()) rows.emplace(o.rows), files.rows = [&](std::string_view text) { rows->write(text); };
  if (!o.pairs.empty()) pairs.emplace(o.pairs), files.pairs = [&](std::string_view text) { pairs->write(text); };
  return files;
}

int run(const Options& o, const Context& context) {
  check(o);
  study::ClassesStudy study = study_of(o);
  const InterruptGuard guard;
  std::optional<Output> rows, pairs;
  const reports::ClassesFiles files = files_of(o, rows, pairs);
  Progress progress;
  const reports::ClassesReport report = report_classes(std::move(study), files, {progress, InterruptGuard::stop()});
  const bool complete = report.result.complete;
  if (rows && (complete || o.rows == "-")) rows->close();
  if (pairs && report.refused.empty() && (complete || o.pairs == "-")) pairs->close();
  rows.reset(), pairs.reset();  // half a file goes now: printing may fail
  if (o.json)
    write_output("-", reports::classes_json(report, context.command));
  else if (o.rows != "-" && o.pairs != "-")
    print(reports::classes_text(report) + "\n" + context.signature());
  if (!complete) {
    say("interrupted after " + std::to_string(report.result.graphs) + " graphs" +
        (files.rows || files.pairs ? "; no file was written" : ""));
    return kInterrupted;
  }
  if (!report.refused.empty()) throw MemoryError("--pairs-out: " + report.refused + "; --limit N writes the first N");
  if (report.result.skipped == 0) return kOk;
  say("skipped " + std::to_string(report.result.skipped) + " graphs");
  return kBadInput;
}

}  // namespace

Command classes_command(const Context& context) {
  auto o = std::make_shared<Options>();
  const std::vector<std::string> names = wl::engine_names();
  Command command{
      .name = "classes",
      .summary = "The classes of a stream of graphs under exact engines: counts, members, confused pairs",
      .positionals = {{"FILE", "", "files, plain or gzip; - or none: standard input", append(o->inputs),
                       Option::Repeated}},
      .options = {with_values({"--engine", "NAMES",
                               "engines, joined by commas (default: those of --confused and --separated, or " +
                                   names_of(default_engines()) + ")",
                               non_empty(o->engines)},
                              names),
                  {"--groups", "FILE", "write the classes of every graph (- for standard output)", non_empty(o->rows)},
                  {"--shared", "", "only graphs that share a class with another under some engine", flag(o->shared)},
                  with_values({"--confused", "NAME", "count the pairs of graphs that this engine confuses",
                               choice(o->confused, names)},
                              names),
                  with_values({"--separated", "NAME", "of these, only those that this engine separates",
                               choice(o->separated, names)},
                              names),
                  {"--pairs-out", "FILE", "write them (- for standard output)", non_empty(o->pairs)},
                  {"--limit", "N", "write the first N pairs (default: all; more than 10 million are refused)",
                   number<std::uint64_t>(o->limit, 1)},
                  threads_option(o->threads),
                  memory_option(o->memory),
                  {"--json", "", "print JSON, with examples of graphs that are not told apart", flag(o->json)},
                  {"--keep-going", "", "skip bad graphs, count them, exit with 3 at the end",
                   flag(o->read.keep_going)}},
      .footer =
          "Graphs are numbered from 1, as in FILE#3, on through all files; classes in the order of their first\n"
          "graphs. --groups writes CSV, or JSON lines if FILE ends in .jsonl or .json: the graph's number, then\n"
          "its class under each engine. --pairs-out writes CSV: id (the two numbers), family, category, first,\n"
          "second (graph6, sparse6 or digraph6); lines of graph6 or sparse6 two by two if FILE ends in .g6 or\n"
          ".s6. `leman brec --pairs FILE` reads both. docs/classes.md has more.\n\n" +
          engine_table(),
      .examples = {"nauty-geng -q 9 | leman classes --engine 1wl,2fwl",
                   "leman gen all 7 | leman classes --engine 1wl,2wl,3wl,2fwl --json",
                   "leman gen all 7 | leman classes --groups groups.csv --shared",
                   "leman gen all 8 --connected | leman classes --confused 1wl --separated 2fwl --pairs-out pairs.csv"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
