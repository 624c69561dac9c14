#include "et/estimate.hpp"

#include <algorithm>

namespace leman::et {

namespace {

std::uint64_t bytes(double value) {
  return value < 9e18 ? static_cast<std::uint64_t>(value) : 9'000'000'000'000'000'000u;
}

}  // namespace

std::uint64_t parameter_count(const Config& c) {
  using Count = std::uint64_t;
  const Count d = c.width, dh = c.head_width(), rrwp = c.rrwp, outputs = c.graph_outputs;
  const Count bias = c.bias, norm = 1 + bias;  // numbers per channel
  auto linear = [&](Count out, Count in) { return out * in + bias * out; };
  auto mlp = [&](Count in, Count hidden, Count out, int depth) {
    Count sum = 0;
    for (int k = 0; k < depth; ++k) sum += linear(k + 1 == depth ? out : hidden, k == 0 ? in : hidden);
    return sum;
  };
  Count total = 0;
  const Count token = c.token_width, colors = c.node_colors;
  if (c.token == TokenKind::Paper)
    total += (Count(c.edge_colors) + 1) * token + mlp(token + 2 * colors + rrwp, d, d, c.token_depth);
  const bool bare = c.token == TokenKind::Brec && c.layer == LayerKind::Brec;  // the first layer takes the bare token
  if (c.token == TokenKind::Brec && !bare) total += linear(d, 1 + rrwp);
  for (int t = 0; t < c.layers; ++t) {
    const Count in = t == 0 && bare ? 1 + rrwp : d;
    total += linear(c.tied ? d : 4 * d, in);
    if (c.qk_norm) total += norm * dh * (c.tied ? 1 : 2);
    if (c.value_norm && !(c.tied && c.qk_norm)) total += norm * dh;
    total += c.layer == LayerKind::Paper ? norm * d + linear(d, d) + mlp(d, c.ffn_width, d, c.ffn_depth)
                                         : linear(d, in + d) + norm * d;
    if (c.reads_layers()) total += linear(outputs, c.pooled_width());
    if (c.graph_readout == GraphReadout::Nonlinear) total += linear(d, d);
  }
  if (c.node_readout == NodeReadout::Rho) total += 2 * mlp(d, d, d, 2);
  if (c.pair_outputs) total += linear(c.pair_outputs, d);
  if (c.node_outputs) total += linear(c.node_outputs, d);
  if (outputs && !c.reads_layers()) total += linear(outputs, d);
  return total;
}

Estimate estimate(const Config& c, std::span<const std::uint32_t> orders, unsigned threads) {
  const double size = c.dtype == Dtype::Float64 ? 8 : 4;
  const double d = c.width, heads = c.heads, layers = c.layers;
  const double padded = (c.width + 15) / 16 * 16;
  const double hidden = c.layer == LayerKind::Paper && c.ffn_depth > 1 ? (c.ffn_depth - 1) * 2.0 * c.ffn_width : 0;
  double rows = 0, padded_rows = 0, cubes = 0, largest = 0, largest_cube = 0;
  for (double n : orders) {
    const double np = static_cast<double>((static_cast<std::uint64_t>(n) + 15) / 16 * 16);
    rows += n * n;
    padded_rows += n * np;
    cubes += n * n * n;
    largest = std::max(largest, n * np);
    largest_cube = std::max(largest_cube, n * n * n);
  }
  // Features of tokens: four integers, the input of the token MLP and its hidden rows.
  const double input = c.token == TokenKind::Paper ? c.token_width + 2 * c.node_colors + c.rrwp : 1 + c.rrwp;
  const double tokens = rows * (4 * 8 + 8 * c.rrwp + size * (2 * input + 2 * d * c.token_depth));
  // A layer: token, its norm, attention output, sum, hidden rows of the FFN and
  // result; context and sums of the attention.
  const double layer = rows * size * (4 * d + padded + hidden) + padded_rows * size * (d + heads);
  const double norms = c.qk_norm ? 2 * d + 2 * heads : 0;
  const double work = largest * size * 4 * d;  // q, k, v1, v2
  // The gradients of these, of the context and of y.
  const double back = largest * size * (4 * d + d + heads + norms + padded) + work;
  const double parallel = std::min<double>(threads, static_cast<double>(orders.size()));
  Estimate e{};
  e.forward_bytes = bytes(tokens + layer + rows * size * d + parallel * work);
  e.training_bytes = bytes(tokens + layers * layer + 3 * rows * size * (d + padded) + parallel * back);
  // Plain LibTorch holds three copies of the fused values (before and after their
  // norm, and in another order) and three of the scores, for one graph at a time.
  e.plain_forward_bytes = bytes(largest_cube * size * (3 * d + 3 * heads));
  // Per triple and channel: score; mean, centred value and square if there is a norm;
  // weighted sum. The backward pass likewise. This counts what the formula needs:
  // kernels compute some values again, and with tied weights only half of the pairs.
  const double maps = rows * 2 * (4 * d * d + d * d + (c.layer == LayerKind::Paper ? d * c.ffn_width * 2.0 : d * d));
  const double forward = cubes * d * 2 * (c.value_norm ? 5 : 3), exponentials = cubes * heads;
  const double backward = cubes * d * 2 * (c.value_norm ? 11 : 7);
  e.forward_flops = layers * (forward + exponentials + maps);
  e.backward_flops = layers * (backward + exponentials + 2 * maps);
  return e;
}

}  // namespace leman::et
