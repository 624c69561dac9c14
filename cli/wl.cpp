// `leman wl`: one engine on the graphs given, jointly.
#include <memory>

#include "cli/json.hpp"
#include "wl/certificate.hpp"
#include "wl/engine.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engine = "1wl";
  std::vector<std::string> graphs;
  bool rounds = false, colors = false, json = false, certificate = false, early = false;
  std::optional<int> max_rounds;
  std::uint64_t memory_gb = 0;
  wl::ReadOptions read;
};

struct Named {
  std::string name;
  wl::Graph graph;
};

std::vector<Named> read_graphs(const Options& options) {
  std::vector<Named> graphs;
  for (const std::string& word : options.graphs.empty() ? std::vector<std::string>{"-"} : options.graphs) {
    auto all = graphs_argument(word, options.read);
    for (std::size_t i = 0; i < all.size(); ++i)
      graphs.push_back({all.size() == 1 ? word : word + "#" + std::to_string(i + 1), std::move(all[i])});
  }
  if (graphs.empty()) throw UsageError("no graph to look at");
  return graphs;
}

Json histogram_json(const wl::Histogram& histogram) {
  Json json = Json::array();
  for (auto [color, count] : histogram) json.push_back({color, count});
  return json;
}

std::string histogram_text(const wl::Histogram& histogram) {
  std::string text;
  for (std::size_t i = 0; i < histogram.size() && i < 12; ++i)
    text += (i ? " " : "") + std::to_string(histogram[i].first) + ":" + std::to_string(histogram[i].second);
  return histogram.size() > 12 ? text + " ..." : text;
}

std::string colors_text(const std::vector<wl::Color>& colors) {
  std::string text;
  for (wl::Color c : colors) text += (text.empty() ? "" : " ") + std::to_string(c);
  return text;
}

// What the run tells of each round, and its end, both as text and as JSON.
struct Report {
  Json json;
  std::string text;
};

Report run_and_report(const Options& options, const std::vector<Named>& graphs, const Context& context) {
  Report report{record(context), ""};
  std::vector<const wl::Graph*> pointers;
  for (const Named& g : graphs) pointers.push_back(&g.graph);
  wl::RunOptions run_options;
  run_options.max_rounds = options.max_rounds;
  run_options.until_distinguished = options.early && graphs.size() > 1;
  run_options.keep_coloring = options.colors;
  run_options.memory_limit = options.memory_gb << 30;
  Json rounds = Json::array();
  if (options.rounds)
    run_options.observer = [&](const wl::RoundView& view) {
      Json histograms = Json::array();
      report.text += "round " + std::to_string(view.round) + ": " + std::to_string(view.colors) + " colours\n";
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        wl::Histogram h = view.histogram(g);
        report.text += "  " + graphs[g].name + "  " + histogram_text(h) + "\n";
        histograms.push_back(histogram_json(h));
      }
      rounds.push_back({{"round", view.round}, {"colours", view.colors}, {"histograms", histograms}});
    };
  wl::RunResult run = wl::run_engine(options.engine, pointers, run_options);

  report.json["engine"] = options.engine;
  report.json["rounds"] = run.rounds;
  report.json["stable"] = run.stable;
  report.json["colours"] = run.colors;
  if (options.rounds) report.json["history"] = rounds;
  report.text += std::string(wl::find_engine(options.engine)->title) + ": " + std::to_string(run.rounds) + " rounds, " +
                 std::to_string(run.colors) + " colours, " + (run.stable ? "stable" : "stopped before stability") +
                 "\n";
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    Json entry{{"name", graphs[g].name}, {"nodes", graphs[g].graph.order()}, {"edges", graphs[g].graph.size()}};
    if (options.colors) {
      entry["colouring"] = run.coloring.at(g);
      report.text += graphs[g].name + " colours: " + colors_text(run.coloring.at(g)) + "\n";
    }
    if (options.certificate) {
      wl::RunOptions alone;
      alone.memory_limit = run_options.memory_limit;
      auto certificate = wl::certificate(options.engine, graphs[g].graph, alone);
      wl::Fingerprint f = wl::fingerprint_of(certificate);
      char hex[40];
      std::snprintf(hex, sizeof hex, "%016llx%016llx", static_cast<unsigned long long>(f.high),
                    static_cast<unsigned long long>(f.low));
      entry["certificate"] = certificate;
      entry["fingerprint"] = hex;
      report.text +=
          graphs[g].name + " certificate: " + std::to_string(certificate.size()) + " words, fingerprint " + hex + "\n";
    }
    report.json["graphs"].push_back(entry);
  }
  report.json["pairs"] = Json::array();
  bool any = false;
  for (std::size_t b = 1; b < graphs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      auto first = run.first_difference(a, b);
      any = any || first;
      report.json["pairs"].push_back({{"first", a},
                                      {"second", b},
                                      {"distinguished", first.has_value()},
                                      {"round", first ? Json(*first) : Json(nullptr)}});
      report.text += "verdict: " + graphs[a].name + " and " + graphs[b].name + " " +
                     (first        ? "distinguished at round " + std::to_string(*first)
                      : run.stable ? "not distinguished"
                                   : "not distinguished so far") +
                     "\n";
    }
  report.json["distinguished"] = any;
  return report;
}

int run(const Options& options, const Context& context) {
  if (options.certificate && !wl::has_certificate(options.engine))
    throw UsageError("--certificate: not for " + options.engine);
  Report report = run_and_report(options, read_graphs(options), context);
  Output out;
  out.write(options.json ? report.json.dump(1) + "\n" : report.text);
  out.close();
  return report.json["distinguished"].get<bool>() ? kDifferent : kOk;
}

}  // namespace

Command wl_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "wl",
      .summary = "Run an exact engine on graphs, jointly: rounds, colours, who is told apart",
      .positionals = {{"GRAPH", "", "files, FILE#3, -, names (K4, C5) or graph6; none: standard input",
                       append(o->graphs), Option::Repeated}},
      .options = {engine_option(o->engine),
                  {"--rounds", "", "the histogram of every graph after every round", flag(o->rounds)},
                  {"--colours", "", "the last colouring, tuples in row-major order", flag(o->colors)},
                  {"--certificate", "", "canonical certificate of every graph, and its 128-bit fingerprint",
                   flag(o->certificate)},
                  {"--early", "", "stop as soon as all graphs are told apart", flag(o->early)},
                  {"--max-rounds", "T", "stop after so many rounds", number<int>(o->max_rounds, 0, 1000000000)},
                  {"--memory", "GB", "refuse runs that need more (default: nine tenths of what is free)",
                   number<std::uint64_t>(o->memory_gb, 1, 1 << 20)},
                  {"--json", "", "print JSON", flag(o->json)}},
      .footer = "Exit code 1: some pair is distinguished; 0: none is, or there is one graph.\n\n" + engine_list() +
                "\nExamples:\n"
                "  leman wl --engine 2fwl C6 EwCW\n"
                "  leman gen cfi --base K4 | leman wl --engine 3fwl --rounds\n"
                "  leman wl --engine 1wl --json --colours big.edgelist.gz",
      .run = [o, &context] { return run(*o, context); }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
