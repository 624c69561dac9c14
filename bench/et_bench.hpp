// `leman bench et`: speed and memory of triangular attention against plain LibTorch, and of the
// quotient against the dense model. Every case is verified before it is timed. It is linked with
// LibTorch into a separate library that is loaded on demand.
#pragma once

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

// Calls `print` with one line per case; false if one was wrong.
using EtBench = bool(const EtRequest& request, const std::function<void(const std::string&)>& print);

EtBench* load_et_bench();  // from libleman_bench.so beside the program; throws UsageError

}  // namespace leman::bench
