// BREC's readout: maxima over the diagonal and over all other pairs of every graph.
#pragma once

#include <vector>

#include "et/torch.hpp"

namespace leman::et {

// x: [rows, width], the pairs of graphs of these orders one after the other. Returns
// [graphs, 2 width]: diagonal, others (zero if there are none). The gradient of a
// maximum goes to the first row that has it.
torch::Tensor pair_maxima(const torch::Tensor& x, const std::vector<std::uint32_t>& orders);

}  // namespace leman::et
