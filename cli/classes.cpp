// `leman classes`: how many classes of graphs does an engine see in a stream?
#include "wl/classes.hpp"

#include <iostream>
#include <memory>

#include "cli/json.hpp"
#include "cli/progress.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string engines = "1wl,2fwl";
  std::vector<std::string> inputs;
  bool json = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

bool writable(const wl::Graph& graph) { return !graph.node_colored() && !graph.edge_colored(); }

int run(Options& options, const Context& context) {
  std::vector<wl::ClassCounter> counters;
  for (const std::string& name : engine_names(options.engines)) counters.emplace_back(name);
  if (options.inputs.empty()) options.inputs.push_back("-");
  options.read.on_skip = [](const wl::InputError& e) { std::cerr << "leman: skipped: " << e.what() << '\n'; };
  std::uint64_t skipped = 0;
  {
    Progress progress("graphs", 0);
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
    table.row({std::string(wl::find_engine(counter.engine())->title), std::to_string(counter.graphs()),
               std::to_string(counter.classes()), std::to_string(counter.confused()), std::to_string(largest)});
    Json entry{{"engine", counter.engine()},
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
  write_file(
      "-", options.json ? json.dump(1) + "\n" : table.text() + "\n" + context.about() + ": " + context.command + "\n");
  if (skipped == 0) return kOk;
  std::cerr << "leman: skipped " << skipped << " graphs\n";
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
      .options = {{"--engine", "NAMES", "engines, joined by commas (default: 1wl,2fwl)", non_empty(o->engines)},
                  threads_option(o->threads),
                  {"--json", "", "print JSON, with examples of graphs that are not told apart", flag(o->json)},
                  {"--keep-going", "", "skip bad graphs, count them, exit with 3 at the end",
                   flag(o->read.keep_going)}},
      .footer = "Fingerprints bucket the graphs; an exact joint run with the first graph of a class decides.\n\n" +
                engine_list() +
                "\nExamples:\n"
                "  nauty-geng -q 9 | leman classes --engine 1wl,2fwl\n"
                "  leman gen all 7 | leman classes --engine 1wl,2wl,3wl,2fwl --json",
      .run = [o, &context] { return run(*o, context); }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
