// How nodes and graphs are read from pairs, on graphs and on their colour
// quotient. On a quotient a row stands for all pairs of its colour, so every sum
// has multiplicities, in the order of the colours.
#include "et/model.hpp"
#include "et/model_parts.hpp"
#include "et/pooling.hpp"

namespace leman::et {

using torch::Tensor;

namespace {

// Calls body(rows of the graph as [n, n, width]) for every graph.
template <class Body>
std::vector<Tensor> for_graphs(const Tensor& x, const Domain& domain, Body body) {
  std::vector<Tensor> results;
  std::int64_t at = 0;
  for (const wl::Graph* graph : domain.graphs) {
    const std::int64_t n = graph->order();
    results.push_back(body(x.slice(0, at, at + n * n).view({n, n, x.size(1)})));
    at += n * n;
  }
  return results;
}

Tensor index_of(const std::vector<std::int64_t>& rows) { return torch::tensor(rows, torch::dtype(torch::kInt64)); }

std::vector<std::int64_t> diagonal_colors(const wl::Quotient& q) {
  std::vector<std::int64_t> rows;
  for (wl::Color c = 0; c < q.colors; ++c)
    if (q.diagonal[c]) rows.push_back(c);
  return rows;
}

// The number of nodes per graph and diagonal colour: [graphs, diagonal colours].
Tensor node_counts(const wl::Quotient& q, torch::Dtype dtype) {
  const auto rows = diagonal_colors(q);
  Tensor counts = torch::zeros({static_cast<std::int64_t>(q.sizes.size()), static_cast<std::int64_t>(rows.size())},
                               torch::kFloat64);
  auto at = counts.accessor<double, 2>();
  for (std::size_t g = 0; g < q.sizes.size(); ++g)
    for (std::size_t k = 0; k < rows.size(); ++k)
      at[static_cast<std::int64_t>(g)][static_cast<std::int64_t>(k)] = static_cast<double>(q.sizes[g][rows[k]]);
  return counts.to(dtype);
}

// Maximum over the rows; zero if there are none (the off-diagonal of a single node).
// Its gradient goes to one row.
Tensor maximum(const Tensor& rows) {
  return rows.size(0) ? std::get<0>(rows.max(0)) : torch::zeros({rows.size(1)}, rows.options());
}

}  // namespace

Tensor EdgeTransformer::read_nodes(const Tensor& x, const Domain& domain) const {
  const bool rho = config_.node_readout == NodeReadout::Rho;
  if (!domain.quotient) {
    const Tensor out = rho ? readouts_->rho1(x) : x, in = rho ? readouts_->rho2(x) : x;
    if (!rho) return torch::cat(for_graphs(x, domain, [](const Tensor& t) { return t.diagonal().t(); }));
    const auto first = for_graphs(out, domain, [](const Tensor& t) { return t.sum(1); });
    const auto second = for_graphs(in, domain, [](const Tensor& t) { return t.sum(0); });
    return torch::cat(first) + torch::cat(second);
  }
  const wl::Quotient& q = *domain.quotient;
  const auto diagonal = diagonal_colors(q);
  if (!rho) return x.index_select(0, index_of(diagonal));
  // The triples of the colour of (i,i) are (colour(i,l), colour(l,i)) over all l.
  std::vector<std::int64_t> left, right, node;
  std::vector<double> count;
  for (std::size_t k = 0; k < diagonal.size(); ++k)
    for (const wl::Triple& t : q.of(static_cast<wl::Color>(diagonal[k]))) {
      left.push_back(t.left), right.push_back(t.right);
      node.push_back(static_cast<std::int64_t>(k));
      count.push_back(t.multiplicity);
    }
  const Tensor weight = torch::tensor(count, torch::dtype(torch::kFloat64)).to(x.dtype()).unsqueeze(1);
  const Tensor terms =
      readouts_->rho1(x).index_select(0, index_of(left)) + readouts_->rho2(x).index_select(0, index_of(right));
  return torch::zeros({static_cast<std::int64_t>(diagonal.size()), x.size(1)}, x.options())
      .index_add(0, index_of(node), weight * terms);
}

Tensor EdgeTransformer::pool_nodes(const Tensor& nodes, const Domain& domain) const {
  const GraphReadout how = config_.graph_readout;
  std::vector<Tensor> results;
  if (domain.quotient) {
    const Tensor counts = node_counts(*domain.quotient, dtype_);
    for (std::int64_t g = 0; g < counts.size(0); ++g) {
      if (how == GraphReadout::Max) {
        results.push_back(maximum(nodes.index_select(0, (counts[g] > 0).nonzero().squeeze(1))));
      } else {
        const Tensor sum = (counts[g].unsqueeze(1) * nodes).sum(0);
        results.push_back(how == GraphReadout::Sum ? sum : sum / counts[g].sum());
      }
    }
    return torch::stack(results);
  }
  std::int64_t at = 0;
  for (const wl::Graph* graph : domain.graphs) {
    const Tensor own = nodes.slice(0, at, at + graph->order());
    results.push_back(how == GraphReadout::Max ? maximum(own) : how == GraphReadout::Sum ? own.sum(0) : own.mean(0));
    at += graph->order();
  }
  return torch::stack(results);
}

// Pools diagonal and off-diagonal of every graph separately, then applies a linear map: [graphs, graph_outputs].
Tensor EdgeTransformer::read_layer(const Tensor& x, const Domain& domain, const Layer& layer) const {
  const GraphReadout how = config_.graph_readout;
  const Tensor feature = how == GraphReadout::Nonlinear ? activate(config_.activation, layer.feature(x)) : x;
  if (!domain.quotient)
    return layer.pooled(how == GraphReadout::Brec
                            ? pair_maxima(x, domain.orders(), domain.upper)
                            : pair_moments(feature, domain.orders(), how == GraphReadout::Moments ? 3 : 1));
  const Tensor powers = how == GraphReadout::Moments ? torch::cat({x, x * x, x * x * x}, 1) : feature;
  const wl::Quotient& q = *domain.quotient;
  std::vector<Tensor> results;
  for (const auto& sizes : q.sizes) {
    std::vector<std::int64_t> colors[2];  // of the off-diagonal, of the diagonal
    std::vector<double> counts[2];
    for (wl::Color c = 0; c < q.colors; ++c)
      if (sizes[c]) colors[q.diagonal[c]].push_back(c), counts[q.diagonal[c]].push_back(static_cast<double>(sizes[c]));
    auto pool = [&](int part) {
      const Tensor rows = powers.index_select(0, index_of(colors[part]));
      if (how == GraphReadout::Brec) return maximum(rows);
      const Tensor weight = torch::tensor(counts[part], torch::kFloat64).to(dtype_).unsqueeze(1);
      return rows.size(0) ? (weight * rows).sum(0) / weight.sum() : torch::zeros({rows.size(1)}, rows.options());
    };
    results.push_back(layer.pooled(torch::cat({pool(1), pool(0)})));
  }
  return torch::stack(results);
}

}  // namespace leman::et
