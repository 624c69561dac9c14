// `leman iso`: are two graphs isomorphic?
#include "cli/json.hpp"
#include "wl/graph_argument.hpp"
#include "wl/isomorphism.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string first, second;
  bool map = false, json = false;
  wl::ReadOptions read;
};

Json describe(const wl::Graph& graph) {
  return {{"nodes", graph.order()}, {"edges", graph.size()}, {"directed", graph.directed()}};
}

int run(const Options& options, const Context& context) {
  if (options.first == "-" && options.second == "-")
    throw UsageError("only one of the two graphs can be standard input");
  const wl::Graph a = wl::graph_argument(options.first, options.read),
                  b = wl::graph_argument(options.second, options.read);
  const wl::IsomorphismVerdict verdict = wl::decide_isomorphism(a, b);
  if (options.json) {
    Json json = record(context);
    json["first"] = describe(a);
    json["second"] = describe(b);
    json["isomorphic"] = verdict.isomorphic;
    json["reason"] = verdict.reason;
    if (verdict.isomorphic) json["map"] = verdict.map;
    write_output("-", json.dump(2) + "\n");
  } else {
    std::string text = (verdict.isomorphic ? "isomorphic: " : "not isomorphic: ") + verdict.reason + "\n";
    for (wl::Node v = 0; v < verdict.map.size() && options.map; ++v)
      text += std::to_string(v) + " -> " + std::to_string(verdict.map[v]) + "\n";
    print(text);
  }
  return verdict.isomorphic ? kOk : kDifferent;
}

}  // namespace

Command iso_command(const Context& context) {
  auto o = std::make_shared<Options>();
  std::string graph = "file, FILE#3 (third graph), -, a name (K4, C5, P3, K3,3, Petersen) or graph6";
  Command command{
      .name = "iso",
      .summary = "Are two graphs isomorphic? Exit code 0: yes, 1: no",
      .positionals = {{"A", "", graph, text(o->first), Option::Required},
                      {"B", "", "likewise", text(o->second), Option::Required}},
      .options = {{"--map", "", "print a node map if there is one", flag(o->map)},
                  {"--json", "", "print JSON", flag(o->json)}},
      .footer =
          "Node colours, edge colours and directions count. nauty decides; a map is checked before it is printed.\n",
      .examples = {"leman iso C6 EhEG", "leman iso cfi.g6#1 cfi.g6#2",
                   "leman gen cone --base C5 | leman iso --map - Ehfw"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
