#include "cli/agree_study.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "brec/embeddings.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "proofs_check/agreement.hpp"
#include "wl/coloring.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

using proofs::Agreement;
using proofs::kPoolings;

constexpr std::size_t kCalibration = 64;  // graphs whose rounding sets the tolerance
constexpr std::size_t kTraining = 64;     // couples of graphs

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Pairs of graphs are not independent: they get no interval.
Json to_json(const proofs::Counts& c, bool independent = true) {
  const auto interval = proofs::confidence_interval(c.agree, c.compared);
  return {{"compared", c.compared},
          {"agree", c.agree},
          {"coarser", c.coarser},
          {"finer", c.finer},
          {"interval", independent ? Json{interval.low, interval.high} : Json(nullptr)},
          {"largest_within", number(c.gap.within)},
          {"smallest_between", number(c.gap.between)}};
}
proofs::Counts counts_from(const Json& j) {
  proofs::Counts c{j["compared"], j["agree"], j["coarser"], j["finer"], {}};
  c.gap.within = j["largest_within"];
  if (!j["smallest_between"].is_null()) c.gap.between = j["smallest_between"];
  return c;
}

Json to_json(const Agreement& a) {
  const auto interval = proofs::confidence_interval(a.agree, a.graphs);
  Json j{{"graphs", a.graphs},
         {"agree", a.agree},
         {"interval", {interval.low, interval.high}},
         {"most_rounds", a.most_rounds},
         {"stable", to_json(a.stable)},
         {"tokens", Json::array()},
         {"poolings", Json::object()},
         {"disagreements", a.reasons},
         {"examples", Json::array()}};
  for (const auto& c : a.tokens) j["tokens"].push_back(to_json(c));
  for (std::size_t p = 0; p < kPoolings.size(); ++p) {
    Json& list = j["poolings"][proofs::pooling_name(kPoolings[p])];
    for (const auto& c : a.poolings[p]) list["layers"].push_back(to_json(c, false));
    list["stable"] = to_json(a.stable_poolings[p], false);
  }
  for (const auto& e : a.examples)
    j["examples"].push_back({{"what", e.what},
                             {"kind", e.kind},
                             {"layer", e.layer < 0 ? Json("stable") : Json(e.layer)},
                             {"graphs", e.graphs},
                             {"reason", e.reason},
                             {"distance", e.distance},
                             {"tolerance", e.tolerance},
                             {"smaller", e.smaller}});
  return j;
}
Agreement agreement_from(const Json& j) {
  Agreement a;
  a.graphs = j["graphs"], a.agree = j["agree"], a.most_rounds = j["most_rounds"];
  a.stable = counts_from(j["stable"]);
  for (const Json& c : j["tokens"]) a.tokens.push_back(counts_from(c));
  for (std::size_t p = 0; p < kPoolings.size(); ++p) {
    const Json& list = j["poolings"][proofs::pooling_name(kPoolings[p])];
    for (const Json& c : list["layers"]) a.poolings[p].push_back(counts_from(c));
    a.stable_poolings[p] = counts_from(list["stable"]);
  }
  for (const auto& [key, count] : j["disagreements"].items()) a.reasons[key] = count;
  for (const Json& e : j["examples"])
    a.examples.push_back({e["what"], e["kind"], e["layer"].is_number() ? e["layer"].get<int>() : -1, e["graphs"],
                          e["reason"], e["distance"], e["tolerance"], e["smaller"]});
  return a;
}

std::vector<wl::Graph> graphs_of(const AgreeStudy& study, const AgreeStudy::Graphs& part) {
  return part.given.empty() ? proofs::draw_chunk(part.chunk, study.colors, study.seed) : part.given;
}

// One graph each of chunks spread over the sample.
std::vector<wl::Graph> calibration_graphs(const AgreeStudy& study) {
  std::vector<wl::Graph> graphs;
  const std::size_t parts = study.sample.size(), count = kCalibration;
  for (std::size_t k = 0; k < count; ++k) {
    const AgreeStudy::Graphs& part = study.sample[k * parts / count];
    if (!part.given.empty())
      graphs.push_back(part.given[k * part.given.size() / count]);
    else
      graphs.push_back(std::move(graphs_of({.models = {},
                                            .weights = "",
                                            .steps = 0,
                                            .seed = study.seed ^ (k + 1),  // others than those that are tested
                                            .colors = study.colors,
                                            .threads = 1,
                                            .sample = {},
                                            .source = ""},
                                           {{part.chunk.family, part.chunk.order, part.chunk.colored, 1}, {}})[0]));
  }
  return graphs;
}

