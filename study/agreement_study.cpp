#include "study/agreement_study.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>

#include "base/digest.hpp"
#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "proofs_check/agreement.hpp"
#include "study/json.hpp"
#include "study/model_study.hpp"
#include "study/torch.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::study {

namespace {

using proofs::Agreement;

constexpr std::size_t kCalibration = 64;  // graphs whose rounding sets the tolerance
constexpr std::size_t kTraining = 64;     // couples of graphs
// Graphs from files that are compared with each other: so many, of so many pairs of nodes together.
constexpr std::size_t kGivenChunk = 500, kGivenRows = 150'000;

std::vector<wl::Graph> graphs_of(const AgreementStudy& study, const AgreementStudy::Graphs& part) {
  return part.given.empty() ? proofs::draw_chunk(part.chunk, study.colors, study.seed) : part.given;
}

// One graph each of chunks spread over the sample, other ones than those that are tested.
std::vector<wl::Graph> calibration_graphs(const AgreementStudy& study) {
  std::vector<wl::Graph> graphs;
  const std::size_t parts = study.sample.size();
  for (std::size_t k = 0; k < kCalibration; ++k) {
    const AgreementStudy::Graphs& part = study.sample[k * parts / kCalibration];
    if (!part.given.empty()) {
      graphs.push_back(part.given[k * part.given.size() / kCalibration]);
    } else {
      const proofs::Chunk one{part.chunk.family, part.chunk.order, part.chunk.colored, 1};
      graphs.push_back(std::move(proofs::draw_chunk(one, study.colors, study.seed ^ (k + 1))[0]));
    }
  }
  return graphs;
}

// Couples of random graphs of one order, which training is to tell apart.
std::vector<wl::Graph> training_graphs(const AgreementStudy& study) {
  std::vector<wl::Graph> graphs;
  for (std::size_t k = 0; k < kTraining && study.steps; ++k)
    for (wl::Graph& graph : proofs::draw_chunk({k % 2 ? "er" : "regular", static_cast<wl::Node>(8 + k % 9), false, 2},
                                               0, study.seed + 1000 + k))
      graphs.push_back(std::move(graph));
  return graphs;
}

std::string model_name(const et::Config& c, int steps) {
  return std::string(et::name_of(c.dtype)) + ", " + std::to_string(c.layers) + " layers, width " +
         std::to_string(c.width) + (steps ? ", " + std::to_string(steps) + " steps of training" : "");
}

// A model with its tolerances. Stays where it is: `tested` points into `sources`.
struct Candidate {
  proofs::TokenSources sources;
  proofs::Tested tested;
  std::string name;

