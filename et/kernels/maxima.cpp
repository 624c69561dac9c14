#include "et/kernels/maxima.hpp"

#include <algorithm>
#include <limits>

namespace leman::et {

namespace {

// Calls body(row, part) for every row: part 0 on the diagonal, 1 elsewhere.
template <class Body>
void for_rows(std::size_t n, Body body) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) body(i * n + j, 1);
    body(i * n + i, 0);
    for (std::size_t j = i + 1; j < n; ++j) body(i * n + j, 1);
  }
}

// Without branches, so that the compiler takes several c at a time.
template <class T>
void raise(const T* __restrict row, std::size_t width, T* __restrict top) {
  for (std::size_t c = 0; c < width; ++c) {
    const bool larger = (row[c] > top[c]) | (row[c] != row[c]);
    top[c] = larger ? row[c] : top[c];
  }
}

}  // namespace

template <class T>
void pair_maxima(const T* x, std::size_t n, std::size_t width, T* top, std::int64_t* rows) {
  std::fill_n(top, 2 * width, -std::numeric_limits<T>::infinity());
  for_rows(n, [&](std::size_t row, int part) { raise(x + row * width, width, top + part * width); });
  if (n == 0) std::fill_n(top, width, T(0));
  if (n <= 1) std::fill_n(top + width, width, T(0));
  if (!rows) return;
  std::fill_n(rows, 2 * width, -1);
  for_rows(n, [&](std::size_t row, int part) {
    for (std::size_t c = 0; c < width; ++c) {
      const T value = x[row * width + c], most = top[part * width + c];
      std::int64_t& first = rows[part * width + c];
      if (first < 0 && (value == most || value != value)) first = static_cast<std::int64_t>(row);
    }
  });
}

template void pair_maxima(const float*, std::size_t, std::size_t, float*, std::int64_t*);
template void pair_maxima(const double*, std::size_t, std::size_t, double*, std::int64_t*);

}  // namespace leman::et
