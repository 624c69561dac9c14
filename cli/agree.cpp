// `leman agree`: an Edge Transformer against 2-FWL.
#include <algorithm>

#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "reports/agreement_table.hpp"
#include "study/agreement_study.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_argument.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> graphs;
  PairChoice pairs;
  std::string families, orders, config, layers, widths, dtypes;
  std::string weights, store, json, csv;
  unsigned all = 0;
  std::optional<std::uint64_t> count;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> colors;
  int steps = 0;
  unsigned threads = default_threads();
  wl::ReadOptions read;
  bool asks_for_pairs() const { return !pairs.ids.empty() || !pairs.suite.own.empty(); }
};

std::vector<int> numbers_of(const std::string& list, int high, int otherwise) {
  if (list.empty()) return {otherwise};
  std::vector<int> numbers;
  for (const std::string& word : split(list, ',')) numbers.push_back(parse_number<int>(word, 1, high));
  return numbers;
}

std::pair<wl::Node, wl::Node> range_of(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto low = parse_number<wl::Node>(text.substr(0, dash), 3, 2000);
  const auto high = dash == std::string::npos ? low : parse_number<wl::Node>(text.substr(dash + 1), low, 2000);
  return {low, high};
}

void check(const Options& o) {
  const bool given = !o.graphs.empty() || o.all || o.asks_for_pairs();
  if (!o.graphs.empty() + (o.all != 0) + o.asks_for_pairs() > 1)
    throw UsageError("graphs, --all N or --pairs WHICH: only one of them");
  if (given && (o.count || !o.orders.empty() || !o.families.empty()))
    throw UsageError("--graphs, --n and --families are for random graphs");
  if (!o.weights.empty() && !(o.config + o.layers + o.widths + o.dtypes).empty())
    throw UsageError("--config, --layers, --width and --dtype: a weights file brings its own");
  check_outputs({o.json, o.csv}, {o.store});
}

// Every precision, depth and width.
void add_models(study::AgreementStudy& study, const Options& o, const et::Config& base) {
  for (const std::string& dtype : split(o.dtypes.empty() ? "float32,float64" : o.dtypes, ','))
    for (int layers : numbers_of(o.layers, 100, base.layers))
      for (int width : numbers_of(o.widths, 4096, base.width)) {
        et::Config config = base;
        config.dtype = et::choice_named<et::Dtype>(dtype), config.layers = layers, config.width = width;
        config.node_colors = std::max(base.node_colors, static_cast<int>(study.colors));
        config.check();
        study.models.push_back(config);
      }
  if (!o.weights.empty()) study.models.resize(1);
}

void add_sample(study::AgreementStudy& study, const Options& o) {
  if (o.all) {
    study::add_graphs(study, wl::all_graphs(o.all), "all " + std::to_string(o.all));
    study.source = "all graphs of order " + std::to_string(o.all);
  } else if (o.asks_for_pairs()) {
    const brec::PairSet set = o.pairs.load();
    study::add_pairs(study, set, o.pairs.ids_in(set));
  } else if (o.graphs.empty()) {
    const auto [low, high] = range_of(o.orders.empty() ? "5-30" : o.orders);
    study::add_random_graphs(study, o.families.empty() ? std::vector<std::string>{} : split(o.families, ','), low, high,
                             o.count.value_or(2000));
  } else {
    for (const std::string& word : o.graphs) study::add_graphs(study, wl::graphs_argument(word, o.read), word);
    study.source = join(o.graphs);
  }
}

int run(const Options& o, const Context& context) {
  check(o);
  const InterruptGuard guard;
  study::AgreementStudy study;
  study.seed = o.seed, study.threads = o.threads, study.steps = o.steps, study.weights = o.weights;
  const et::Config base = et::load_config(o.config.empty() ? "paper" : o.config);
  if (base.rrwp > 0)
    throw UsageError("random-walk features (rrwp) see further than a layer: 2-FWL is no bound for them");
  study.colors = o.colors.value_or(base.token == et::TokenKind::Paper && o.weights.empty() ? 2 : 0);
  add_models(study, o, base);
  add_sample(study, o);
  study::Store store(o.store, describe(study, context.command));
  Progress progress;
  const study::AgreementResult result = run_agreement(study, store, {progress, InterruptGuard::stop()});
  progress.finish();
  if (o.json != "-" && o.csv != "-")
    print(reports::agreement_text(result, study.source, study.seed) + context.signature());
  if (!o.json.empty()) write_output(o.json, reports::agreement_json(result, study.source, study.seed, context.command));
  if (!o.csv.empty()) write_output(o.csv, reports::agreement_csv(result.models));
  if (result.complete) return kOk;
  say(o.store.empty() ? "interrupted; with --store FILE it could be resumed"
                      : "interrupted; the same command resumes from " + o.store);
  return kInterrupted;
}

std::string family_help() {
  std::string text = "Families of random graphs:\n";
  for (const auto& family : proofs::random_families())
    text += "  " + family.name + std::string(10 - family.name.size(), ' ') + family.description + "\n";
  return text;
}

}  // namespace

Command agree_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "agree",
      .summary = "Does an Edge Transformer see what 2-FWL sees? On random graphs, layer by layer",
      .positionals = {{"GRAPHS", "", "files of graphs, - for standard input, names or graph6, instead of random ones",
                       append(o->graphs), Option::Repeated}},
      .options = {{"--all", "N", "every graph of order N", number<unsigned>(o->all, 1, 9)},
                  {"--graphs", "COUNT", "random graphs (default: 2000)",
                   number<std::uint64_t>(o->count, 1, 100'000'000)},
                  {"--n", "LOW-HIGH", "their orders (default: 5-30)", non_empty(o->orders)},
                  {"--families", "NAMES", "joined by commas (default: all)", non_empty(o->families)},
                  {"--colors", "K", "half of the graphs get K node colours (default: 2; 0: none)",
                   number<std::uint32_t>(o->colors, 0, 100), Option::Optional, "--colours"},
                  {"--config", "NAME", "the model: " + join(et::preset_names()) + " or a JSON file (default: paper)",
                   non_empty(o->config)},
                  {"--layers", "LIST", "depths, e.g. 2,5 (default: the configuration's)", non_empty(o->layers)},
                  {"--width", "LIST", "widths (default: the configuration's)", non_empty(o->widths)},
                  {"--dtype", "LIST", "precisions (default: float32,float64)", non_empty(o->dtypes)},
                  {"--weights", "FILE", "a weights file instead of random weights", non_empty(o->weights)},
                  {"--train", "STEPS", "train before the test, to tell random graphs apart (default: 0)",
                   number<int>(o->steps, 0, 1'000'000)},
                  {"--seed", "S", "of graphs and weights (default: 1)", number<std::uint64_t>(o->seed)},
                  {"--store", "FILE", "keep every result in this SQLite file; the same call resumes",
                   non_empty(o->store)},
                  threads_option(o->threads),
                  json_option(o->json),
                  csv_option(o->csv, "family and depth")},
      .footer = family_help() +
                "\nA model is coarser if tokens of two colours are within the tolerance (16 times the rounding noise\n"
                "that relabellings show), finer if tokens of one colour are not. docs/agreement.md has more.\n",
      .examples = {"leman agree", "leman agree --graphs 10000 --store agree.sqlite",
                   "leman agree --all 7 --dtype float64", "leman agree --families cfi,lift --n 20-40 --layers 2,4,8",
                   "leman gen regular 20 3 --count 100 | leman agree - --json -", "leman agree --pairs mine.csv"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, o->pairs.options());
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