  Candidate(const AgreementStudy& study, const et::Config& config)
      : sources(torch().token_sources({config, study.seed, study.weights, study.steps, training_graphs(study), ""})) {
    if (sources.config.rrwp > 0)
      throw UsageError("random-walk features (rrwp) see further than a layer: 2-FWL is no bound for them");
    name = model_name(sources.config, study.steps);
    const std::vector<wl::Graph> graphs = calibration_graphs(study);
    auto tolerance = [&](const proofs::TokenSource& source) {
      Rng rng(study.seed);
      return proofs::measure_tolerance(source, wl::pointers_to(graphs), 2, rng);
    };
    tested.source = sources.model.get();
    tested.tolerance = tolerance(*tested.source);
    tested.quotient = sources.quotient.get();
    if ((tested.wide = sources.wide.get())) tested.wide_tolerance = tolerance(*tested.wide);
  }
  Candidate(const Candidate&) = delete;
  Candidate& operator=(const Candidate&) = delete;
};

// Chunks by name; equal names mean equal graphs.
std::string key_of(const AgreementStudy::Graphs& part) {
  const std::string key = part.chunk.family + "/" + std::to_string(part.chunk.order) + "/" +
                          (part.chunk.colored ? "coloured" : "plain") + "/" + std::to_string(part.chunk.graphs);
  std::string all;
  for (const wl::Graph& graph : part.given) wl::write_graph(graph, wl::Format::EdgeList, all);  // with all colours
  return part.given.empty() ? key : key + "/" + digest(all);
}

// Results by family and colours.
using Totals = std::map<std::pair<std::string, bool>, Agreement>;

// The chunks that the store lacks; false if interrupted. `evaluated` grows by the graphs that the
// store did not know.
bool run_chunks(const AgreementStudy& study, const Candidate& candidate, Store& store, const Control& control,
                Totals& totals, std::atomic<std::uint64_t>& evaluated) {
  std::map<std::string, Agreement> known;
  for (AgreementChunk& chunk : store.all<AgreementChunk>()) known[chunk.key] = std::move(chunk.result);
  std::vector<Agreement> results(study.sample.size());
  parallel_for(study.sample.size(), study.threads, [&](std::size_t k) {
    const AgreementStudy::Graphs& part = study.sample[k];
    const std::string key = candidate.name + "/" + key_of(part);
    if (control.stop) return;
    if (const auto at = known.find(key); at != known.end()) {
      results[k] = at->second;
    } else {
      results[k] = proofs::agree(graphs_of(study, part), candidate.tested, study.seed);
      store.put(AgreementChunk{key, results[k]});
      evaluated += results[k].graphs;
    }
    control.observer.done(results[k].graphs, candidate.name + ", " + part.chunk.family);
  });
  for (std::size_t k = 0; k < results.size(); ++k) {  // in the order of the sample: the first example stays
    const proofs::Chunk& chunk = study.sample[k].chunk;
    totals[{chunk.family, chunk.colored}].add(results[k]);
  }
  return !control.stop;
}

// The graph of an example, from its text; none if it is two graphs.
std::optional<wl::Graph> graph_of_example(const proofs::Disagreement& e) {
  if (e.what != "tokens" || e.reason == "too few layers" || e.graphs.find('(') != std::string::npos)
    return std::nullopt;
  return proofs::graph_from_text(e.graphs);
}

void shrink_examples(const Candidate& candidate, Agreement& all) {
  for (proofs::Disagreement& e : all.examples)
    if (const auto graph = graph_of_example(e)) {
      const std::string smaller = proofs::graph_text(proofs::shrink(*graph, candidate.tested, e.kind));
      if (smaller != e.graphs) e.smaller = smaller;
    }
}

AgreementRecord summary_of(const AgreementStudy& study, const Candidate& candidate, const Totals& totals) {
  AgreementRecord record;
  record.model = candidate.name, record.source = study.source;
  record.config = candidate.sources.config, record.seed = candidate.sources.seed;
  record.steps = study.steps, record.weights = study.weights;
  if (study.steps) record.training_loss = {candidate.sources.first_loss, candidate.sources.last_loss};
  record.tolerance = candidate.tested.tolerance;
  for (const auto& [key, result] : totals) {
    record.rows.push_back({key.first, key.second, result});
    record.all.add(result);
  }
  shrink_examples(candidate, record.all);
  return record;
}

// Tokens of a chunk after every layer, in double, from three sources; so for every thread.
void demand_memory_for(const AgreementStudy& study, const et::Config& config) {
  std::uint64_t rows = 0;
  for (const AgreementStudy::Graphs& part : study.sample)
    rows = std::max(rows, std::uint64_t{part.chunk.graphs} * part.chunk.order * part.chunk.order);
  const auto width = static_cast<std::uint64_t>(config.width), layers = static_cast<std::uint64_t>(config.layers) + 1;
  demand_memory(study.threads * rows * width * layers * 8 * 4, 0,
                std::to_string(study.threads) + " chunks of up to " + std::to_string(rows) + " pairs of nodes");
}

}  // namespace

