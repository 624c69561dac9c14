// `leman wl`: one engine on the graphs given, jointly.
#include "cli/json.hpp"
#include "reports/refinement_table.hpp"
#include "wl/graph_argument.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engine{wl::color_refinement().name};
  std::vector<std::string> graphs;
  reports::RefinementRequest request;
  bool json = false;
  std::uint64_t memory_gb = 0;
  wl::ReadOptions read;
};

std::vector<reports::NamedGraph> read_graphs(const Options& o) {
  std::vector<reports::NamedGraph> graphs;
  for (const std::string& word : o.graphs.empty() ? std::vector<std::string>{"-"} : o.graphs) {
    auto all = wl::graphs_argument(word, o.read);
    for (std::size_t i = 0; i < all.size(); ++i)
      graphs.push_back({all.size() == 1 ? word : word + "#" + std::to_string(i + 1), std::move(all[i])});
  }
  return graphs;
}

int run(Options& o, const Context& context) {
  o.request.engine = &wl::engine_named(o.engine);
  o.request.options.memory_limit = o.memory_gb << 30;
  if (o.request.certificate && !o.request.engine->certificate) throw UsageError("--certificate: not for " + o.engine);
  const std::vector<reports::NamedGraph> graphs = read_graphs(o);
  const reports::Refinement refinement = reports::refine(o.request, graphs);
  if (o.json) {
    Json json = record(context);
    json.update(reports::refinement_json(refinement, o.request, graphs));
    write_output("-", json.dump(1) + "\n");
  } else {
    print(reports::refinement_text(refinement, o.request, graphs));
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
                  {"--early", "", "stop as soon as all graphs are told apart", flag(r.options.until_distinguished)},
                  {"--max-rounds", "T", "stop after this many rounds",
                   number<int>(r.options.max_rounds, 0, 1000000000)},
                  memory_option(o->memory_gb),
                  {"--json", "", "print JSON", flag(o->json)}},
      .footer = "Exit code 1: some pair is distinguished; 0: none is, or there is one graph. Of more than " +
                std::to_string(reports::kMostPairs) + "\ngraphs the classes are listed, not all pairs.\n\n" +
                engine_table(),
      .examples = {"leman wl --engine 2fwl C6 EwCW", "leman gen cfi --base K4 | leman wl --engine 3fwl --rounds",
                   "leman wl --engine 1wl --json --colors big.edgelist.gz"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
