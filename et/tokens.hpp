// The input features of a token, for every row of a domain.
#pragma once

#include "et/config.hpp"
#include "et/domain.hpp"
#include "et/torch.hpp"

namespace leman::et {

struct TokenFeatures {
  torch::Tensor kind;         // [rows] int64: 0 no edge, 1 edge, 2 diagonal
  torch::Tensor edge_color;   // [rows] int64, 0 where there is no edge
  torch::Tensor left, right;  // [rows] int64: colours of i and j
  torch::Tensor walk;         // [rows, rrwp] probability of a walk from i to j in k steps; undefined if rrwp = 0
};

// Throws GraphError if a graph has colours that the model does not
// distinguish.
TokenFeatures token_features(const Domain& domain, const Config& config);

}  // namespace leman::et
