#include "et/kernel_times.hpp"

#include "base/timing.hpp"
#include "et/attention.hpp"
#include "et/estimate.hpp"

namespace leman::et {

namespace {

using torch::Tensor;

constexpr std::int64_t kWidth = 32, kHeads = 4;
constexpr std::uint32_t kPlainOrder = 100;
constexpr double kFloatError = 2e-5;

class Case {
 public:
  explicit Case(std::uint32_t order) : order_(order) {
    auto generator = at::detail::createCPUGenerator(1);
    auto draw = [&](torch::IntArrayRef shape, double deviation) {
      return torch::empty(shape).normal_(0, deviation, generator);
    };
    const double w = 1 / std::sqrt(static_cast<double>(kWidth));
    x_ = draw({std::int64_t{order} * order, kWidth}, 1);
    weights_ = {draw({4 * kWidth, kWidth}, w), draw({4 * kWidth}, 0.1), {}, {},
                draw({kWidth, kWidth}, w),     draw({kWidth}, 0.1)};
  }
  Tensor run(const std::string& kernel) const {
    AttentionOptions options;
    options.heads = kHeads;
    options.value_norm = true;
    options.kernel = kernel;
    return triangle_attention(x_, {order_}, weights_, options);
  }

 private:
  std::uint32_t order_;
  Tensor x_;
  AttentionWeights weights_;
};

}  // namespace

AttentionTime time_attention(std::uint32_t n) {
  torch::NoGradGuard no_grad;
  Config config = preset("brec");
  config.layers = 1;
  const Estimate e = estimate(config, {&n, 1});
  const Case one(n);
  AttentionTime time{
      default_kernel(), 0, {}, static_cast<double>(e.forward_bytes), static_cast<double>(e.plain_forward_bytes)};
  const Tensor ours = one.run(time.kernel);
  if (n <= kPlainOrder) {
    const Tensor plain = one.run("reference");
    if (!(((ours - plain).norm() / plain.norm()).item<double>() <= kFloatError))
      throw BugError("kernel " + time.kernel + " is wrong at n = " + std::to_string(n));
    time.plain_seconds = measure(3, [&] { one.run("reference"); }).median;
  }
  const clockid_t clock = time.kernel == "cuda" ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
  time.seconds = measure(
                     n < 100 ? 9 : 3, [&] { one.run(time.kernel); }, clock)
                     .median;
  return time;
}

}  // namespace leman::et