void add_graphs(AgreementStudy& study, std::vector<wl::Graph> graphs, const std::string& label) {
  std::stable_sort(graphs.begin(), graphs.end(), [](auto& a, auto& b) { return a.order() < b.order(); });
  for (wl::Graph& graph : graphs) {
    if (graph.order() == 0) throw GraphError(label + ": a graph without nodes");
    if (graph.directed()) throw GraphError(label + ": a directed graph; tokens know one direction, 2-FWL both");
    auto& sample = study.sample;
    if (sample.empty() || sample.back().chunk.family != label || sample.back().chunk.order != graph.order() ||
        sample.back().chunk.colored != graph.node_colored() || sample.back().given.size() == kGivenChunk ||
        (sample.back().given.size() + 1) * graph.order() * graph.order() > kGivenRows)
      sample.push_back({{label, graph.order(), graph.node_colored(), 0}, {}});
    sample.back().given.push_back(std::move(graph));
    ++sample.back().chunk.graphs;
  }
}

void add_pairs(AgreementStudy& study, const brec::PairSet& set, const std::vector<int>& ids) {
  std::map<int, std::vector<wl::Graph>> graphs;  // by the first id of their family
  for (const int id : ids) {
    const brec::Pair& pair = set.at(id);
    if (!trainable(pair)) continue;
    std::vector<wl::Graph>& family = graphs[set.roster.family_of(id).first_id];
    family.push_back(pair.first), family.push_back(pair.second);
  }
  if (graphs.empty())
    throw InputError(set.path, "no pair has two undirected graphs of one order without colours, as models need");
  for (auto& [first, list] : graphs) add_graphs(study, std::move(list), set.roster.family_of(first).name);
  study.source = "the graphs of " + set.source;
}

void add_random_graphs(AgreementStudy& study, const std::vector<std::string>& families, wl::Node low, wl::Node high,
                       std::size_t count) {
  std::vector<std::string> known;
  for (const auto& family : proofs::random_families()) known.push_back(family.name);
  for (const std::string& name : families)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw UsageError("no family of random graphs \"" + name + "\"" + did_you_mean(name, known));
  for (const proofs::Chunk& chunk :
       proofs::sample_chunks(families.empty() ? known : families, low, high, count, study.colors > 1))
    study.sample.push_back({chunk, {}});
  study.source = std::to_string(count) + " random graphs of orders " + std::to_string(low) + "-" +
                 std::to_string(high) +
                 (study.colors > 1 ? ", half of them with " + std::to_string(study.colors) + " node colours" : "");
}

Study describe(const AgreementStudy& study, const std::string& command) {
  Json json{{"kind", "agreement"},
            {"seed", study.seed},
            {"colors", study.colors},
            {"steps", study.steps},
            {"weights", study.weights.empty() ? "" : study.weights + " " + file_digest(study.weights)}};
  if (!study.models.empty()) {
    json["config"] = Json::parse(et::to_json(study.models[0]));
    for (const char* varied : {"layers", "width", "dtype"}) json["config"].erase(varied);
  }
  // The tolerance comes from the whole sample.
  std::string parts;
  for (const AgreementStudy::Graphs& part : study.sample) parts += key_of(part) + "\n";
  json["sample"] = digest(parts);
  return {json.dump(), study.source, "", "", command, ""};
}

AgreementResult run_agreement(const AgreementStudy& study, Store& store, const Control& control) {
  if (study.sample.empty()) throw UsageError("there is no graph");
  AgreementResult result;
  std::uint64_t graphs = 0;
  for (const AgreementStudy::Graphs& part : study.sample) graphs += part.chunk.graphs;
  const Stage stage(control.observer, "graphs", graphs * study.models.size());
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> evaluated{0};
  for (const et::Config& config : study.models) {
    demand_memory_for(study, config);
    const Candidate candidate(study, config);
    Totals totals;
    if (!run_chunks(study, candidate, store, control, totals, evaluated)) break;
    result.models.push_back(summary_of(study, candidate, totals));
    store.put(result.models.back());
  }
  result.complete = result.models.size() == study.models.size();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.evaluated = evaluated;
  return result;
}

}  // namespace leman::study
