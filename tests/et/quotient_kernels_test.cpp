// Attention on the colour quotient, on plain memory of the exact size, so that
// sanitizers see all accesses. Values are compared with loops over the triples,
// gradients with finite differences.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "et/kernels/quotient.hpp"
#include "wl/constructions/random.hpp"

namespace leman::et {
namespace {

struct Work {
  wl::Quotient quotient;
  std::size_t heads = 3, dh;
  std::vector<double> in[4], given, out, sums, grad[4];  // in: q, k, v1, v2
  QuotientAttention<double> job;

  Work(std::size_t head_width, bool norm) : dh(head_width) {
    Rng rng(3);
    const wl::Graph g = wl::erdos_renyi(9, 0.4, rng), h = wl::erdos_renyi(6, 0.5, rng);
    const wl::Graph* list[] = {&g, &h};
    quotient = wl::color_quotient(list);
    const std::size_t size = quotient.colors * heads * dh;
    for (auto* values : {&in[0], &in[1], &in[2], &in[3], &given})
      for (std::size_t k = 0; k < size; ++k) values->push_back(2 * rng.uniform() - 1);
    out.assign(size, NAN), sums.assign(quotient.colors * heads, NAN);
    for (auto& each : grad) each.assign(size, NAN);
    job.quotient = &quotient, job.heads = heads, job.head_width = dh, job.scale = 0.4, job.value_norm = norm;
    job.q = in[0].data(), job.k = in[1].data(), job.v1 = in[2].data(), job.v2 = in[3].data();
    job.out = out.data(), job.sums = sums.data(), job.grad_out = given.data();
    job.grad_q = grad[0].data(), job.grad_k = grad[1].data(), job.grad_v1 = grad[2].data(),
    job.grad_v2 = grad[3].data();
  }

  // One number of the output, directly from the formula.
  double slow(wl::Color color, std::size_t head, std::size_t c) const {
    double total = 0, sum = 0;
    for (const wl::Triple& t : quotient.of(color)) {
      auto left = [&](int k, std::size_t at) { return in[k][(t.left * heads + head) * dh + at]; };
      auto right = [&](int k, std::size_t at) { return in[k][(t.right * heads + head) * dh + at]; };
      double score = 0, mean = 0, square = 0;
      for (std::size_t e = 0; e < dh; ++e) score += left(0, e) * right(1, e), mean += left(2, e) * right(3, e);
      mean /= static_cast<double>(dh);
      for (std::size_t e = 0; e < dh; ++e) square += std::pow(left(2, e) * right(3, e) - mean, 2);
      double value = left(2, c) * right(3, c);
      if (job.value_norm) value = (value - mean) / std::sqrt(square / static_cast<double>(dh) + job.epsilon);
      const double weight = t.multiplicity * std::exp(job.scale * score);
      total += weight, sum += weight * value;
    }
    return sum / total;
  }
  double along() const {  // the function whose gradient the backward pass computes
    double sum = 0;
    for (std::size_t k = 0; k < out.size(); ++k) sum += out[k] * given[k];
    return sum;
  }
};

TEST(QuotientKernels, AgainstLoopsAndDifferences) {
  for (const bool norm : {false, true})
    for (std::size_t dh : {1, 5, 8, 17}) {
      Work work(dh, norm);
      quotient_forward(work.job);
      for (wl::Color color = 0; color < work.quotient.colors; ++color)
        for (std::size_t head = 0; head < work.heads; ++head)
          for (std::size_t c = 0; c < dh; ++c)
            ASSERT_NEAR(work.out[(color * work.heads + head) * dh + c], work.slow(color, head, c), 1e-12) << dh;
      quotient_backward(work.job);
      for (int k = 0; k < 4; ++k)
        for (std::size_t at : {std::size_t{0}, work.out.size() / 2, work.out.size() - 1}) {
          const double step = 1e-5, was = work.in[k][at];
          double value[2];
          for (int side : {0, 1}) {
            work.in[k][at] = was + (side ? step : -step);
            quotient_forward(work.job);
            value[side] = work.along();
          }
          work.in[k][at] = was;
          const double slope = (value[1] - value[0]) / (2 * step);
          EXPECT_NEAR(work.grad[k][at], slope, 1e-6 * (1 + std::abs(slope))) << k << ", heads of " << dh;
        }
    }
}

}  // namespace
}  // namespace leman::et
