#include "et/estimate.hpp"

#include <algorithm>

namespace leman::et {

Estimate estimate(const Config& c, std::span<const std::uint32_t> orders, unsigned threads) {
  const double size = c.dtype == "float64" ? 8 : 4;
  const double d = c.width, heads = c.heads, layers = c.layers;
  const double padded = (c.width + 15) / 16 * 16;
  const double hidden = c.layer == "paper" && c.ffn_depth > 1 ? (c.ffn_depth - 1) * 2.0 * c.ffn_width : 0;
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
  const double input = c.token == "paper" ? c.token_width + 2 * c.node_colors + c.rrwp : 1 + c.rrwp;
  const double tokens = rows * (4 * 8 + 8 * c.rrwp + size * (2 * input + 2 * d * c.token_depth));
  // A layer: token, its norm, output of attention, sum, hidden rows of the FFN,
  // result; context and sums of the attention.
  const double layer = rows * size * (4 * d + padded + hidden) + padded_rows * size * (d + heads);
  const double norms = c.qk_norm ? 2 * d + 2 * heads : 0;
  const double work = largest * size * 4 * d;                               // q, k, v1, v2
  const double back = largest * size * (4 * d + d + heads + norms) + work;  // their gradients, and of the context
  const double parallel = std::min<double>(threads, static_cast<double>(orders.size()));
  Estimate e{};
  e.forward_bytes = static_cast<std::uint64_t>(tokens + layer + rows * size * d + parallel * work);
  e.training_bytes =
      static_cast<std::uint64_t>(tokens + layers * layer + 3 * rows * size * (d + padded) + parallel * back);
  // Plain LibTorch holds the fused values before and after their norm, and
  // scores before and after the softmax, of one graph at a time.
  e.plain_forward_bytes = static_cast<std::uint64_t>(largest_cube * size * (2 * d + 2 * heads));
  // Per triple and channel: score, and with a norm mean, centred value, square;
  // weighted sum. Backward: see et/kernels.
  const double maps = rows * 2 * (4 * d * d + d * d + (c.layer == "paper" ? d * c.ffn_width * 2.0 : d * d));
  const double forward = cubes * d * 2 * (c.value_norm ? 5 : 3), exponentials = cubes * heads;
  const double backward = cubes * d * 2 * (c.value_norm ? 11 : 7);
  e.forward_flops = layers * (forward + exponentials + maps);
  e.backward_flops = layers * (backward + exponentials + 2 * maps);
  return e;
}

}  // namespace leman::et
