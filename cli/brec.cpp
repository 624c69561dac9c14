// `leman brec`: which pairs do the exact engines tell apart, or a model?
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include "brec/embeddings.hpp"
#include "brec/store.hpp"
#include "cli/brec_study.hpp"
#include "cli/brec_table.hpp"
#include "cli/json.hpp"
#include "cli/pair_table.hpp"
#include "cli/progress.hpp"
#include "wl/cpu_time.hpp"
#include "wl/engine.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string action, engines, brec, ids, json, csv;
  std::vector<std::string> files;
  // Of a model.
  std::string model, protocol, config, weights_per, torchscript, embeddings, store, out, shard;
  std::optional<std::uint64_t> seed;
  std::optional<int> epochs;
  std::optional<double> rate, level;
  int seeds = 0;
  unsigned jobs = 0;
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

// SQLite's integers end there.
constexpr std::uint64_t kLastSeed = std::numeric_limits<std::int64_t>::max();

std::string all_if_none(const std::string& ids) { return ids.empty() ? "0-399" : ids; }

Row run_one(const brec::Pair& pair, const std::string& engine, std::uint64_t memory) {
  Row row{&pair, engine, {}, 0, ""};
  double start = wl::thread_seconds();
  try {
    wl::RunOptions options;
    options.memory_limit = memory;
    row.verdict = wl::compare(engine, pair.first, pair.second, options);
  } catch (const wl::MemoryError& e) {
    row.refused = e.what();
  }
  row.seconds = wl::thread_seconds() - start;
  return row;
}

std::vector<Row> run_all(const Options& options, const brec::PairSet& set, const std::vector<std::string>& engines) {
  std::vector<const brec::Pair*> pairs;
  for (int id : number_list(all_if_none(options.ids), brec::kPairs))
    pairs.push_back(&set.pairs[static_cast<std::size_t>(id)]);
  std::vector<Row> rows(pairs.size() * engines.size());
  Progress progress("pairs", rows.size());
  const std::uint64_t memory = memory_share(options.memory_gb << 30, options.threads);
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

bool asks_for_model(const Options& o) { return !o.model.empty() || !o.torchscript.empty() || !o.embeddings.empty(); }

// Every action takes some of the options; another one is an error, not ignored.
void check_options(const Options& o) {
  const bool model = asks_for_model(o);
  const std::string action = !o.action.empty() ? o.action : model ? "a model" : "engines";
  const struct {
    const char* name;
    bool given;
    std::vector<std::string> actions;
  } table[] = {{"--engine", !o.engines.empty(), {"engines"}},
               {"--model, --torchscript, --embeddings", model, {"a model"}},
               {"--protocol", !o.protocol.empty(), {"a model"}},
               {"--config", !o.config.empty(), {"a model"}},
               {"--weights-per", !o.weights_per.empty(), {"a model"}},
               {"--epochs", o.epochs.has_value(), {"a model"}},
               {"--rate", o.rate.has_value(), {"a model"}},
               {"--level", o.level.has_value(), {"a model"}},
               {"--seed", o.seed.has_value(), {"a model", "export"}},
               {"--seeds", o.seeds != 0, {"a model"}},
               {"--store", !o.store.empty(), {"a model"}},
               {"--jobs", o.jobs != 0, {"a model"}},
               {"--shard", !o.shard.empty(), {"a model"}},
               {"--out", !o.out.empty(), {"export", "merge"}},
               {"--pairs", !o.ids.empty(), {"engines", "a model", "export"}},
               {"--builtin", o.builtin, {"engines", "a model", "export"}},
               {"--memory", o.memory_gb != 0, {"engines", "a model"}},
               {"--json", !o.json.empty(), {"engines", "a model", "show"}},
               {"--csv", !o.csv.empty(), {"engines", "a model", "show"}},
               {"STORE", !o.files.empty(), {"show", "merge"}}};
  for (const auto& option : table)
    if (option.given && std::find(option.actions.begin(), option.actions.end(), action) == option.actions.end())
      throw UsageError(std::string(option.name) + " is not for " + action +
                       (action == "engines" ? "; a model is asked for by e.g. --model et" : ""));
  if (!o.shard.empty() && o.store.empty()) throw UsageError("--shard needs a --store for its rows");
  std::vector<std::string> kept = o.files;
  kept.push_back(o.store);
  check_outputs({o.json, o.csv}, kept);
}

// "2/5": the second of five parts.
std::pair<int, int> parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == text.npos) throw UsageError("--shard: \"" + text + "\" is not of the form i/k");
  try {
    const int shards = parse_number<int>(text.substr(slash + 1), 1, 100000);
    return {parse_number<int>(text.substr(0, slash), 1, shards), shards};
  } catch (const UsageError& e) {
    throw UsageError(std::string("--shard: ") + e.what());
  }
}

