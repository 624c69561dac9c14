// `leman bench et`: speed and memory of triangular attention against plain
// LibTorch, and of the quotient against the dense model. Every case is verified
// before it is timed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace leman::bench {

// Calls `print` with a line for every case; false if one was wrong. `orders`
// empty: 40, 100, 198.
bool bench_et(std::vector<int> orders, bool quick, const std::string& brec,
              const std::function<void(const std::string&)>& print);

}  // namespace leman::bench
