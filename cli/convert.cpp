// `leman convert`: graphs from one format to another, as a stream.
#include "cli/common.hpp"
#include "wl/graph_ops.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string to = "graph6";
  std::string out = "-";
  bool drop_colors = false;
  wl::ReadOptions read;
};

int run(Options& options) {
  const wl::Format to = wl::format_named(options.to);
  if (options.inputs.empty()) options.inputs.push_back("-");
  options.read.on_skip = [](const InputError& e) { say(std::string("skipped: ") + e.what()); };
  Output out(options.out);
  wl::GraphWriter writer(to);
  std::string buffer;
  std::uint64_t written = 0, skipped = 0, dropped = 0;
  auto flush = [&] {
    out.write(buffer);
    buffer.clear();
  };
  auto write = [&](const wl::Graph& graph, const wl::GraphReader& reader) {
    try {
      bool colored = graph.node_colored() || graph.edge_colored();
      writer.write(options.drop_colors && colored ? wl::without_colors(graph) : graph, buffer);
      ++written;
    } catch (const GraphError& e) {
      InputError error(reader.name(), reader.line(), 0, e.what());
      if (!options.read.keep_going) throw error;
      options.read.on_skip(error);
      ++skipped;
    }
    if (buffer.size() > 1 << 16) flush();
  };
  try {
    for (const std::string& input : options.inputs) {
      wl::GraphReader reader(wl::LineSource::open(input), options.read);
      for (wl::Graph graph; reader.next(graph);) write(graph, reader);
      skipped += reader.skipped();
      dropped += reader.dropped();
    }
  } catch (const InputError&) {
    // What was read before the error goes to standard output; a file is left
    // as it was, since half a result under its name would pass for a whole one.
    if (options.out == "-") {
      writer.finish(buffer);
      flush();
      out.close();
    }
    throw;
  }
  writer.finish(buffer);
  flush();
  out.close();
  if (dropped > 0) say("dropped " + std::to_string(dropped) + " self-loops and repeated edges");
  if (skipped == 0) return kOk;
  say("skipped " + std::to_string(skipped) + " of " + std::to_string(written + skipped) + " graphs");
  return kBadInput;
}

// The formats, and how each holds colours.
std::string format_table() {
  Table table({"format", "written", "directed", "colours", "many", "holds"});
  for (const wl::FormatInfo& each : wl::formats())
    if (each.format != wl::Format::Auto)
      table.row({std::string(each.name), each.written ? "yes" : "no", each.directed ? "yes" : "no",
                 each.attributes ? "attributes"
                 : each.colors   ? "yes"
                                 : "no",
                 each.many ? "yes" : "no", std::string(each.description)});
  return table.text();
}

constexpr const char* kColors = R"(
Colours are whole numbers from 0. In an edge list, "v 3 7" gives node 3 colour 7 and "0 1 5" is an edge of
colour 5; in DIMACS these are "n 4 7" and "e 1 2 5". Where they are attributes, --to writes the attribute
"color" and --node-color color --edge-color color reads it again:
  GraphML  <node id="3"><data key="node_color">7</data></node>
  DOT      3 [color=7];  0 -- 1 [color=5];
  JSON     {"id": 3, "color": 7}, {"source": 0, "target": 1, "color": 5}
Any other attribute serves as well. If its values are not all whole numbers, the values in the file are colours
1, 2, 3, ... in ascending order, numbers before texts; nodes and edges without a value have colour 0.
)";

}  // namespace

Command convert_command(const Context&) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "convert",
      .summary = "Read graphs in any format and write them in another",
      .positionals = {{"FILE", "", "files, plain or gzip; - or none: standard input", append(o->inputs),
                       Option::Repeated}},
      .options = {format_option(o->to),
                  {"--out", "FILE", "file to write (default: standard output)", text(o->out)},
                  {"--drop-colors", "", "forget node and edge colours", flag(o->drop_colors), Option::Optional,
                   "--drop-colours"},
                  {"--keep-going", "", "skip bad graphs, count them, exit with 3 at the end",
                   flag(o->read.keep_going)}},
      .footer = "Formats:\n" + format_table() + kColors,
      .examples = {"nauty-geng 8 | leman convert --to sparse6 > all8.s6", "leman convert --to graph6 graph.edgelist.gz",
                   "leman convert --to graphml --out colored.graphml colored.edgelist",
                   "leman convert --node-color color --edge-color color --to edgelist colored.graphml",
                   "leman convert --relabel --to sparse6 edges.tsv", "leman convert strings.npy --to json",
                   "leman convert --format matrix --directed --to digraph6 arcs.txt",
                   "leman convert --keep-going --out good.g6 suspicious.g6"},
      .run = [o] { return run(*o); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
