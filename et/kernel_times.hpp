// Speed and memory of triangular attention on one graph, for reports: forward pass including
// projections, width 32, 4 heads, float32, one thread. `leman bench et` measures more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace leman::et {

struct AttentionTime {
  std::string kernel;
  double seconds = 0;                   // median
  std::optional<double> plain_seconds;  // plain LibTorch; none on large graphs, where it needs gigabytes
  double bytes = 0, plain_bytes = 0;    // counted, not measured
};

// The default kernel is compared with plain LibTorch before it is timed; throws BugError if they
// differ.
AttentionTime time_attention(std::uint32_t order);

}  // namespace leman::et
