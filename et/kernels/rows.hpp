// Which rows of a tensor stand for the pairs (i,j) of a graph, row-major.
#pragma once

#include <cstddef>

namespace leman::et {

// The number of rows of a graph of order n: all pairs, or those with i <= j.
constexpr std::size_t pair_rows(std::size_t n, bool upper) { return upper ? n * (n + 1) / 2 : n * n; }

}  // namespace leman::et