brec::Settings model_settings(const Options& o) {
  if ((!o.model.empty()) + (!o.torchscript.empty()) + (!o.embeddings.empty()) > 1)
    throw UsageError("only one of --model, --torchscript and --embeddings makes sense");
  const std::string model = !o.torchscript.empty() ? "torchscript" : !o.embeddings.empty() ? "embeddings" : o.model;
  brec::Settings s = brec::settings_for(brec::protocol_named(o.protocol.empty() ? "sound" : o.protocol), model);
  s.file = model == "torchscript" ? o.torchscript : o.embeddings;
  if (s.protocol == brec::Protocol::Exact && model != "et")
    throw UsageError("--protocol exact is for --model et: it needs a model that runs on the colour quotient");
  if (!o.config.empty()) {
    if (model != "et") throw UsageError("--config is for --model et");
    s.config = et::load_config(o.config);
    const bool published = s.protocol == brec::Protocol::Published;
    if ((s.config.dtype == "float32") != published)
      throw UsageError("--config: this protocol needs dtype " + std::string(published ? "float32" : "float64"));
    if (s.config.batch_norm && !published)
      throw UsageError(
          "--config: batch_norm makes the two rows opposite whatever the model sees; not in this protocol");
  }
  if (model == "embeddings" && (o.epochs || o.rate)) throw UsageError("--epochs and --rate: nothing is trained");
  if (!o.weights_per.empty()) {
    if (!s.file.empty()) throw UsageError("--weights-per: a model from a file has its own weights");
    s.weights_per = brec::weights_per_named(o.weights_per);
  }
  if (o.level && s.protocol != brec::Protocol::Sound) throw UsageError("--level is for --protocol sound");
  if (o.epochs) s.training.epochs = *o.epochs;
  if (o.rate) s.training.rate = *o.rate;
  if (o.level) s.level = *o.level / brec::kPairs;
  return s;
}

// Embeddings from elsewhere belong to the relabellings that were exported.
void follow_manifest(ModelStudy& study, const Options& o, const brec::PairSet& set) {
  const brec::Manifest manifest = brec::read_manifest(study.settings.file);
  if (manifest.pairs != brec::pair_digest(set))
    throw std::runtime_error(study.settings.file + "/manifest.json: exported for other pairs than " + set.source);
  if (o.seed || o.seeds)
    throw UsageError("--seed and --seeds: the directory has seed " + std::to_string(manifest.seed));
  study.first_seed = manifest.seed;
  study.settings.digest = brec::embeddings_digest(study.settings.file, manifest);
  if (o.ids.empty()) study.ids = manifest.ids;
}

