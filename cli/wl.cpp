// `leman wl`: one engine on the graphs given, jointly.
#include <filesystem>

#include "cli/json.hpp"
#include "reports/rounds_page.hpp"
#include "reports/rounds_svg.hpp"
#include "wl/graph_argument.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engine{wl::color_refinement().name};
  std::vector<std::string> graphs;
  reports::RefinementRequest request;
  bool json = false;
  std::string svg, html;  // where to draw; empty: nowhere
  std::uint64_t memory_gb = 0;
  wl::ReadOptions read;
  bool drawn() const { return !svg.empty() || !html.empty(); }
};

namespace fs = std::filesystem;

std::vector<reports::NamedGraph> read_graphs(const Options& o) {
  std::vector<reports::NamedGraph> graphs;
  for (const std::string& word : o.graphs.empty() ? std::vector<std::string>{"-"} : o.graphs) {
    auto all = wl::graphs_argument(word, o.read);
    for (std::size_t i = 0; i < all.size(); ++i)
      graphs.push_back({all.size() == 1 ? word : word + "#" + std::to_string(i + 1), std::move(all[i])});
  }
  return graphs;
}

// Before the run: can it be drawn, and can the drawings be written?
void check_drawing(const Options& o, const std::vector<reports::NamedGraph>& graphs) {
  if (!o.drawn()) return;
  reports::demand_drawable(*o.request.engine, graphs);
  if (!o.svg.empty()) make_directories(o.svg);
  check_outputs({o.svg.empty() ? "" : (fs::path(o.svg) / "all.svg").string(), o.html, "-"});
}

// Returns what was written, for people.
std::string draw(const Options& o, const reports::Refinement& refinement,
                 const std::vector<reports::NamedGraph>& graphs) {
  if (!o.drawn()) return "";
  const reports::Rounds rounds = reports::follow_rounds(refinement, o.request, graphs);
  std::string written;
  if (!o.svg.empty()) {
    const std::vector<reports::File> files = reports::rounds_svg(rounds);
    for (const reports::File& file : files) write_output((fs::path(o.svg) / file.name).string(), file.text);
    const int last = rounds.rounds.back().number;
    written += "drawn: " + (fs::path(o.svg) / "all.svg").string() + ", round-0.svg" +
               (last == 0 ? "" : " to round-" + std::to_string(last) + ".svg") + " beside it\n";
  }
  if (!o.html.empty()) {
    write_output(o.html, reports::rounds_page(rounds));
    written += "drawn: " + o.html + "\n";
  }
  return written;
}

int run(Options& o, const Context& context) {
  o.request.engine = &wl::engine_named(o.engine);
  o.request.options.memory_limit = o.memory_gb << 30;
  if (o.request.certificate && !o.request.engine->certificate) throw UsageError("--certificate: not for " + o.engine);
  const std::vector<reports::NamedGraph> graphs = read_graphs(o);
  check_drawing(o, graphs);
  o.request.colorings = o.drawn();
  const reports::Refinement refinement = reports::refine(o.request, graphs);
  const std::string written = draw(o, refinement, graphs);
  if (o.json) {
    Json json = record(context);
    json.update(reports::refinement_json(refinement, o.request, graphs));
    write_output("-", json.dump(1) + "\n");
  } else {
    print(reports::refinement_text(refinement, o.request, graphs) + written);
  }
  return refinement.distinguished() ? kDifferent : kOk;
}

}  // namespace

Command wl_command(const Context& context) {
  auto o = std::make_shared<Options>();
  reports::RefinementRequest& r = o->request;
  Command command{
      .name = "wl",
      .summary = "Run an exact engine on graphs, jointly: rounds, colours, who is told apart",
      .positionals = {{"GRAPH", "", "files, FILE#3, -, names (K4, C5) or graph6; none: standard input",
                       append(o->graphs), Option::Repeated}},
      .options = {with_values({"--engine", "NAME", "one of those below (default: " + o->engine + ")",
                               choice(o->engine, wl::engine_names())},
                              wl::engine_names()),
                  {"--rounds", "", "the histogram of every graph after every round", flag(r.rounds)},
                  {"--colors", "", "the last colouring, tuples in row-major order", flag(r.colors), Option::Optional,
                   "--colours"},
                  {"--certificate", "", "canonical certificate of every graph, and its 128-bit fingerprint",
                   flag(r.certificate)},
                  {"--svg", "DIR", "draw every round: DIR/round-0.svg, ..., and all of them in DIR/all.svg",
                   non_empty(o->svg)},
                  {"--html", "FILE", "draw every round on one page, with a slider", non_empty(o->html)},
                  {"--early", "", "stop as soon as all graphs are told apart", flag(r.options.until_distinguished)},
                  {"--max-rounds", "T", "stop after this many rounds",
                   number<int>(r.options.max_rounds, 0, 1000000000)},
                  memory_option(o->memory_gb),
                  {"--json", "", "print JSON", flag(o->json)}},
      .footer =
          "Exit code 1: some pair is distinguished; 0: none is, or there is one graph. Of more than " +
          std::to_string(reports::kMostPairs) +
          "\ngraphs the classes are listed, not all pairs.\n\n--svg and --html draw engines on nodes, and on pairs as "
          "a matrix beside the graph: at most\n" +
          std::to_string(reports::kMostDrawnGraphs) + " graphs of " + std::to_string(reports::kMostDrawnNodes) +
          " nodes, or of " + std::to_string(reports::kMostMatrixNodes) + " where pairs are coloured.\n\n" +
          engine_table(),
      .examples = {"leman wl --engine 2fwl C6 EwCW", "leman wl --engine 2fwl C6 EwCW --svg lecture",
                   "leman wl P7 --html path.html", "leman gen cfi --base K4 | leman wl --engine 3fwl --rounds",
                   "leman wl --engine 1wl --json --colors big.edgelist.gz"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
