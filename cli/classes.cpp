// `leman classes`: how many classes of graphs does an engine see in a stream?
#include "wl/classes.hpp"

#include "cli/json.hpp"
#include "cli/progress.hpp"

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
  std::string engines = names_of(default_engines());
  std::vector<std::string> inputs;
  bool json = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

bool writable(const wl::Graph& graph) { return !graph.node_colored() && !graph.edge_colored(); }

int run(Options& options, const Context& context) {
  std::vector<wl::ClassCounter> counters;
  for (const wl::Engine* engine : wl::engine_list(options.engines)) counters.emplace_back(*engine);
  if (options.inputs.empty()) options.inputs.push_back("-");
  options.read.on_skip = [](const InputError& e) { say(std::string("skipped: ") + e.what()); };
  std::uint64_t skipped = 0;
  {
    Progress progress;
    const study::Stage stage(progress, "graphs", 0);
    constexpr std::size_t batch = 4096;
    std::vector<wl::Graph> graphs;
    auto flush = [&] {
      for (auto& counter : counters) counter.add(graphs, options.threads);
      progress.done(graphs.size(), "");
      graphs.clear();
    };
    for (const std::string& input : options.inputs) {
      wl::GraphReader reader(wl::LineSource::open(input), options.read);
      for (wl::Graph graph; reader.next(graph);) {
        graphs.push_back(graph);
        if (graphs.size() == batch) flush();
      }
      skipped += reader.skipped();
    }
    flush();
  }
  Table table({"engine", ">graphs", ">classes", ">graphs in shared classes", ">largest"});
  Json json = record(context);
  for (const auto& counter : counters) {
    std::uint64_t largest = 0;
    for (std::uint64_t m : counter.members()) largest = std::max(largest, m);
    table.row({std::string(counter.engine().title), std::to_string(counter.graphs()), std::to_string(counter.classes()),
               std::to_string(counter.confused()), std::to_string(largest)});
    Json entry{{"engine", counter.engine().name},
               {"graphs", counter.graphs()},
               {"classes", counter.classes()},
               {"in_shared_classes", counter.confused()},
               {"largest", largest}};
    entry["examples"] = Json::array();
    for (const auto& e : counter.examples())
      if (writable(e.first) && writable(e.second))
        entry["examples"].push_back({wl::to_graph6(e.first), wl::to_graph6(e.second)});
    json["engines"].push_back(entry);
  }
  if (options.json)
    write_output("-", json.dump(1) + "\n");
  else
    print(table.text() + "\n" + context.signature());
  if (skipped == 0) return kOk;
  say("skipped " + std::to_string(skipped) + " graphs");
  return kBadInput;
}

}  // namespace

Command classes_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "classes",
      .summary = "Count the classes of a stream of graphs under exact engines",
      .positionals = {{"FILE", "", "files, plain or gzip; - or none: standard input", append(o->inputs),
                       Option::Repeated}},
      .options = {with_values({"--engine", "NAMES", "engines, joined by commas (default: " + o->engines + ")",
                               non_empty(o->engines)},
                              wl::engine_names()),
                  threads_option(o->threads),
                  {"--json", "", "print JSON, with examples of graphs that are not told apart", flag(o->json)},
                  {"--keep-going", "", "skip bad graphs, count them, exit with 3 at the end",
                   flag(o->read.keep_going)}},
      .footer = "Fingerprints bucket the graphs; an exact joint run with the first graph of a class decides.\n\n" +
                engine_table(),
      .examples = {"nauty-geng -q 9 | leman classes --engine 1wl,2fwl",
                   "leman gen all 7 | leman classes --engine 1wl,2wl,3wl,2fwl --json"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
