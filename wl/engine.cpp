#include "wl/engine.hpp"

#include <algorithm>

#include "base/invariants.hpp"
#include "base/text.hpp"
#include "wl/distance_engines.hpp"
#include "wl/hash_colors.hpp"
#include "wl/local_engines.hpp"
#include "wl/marked_engine.hpp"
#include "wl/node_refinement.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

namespace {

RunResult nodes(GraphSpan graphs, const RunOptions& options) { return refine_nodes(graphs, options); }
// Engines that start from node values also need a bit matrix of the graph.
std::uint64_t local_memory(GraphSpan graphs) { return node_memory(graphs) + matrix_bytes(graphs, 1); }

template <TupleRule Rule, int K>
RunResult tuples(GraphSpan graphs, const RunOptions& options) {
  return refine_tuples(graphs, Rule, K, options);
}
template <TupleRule Rule, int K>
std::uint64_t tuples_memory(GraphSpan graphs) {
  return tuple_memory(graphs, Rule, K);
}
template <TupleRule Rule, int K>
Fingerprint tuples_hash(const Graph& graph) {
  return hash_tuples(graph, Rule, K);
}
template <TupleRule Rule, int K>
Certificate tuples_certificate(const Graph& graph, const RunOptions& options) {
  return tuple_certificate(graph, Rule, K, options);
}

Terms pair_terms(TupleRule rule) {
  switch (rule) {
    case TupleRule::Oblivious: return oblivious_terms;
    case TupleRule::Folklore: return folklore_terms;
    case TupleRule::Local: return local_terms;
  }
  return nullptr;
}

// The row of a rule for tuples, given its names and power.
template <TupleRule Rule, int K>
Engine tuple_engine(Engine row) {
  row.tuple = K;
  row.run = tuples<Rule, K>;
  row.memory = tuples_memory<Rule, K>;
  row.fingerprint = tuples_hash<Rule, K>;
  if (Rule != TupleRule::Local) row.certificate = tuples_certificate<Rule, K>;
  if (K == 2) row.terms = pair_terms(Rule);
  return row;
}

constexpr auto kOblivious = TupleRule::Oblivious;
constexpr auto kFolklore = TupleRule::Folklore;

// Sees what 1-WL sees, except edge colours.
Fingerprint hash_without_edge_colors(const Graph& graph) {
  if (!graph.edge_colored()) return hash_nodes(graph);
  GraphData plain = graph.data();
  for (Edge& e : plain.edges) e.color = 0;
  return hash_nodes(Graph(plain));
}
// For engines not known to see everything that 1-WL sees: the order only.
Fingerprint hash_order(const Graph& graph) { return {graph.order(), 0}; }

}  // namespace

const std::vector<Engine>& engines() {
  static const std::vector<Engine> table{
      {.name = "1wl",
       .title = "1-WL",
       .description = "colour refinement",
       .power = 1,
       .fwl = 1,
       .standard = true,
       .ladder = true,
       .run = nodes,
       .memory = node_memory,
       .fingerprint = hash_nodes,
       .certificate = node_certificate,
       .terms = neighbor_terms},
      {.name = "1fwl",
       .title = "1-FWL",
       .description = "folklore, nodes; on undirected graphs the power of 1-WL, on directed ones more",
       .power = 1.1,
       .fwl = 1,
       .run = refine_atomic,
       .memory = pair_values_memory,
       .fingerprint = hash_nodes,
       .terms = node_terms},
      tuple_engine<kOblivious, 2>(
          {.name = "2wl",
           .title = "2-WL",
           .description = "oblivious, pairs; on undirected graphs the power of 1-WL, on directed ones more",
           .power = 1.2,
           .fwl = 1,
           .standard = true}),
      {.name = "s3",
       .title = "S3",
       .description = "1-WL from counts of connected induced subgraphs on 3 nodes",
       .power = 1.4,
       .directed = false,
       .run = refine_subgraph_counts<3>,
       .memory = local_memory,
       .fingerprint = hash_nodes,
       .terms = neighbor_terms},
      {.name = "spd",
       .title = "SPD-WL",
       .description = "1-WL with shortest-path distances",
       .power = 1.5,
       .directed = false,
       .edge_colors = false,
       .run = refine_distances,
       .memory = pair_values_memory,
       .fingerprint = hash_without_edge_colors,
       .terms = distance_terms},
      {.name = "n1",
       .title = "N1",
       .description = "1-WL from isomorphism types of ego graphs, radius 1",
       .power = 1.6,
       .directed = false,
       .run = refine_ego_types<1>,
       .memory = local_memory,
       .fingerprint = hash_nodes,
       .terms = neighbor_terms},
      {.name = "s4",
       .title = "S4",
       .description = "1-WL from counts of connected induced subgraphs on 4 nodes",
       .power = 1.7,
       .directed = false,
       .run = refine_subgraph_counts<4>,
       .memory = local_memory,
       .fingerprint = hash_nodes,
       .terms = neighbor_terms},
      {.name = "rd",
       .title = "RD-WL",
       .description = "1-WL with resistance distances",
       .power = 1.8,
       .directed = false,
       .edge_colors = false,
       .run = refine_resistances,
       .memory = resistances_memory,
       .fingerprint = hash_order},
      {.name = "m1",
       .title = "M1",
       .description = "1-WL on all copies with one node marked",
       .power = 1.9,
       .run = refine_marked,
       .memory = marked_memory,
       .fingerprint = hash_nodes},
      tuple_engine<TupleRule::Local, 2>(
          {.name = "d2lwl", .title = "local d-2-WL", .description = "oblivious, pairs, neighbours only", .power = 2}),
      {.name = "n2",
       .title = "N2",
       .description = "1-WL from isomorphism types of ego graphs, radius 2",
       .power = 2.1,
       .directed = false,
       .run = refine_ego_types<2>,
       .memory = local_memory,
       .fingerprint = hash_nodes,
       .terms = neighbor_terms},
      tuple_engine<kOblivious, 3>({.name = "3wl",
                                   .title = "3-WL",
                                   .description = "oblivious, triples",
                                   .power = 3,
                                   .fwl = 2,
                                   .standard = true}),
      tuple_engine<kFolklore, 2>({.name = "2fwl",
                                  .title = "2-FWL",
                                  .description = "folklore, pairs; the power of 3-WL",
                                  .power = 3.1,
                                  .fwl = 2,
                                  .standard = true,
                                  .ladder = true}),
      tuple_engine<kOblivious, 4>(
          {.name = "4wl", .title = "4-WL", .description = "oblivious, quadruples", .power = 4, .fwl = 3}),
      tuple_engine<kFolklore, 3>({.name = "3fwl",
                                  .title = "3-FWL",
                                  .description = "folklore, triples; the power of 4-WL",
                                  .power = 4.1,
                                  .fwl = 3,
                                  .ladder = true}),
      tuple_engine<kFolklore, 4>(
          {.name = "4fwl", .title = "4-FWL", .description = "folklore, quadruples", .power = 5, .fwl = 4}),
  };
  return table;
}

