// Readouts over the diagonal and over all other pairs of every graph. x: [rows,
// width], the pairs of the graphs of these orders, graph by graph. A part without
// pairs is zero.
#pragma once

#include <cstdint>
#include <vector>

#include "et/torch.hpp"

namespace leman::et {

// Maxima: [graphs, 2 width]. The gradient goes to the first row that has the maximum.
// upper: x has only the pairs i <= j, because tokens are symmetric.
torch::Tensor pair_maxima(const torch::Tensor& x, const std::vector<std::uint32_t>& orders, bool upper = false);

// Means of x, ..., x^degree (at most 3): [graphs, 2 degree width].
torch::Tensor pair_moments(const torch::Tensor& x, const std::vector<std::uint32_t>& orders, std::int64_t degree);

}  // namespace leman::et
