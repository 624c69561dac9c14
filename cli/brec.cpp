// `leman brec --engine ...`: which pairs do the exact engines tell apart?
#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "brec/protocol.hpp"
#include "cli/brec_model.hpp"
#include "cli/json.hpp"
#include "cli/pair_table.hpp"
#include "cli/progress.hpp"
#include "wl/engine.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engines, brec, ids, json, csv, model, protocol;
  std::optional<std::uint64_t> seed;
  int seeds = 0;
  bool builtin = false;
  unsigned threads = default_threads();
  std::uint64_t memory_gb = 0;
};

struct Row {
  const brec::Pair* pair = nullptr;
  std::string engine;
  wl::PairVerdict verdict;
  double seconds = 0;   // of CPU time
  std::string refused;  // not run: why
};

std::string all_if_none(const std::string& ids) { return ids.empty() ? "0-399" : ids; }

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Row run_one(const brec::Pair& pair, const std::string& engine, std::uint64_t memory) {
  Row row{&pair, engine, {}, 0, ""};
  double start = thread_seconds();
  try {
    wl::RunOptions options;
    options.memory_limit = memory;
    row.verdict = wl::compare(engine, pair.first, pair.second, options);
  } catch (const wl::MemoryError& e) {
    row.refused = e.what();
  }
  row.seconds = thread_seconds() - start;
  return row;
}

std::vector<Row> run_all(const Options& options, const brec::PairSet& set, const std::vector<std::string>& engines) {
  std::vector<const brec::Pair*> pairs;
  for (int id : number_list(all_if_none(options.ids), brec::kPairs))
    pairs.push_back(&set.pairs[static_cast<std::size_t>(id)]);
  std::vector<Row> rows(pairs.size() * engines.size());
  Progress progress("pairs", rows.size());
  // A share for every core, however many threads there are: what is refused
  // must not depend on them.
  std::uint64_t memory = options.memory_gb != 0 ? options.memory_gb << 30 : wl::usable_memory() / default_threads();
  wl::parallel_for(rows.size(), options.threads, [&](std::size_t i) {
    rows[i] = run_one(*pairs[i / engines.size()], engines[i % engines.size()], memory);
    progress.done(1, "pair " + std::to_string(rows[i].pair->id) + " " + rows[i].engine);
  });
  return rows;
}

// A count of distinguished pairs; what was refused is said, not counted as a miss.
struct Count {
  int distinguished = 0, run = 0, refused = 0;
  void add(const Row& row) { row.refused.empty() ? (++run, distinguished += row.verdict.distinguished) : ++refused; }
  std::string text() const {
    if (run == 0) return refused ? "refused" : "-";
    return std::to_string(distinguished) + (refused ? " (" + std::to_string(refused) + " refused)" : "");
  }
};

std::string summary(const std::vector<Row>& rows, const std::vector<std::string>& engines) {
  std::vector<std::string> header{"engine"};
  for (const auto& f : brec::families()) header.push_back(">" + std::string(f.name));
  for (const char* name : {">Basic", ">Regular", ">Extension", ">CFI", ">all", ">CPU s"}) header.push_back(name);
  Table table(header);
  for (const std::string& engine : engines) {
    std::array<Count, 7> family;
    std::array<Count, 4> category;
    Count all;
    double seconds = 0;
    for (const Row& row : rows) {
      if (row.engine != engine) continue;
      const auto& info = brec::info(row.pair->family);
      family[static_cast<std::size_t>(info.family)].add(row);
      category[static_cast<std::size_t>(info.category)].add(row);
      all.add(row);
      seconds += row.seconds;
    }
    std::vector<std::string> cells{std::string(wl::find_engine(engine)->title)};
    for (const Count& c : family) cells.push_back(c.text());
    for (const Count& c : category) cells.push_back(c.text());
    std::ostringstream time;
    time.precision(2);
    time << std::fixed << seconds;
    cells.push_back(all.text());
    cells.push_back(time.str());
    table.row(cells);
  }
  return table.text();
}

// Every verdict against what is proved about its pair.
std::vector<std::string> contradictions(const std::vector<Row>& rows) {
  std::vector<std::string> found;
  for (const Row& row : rows) {
    int power = fwl_power(row.engine);
    if (power == 0 || !row.refused.empty()) continue;
    const brec::Truth& truth = row.pair->truth;
    bool wrong =
        row.verdict.distinguished ? power < truth.fwl_at_least : truth.fwl_at_most && power >= *truth.fwl_at_most;
    if (wrong) found.push_back("pair " + std::to_string(row.pair->id) + ", " + row.engine + ": " + truth.reason);
  }
  return found;
}

Table row_table(const std::vector<Row>& rows) {
  Table table(
      {">id", "family", "category", ">n", "engine", "distinguished", ">round", ">rounds", ">colours", ">seconds"});
  for (const Row& row : rows) {
    const auto& info = brec::info(row.pair->family);
    bool ok = row.refused.empty();
    auto number = [&](auto x) { return ok ? std::to_string(x) : ""; };
    table.row({std::to_string(row.pair->id), std::string(info.name), std::string(brec::category_name(info.category)),
               std::to_string(row.pair->first.order()), row.engine,
               ok ? (row.verdict.distinguished ? "1" : "0") : "refused",
               row.verdict.distinguished ? std::to_string(row.verdict.round) : "", number(row.verdict.rounds),
               number(row.verdict.colors), std::to_string(row.seconds)});
  }
  return table;
}