const Engine* find_engine(std::string_view name) {
  for (const Engine& engine : engines())
    if (engine.name == name) return &engine;
  return nullptr;
}

const Engine& engine_named(std::string_view name) {
  if (const Engine* engine = find_engine(name)) return *engine;
  throw UsageError("no engine \"" + std::string(name) + "\"" + did_you_mean(name, engine_names()));
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Engine& engine : engines()) names.emplace_back(engine.name);
  return names;
}

std::vector<const Engine*> engine_list(std::string_view names) {
  std::vector<const Engine*> list;
  for (const std::string& name : split(names, ',')) {
    const Engine* engine = &engine_named(name);
    if (std::find(list.begin(), list.end(), engine) == list.end()) list.push_back(engine);
  }
  return list;
}

namespace {

std::vector<const Engine*> engines_with(bool Engine::*use) {
  std::vector<const Engine*> list;
  for (const Engine& engine : engines())
    if (engine.*use) list.push_back(&engine);
  return list;
}

// Every round has a group for each graph, led by its smallest member, and splits those before.
void check_groups(const RunResult& result, std::size_t graphs) {
  for (std::size_t t = 0; t < result.groups.size(); ++t) {
    const auto& now = result.groups[t];
    if (now.size() != graphs) throw BugError("run_engine: a round without all graphs");
    for (std::size_t g = 0; g < graphs; ++g)
      if (now[g] > g || now[now[g]] != now[g] || (t > 0 && result.groups[t - 1][g] != result.groups[t - 1][now[g]]))
        throw BugError("run_engine: groups that do not refine those before");
  }
}

const Engine& tuple_engine_of(const char* rule, int k) { return engine_named(std::to_string(k) + rule); }

}  // namespace

std::vector<const Engine*> standard_engines() { return engines_with(&Engine::standard); }
std::vector<const Engine*> ladder_engines() { return engines_with(&Engine::ladder); }

const Engine& color_refinement() { return tuple_engine_of("wl", 1); }
const Engine& oblivious(int k) { return tuple_engine_of("wl", k); }
const Engine& folklore(int k) { return tuple_engine_of("fwl", k); }

RunResult run_engine(const Engine& engine, GraphSpan graphs, const RunOptions& options) {
  if (!engine.directed) demand_undirected(graphs);
  demand_memory(engine.memory(graphs), options.memory_limit, std::string(engine.title));
  RunResult result = engine.run(graphs, options);
  if constexpr (kCheckInvariants) check_groups(result, graphs.size());
  return result;
}

PairVerdict compare(const Engine& engine, const Graph& a, const Graph& b, const RunOptions& options) {
  const Graph* both[] = {&a, &b};
  RunOptions until = options;
  until.until_distinguished = true;
  RunResult run = run_engine(engine, both, until);
  auto first = run.first_difference(0, 1);
  return {first.has_value(), first.value_or(-1), run.rounds, run.colors};
}

Fingerprint fingerprint(const Engine& engine, const Graph& graph) {
  const Graph* one[] = {&graph};
  if (!engine.directed) demand_undirected(one);
  return engine.fingerprint(graph);
}

Certificate certificate(const Engine& engine, const Graph& graph, const RunOptions& options) {
  if (!engine.certificate) throw UsageError("no certificates for engine " + std::string(engine.name));
  return engine.certificate(graph, options);
}

}  // namespace leman::wl
