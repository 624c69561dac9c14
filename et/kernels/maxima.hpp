// Maxima over the pairs of a graph, without LibTorch: its own take the numbers one
// by one where rows are not next to each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leman::et {

// x: [n][n][width]. top: [2][width], the maxima over the diagonal, then over all other
// pairs; zero if there are none. rows, if not null: the first row i * n + j that has
// each maximum, or -1. Not a number counts as larger than all numbers.
template <class T>
void pair_maxima(const T* x, std::size_t n, std::size_t width, T* top, std::int64_t* rows);

}  // namespace leman::et
