// `leman bench et`: speed and memory of triangular attention against plain
// LibTorch, and of the quotient against the dense model. Every case is verified
// before it is timed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace leman::bench {

struct EtRequest {
  std::vector<int> orders;  // empty: 40, 100, 198
  std::string kernel;       // empty: the best, then the others, memory and quotients
  bool quick = false;
  std::string brec;
};

// Calls `print` with a line for every case; false if one was wrong.
bool bench_et(const EtRequest& request, const std::function<void(const std::string&)>& print);

// One measurement for the report: forward pass of the attention, width 32, 4 heads.
struct KernelTime {
  std::uint32_t n = 0;
  std::string kernel;
  double seconds = 0, plain_seconds = 0;  // median; plain LibTorch's, NaN where it was left out
  double bytes = 0, plain_bytes = 0;      // by counting
};
// Verified before timed; throws std::logic_error if a result is wrong.
std::vector<KernelTime> kernel_times(const std::vector<std::uint32_t>& orders);

}  // namespace leman::bench
