// libFuzzer target for the reader of one format (LEMAN_FUZZ_FORMAT). Whatever
// the bytes are, the reader gives graphs that hold their invariants or an
// InputError; and a graph that was read and written comes back the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wl/formats.hpp"

namespace {

using namespace leman::wl;

void round_trip(const Graph& graph, Format format) {
  ReadOptions options;
  options.format = format;
  options.node_color = options.edge_color = "color";
  options.max_nodes = UINT32_MAX;
  std::string text;
  write_graph(graph, format, text);
  const auto again = read_all(LineSource::from_text("again", text), options);
  if (again.size() != 1 || !(again[0] == graph)) std::abort();
}

void round_trips(const Graph& graph) {
  const bool colored = graph.node_colored() || graph.edge_colored();
  round_trip(graph, colored ? Format::EdgeList : graph.directed() ? Format::Digraph6 : Format::Sparse6);
  if (info(format_named(LEMAN_FUZZ_FORMAT)).attributes)
    for (const Format format : {Format::GraphML, Format::Dot, Format::Json}) round_trip(graph, format);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  bool lenient = size > 0 && data[0] % 2 == 0;
  ReadOptions options;
  options.format = format_named(LEMAN_FUZZ_FORMAT);
  options.directed = size % 3 == 0;
  options.simplify = options.keep_going = lenient;
  options.relabel = size % 5 == 0;
  if (size % 4 != 0)
    options.node_color = options.edge_color = LEMAN_FUZZ_FORMAT == std::string_view("metis") ? "weight" : "w";
  GraphReader reader(LineSource::from_text("fuzz", text), options);
  try {
    for (Graph graph; reader.next(graph);) {
      graph.check();
      if (graph.order() <= 200) round_trips(graph);
    }
  } catch (const leman::InputError&) {
  }
  return 0;
}
