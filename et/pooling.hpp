// Readouts over the diagonal and over all other pairs of every graph. x: [rows,
// width], the pairs of graphs of these orders one after the other; what has no
// pairs is zero.
#pragma once

#include <cstdint>
#include <vector>

#include "et/torch.hpp"

namespace leman::et {

// Maxima: [graphs, 2 width]. The gradient goes to the first row that has the maximum.
// upper: there are only the pairs i <= j, as symmetric tokens need.
torch::Tensor pair_maxima(const torch::Tensor& x, const std::vector<std::uint32_t>& orders, bool upper = false);

// Means of x, ... x^degree (at most 3): [graphs, 2 degree width].
torch::Tensor pair_moments(const torch::Tensor& x, const std::vector<std::uint32_t>& orders, std::int64_t degree);

}  // namespace leman::et
