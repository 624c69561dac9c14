#include "et/kernels/pooling.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace leman::et {

namespace {

// Calls body(row, part) for the rows of node i: part 0 on the diagonal, 1 elsewhere.
template <class Body>
void for_row(std::size_t n, std::size_t i, Body body) {
  for (std::size_t j = 0; j < i; ++j) body(i * n + j, 1);
  body(i * n + i, 0);
  for (std::size_t j = i + 1; j < n; ++j) body(i * n + j, 1);
}

template <class Body>
void for_rows(std::size_t n, bool upper, Body body) {
  for (std::size_t i = 0, row = 0; i < n; ++i)
    if (upper)
      for (std::size_t j = i; j < n; ++j) body(row++, j > i);
    else
      for_row(n, i, body);
}

// Without branches, so that the compiler vectorises over c.
template <class T>
void raise(const T* __restrict row, std::size_t width, T* __restrict top) {
  for (std::size_t c = 0; c < width; ++c) {
    const bool larger = (row[c] > top[c]) | (row[c] != row[c]);
    top[c] = larger ? row[c] : top[c];
  }
}

template <class T>
void add_powers(const T* __restrict row, std::size_t width, std::size_t degree, T* __restrict sums) {
  if (degree == 1)
    for (std::size_t c = 0; c < width; ++c) sums[c] += row[c];
  else
    for (std::size_t c = 0; c < width; ++c) {
      const T square = row[c] * row[c];
      sums[c] += row[c];
      sums[width + c] += square;
      if (degree == 3) sums[2 * width + c] += square * row[c];
    }
}

// The number of pairs of a part.
template <class T>
T pairs_of(std::size_t n, int part) {
  return static_cast<T>(part ? n * (n - 1) : n);
}

}  // namespace

template <class T>
void pair_maxima(const T* x, std::size_t n, std::size_t width, bool upper, T* top, std::int64_t* rows) {
  std::fill_n(top, 2 * width, -std::numeric_limits<T>::infinity());
  for_rows(n, upper, [&](std::size_t row, int part) { raise(x + row * width, width, top + part * width); });
  if (n == 0) std::fill_n(top, width, T(0));
  if (n <= 1) std::fill_n(top + width, width, T(0));
  if (!rows) return;
  std::fill_n(rows, 2 * width, -1);
  for_rows(n, upper, [&](std::size_t row, int part) {
    for (std::size_t c = 0; c < width; ++c) {
      const T value = x[row * width + c], most = top[part * width + c];
      std::int64_t& first = rows[part * width + c];
      if (first < 0 && (value == most || value != value)) first = static_cast<std::int64_t>(row);
    }
  });
}

template <class T>
void pair_moments(const T* x, std::size_t n, std::size_t width, std::size_t degree, T* means) {
  const std::size_t size = degree * width;
  std::fill_n(means, 2 * size, T(0));
  std::vector<T> own(2 * size);  // sums of one i: adding up short sums rounds less than one long sum
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(own.begin(), own.end(), T(0));
    for_row(n, i,
            [&](std::size_t row, int part) { add_powers(x + row * width, width, degree, own.data() + part * size); });
    for (std::size_t k = 0; k < 2 * size; ++k) means[k] += own[k];
  }
  for (int part : {0, 1})
    for (std::size_t k = 0; n > static_cast<std::size_t>(part) && k < size; ++k)
      means[part * size + k] /= pairs_of<T>(n, part);
}

template <class T>
void pair_moments_backward(const T* x, std::size_t n, std::size_t width, std::size_t degree, const T* grad_means,
                           T* grad_x) {
  const std::size_t size = degree * width;
  for_rows(n, false, [&](std::size_t row, int part) {
    const T share = T(1) / pairs_of<T>(n, part);
    for (std::size_t c = 0; c < width; ++c) {
      const T* given = grad_means + part * size + c;
      const T value = degree > 1 ? x[row * width + c] : T(0);
      T slope = given[0];
      if (degree > 1) slope += 2 * value * given[width];
      if (degree > 2) slope += 3 * value * value * given[2 * width];
      grad_x[row * width + c] = slope * share;
    }
  });
}

template void pair_maxima(const float*, std::size_t, std::size_t, bool, float*, std::int64_t*);
template void pair_maxima(const double*, std::size_t, std::size_t, bool, double*, std::int64_t*);
template void pair_moments(const float*, std::size_t, std::size_t, std::size_t, float*);
template void pair_moments(const double*, std::size_t, std::size_t, std::size_t, double*);
template void pair_moments_backward(const float*, std::size_t, std::size_t, std::size_t, const float*, float*);
template void pair_moments_backward(const double*, std::size_t, std::size_t, std::size_t, const double*, double*);

}  // namespace leman::et
