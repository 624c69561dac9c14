#include <memory>

#include "cli/json.hpp"
#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string first, second;
  bool map = false, json = false;
  wl::ReadOptions read;
};

struct Verdict {
  bool isomorphic = false;
  std::string reason;
  std::vector<wl::Node> map;  // node v of the first graph goes to map[v]
};

// The cheapest invariant that differs is the reason given.
Verdict decide(const wl::Graph& a, const wl::Graph& b) {
  if (a.directed() != b.directed()) return {false, "one graph is directed, the other is not", {}};
  if (a.order() != b.order()) return {false, "they have different numbers of nodes", {}};
  if (a.size() != b.size()) return {false, "they have different numbers of edges", {}};
  if (wl::degree_sequence(a) != wl::degree_sequence(b)) return {false, "their degrees differ", {}};
  wl::Canon x = wl::canonical(a), y = wl::canonical(b);
  if (!(x.form == y.form)) return {false, "their canonical forms differ", {}};
  std::vector<wl::Node> back(b.order()), map(a.order());
  for (wl::Node v = 0; v < b.order(); ++v) back[y.image[v]] = v;
  for (wl::Node v = 0; v < a.order(); ++v) map[v] = back[x.image[v]];
  if (!(wl::relabel(a, map) == b)) throw std::logic_error("the isomorphism found does not map one graph to the other");
  return {true, "a relabelling maps one to the other", map};
}

Json describe(const wl::Graph& graph) {
  return {{"nodes", graph.order()}, {"edges", graph.size()}, {"directed", graph.directed()}};
}

int run(const Options& options, const Context& context) {
  if (options.first == "-" && options.second == "-")
    throw UsageError("only one of the two graphs can be standard input");
  wl::Graph a = graph_argument(options.first, options.read), b = graph_argument(options.second, options.read);
  Verdict verdict = decide(a, b);
  Output out;
  if (options.json) {
    Json json = record(context);
    json["first"] = describe(a);
    json["second"] = describe(b);
    json["isomorphic"] = verdict.isomorphic;
    json["reason"] = verdict.reason;
    if (verdict.isomorphic) json["map"] = verdict.map;
    out.write(json.dump(2) + "\n");
  } else {
    out.write(std::string(verdict.isomorphic ? "isomorphic" : "not isomorphic") + ": " + verdict.reason + "\n");
    for (wl::Node v = 0; v < verdict.map.size() && options.map; ++v)
      out.write(std::to_string(v) + " -> " + std::to_string(verdict.map[v]) + "\n");
  }
  out.close();
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
          "Node colours, edge colours and directions count. nauty decides; a map is checked before it is printed.\n\n"
          "Examples:\n"
          "  leman iso C6 EhEG\n"
          "  leman iso cfi.g6#1 cfi.g6#2\n"
          "  leman gen cone --base C5 | leman iso --map - Ehfw",
      .run = [o, &context] { return run(*o, context); }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
