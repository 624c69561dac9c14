// Triangular attention on a colour quotient as a differentiable LibTorch
// operation; see et/kernels/quotient.hpp.
#pragma once

#include <memory>

#include "et/attention.hpp"
#include "wl/quotient.hpp"

namespace leman::et {

// x: [colours, width]. There is no dropout: it would give equal colours different values.
torch::Tensor quotient_attention(const torch::Tensor& x, const std::shared_ptr<const wl::Quotient>& quotient,
                                 const AttentionWeights& weights, const AttentionOptions& options);

}  // namespace leman::et