Json row_json(const Row& row) {
  const auto& info = brec::info(row.pair->family);
  Json json{{"id", row.pair->id},
            {"family", info.name},
            {"category", brec::category_name(info.category)},
            {"n", row.pair->first.order()},
            {"engine", row.engine}};
  if (!row.refused.empty()) {
    json["refused"] = row.refused;
    return json;
  }
  json["distinguished"] = row.verdict.distinguished;
  json["round"] = row.verdict.distinguished ? Json(row.verdict.round) : Json(nullptr);
  json["rounds"] = row.verdict.rounds;
  json["colours"] = row.verdict.colors;
  json["seconds"] = row.seconds;
  return json;
}

int run_model(const Options& options, const Context& context) {
  if (!options.engines.empty()) throw UsageError("--engine and --model exclude each other");
  if (options.seed && options.seeds) throw UsageError("--seed and --seeds exclude each other");
  ModelStudy study;
  study.first_seed = options.seed.value_or(1);
  study.seeds = std::max(1, options.seeds);
  study.ids = number_list(options.ids.empty() ? brec::kPublishedPairs : options.ids, brec::kPairs);
  study.threads = options.threads;
  study.json = options.json, study.csv = options.csv;
  return run_model_study(study, load_pairs(options.brec, options.builtin), context);
}

int run(const Options& options, const Context& context) {
  if (options.builtin && !options.brec.empty()) throw UsageError("--builtin and --brec exclude each other");
  if (options.json == "-" && options.csv == "-")
    throw UsageError("only one of --json and --csv can go to standard output");
  if (!options.model.empty()) return run_model(options, context);
  if (!options.protocol.empty() || options.seed || options.seeds)
    throw UsageError("--protocol, --seed and --seeds are for --model");
  std::vector<std::string> engines = engine_names(options.engines.empty() ? "1wl,2wl,3wl,2fwl" : options.engines);
  number_list(all_if_none(options.ids), brec::kPairs);
  brec::PairSet set = load_pairs(options.brec, options.builtin);
  std::vector<Row> rows = run_all(options, set, engines);
  auto wrong = contradictions(rows);
  if (!options.json.empty()) {
    Json json = record(context);
    json["source"] = set.source;
    for (const std::string& engine : engines) {
      Count all;
      for (const Row& row : rows)
        if (row.engine == engine) all.add(row);
      json["summary"][engine] = {{"distinguished", all.distinguished}, {"run", all.run}, {"refused", all.refused}};
    }
    for (const Row& row : rows) json["rows"].push_back(row_json(row));
    write_file(options.json, json.dump(1) + "\n");
  }
  if (!options.csv.empty()) write_file(options.csv, row_table(rows).csv());
  if (options.json != "-" && options.csv != "-")
    write_file("-", set.source + ", pairs distinguished\n\n" + summary(rows, engines) + "\n" + context.about() + ": " +
                        context.command + "\n");
  for (const Row& row : rows)
    if (!row.refused.empty()) {
      std::cerr << "leman: refused, e.g. pair " << row.pair->id << ": " << row.refused << '\n';
      break;
    }
  if (!wrong.empty()) throw std::logic_error("verdict against what is proved: " + wrong[0]);
  return kOk;
}

}  // namespace

Command brec_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "brec",
      .summary = "Count the pairs that exact engines or an Edge Transformer distinguish",
      .positionals = {},
      .options =
          {{"--engine", "NAMES", "engines, joined by commas (default: 1wl,2wl,3wl,2fwl)", non_empty(o->engines)},
           {"--model", "NAME", "et: train and test an Edge Transformer on every pair", choice(o->model, {"et"})},
           {"--protocol", "NAME", "of --model; published: BREC's own, quirks included",
            choice(o->protocol, {"published"})},
           {"--seed", "S", "of weights and relabellings (default: 1)", number<std::uint64_t>(o->seed)},
           {"--seeds", "K", "seeds 1 .. K, and their mean", number<int>(o->seeds, 1, 1000)},
           {"--pairs", "IDS", "only these, e.g. 0-59,260 (default: all; --model: 0-109,160-319)", non_empty(o->ids)},
           {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)", text(o->brec)},
           {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(o->builtin)},
           threads_option(o->threads),
           {"--memory", "GB", "refuse runs that need more (default: nine tenths of what is free, shared by the cores)",
            number<std::uint64_t>(o->memory_gb, 1, 1 << 20)},
           {"--json", "FILE", "write summary and rows as JSON (- for standard output)", text(o->json)},
           {"--csv", "FILE", "write a row for every pair and engine (- for standard output)", text(o->csv)}},
      .footer = engine_list() +
                "\nExamples:\n"
                "  leman brec --engine 1wl,2wl,3wl,2fwl,3fwl\n"
                "  leman brec --engine 2fwl --pairs 260-359 --csv cfi.csv\n"
                "  leman brec --builtin --engine m1,spd,n2 --json -\n"
                "  leman brec --model et --protocol published --pairs 0-59 --seeds 3 --csv rows.csv",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