// Couples of random graphs of one order, which training is to tell apart.
std::vector<wl::Graph> training_graphs(const AgreeStudy& study) {
  std::vector<wl::Graph> graphs;
  for (std::size_t k = 0; k < kTraining; ++k)
    for (wl::Graph& graph : proofs::draw_chunk({k % 2 ? "er" : "regular", static_cast<wl::Node>(8 + k % 9), false, 2},
                                               0, study.seed + 1000 + k))
      graphs.push_back(std::move(graph));
  return graphs;
}

std::string model_name(const et::Config& c, int steps) {
  return c.dtype + ", " + std::to_string(c.layers) + " layers, width " + std::to_string(c.width) +
         (steps ? ", " + std::to_string(steps) + " steps of training" : "");
}

// A model with its tolerances.
struct Candidate {
  proofs::TokenSources sources;
  proofs::Tested tested;
  std::string name;
};

void prepare(const AgreeStudy& study, const et::Config& config, Candidate& candidate) {
  candidate.sources = torch_api().token_sources({config, study.seed, study.weights, study.steps,
                                                 study.steps ? training_graphs(study) : std::vector<wl::Graph>(), ""});
  if (candidate.sources.config.rrwp > 0)
    throw UsageError("random-walk features (rrwp) see further than a layer: 2-FWL is no bound for them");
  candidate.name = model_name(candidate.sources.config, study.steps);
  const std::vector<wl::Graph> graphs = calibration_graphs(study);
  std::vector<const wl::Graph*> pointers;
  for (const wl::Graph& graph : graphs) pointers.push_back(&graph);
  auto tolerance = [&](const proofs::TokenSource& source) {
    wl::Rng rng(study.seed);
    return proofs::measure_tolerance(source, pointers, 2, rng);
  };
  proofs::Tested& tested = candidate.tested;
  tested.source = candidate.sources.model.get();
  tested.tolerance = tolerance(*tested.source);
  tested.quotient = candidate.sources.quotient.get();
  if ((tested.wide = candidate.sources.wide.get())) tested.wide_tolerance = tolerance(*tested.wide);
}

// Chunks by name; equal names mean equal graphs.
std::string key_of(const AgreeStudy::Graphs& part) {
  std::string key = part.chunk.family + "/" + std::to_string(part.chunk.order) + "/" +
                    (part.chunk.colored ? "coloured" : "plain") + "/" + std::to_string(part.chunk.graphs);
  std::string all;
  for (const wl::Graph& graph : part.given) wl::write_graph(graph, wl::Format::EdgeList, all);  // with all colours
  return part.given.empty() ? key : key + "/" + brec::digest(all);
}

// Results by family and colours, and under "all" of everything.
using Totals = std::map<std::pair<std::string, bool>, Agreement>;

