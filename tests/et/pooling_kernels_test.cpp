// The pooling kernels on plain memory of the exact size, so that sanitizers see all
// accesses. pooling_test compares values and gradients with LibTorch's.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "et/kernels/pooling.hpp"

namespace leman::et {
namespace {

template <class T>
std::vector<T> drawn(std::size_t count) {
  std::vector<T> x(count);
  for (std::size_t k = 0; k < count; ++k) x[k] = static_cast<T>(std::sin(static_cast<double>(3 * k + 1)));
  return x;
}

// Calls body(n, width, part, c, rows of the part) for small sizes.
template <class Body>
void for_parts(std::size_t n, std::size_t width, Body body) {
  for (std::size_t part : {0, 1})
    for (std::size_t c = 0; c < width; ++c) {
      std::vector<std::size_t> rows;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if ((i != j) == (part == 1)) rows.push_back(i * n + j);
      body(part, c, rows);
    }
}

template <class T>
void check_maxima(std::size_t n, std::size_t width) {
  const std::vector<T> x = drawn<T>(n * n * width);
  std::vector<T> top(2 * width, T(7)), again = top;
  std::vector<std::int64_t> first(2 * width, -7);
  pair_maxima<T>(x.data(), n, width, false, top.data(), first.data());
  pair_maxima<T>(x.data(), n, width, false, again.data(), nullptr);
  EXPECT_EQ(top, again);
  for_parts(n, width, [&](std::size_t part, std::size_t c, const std::vector<std::size_t>& rows) {
    T most = rows.empty() ? T(0) : -std::numeric_limits<T>::infinity();
    std::int64_t at = -1;
    for (std::size_t row : rows)
      if (x[row * width + c] > most) most = x[row * width + c], at = static_cast<std::int64_t>(row);
    EXPECT_EQ(top[part * width + c], most);
    EXPECT_EQ(first[part * width + c], at);
  });
}

// Means against sums in long double, and grad_x against the derivative of each power.
template <class T>
void check_moments(std::size_t n, std::size_t width, std::size_t degree) {
  const std::vector<T> x = drawn<T>(n * n * width), given = drawn<T>(2 * degree * width);
  std::vector<T> means(2 * degree * width, T(7)), grad(n * n * width, T(7));
  pair_moments<T>(x.data(), n, width, degree, means.data());
  pair_moments_backward<T>(degree > 1 ? x.data() : nullptr, n, width, degree, given.data(), grad.data());
  const double tolerance = 20 * std::numeric_limits<T>::epsilon();
  for_parts(n, width, [&](std::size_t part, std::size_t c, const std::vector<std::size_t>& rows) {
    for (std::size_t power = 1; power <= degree; ++power) {
      long double sum = 0;
      for (std::size_t row : rows) sum += std::pow(static_cast<long double>(x[row * width + c]), power);
      const double mean = rows.empty() ? 0 : static_cast<double>(sum / static_cast<long double>(rows.size()));
      EXPECT_NEAR(means[(part * degree + power - 1) * width + c], mean, tolerance) << n << ' ' << power;
    }
    for (std::size_t row : rows) {
      double slope = 0;
      for (std::size_t power = 1; power <= degree; ++power)
        slope += static_cast<double>(power) * std::pow(static_cast<double>(x[row * width + c]), power - 1) *
                 static_cast<double>(given[(part * degree + power - 1) * width + c]) / static_cast<double>(rows.size());
      EXPECT_NEAR(grad[row * width + c], slope, tolerance) << n << ' ' << degree;
    }
  });
}

TEST(PoolingKernels, SmallSizes) {
  for (std::size_t n = 0; n < 7; ++n)
    for (std::size_t width : {1, 3, 8, 17}) {
      check_maxima<float>(n, width), check_maxima<double>(n, width);
      for (std::size_t degree : {1, 2, 3})
        check_moments<float>(n, width, degree), check_moments<double>(n, width, degree);
    }
}

}  // namespace
}  // namespace leman::et