int run_model(const Options& o, const Context& context) {
  ModelStudy study;
  study.settings = model_settings(o);
  study.first_seed = o.seed.value_or(1);
  study.seeds = std::max(1, o.seeds);
  if (study.first_seed > kLastSeed - static_cast<std::uint64_t>(study.seeds - 1))
    throw UsageError("--seed and --seeds: beyond the last seed, " + std::to_string(kLastSeed));
  const bool published = study.settings.protocol == brec::Protocol::Published;
  study.ids = number_list(o.ids.empty() && published ? brec::kPublishedPairs : all_if_none(o.ids), brec::kPairs);
  if (!o.shard.empty()) std::tie(study.shard, study.shards) = parse_shard(o.shard);
  study.threads = o.threads;
  study.jobs = o.jobs;
  study.memory = o.memory_gb << 30;
  study.store = o.store;
  study.json = o.json, study.csv = o.csv;
  const brec::PairSet set = load_pairs(o.brec, o.builtin);
  if (set.from_files) study.brec = *brec::find_brec(o.brec);
  if (study.settings.model == "embeddings") follow_manifest(study, o, set);
  if (study.settings.model == "torchscript") study.settings.digest = brec::file_digest(study.settings.file);
  return run_model_study(study, set, context);
}

int run_export(const Options& o, const Context& context) {
  if (o.out.empty()) throw UsageError("export: --out DIR is needed");
  const std::vector<int> ids = number_list(all_if_none(o.ids), brec::kPairs);
  const brec::PairSet set = load_pairs(o.brec, o.builtin);
  try {
    brec::export_samples(o.out, set, ids, o.seed.value_or(1), context.command);
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
  write_file("-", std::to_string(ids.size()) + " pairs, 128 graphs each, in " + o.out +
                      "\nnext: write an array [128, dimensions] to pair_NNN.npy beside each pair_NNN.g6, then\n"
                      "  leman brec --embeddings " +
                      o.out + "\n");
  return kOk;
}

int run_merge(const Options& o, const Context&) {
  if (o.out.empty() || o.files.empty()) throw UsageError("merge: --out FILE and the stores to merge are needed");
  try {
    brec::merge_stores(o.files, o.out);
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
  write_file("-", std::to_string(brec::Store(o.out).runs().size()) + " rows in " + o.out + "\n");
  return kOk;
}

int run_show(const Options& o, const Context& context) {
  if (o.files.size() != 1) throw UsageError("show: one store is needed");
  const brec::Store store(o.files[0]);
  const auto directory = brec::find_brec(o.brec);  // published rows are those of BREC's pairs
  const bool same = directory && brec::pair_digest(brec::read_brec(*directory)) == store.study().pairs;
  write_study({store.study(), store.runs(), store.engine_runs(), published_rows(same ? *directory : ""), {}}, o.json,
              o.csv, context);
  return kOk;
}

int run(const Options& options, const Context& context) {
  if (options.builtin && !options.brec.empty()) throw UsageError("--builtin and --brec exclude each other");
  check_options(options);
  if (options.action == "export") return run_export(options, context);
  if (options.action == "merge") return run_merge(options, context);
  if (options.action == "show") return run_show(options, context);
  if (asks_for_model(options)) return run_model(options, context);
  std::vector<std::string> engines = engine_names(options.engines.empty() ? "1wl,2wl,3wl,2fwl" : options.engines);
  number_list(all_if_none(options.ids), brec::kPairs);
  brec::PairSet set = load_pairs(options.brec, options.builtin);
  std::vector<Row> rows = run_all(options, set, engines);
  auto wrong = contradictions(rows);
  Json json = record(context);
  json["source"] = set.source;
  Count in_all;
  for (const std::string& engine : engines) {
    Count all;
    for (const Row& row : rows)
      if (row.engine == engine) all.add(row), in_all.add(row);
    json["summary"][engine] = {{"distinguished", all.distinguished}, {"run", all.run}, {"refused", all.refused}};
  }
  for (const Row& row : rows) json["rows"].push_back(row_json(row));
  write_results(set.source + ", pairs distinguished\n\n" + summary(rows, engines) + "\n" + context.about() + ": " +
                    context.command + "\n",
                options.json, json.dump(1) + "\n", options.csv, row_table(rows).csv());
  for (const Row& row : rows)
    if (!row.refused.empty()) {
      std::cerr << "leman: refused, e.g. pair " << row.pair->id << ": " << row.refused << '\n';
      break;
    }
  if (!wrong.empty()) throw std::logic_error("verdict against what is proved: " + wrong[0]);
  return in_all.run == 0 ? kRefused : kOk;
}

}  // namespace

Command brec_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "brec",
      .summary = "Count the pairs that exact engines or a trained model distinguish",
      .positionals = {{"ACTION", "",
                       "none: run; show: the results in a store; merge: stores into one; export: relabelled graphs",
                       choice(o->action, {"show", "merge", "export"})},
                      {"STORE", "", "show, merge: run stores", append(o->files), Option::Repeated}},
      .options =
          {{"--engine", "NAMES", "engines, joined by commas (default: 1wl,2wl,3wl,2fwl)", non_empty(o->engines)},
           {"--model", "NAME", "train and test on every pair: et, ppgn (2-FWL) or gin (1-WL)",
            choice(o->model, {"et", "ppgn", "gin"})},
           {"--torchscript", "FILE", "a model of yours: adjacency matrices [graphs, n, n] in, embeddings out",
            non_empty(o->torchscript)},
           {"--embeddings", "DIR", "embeddings that another program made of what `export` wrote",
            non_empty(o->embeddings)},
           {"--protocol", "NAME", "sound (default), exact (et on colours), published (BREC's own, quirks included)",
            choice(o->protocol, {"published", "sound", "exact"})},
           {"--config", "NAME", "shape of et: brec, sound, ... or a JSON file (default: the protocol's)",
            non_empty(o->config)},
           {"--epochs", "N", "of training at most (default: published 20, else 60)", number<int>(o->epochs, 0, 100000)},
           {"--rate", "R", "learning rate (default: 1e-4)", number<double>(o->rate, 0, 10)},
           {"--level", "P", "sound: chance of a false positive among 400 tests (default: 0.05)",
            number<double>(o->level, 1e-12, 0.999)},
           {"--seed", "S", "of weights and relabellings (default: 1)", number<std::uint64_t>(o->seed, 0, kLastSeed)},
           {"--seeds", "K", "run K consecutive seeds starting at --seed; report the mean",
            number<int>(o->seeds, 1, 1000)},
           {"--weights-per", "WHAT", "draw initial weights per pair (default) or once per seed",
            choice(o->weights_per, {"pair", "seed"})},
           {"--pairs", "IDS", "only these, e.g. 0-59,260 (default: all; published: 0-109,160-319)", non_empty(o->ids)},
           {"--store", "FILE", "keep every row in this SQLite file; the same call resumes", non_empty(o->store)},
           {"--jobs", "J", "pairs at a time (default: as many as threads)", number<unsigned>(o->jobs, 1, 1024)},
           {"--shard", "I/K", "only the I-th of K parts, each into a store of its own; see merge", non_empty(o->shard)},
           {"--out", "PATH", "export: directory; merge: store", non_empty(o->out)},
           {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)", text(o->brec)},
           {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(o->builtin)},
           threads_option(o->threads),
           {"--memory", "GB",
            "refuse a run that needs more (default: nine tenths of what is free, shared by the cores)",
            number<std::uint64_t>(o->memory_gb, 1, 1 << 20)},
           {"--json", "FILE", "write summary and rows as JSON (- for standard output)", text(o->json)},
           {"--csv", "FILE", "write a row for every pair and engine (- for standard output)", text(o->csv)}},
      .footer = engine_list() +
                "\nExamples:\n"
                "  leman brec --engine 1wl,2wl,3wl,2fwl,3fwl\n"
                "  leman brec --engine 2fwl --pairs 260-359 --csv cfi.csv\n"
                "  leman brec --builtin --engine m1,spd,n2 --json -\n"
                "  leman brec --model et --protocol exact --seeds 10 --store exact.sqlite\n"
                "  leman brec --model et --protocol published --pairs 0-59 --seeds 3 --csv rows.csv\n"
                "  leman brec --torchscript model.pt --pairs 0-259\n"
                "  leman brec export --pairs 0-59 --out graphs; leman brec --embeddings graphs\n"
                "  leman brec --model et --shard 2/4 --store part2.sqlite\n"
                "  leman brec merge part*.sqlite --out all.sqlite; leman brec show all.sqlite --json all.json",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
