// `leman gen FAMILY ARGS`: every construction of wl/constructions by name.
#include "cli/common.hpp"
#include "wl/constructions/catalog.hpp"
#include "wl/graph_argument.hpp"

namespace leman::cli {

namespace {

struct Options {
  wl::CatalogRequest request;
  std::string base, to = "graph6", out = "-";
  wl::ReadOptions read;
};

std::string family_list() {
  Table table({"family", "what it writes"});
  for (const wl::CatalogFamily& family : wl::catalog()) table.row({family.usage, family.help});
  return table.text();
}

int run(Options& o, const Context& context) {
  if (!o.base.empty()) o.request.base = wl::graph_argument(o.base, o.read);
  const wl::Format to = wl::format_named(o.to);
  Output out(o.out);
  wl::GraphWriter writer(to);
  std::string buffer;
  wl::generate(o.request, [&](const wl::Graph& graph) {
    buffer.clear();
    writer.write(graph, buffer);
    out.write(buffer);
  });
  buffer.clear();
  writer.finish(buffer);
  out.write(buffer);
  out.close();
  if (wl::catalog_family(o.request.family).random)
    say(about() + ", seed " + std::to_string(o.request.seed) + ": " + context.command);
  return kOk;
}

}  // namespace

Command gen_command(const Context& context) {
  auto o = std::make_shared<Options>();
  wl::CatalogRequest& r = o->request;
  return {
      .name = "gen",
      .summary = "Generate graphs: named families, random graphs, all graphs of an order",
      .positionals = {{"FAMILY", "", "one of those below", text(r.family), Option::Required},
                      {"ARGS", "", "its arguments", append(r.arguments), Option::Repeated}},
      .options = {{"--base", "GRAPH", "base graph: a name (K4, C5, K3,3), graph6, or a file", text(o->base)},
                  {"--straight", "", "cfi: only the graph without twist", flag(r.straight)},
                  {"--twisted", "", "cfi: only the twisted graph", flag(r.twisted)},
                  {"--connected", "", "all: only connected graphs", flag(r.connected)},
                  {"--degree", "D", "all: only regular graphs of this degree", number<std::uint32_t>(r.degree)},
                  {"--seed", "S", "random families: seed (default: 1)", number<std::uint64_t>(r.seed)},
                  {"--count", "K", "random families: how many graphs (default: 1)", number<std::uint64_t>(r.count, 1)},
                  format_option(o->to),
                  {"--out", "FILE", "file to write (default: standard output)", text(o->out)},
                  max_nodes_option(o->read)},
      .footer = "Families:\n" + family_list(),
      .examples = {"leman gen cfi --base K4", "leman gen er 30 0.2 --count 100 --seed 7 --out er.g6",
                   "leman gen all 8 --connected --degree 3"},
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
