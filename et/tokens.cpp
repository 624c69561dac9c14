#include "et/tokens.hpp"

namespace leman::et {

namespace {

using torch::Tensor;

Tensor integers(const std::vector<std::int64_t>& values) { return torch::tensor(values, torch::dtype(torch::kInt64)); }

void check_color(wl::Color color, int limit, const char* what, const char* field) {
  if (color < static_cast<wl::Color>(limit)) return;
  throw GraphError(std::string("the graph has ") + what + " colour " + std::to_string(color) +
                   "; the model tells apart 0 .. " + std::to_string(limit - 1) + " (" + field + ")");
}

struct Columns {
  std::vector<std::int64_t> kind, edge_color, left, right;
  void add(const wl::Graph& graph, wl::Node i, wl::Node j, const Config& config) {
    const bool edge = i != j && graph.has_edge(i, j);
    const wl::Color color = edge ? graph.edge_color(i, j) : 0;
    check_color(color, config.edge_colors, "edge", "edge_colors");
    check_color(graph.node_color(i), config.node_colors, "node", "node_colors");
    kind.push_back(i == j ? 2 : edge ? 1 : 0);
    edge_color.push_back(color);
    left.push_back(graph.node_color(i));
    right.push_back(graph.node_color(j));
  }
};

// Random walk probabilities, powers 0 .. steps-1 of D^-1 A; the row of a node
// without neighbours is zero.
Tensor dense_walk(const wl::Graph& graph, int steps) {
  const std::int64_t n = graph.order();
  Tensor step = torch::zeros({n, n}, torch::kFloat64);
  auto at = step.accessor<double, 2>();
  for (wl::Node i = 0; i < graph.order(); ++i)
    for (wl::Node j : graph.neighbors(i)) at[i][j] = 1.0 / graph.degree(i);
  std::vector<Tensor> powers{torch::eye(n, torch::kFloat64)};
  while (static_cast<int>(powers.size()) < steps) powers.push_back(step.mm(powers.back()));
  return torch::stack(powers, -1).view({n * n, steps});
}

// The same on colours, summed in the order of the triples: relabelled graphs give
// the same bits.
Tensor quotient_walk(const Domain& domain, int steps) {
  const wl::Quotient& q = *domain.quotient;
  std::vector<double> step(q.colors, 0), power(q.colors, 0), next(q.colors);
  Tensor result = torch::zeros({q.colors, steps}, torch::kFloat64);
  auto at = result.accessor<double, 2>();
  for (wl::Color c = 0; c < q.colors; ++c) {
    const auto [u, v, g] = q.sample[c];
    const wl::Graph& graph = *domain.graphs[g];
    if (u == v) power[c] = 1;
    if (u != v && graph.has_edge(u, v)) step[c] = 1.0 / graph.degree(u);
  }
  for (int k = 0; k < steps; ++k) {
    for (wl::Color c = 0; c < q.colors; ++c) {
      at[c][k] = power[c];
      next[c] = 0;
      for (const wl::Triple& t : q.of(c)) next[c] += t.multiplicity * step[t.left] * power[t.right];
    }
    power.swap(next);
  }
  return result;
}

}  // namespace

TokenFeatures token_features(const Domain& domain, const Config& config) {
  Columns columns;
  std::vector<Tensor> walks;
  if (domain.quotient) {
    for (const auto& [u, v, g] : domain.quotient->sample) columns.add(*domain.graphs[g], u, v, config);
    if (config.rrwp) walks.push_back(quotient_walk(domain, config.rrwp));
  } else {
    for (const wl::Graph* graph : domain.graphs) {
      for (wl::Node i = 0; i < graph->order(); ++i)
        for (wl::Node j = domain.upper ? i : 0; j < graph->order(); ++j) columns.add(*graph, i, j, config);
      if (config.rrwp) walks.push_back(dense_walk(*graph, config.rrwp));
    }
  }
  TokenFeatures features{
      integers(columns.kind), integers(columns.edge_color), integers(columns.left), integers(columns.right), {}};
  if (!walks.empty()) features.walk = torch::cat(walks);
  return features;
}

}  // namespace leman::et
