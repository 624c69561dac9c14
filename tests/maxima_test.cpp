// Maxima over pairs against LibTorch's, on values with many ties.
#include "et/maxima.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace leman::et {
namespace {

using torch::Tensor;

// Diagonal and others of each graph by index, pooled by LibTorch; the gradient of a maximum goes to the first.
Tensor slow_maxima(const Tensor& x, const std::vector<std::uint32_t>& orders) {
  std::vector<Tensor> rows;
  std::int64_t before = 0;
  for (std::int64_t n : orders) {
    std::vector<std::int64_t> part[2];
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) part[i != j].push_back(before + i * n + j);
    std::vector<Tensor> both;
    for (const auto& index : part)
      both.push_back(index.empty() ? torch::zeros({x.size(1)}, x.options())
                                   : std::get<0>(x.index_select(0, torch::tensor(index)).max(0)));
    rows.push_back(torch::cat(both));
    before += n * n;
  }
  return torch::stack(rows);
}

TEST(Maxima, ValuesAndGradientsAreThoseOfLibTorch) {
  torch::manual_seed(5);
  for (const std::vector<std::uint32_t>& orders :
       {std::vector<std::uint32_t>{1}, {2}, {3, 1, 0, 2}, {7, 7}, {1, 1}, {12, 5, 20}})
    for (std::int64_t width : {1, 3, 32})
      for (auto dtype : {torch::kFloat32, torch::kFloat64}) {
        std::int64_t pairs = 0;
        for (std::int64_t n : orders) pairs += n * n;
        const Tensor values = torch::randint(-3, 3, {pairs, width}, torch::dtype(dtype));
        const Tensor weight = torch::randn({static_cast<std::int64_t>(orders.size()), 2 * width}, torch::dtype(dtype));
        Tensor ours = values.clone().requires_grad_(), theirs = values.clone().requires_grad_();
        const Tensor a = pair_maxima(ours, orders), b = slow_maxima(theirs, orders);
        ASSERT_TRUE(torch::equal(a, b));
        (a * weight).sum().backward();
        (b * weight).sum().backward();
        ASSERT_TRUE(torch::equal(ours.grad(), theirs.grad())) << pairs << " pairs, width " << width;
        const torch::NoGradGuard no_grad;
        EXPECT_TRUE(torch::equal(pair_maxima(values, orders), b));
      }
}

TEST(Maxima, NotANumberIsNotLost) {
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

TEST(Maxima, RowsMustFitTheOrders) {
  EXPECT_THROW(pair_maxima(torch::zeros({5, 2}), {2}), c10::Error);
  EXPECT_THROW(pair_maxima(torch::zeros({4}), {2}), c10::Error);
}

}  // namespace
}  // namespace leman::et
