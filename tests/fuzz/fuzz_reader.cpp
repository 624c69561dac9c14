// libFuzzer target for the reader of one format (LEMAN_FUZZ_FORMAT). Whatever
// the bytes are, the reader gives graphs that hold their invariants or an
// InputError; and a graph that was read and written comes back the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wl/formats.hpp"

namespace {

using namespace leman::wl;

void round_trip(const Graph& graph) {
  bool colored = graph.node_colored() || graph.edge_colored();
  Format format = colored ? Format::EdgeList : graph.directed() ? Format::Digraph6 : Format::Sparse6;
  std::string text;
  write_graph(graph, format, text);
  auto again = read_all(LineSource::from_text("again", text), {.format = format,
                                                               .directed = false,
                                                               .simplify = false,
                                                               .keep_going = false,
                                                               .max_nodes = UINT32_MAX,
                                                               .on_skip = {}});
  if (again.size() != 1 || !(again[0] == graph)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  bool lenient = size > 0 && data[0] % 2 == 0;
  ReadOptions options{.format = format_named(LEMAN_FUZZ_FORMAT),
                      .directed = size % 3 == 0,
                      .simplify = lenient,
                      .keep_going = lenient,
                      .max_nodes = 0,
                      .on_skip = {}};
  GraphReader reader(LineSource::from_text("fuzz", text), options);
  try {
    for (Graph graph; reader.next(graph);) {
      graph.check();
      if (graph.order() <= 200) round_trip(graph);
    }
  } catch (const leman::InputError&) {
  }
  return 0;
}
