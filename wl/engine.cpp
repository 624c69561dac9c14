#include "wl/engine.hpp"

#include "wl/derived_engines.hpp"
#include "wl/hash_colors.hpp"
#include "wl/node_refinement.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

const std::vector<EngineInfo>& engines() {
  static const std::vector<EngineInfo> table{
      {"1wl", "1-WL", "colour refinement", 1},
      {"2wl", "2-WL", "oblivious, pairs; on undirected graphs the power of 1-WL, on directed ones more", 2},
      {"3wl", "3-WL", "oblivious, triples", 3},
      {"4wl", "4-WL", "oblivious, quadruples", 4},
      {"1fwl", "1-FWL", "folklore, nodes; on undirected graphs the power of 1-WL, on directed ones more", 1},
      {"2fwl", "2-FWL", "folklore, pairs; the power of 3-WL", 2},
      {"3fwl", "3-FWL", "folklore, triples; the power of 4-WL", 3},
      {"4fwl", "4-FWL", "folklore, quadruples", 4},
      {"d2lwl", "local d-2-WL", "oblivious, pairs, neighbours only", 2},
      {"s3", "S3", "1-WL from counts of connected induced subgraphs on 3 nodes", 1},
      {"s4", "S4", "1-WL from counts of connected induced subgraphs on 4 nodes", 1},
      {"n1", "N1", "1-WL from isomorphism types of ego graphs, radius 1", 1},
      {"n2", "N2", "1-WL from isomorphism types of ego graphs, radius 2", 1},
      {"m1", "M1", "1-WL on all copies with one node marked", 1},
      {"spd", "SPD-WL", "1-WL with shortest-path distances", 1},
      {"rd", "RD-WL", "1-WL with resistance distances", 1},
  };
  return table;
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& info : engines())
    if (info.name == name) return &info;
  return nullptr;
}

namespace {

using Graphs = std::span<const Graph* const>;

template <class Values>
std::vector<std::vector<Value>> of_each(Graphs graphs, Values values) {
  std::vector<std::vector<Value>> result;
  for (const Graph* g : graphs) result.push_back(values(*g));
  return result;
}

}  // namespace

RunResult run_engine(std::string_view name, Graphs graphs, const RunOptions& options) {
  if (name == "1wl") return refine_nodes(graphs, options);
  if (name == "2wl") return refine_tuples(graphs, TupleRule::Oblivious, 2, options);
  if (name == "3wl") return refine_tuples(graphs, TupleRule::Oblivious, 3, options);
  if (name == "4wl") return refine_tuples(graphs, TupleRule::Oblivious, 4, options);
  if (name == "2fwl") return refine_tuples(graphs, TupleRule::Folklore, 2, options);
  if (name == "3fwl") return refine_tuples(graphs, TupleRule::Folklore, 3, options);
  if (name == "4fwl") return refine_tuples(graphs, TupleRule::Folklore, 4, options);
  if (name == "d2lwl") return refine_tuples(graphs, TupleRule::Local, 2, options);
  // Values of pairs are small vectors, and become an edge-coloured complete graph.
  constexpr std::uint64_t pair_bytes = 140;
  if (name == "1fwl") {
    demand_matrices(graphs, pair_bytes, options);
    return refine_with_pairs(graphs, of_each(graphs, atomic_values), options);
  }
  if (name == "spd") {
    demand_matrices(graphs, pair_bytes, options);
    return refine_with_pairs(graphs, of_each(graphs, distance_values), options);
  }
  if (name == "rd") {
    demand_matrices(graphs, pair_bytes + resistance_bytes(graphs), options);
    return refine_with_pairs(graphs, resistance_values(graphs), options);
  }
  if (name == "m1") return refine_marked(graphs, options);
  auto from_values = [&](auto values) { return refine_from_values(graphs, of_each(graphs, values), options); };
  if (name == "s3" || name == "s4") {
    demand_matrices(graphs, 1, options);
    return from_values([&](const Graph& g) { return subgraph_counts(g, name == "s3" ? 3 : 4); });
  }
  if (name == "n1") return from_values([](const Graph& g) { return ego_types(g, 1); });
  if (name == "n2") return from_values([](const Graph& g) { return ego_types(g, 2); });
  throw std::invalid_argument("no engine \"" + std::string(name) + "\"");
}

PairVerdict compare(std::string_view engine, const Graph& a, const Graph& b, const RunOptions& options) {
  const Graph* both[] = {&a, &b};
  RunOptions until = options;
  until.until_distinguished = true;
  RunResult run = run_engine(engine, both, until);
  auto first = run.first_difference(0, 1);
  return {first.has_value(), first.value_or(-1), run.rounds, run.colors};
}

Fingerprint fingerprint(std::string_view engine, const Graph& graph) {
  if (engine == "1wl" || engine == "1fwl") return hash_nodes(graph);
  if (engine == "2wl") return hash_tuples(graph, TupleRule::Oblivious, 2);
  if (engine == "3wl") return hash_tuples(graph, TupleRule::Oblivious, 3);
  if (engine == "4wl") return hash_tuples(graph, TupleRule::Oblivious, 4);
  if (engine == "2fwl") return hash_tuples(graph, TupleRule::Folklore, 2);
  if (engine == "3fwl") return hash_tuples(graph, TupleRule::Folklore, 3);
  if (engine == "4fwl") return hash_tuples(graph, TupleRule::Folklore, 4);
  if (engine == "d2lwl") return hash_tuples(graph, TupleRule::Local, 2);
  if (find_engine(engine) == nullptr) throw std::invalid_argument("no engine \"" + std::string(engine) + "\"");
  if (graph.directed() && engine != "m1") throw std::invalid_argument("this engine is for undirected graphs");
  // rd is not known to see all that 1-WL sees, only the order. spd sees what 1-WL
  // sees without edge colours; the others distinguish whatever 1-WL does.
  if (engine == "rd") return {graph.order(), 0};
  if (engine == "spd" && graph.edge_colored()) {
    GraphData plain = graph.data();
    for (Edge& e : plain.edges) e.color = 0;
    return hash_nodes(Graph(plain));
  }
  return hash_nodes(graph);
}

}  // namespace leman::wl