// The chunks that the store lacks; false if interrupted.
// `evaluated` grows by the graphs that the store did not know.
bool run_chunks(const AgreeStudy& study, const Candidate& candidate, brec::Store& store, Progress& progress,
                Totals& totals, std::atomic<std::uint64_t>& evaluated) {
  std::map<std::string, std::string> known;
  for (const brec::Record& r : store.records("agreement-chunk")) known[r.key] = r.value;
  std::vector<Agreement> results(study.sample.size());
  wl::parallel_for(study.sample.size(), study.threads, [&](std::size_t k) {
    const AgreeStudy::Graphs& part = study.sample[k];
    const std::string key = candidate.name + "/" + key_of(part);
    if (InterruptGuard::stop()) return;
    if (const auto at = known.find(key); at != known.end()) {
      results[k] = agreement_from(Json::parse(at->second));
    } else {
      results[k] = proofs::agree(graphs_of(study, part), candidate.tested, study.seed);
      store.put({"agreement-chunk", key, to_json(results[k]).dump()});
      evaluated += results[k].graphs;
    }
    progress.done(results[k].graphs, candidate.name + ", " + part.chunk.family);
  });
  for (std::size_t k = 0; k < results.size(); ++k) {  // in the order of the sample: the first example stays
    const proofs::Chunk& chunk = study.sample[k].chunk;
    totals[{chunk.family, chunk.colored}].add(results[k]);
  }
  return !InterruptGuard::stop();
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

Json model_summary(const AgreeStudy& study, const Candidate& candidate, const Totals& totals) {
  const et::Config& config = candidate.sources.config;
  Json json{{"model", candidate.name},          {"source", study.source},  {"dtype", config.dtype},
            {"layers", config.layers},          {"width", config.width},   {"seed", candidate.sources.seed},
            {"steps_of_training", study.steps}, {"weights", study.weights}};
  if (study.steps) json["training_loss"] = {candidate.sources.first_loss, candidate.sources.last_loss};
  json["tolerance"]["tokens"] = candidate.tested.tolerance.tokens;
  for (std::size_t p = 0; p < kPoolings.size(); ++p)
    json["tolerance"][proofs::pooling_name(kPoolings[p])] = candidate.tested.tolerance.poolings[p];
  Agreement all;
  for (const auto& [key, result] : totals) {
    Json row{{"family", key.first}, {"coloured", key.second}};
    row.update(to_json(result));
    json["rows"].push_back(row);
    all.add(result);
  }
  shrink_examples(candidate, all);
  json["all"] = to_json(all);
  json["config"] = Json::parse(et::to_json(config));
  return json;
}

// Tokens of a chunk after every layer, in double, from three sources; so for every thread.
void demand_memory_for(const AgreeStudy& study, const et::Config& config) {
  std::uint64_t rows = 0;
  for (const AgreeStudy::Graphs& part : study.sample)
    rows = std::max(rows, std::uint64_t{part.chunk.graphs} * part.chunk.order * part.chunk.order);
  const auto width = static_cast<std::uint64_t>(config.width), layers = static_cast<std::uint64_t>(config.layers) + 1;
  wl::demand_memory(study.threads * rows * width * layers * 8 * 4, 0,
                    std::to_string(study.threads) + " chunks of up to " + std::to_string(rows) + " pairs of nodes");
}

std::string percent(const Json& counts) {
  const double agree = counts["agree"], compared = counts["compared"];
  if (compared == 0) return "-";
  char text[32];
  // Rounded down: 100 means all of them.
  std::snprintf(text, sizeof text, agree == compared ? "100" : "%.2f", std::floor(1e4 * agree / compared) / 100);
  return text;
}
std::string brief(const Json& x) {
  char text[32];
  if (x.is_null()) return "-";
  std::snprintf(text, sizeof text, "%.1e", x.get<double>());
  return text;
}

std::vector<std::string> depth_header(std::vector<std::string> first, std::size_t depths) {
  for (std::size_t t = 0; t < depths; ++t) first.push_back(">t=" + std::to_string(t));
  return first;
}

std::string family_lines(const Json& model) {
  std::vector<std::string> header = depth_header({"family", "colours", ">graphs"}, model["all"]["tokens"].size());
  header.push_back(">stable");
  Table table(header);
  auto line = [&](const std::string& family, const std::string& colors, const Json& row) {
    std::vector<std::string> cells{family, colors, std::to_string(row["graphs"].get<std::uint64_t>())};
    for (const Json& counts : row["tokens"]) cells.push_back(percent(counts));
    cells.push_back(percent(row["stable"]));
    table.row(cells);
  };
  for (const Json& row : model["rows"]) line(row["family"], row["coloured"].get<bool>() ? "yes" : "", row);
  line("all", "", model["all"]);
  return table.text();
}

std::string gap_lines(const Json& model) {
  const Json& tokens = model["all"]["tokens"];
  Table table(depth_header({"distance of tokens"}, tokens.size()));
  std::vector<std::string> within{"largest within a colour"}, tolerance{"tolerance"},
      between{"smallest between colours"};
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    within.push_back(brief(tokens[t]["largest_within"]));
    tolerance.push_back(brief(model["tolerance"]["tokens"][t]));
    between.push_back(brief(tokens[t]["smallest_between"]));
  }
  table.row(within), table.row(tolerance), table.row(between);
  return table.text();
}

std::string pooling_lines(const Json& model) {
  std::vector<std::string> header = depth_header({"pooling", ">pairs of graphs"}, model["all"]["tokens"].size());
  header.push_back(">end of 2-FWL");
  Table table(header);
  for (const auto& [name, pooling] : model["all"]["poolings"].items()) {
    std::vector<std::string> cells{name, std::to_string(pooling["stable"]["compared"].get<std::uint64_t>())};
    for (const Json& counts : pooling["layers"]) cells.push_back(percent(counts));
    cells.push_back(percent(pooling["stable"]));
    table.row(cells);
  }
  return table.text();
}

std::string disagreement_lines(const Json& model) {
  if (model["all"]["disagreements"].empty()) return "no disagreement\n";
  Table table({"what", "against", "model is", "why", ">how often", "the first, and a smaller one"});
  for (const Json& e : model["all"]["examples"]) {
    const std::string against = e["layer"].is_number() ? "round" : "stable";
    const std::string key = e["what"].get<std::string>() + "/" + against + "/" + e["kind"].get<std::string>() + "/" +
                            e["reason"].get<std::string>();
    const std::string where = e["layer"].is_number() ? " (t=" + std::to_string(e["layer"].get<int>()) + ")" : "";
    const std::string smaller = e["smaller"];
    table.row({e["what"], against + where, e["kind"], e["reason"],
               std::to_string(model["all"]["disagreements"][key].get<std::uint64_t>()),
               e["graphs"].get<std::string>() + (smaller.empty() ? "" : " -> " + smaller)});
  }
  return table.text();
}

}  // namespace

