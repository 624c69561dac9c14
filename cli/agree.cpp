#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/agree_study.hpp"
#include "cli/interrupt.hpp"
#include "proofs_check/agreement_sample.hpp"
#include "wl/constructions/enumerate.hpp"

namespace leman::cli {

namespace {

// Graphs from files that are compared with each other: so many, of so many pairs of nodes together.
constexpr std::size_t kGivenChunk = 500, kGivenRows = 150'000;

struct Options {
  std::vector<std::string> graphs;
  std::string families, orders, config, layers, widths, dtypes;
  std::string weights, store, json, csv;
  unsigned all = 0;
  std::optional<std::uint64_t> count;
  std::uint64_t seed = 1;
  std::optional<std::uint32_t> colors;
  int steps = 0;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words(1);
  for (char c : list)
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

std::vector<int> numbers_of(const std::string& list, int high) {
  std::vector<int> numbers;
  for (const std::string& word : words_of(list)) numbers.push_back(parse_number<int>(word, 1, high));
  return numbers;
}

std::pair<wl::Node, wl::Node> range_of(const std::string& text) {
  const std::size_t dash = text.find('-');
  const auto low = parse_number<wl::Node>(text.substr(0, dash), 3, 2000);
  const auto high = dash == std::string::npos ? low : parse_number<wl::Node>(text.substr(dash + 1), low, 2000);
  return {low, high};
}

// Graphs that are there already, in chunks of one order.
void add_given(std::vector<wl::Graph> graphs, const std::string& label, AgreeStudy& study) {
  std::stable_sort(graphs.begin(), graphs.end(), [](auto& a, auto& b) { return a.order() < b.order(); });
  for (wl::Graph& graph : graphs) {
    if (graph.order() == 0) throw wl::GraphError(label + ": a graph without nodes");
    if (graph.directed()) throw wl::GraphError(label + ": a directed graph; tokens know one direction, 2-FWL both");
    auto& sample = study.sample;
    if (sample.empty() || sample.back().chunk.family != label || sample.back().chunk.order != graph.order() ||
        sample.back().chunk.colored != graph.node_colored() || sample.back().given.size() == kGivenChunk ||
        (sample.back().given.size() + 1) * graph.order() * graph.order() > kGivenRows)
      sample.push_back({{label, graph.order(), graph.node_colored(), 0}, {}});
    sample.back().given.push_back(std::move(graph));
    ++sample.back().chunk.graphs;
  }
}

void add_random(const Options& o, AgreeStudy& study) {
  std::vector<std::string> names;
  for (const auto& family : proofs::random_families()) names.push_back(family.name);
  if (!o.families.empty()) {
    const std::vector<std::string> known = std::exchange(names, words_of(o.families));
    for (const std::string& name : names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw UsageError("--families: there is no \"" + name + "\"; see leman agree --help");
  }
  const auto [low, high] = range_of(o.orders.empty() ? "5-30" : o.orders);
  const std::uint64_t count = o.count.value_or(2000);
  for (const proofs::Chunk& chunk : proofs::sample_chunks(names, low, high, count, study.colors > 1))
    study.sample.push_back({chunk, {}});
  study.source = std::to_string(count) + " random graphs of orders " + std::to_string(low) + "-" +
                 std::to_string(high) +
                 (study.colors > 1 ? ", half of them with " + std::to_string(study.colors) + " node colours" : "");
}

AgreeStudy study_of(const Options& o) {
  if (!o.graphs.empty() && o.all) throw UsageError("graphs or --all N, not both");
  if ((!o.graphs.empty() || o.all) && (o.count || !o.orders.empty() || !o.families.empty()))
    throw UsageError("--graphs, --n and --families are for random graphs");
  if (!o.weights.empty() && !(o.config + o.layers + o.widths + o.dtypes).empty())
    throw UsageError("--config, --layers, --width and --dtype: a weights file brings its own");
  AgreeStudy study;
  study.seed = o.seed, study.threads = o.threads, study.steps = o.steps, study.weights = o.weights;
  const et::Config base = et::load_config(o.config.empty() ? "paper" : o.config);
  if (base.rrwp > 0)
    throw UsageError("random-walk features (rrwp) see further than a layer: 2-FWL is no bound for them");
  study.colors = o.colors.value_or(base.token == "paper" && o.weights.empty() ? 2 : 0);
  for (const std::string& dtype : words_of(o.dtypes.empty() ? "float32,float64" : o.dtypes))
    for (int layers : o.layers.empty() ? std::vector{base.layers} : numbers_of(o.layers, 100))
      for (int width : o.widths.empty() ? std::vector{base.width} : numbers_of(o.widths, 4096)) {
        et::Config config = base;
        config.dtype = dtype, config.layers = layers, config.width = width;
        config.node_colors = std::max(base.node_colors, static_cast<int>(study.colors));
        config.check();
        study.models.push_back(config);
      }
  if (!o.weights.empty()) study.models.resize(1);
  if (o.all) {
    add_given(wl::all_graphs(o.all), "all " + std::to_string(o.all), study);
    study.source = "all graphs of order " + std::to_string(o.all);
  } else if (o.graphs.empty()) {
    add_random(o, study);
  } else {
    for (const std::string& word : o.graphs) {
      add_given(graphs_argument(word, o.read), word, study);
      study.source += (study.source.empty() ? "" : ", ") + word;
    }
  }
  if (study.sample.empty()) throw UsageError("there is no graph");
  return study;
}

int run(const Options& o, const Context& context) {
  check_outputs({o.json, o.csv}, {o.store});
  InterruptGuard guard;
  const AgreeStudy study = study_of(o);
  try {
    brec::Store store(o.store, {describe(study), study.source, "", context.command});
    Json summary = record(context);
    summary.update(run_agreement(study, store));
    write_results(agreement_text(summary) + context.about() + ": " + context.command + "\n", o.json,
                  summary.dump(1) + "\n", o.csv, agreement_csv(summary));
    if (summary["complete"]) return kOk;
    std::cerr << "leman: interrupted"
              << (o.store.empty() ? "; with --store FILE it could be resumed\n"
                                  : "; the same command resumes from " + o.store + "\n");
    return kInterrupted;
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
}

std::string family_help() {
  std::string text;
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
      .options =
          {{"--all", "N", "every graph of order N", number<unsigned>(o->all, 1, 9)},
           {"--graphs", "COUNT", "random graphs (default: 2000)", number<std::uint64_t>(o->count, 1, 100'000'000)},
           {"--n", "LOW-HIGH", "their orders (default: 5-30)", non_empty(o->orders)},
           {"--families", "NAMES", "joined by commas (default: all)", non_empty(o->families)},
           {"--colors", "K", "half of the graphs get K node colours (default: 2; 0: none)",
            number<std::uint32_t>(o->colors, 0, 100)},
           {"--config", "NAME", "the model: paper (default), brec, sound, or a JSON file", non_empty(o->config)},
           {"--layers", "LIST", "depths, e.g. 2,5 (default: the configuration's)", non_empty(o->layers)},
           {"--width", "LIST", "widths (default: the configuration's)", non_empty(o->widths)},
           {"--dtype", "LIST", "precisions (default: float32,float64)", non_empty(o->dtypes)},
           {"--weights", "FILE", "a weights file instead of random weights", non_empty(o->weights)},
           {"--train", "STEPS", "train before the test, to tell random graphs apart (default: 0)",
            number<int>(o->steps, 0, 1'000'000)},
           {"--seed", "S", "of graphs and weights (default: 1)", number<std::uint64_t>(o->seed)},
           {"--store", "FILE", "keep every result in this SQLite file; the same call resumes", non_empty(o->store)},
           threads_option(o->threads),
           {"--json", "FILE", "write all results as JSON (- for standard output)", non_empty(o->json)},
           {"--csv", "FILE", "write a row for every family and depth (- for standard output)", non_empty(o->csv)}},
      .footer = "Families of random graphs:\n" + family_help() +
                "\nA model is coarser if tokens of two colours are within the tolerance (16 times the rounding noise\n"
                "that relabellings show), finer if tokens of one colour are not. docs/agreement.md has more.\n\n"
                "Examples:\n"
                "  leman agree\n"
                "  leman agree --graphs 10000 --store agree.sqlite\n"
                "  leman agree --all 7 --dtype float64\n"
                "  leman agree --families cfi,lift --n 20-40 --layers 2,4,8\n"
                "  leman gen regular 20 3 --count 100 | leman agree - --json -",
      .run = [o, &context] { return run(*o, context); }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
