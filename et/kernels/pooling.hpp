// Readouts over the pairs of a graph, without LibTorch: LibTorch's maxima take the
// numbers one by one, and its means need copies of the pairs off the diagonal.
//
// x: [n][n][width]. A result has two parts, the diagonal and all other pairs. A part
// without pairs is zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leman::et {

// top: [2][width]. rows, if not null: [2][width], the first row i * n + j that has each
// maximum, or -1. NaN counts as larger than all numbers. upper: x has only the rows
// i <= j, without gaps.
template <class T>
void pair_maxima(const T* x, std::size_t n, std::size_t width, bool upper, T* top, std::int64_t* rows);

// Means of x, x^2, ..., x^degree (at most 3): [2][degree][width].
template <class T>
void pair_moments(const T* x, std::size_t n, std::size_t width, std::size_t degree, T* means);

// grad_x: [n][n][width], from grad_means: [2][degree][width]. With degree 1, x may be null.
template <class T>
void pair_moments_backward(const T* x, std::size_t n, std::size_t width, std::size_t degree, const T* grad_means,
                           T* grad_x);

}  // namespace leman::et
