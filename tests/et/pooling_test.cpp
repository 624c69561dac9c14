// Pooling over pairs against LibTorch's.
#include "et/pooling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace leman::et {
namespace {

using torch::Tensor;
using Orders = std::vector<std::uint32_t>;

// Diagonal and off-diagonal of each graph, selected by index and pooled by LibTorch.
template <class Pool>
Tensor slow(const Tensor& x, const Orders& orders, Pool pool) {
  std::vector<Tensor> rows;
  std::int64_t before = 0;
  for (std::int64_t n : orders) {
    std::vector<std::int64_t> part[2];
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) part[i != j].push_back(before + i * n + j);
    std::vector<Tensor> both;
    for (const auto& index : part)
      both.push_back(index.empty() ? torch::zeros({x.size(1)}, x.options())
                                   : pool(x.index_select(0, torch::tensor(index))));
    rows.push_back(torch::cat(both));
    before += n * n;
  }
  return torch::stack(rows);
}

// Calls body(values, orders) with values of both types. There are many ties, and values
// are not contiguous in memory.
template <class Body>
void for_cases(Body body) {
  torch::manual_seed(5);
  for (const Orders& orders : {Orders{1}, {2}, {3, 1, 0, 2}, {7, 7}, {1, 1}, {12, 5, 20}})
    for (std::int64_t width : {1, 3, 32})
      for (auto dtype : {torch::kFloat32, torch::kFloat64}) {
        std::int64_t pairs = 0;
        for (std::int64_t n : orders) pairs += n * n;
        SCOPED_TRACE(std::to_string(pairs) + " pairs, width " + std::to_string(width));
        body((torch::randint(-3, 3, {pairs, 2 * width}, torch::dtype(dtype)) / 7).slice(1, 0, 2 * width, 2), orders);
      }
}

// Value and gradient of a randomly weighted sum of f(x).
template <class F>
std::pair<Tensor, Tensor> value_and_gradient(const Tensor& values, F f) {
  const Tensor x = values.detach().requires_grad_(), y = f(x);
  auto generator = at::detail::createCPUGenerator(9);
  const Tensor weight = torch::empty(y.sizes(), torch::kFloat64).normal_(0, 1, generator).to(y.dtype());
  (y * weight).sum().backward();
  return {y.detach(), x.grad()};
}

TEST(Pooling, MaximaAndTheirGradientsAreThoseOfLibTorch) {
  for_cases([](const Tensor& values, const Orders& orders) {
    const auto ours = value_and_gradient(values, [&](const Tensor& x) { return pair_maxima(x, orders); });
    const auto theirs = value_and_gradient(values, [&](const Tensor& x) {
      return slow(x, orders, [](const Tensor& rows) { return std::get<0>(rows.max(0)); });
    });
    EXPECT_TRUE(torch::equal(ours.first, theirs.first));
    EXPECT_TRUE(torch::equal(ours.second, theirs.second));
    const torch::NoGradGuard no_grad;
    EXPECT_TRUE(torch::equal(pair_maxima(values, orders), theirs.first));
  });
}

// Half of the rows are enough if they are symmetric.
TEST(Pooling, MaximaOfSymmetricRows) {
  for_cases([](const Tensor& values, const Orders& orders) {
    std::vector<std::int64_t> upper, mirrored;
    std::int64_t before = 0;
    for (std::int64_t n : orders) {
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          if (i <= j) upper.push_back(before + i * n + j);
          mirrored.push_back(before + std::min(i, j) * n + std::max(i, j));
        }
      before += n * n;
    }
    const Tensor index = torch::tensor(upper), x = values.index_select(0, torch::tensor(mirrored));
    const auto all = value_and_gradient(x, [&](const Tensor& t) { return pair_maxima(t, orders); });
    const auto half =
        value_and_gradient(x.index_select(0, index), [&](const Tensor& t) { return pair_maxima(t, orders, true); });
    EXPECT_TRUE(torch::equal(half.first, all.first));
    EXPECT_TRUE(torch::equal(half.second, all.second.index_select(0, index)));  // the first maximum is above
    EXPECT_EQ(half.second.ne(0).sum().item<std::int64_t>(), all.second.ne(0).sum().item<std::int64_t>());
  });
  EXPECT_THROW(pair_maxima(torch::zeros({4, 2}), {2}, true), c10::Error);
}

TEST(Pooling, MomentsAndTheirGradientsAreThoseOfLibTorch) {
  for (std::int64_t degree : {1, 2, 3})
    for_cases([&](const Tensor& values, const Orders& orders) {
      const auto ours = value_and_gradient(values, [&](const Tensor& x) { return pair_moments(x, orders, degree); });
      const auto theirs = value_and_gradient(values, [&](const Tensor& x) {
        const std::vector<Tensor> powers{x, x * x, x * x * x};
        return slow(torch::cat(torch::TensorList(powers).slice(0, static_cast<std::size_t>(degree)), 1), orders,
                    [](const Tensor& rows) { return rows.mean(0); });
      });
      const double tolerance = values.dtype() == torch::kFloat32 ? 1e-5 : 1e-14;  // values are below 1, weights below 5
      EXPECT_TRUE(torch::allclose(ours.first, theirs.first, tolerance, tolerance)) << degree;
      EXPECT_TRUE(torch::allclose(ours.second, theirs.second, tolerance, tolerance)) << degree;
    });
}

TEST(Pooling, NotANumberIsNotLost) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (std::int64_t at = 0; at < 9; ++at) {
    Tensor x = torch::full({9, 2}, -inf, torch::kFloat64);
    x[at][1] = nan;
    const Tensor top = pair_maxima(x, {3});
    const std::int64_t part = at % 4 ? 1 : 0;  // 0, 4 and 8 are the diagonal
    for (std::int64_t k = 0; k < 4; ++k) {
      const double value = top[0][k].item<double>();
      EXPECT_TRUE(k == 2 * part + 1 ? std::isnan(value) : value == -inf) << at << ' ' << k;
    }
  }
}

TEST(Pooling, WrongShapesAreErrors) {
  EXPECT_THROW(pair_maxima(torch::zeros({5, 2}), {2}), c10::Error);
  EXPECT_THROW(pair_maxima(torch::zeros({4}), {2}), c10::Error);
  EXPECT_THROW(pair_moments(torch::zeros({5, 2}), {2}, 1), c10::Error);
  EXPECT_THROW(pair_moments(torch::zeros({4, 2}), {2}, 4), c10::Error);
}

}  // namespace
}  // namespace leman::et
