// Triangular attention as one differentiable LibTorch operation. The formula is in
// et/kernels/triangle.hpp. `reference` is that formula in plain LibTorch and stores
// n^3 * width numbers; the other kernels are those of the table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "et/torch.hpp"

namespace leman::et {

struct AttentionWeights {
  torch::Tensor in_weight, in_bias;    // [4 inner, in] (q, k, v1, v2), [4 inner]
  torch::Tensor qk_gain, qk_shift;     // [2, head_width], for q and k; undefined: no norm
  torch::Tensor out_weight, out_bias;  // [out, inner], [out]
};

struct AttentionOptions {
  std::int64_t heads = 1;
  bool value_norm = false;
  // x_ij = x_ji, W^Q = W^K with equal norms, W^V1 = W^V2. Rows are the pairs i <= j; see Triangle::symmetric
  bool symmetric = false;
  double epsilon = 1e-5;
  double dropout = 0;
  std::uint64_t seed = 0;
  unsigned threads = 1;
  std::string kernel;  // a name of kernel_names(), or empty: default_kernel()
};

// The kernels that this machine can run, best first, `reference` last.
std::vector<std::string> kernel_names();
// $LEMAN_KERNEL if set, else the best one. Throws UsageError if the name is unknown
// or the machine cannot run that kernel.
std::string default_kernel();
void check_kernel(const std::string& name);

// x: [sum of n^2 (symmetric: n (n + 1) / 2), in], the pairs of each graph in row-major
// order; the result has width out.
torch::Tensor triangle_attention(const torch::Tensor& x, const std::vector<std::uint32_t>& orders,
                                 const AttentionWeights& weights, const AttentionOptions& options);

}  // namespace leman::et