std::string describe(const AgreeStudy& study) {
  Json json{{"kind", "agreement"},
            {"seed", study.seed},
            {"colors", study.colors},
            {"steps", study.steps},
            {"weights", study.weights.empty() ? "" : study.weights + " " + brec::file_digest(study.weights)}};
  if (!study.models.empty()) {
    json["config"] = Json::parse(et::to_json(study.models[0]));
    for (const char* varied : {"layers", "width", "dtype"}) json["config"].erase(varied);
  }
  // The tolerance comes from the whole sample.
  std::string parts;
  for (const AgreeStudy::Graphs& part : study.sample) parts += key_of(part) + "\n";
  json["sample"] = brec::digest(parts);
  return json.dump();
}

Json run_agreement(const AgreeStudy& study, brec::Store& store) {
  Json summary{{"source", study.source}, {"seed", study.seed}, {"complete", true}, {"models", Json::array()}};
  std::uint64_t graphs = 0;
  for (const AgreeStudy::Graphs& part : study.sample) graphs += part.chunk.graphs;
  Progress progress("graphs", graphs * study.models.size());
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> evaluated{0};
  for (const et::Config& config : study.models) {
    demand_memory_for(study, config);
    Candidate candidate;
    prepare(study, config, candidate);
    Totals totals;
    if (!run_chunks(study, candidate, store, progress, totals, evaluated)) {
      summary["complete"] = false;
      break;
    }
    const Json model = model_summary(study, candidate, totals);
    store.put({"agreement", candidate.name, model.dump()});
    summary["models"].push_back(model);
  }
  summary["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary["evaluated"] = evaluated.load();
  return summary;
}

std::string agreement_text(const Json& summary) {
  std::string text =
      summary["source"].get<std::string>() + ", seed " + std::to_string(summary["seed"].get<std::uint64_t>()) + "\n";
  for (const Json& model : summary["models"]) {
    const Json& all = model["all"];
    char rate[160];
    std::snprintf(rate, sizeof rate,
                  "%llu of %llu graphs agree with 2-FWL after every layer (95 %% confidence: %.2f-%.2f %%)",
                  all["agree"].get<unsigned long long>(), all["graphs"].get<unsigned long long>(),
                  100 * all["interval"][0].get<double>(), 100 * all["interval"][1].get<double>());
    text += "\nEdge Transformer, " + model["model"].get<std::string>() + ": " + rate + "\n\n" +
            "tokens of node pairs after layer t against colours after t rounds: % of graphs that agree\n" +
            family_lines(model) + "\n" + gap_lines(model) + "\n" +
            "graph against graph: % of the pairs of graphs that pooled tokens and 2-FWL judge alike\n" +
            pooling_lines(model) + "\n" + disagreement_lines(model);
  }
  // What a store knew already says nothing about speed.
  const double seconds = summary["seconds"], evaluated = summary["evaluated"];
  char speed[80];
  std::snprintf(speed, sizeof speed, "\n%.1f s, %.0f graphs evaluated, %.0f a second\n", seconds, evaluated,
                evaluated / std::max(1e-9, seconds));
  return text + speed;
}

std::string agreement_csv(const Json& summary) {
  Table table({"model", "family", "coloured", "what", "depth", "compared", "agree", "coarser", "finer", "low", "high",
               "largest_within", "smallest_between"});
  for (const Json& model : summary["models"])
    for (const Json& row : model["rows"]) {
      auto line = [&](const std::string& what, const std::string& depth, const Json& c) {
        std::vector<std::string> cells{model["model"], row["family"], row["coloured"].get<bool>() ? "1" : "0", what,
                                       depth};
        for (const char* key : {"compared", "agree", "coarser", "finer"}) cells.push_back(c[key].dump());
        for (const std::size_t k : {0u, 1u}) cells.push_back(c["interval"].is_null() ? "" : c["interval"][k].dump());
        for (const char* key : {"largest_within", "smallest_between"})
          cells.push_back(c[key].is_null() ? "" : c[key].dump());
        table.row(cells);
      };
      for (std::size_t t = 0; t < row["tokens"].size(); ++t) line("tokens", std::to_string(t), row["tokens"][t]);
      line("tokens", "stable", row["stable"]);
      for (const auto& [name, pooling] : row["poolings"].items()) {
        for (std::size_t t = 0; t < pooling["layers"].size(); ++t) line(name, std::to_string(t), pooling["layers"][t]);
        line(name, "stable", pooling["stable"]);
      }
    }
  return table.csv();
}

}  // namespace leman::cli
