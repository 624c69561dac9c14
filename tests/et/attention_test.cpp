// The kernels of triangular attention against plain LibTorch, against loops in
// tests/reference, and against themselves.
#include "et/attention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>

#include "et/kernels/triangle.hpp"
#include "et/quotient_attention.hpp"
#include "et/torch.hpp"
#include "tests/cuda_host/triangle_cuda_host.hpp"
#include "tests/reference/attention_reference.hpp"

namespace leman::et {
namespace {

using torch::Tensor;

// The CUDA kernels, run on the host, are one more kernel to test.
[[maybe_unused]] const bool host_cuda_added = [] {
  add_triangle_kernel(
      {"cuda-host", [] { return true; }, nullptr, nullptr, &triangle_cuda_host_f32, &triangle_cuda_host_f64});
  return true;
}();

struct Case {
  std::vector<std::uint32_t> orders;
  std::int64_t heads, head_width, in, out;
  bool qk_norm, value_norm;
  double dropout = 0;
  double input_scale = 1;

  std::string text() const {
    std::string s = "orders";
    for (auto n : orders) s += " " + std::to_string(n);
    return s + ", " + std::to_string(heads) + " heads of " + std::to_string(head_width) + ", in " + std::to_string(in) +
           ", out " + std::to_string(out) + (qk_norm ? ", qk_norm" : "") + (value_norm ? ", value_norm" : "") +
           ", dropout " + std::to_string(dropout) + ", scale " + std::to_string(input_scale);
  }
};

// x, weights and a gradient of the output; drawn in float64 whatever the type.
struct Data {
  std::vector<Tensor> leaves;  // x, in_weight, in_bias, qk_gain, qk_shift, out_weight, out_bias
  Tensor grad;

  Data(const Case& c, torch::Dtype dtype, std::uint64_t seed) {
    auto generator = at::detail::createCPUGenerator(seed);
    auto draw = [&](torch::IntArrayRef shape, double scale, double centre = 0) {
      return torch::empty(shape, torch::kFloat64).normal_(centre, scale, generator).to(dtype);
    };
    std::int64_t rows = 0;
    for (std::int64_t n : c.orders) rows += n * n;
    const std::int64_t inner = c.heads * c.head_width;
    const double w = 1 / std::sqrt(static_cast<double>(c.in));
    leaves = {draw({rows, c.in}, c.input_scale), draw({4 * inner, c.in}, w), draw({4 * inner}, 0.2), Tensor(), Tensor(),
              draw({c.out, inner}, 0.3),         draw({c.out}, 0.2)};
    Tensor gain = draw({2, c.head_width}, 0.3, 1), shift = draw({2, c.head_width}, 0.3);
    if (c.qk_norm) leaves[3] = gain, leaves[4] = shift;
    grad = draw({rows, c.out}, 1);
  }

  // The output, then the gradients of all leaves.
  std::vector<Tensor> run(const Case& c, const std::string& kernel, unsigned threads = 1) const {
    std::vector<Tensor> t;
    for (const Tensor& leaf : leaves) t.push_back(leaf.defined() ? leaf.detach().clone().requires_grad_() : Tensor());
    AttentionOptions options;
    options.heads = c.heads;
    options.value_norm = c.value_norm;
    options.kernel = kernel;
    options.threads = threads;
    options.dropout = c.dropout;
    options.seed = 77;
    Tensor y = triangle_attention(t[0], c.orders, {t[1], t[2], t[3], t[4], t[5], t[6]}, options);
    y.backward(grad.to(y.dtype()));
    std::vector<Tensor> results{y.detach()};
    for (const Tensor& leaf : t)
      if (leaf.defined()) results.push_back(leaf.grad());
    return results;
  }
};

double relative_error(const Tensor& a, const Tensor& exact) {
  const Tensor e = exact.to(torch::kFloat64);
  const double norm = e.norm().item<double>();
  return (a.to(torch::kFloat64) - e).norm().item<double>() / (norm > 0 ? norm : 1);
}

std::vector<std::string> fast_kernels() {
  auto names = kernel_names();
  names.pop_back();  // reference
  return names;
}

void expect_near_reference(const Case& c, double tolerance) {
  const Data data(c, torch::kFloat64, 5);
  const auto expected = data.run(c, "reference");
  for (const std::string& kernel : fast_kernels()) {
    const auto found = data.run(c, kernel);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_LT(relative_error(found[k], expected[k]), tolerance)
          << kernel << ", tensor " << k << " (0 is the output), " << c.text();
  }
}

TEST(TriangleAttention, ForwardAndEveryGradientMatchReferenceInDouble) {
  for (bool qk_norm : {false, true})
    for (bool value_norm : {false, true}) {
      for (std::uint32_t n : {1u, 2u, 7u, 13u, 33u})
        for (std::int64_t width : {8, 5}) expect_near_reference({{n}, 2, width, 16, 16, qk_norm, value_norm}, 1e-12);
      for (std::int64_t heads = 1; heads <= 12; ++heads)
        expect_near_reference({{7}, heads, 2 + heads % 4, 11, 13, qk_norm, value_norm}, 1e-12);
      expect_near_reference({{3, 18, 1, 9}, 4, 8, 32, 32, qk_norm, value_norm}, 1e-12);
    }
  expect_near_reference({{100}, 1, 8, 8, 8, true, true}, 1e-12);
  expect_near_reference({{20}, 2, 40, 64, 80, false, true}, 1e-12);
}

// Scores far beyond the range of exp, so that the maximum has to be subtracted.
TEST(TriangleAttention, LargeScores) {
  for (bool value_norm : {false, true}) {
    expect_near_reference({{17}, 2, 8, 16, 16, false, value_norm, 0, 60}, 1e-11);
    expect_near_reference({{17}, 2, 5, 16, 16, false, value_norm, 0, 60}, 1e-11);
  }
  for (double scale : {1e3, 3e8, 3e9}) {  // products of squares overflow float32, scores do not
    const Case c{{9}, 1, 8, 16, 16, false, false, 0, scale};
    for (const std::string& kernel : fast_kernels())
      EXPECT_TRUE(Data(c, torch::kFloat32, 3).run(c, kernel)[0].isfinite().all().item<bool>()) << kernel << scale;
  }
}

TEST(TriangleAttention, DropoutIsThatOfTheReference) {
  for (bool value_norm : {false, true}) {
    expect_near_reference({{19}, 2, 8, 16, 16, true, value_norm, 0.3}, 1e-12);
    expect_near_reference({{6, 11}, 3, 4, 16, 16, false, value_norm, 0.3}, 1e-12);
  }
}

// Symmetric tokens and tied weights, made from independent leaves: (z + z')/2, and one
// projection for queries and keys and one for both values, or one for all. The results
// are those of the rows i <= j.
std::vector<Tensor> run_symmetric(const Case& c, const Data& data, const std::string& kernel, bool symmetric,
                                  bool one_projection) {
  std::vector<Tensor> leaves;
  for (const Tensor& leaf : data.leaves)
    if (leaf.defined()) leaves.push_back(leaf.clone().requires_grad_());
  const std::int64_t inner = c.heads * c.head_width;
  auto tied = [&](const Tensor& t) {
    const Tensor qk = t.slice(0, 0, inner), v = one_projection ? qk : t.slice(0, 2 * inner, 3 * inner);
    return torch::cat({qk, qk, v, v});
  };
  std::vector<Tensor> parts;
  std::vector<std::int64_t> upper;
  std::int64_t at = 0;
  for (std::int64_t n : c.orders) {
    const Tensor z = leaves[0].slice(0, at, at + n * n).view({n, n, c.in});
    parts.push_back(((z + z.transpose(0, 1)) / 2).reshape({n * n, c.in}));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i; j < n; ++j) upper.push_back(at + i * n + j);
    at += n * n;
  }
  auto half = [&](const Tensor& t) { return t.index_select(0, torch::tensor(upper)); };
  const Tensor x = torch::cat(parts);
  AttentionOptions options;
  options.heads = c.heads;
  options.value_norm = c.value_norm;
  options.symmetric = symmetric;
  options.kernel = kernel;
  AttentionWeights w{tied(leaves[1]), tied(leaves[2]), {}, {}, leaves[leaves.size() - 2], leaves.back()};
  if (c.qk_norm) w.qk_gain = leaves[3][0].repeat({2, 1}), w.qk_shift = leaves[4][0].repeat({2, 1});
  Tensor y = triangle_attention(symmetric ? half(x) : x, c.orders, w, options);
  if (!symmetric) y = half(y);
  y.backward(half(data.grad).to(y.dtype()));
  std::vector<Tensor> results{y.detach()};
  for (const Tensor& leaf : leaves) results.push_back(leaf.grad());
  return results;
}

TEST(TriangleAttention, SymmetricJobsMatchTheReference) {
  for (const bool norm : {false, true})
    for (const Case& c : {Case{{1, 2, 7}, 2, 8, 16, 16, norm, norm}, Case{{8, 9}, 1, 5, 16, 16, norm, norm},
                          Case{{33}, 4, 8, 32, 32, norm, norm}, Case{{49, 16}, 1, 8, 8, 16, norm, norm}}) {
      for (const bool one : {false, true}) {
        const Data data(c, torch::kFloat64, 31);
        const auto expected = run_symmetric(c, data, "reference", false, one);
        auto kernels = fast_kernels();
        kernels.push_back("reference");  // via all pairs
        for (const std::string& kernel : kernels) {
          const auto found = run_symmetric(c, data, kernel, true, one);
          for (std::size_t k = 0; k < found.size(); ++k)
            EXPECT_LT(relative_error(found[k], expected[k]), 1e-12) << kernel << ", tensor " << k << ", " << c.text();
        }
      }
    }
}

// One draw in float32, the same numbers in float64, and these again with each moved by a random
// rounding. No float32 code can be blamed for a difference of that size.
struct Draw {
  Data single, exact, moved;

  Draw(const Case& c, std::uint64_t seed)
      : single(c, torch::kFloat32, seed), exact(c, torch::kFloat64, seed), moved(c, torch::kFloat64, seed) {
    auto generator = at::detail::createCPUGenerator(seed);
    auto rounded = [&](const Tensor& t) { return t.to(torch::kFloat32).to(torch::kFloat64); };
    auto shaken = [&](const Tensor& t) {
      return t * (1 + 0x1p-24 * (2 * torch::rand(t.sizes(), generator, torch::kFloat64) - 1));
    };
    for (std::size_t k = 0; k < exact.leaves.size(); ++k)
      if (exact.leaves[k].defined()) {
        exact.leaves[k] = rounded(exact.leaves[k]);
        moved.leaves[k] = shaken(exact.leaves[k]);
      }
    exact.grad = single.grad = rounded(exact.grad);
    moved.grad = shaken(exact.grad);
  }
};

using Attention = std::function<std::vector<Tensor>(const Data&, const std::string& kernel)>;

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// The number of roundings on the way to an entry of tensor k: projection, score and mean, softmax
// and weighted sum, output. Gradients that add up all pairs do so row by row.
double roundings(const Case& c, std::size_t k) {
  const auto n = static_cast<double>(*std::max_element(c.orders.begin(), c.orders.end()));
  return static_cast<double>(c.in + 2 * c.head_width + c.heads * c.head_width) + 2 * n + (k >= 2 ? 2 * n : 0);
}

// Float32 errors of the fast kernels over many draws. The unit is the change made by one rounding of
// every input: that much is due to the draw, the rest to the kernel. s independent roundings add up to
// about sqrt(s / 4): a rounding is at most half a unit, and the last steps of a sum weigh most. The
// median must not be larger, and no draw may exceed four times that. Neither depends on the processor.
// LibTorch's own error does (another BLAS sums in another order), so the comparison with it is a mean
// over all tensors.
void expect_float32_accuracy(const Case& c, const Attention& plain, const Attention& fast, int draws) {
  std::map<std::string, std::vector<std::vector<double>>> errors;  // by kernel: [tensor][draw]
  auto measure = [&](const std::string& kernel, const std::vector<Tensor>& found, const std::vector<Tensor>& truth,
                     const std::vector<Tensor>& moved) {
    errors[kernel].resize(found.size());
    for (std::size_t k = 0; k < found.size(); ++k)
      errors[kernel][k].push_back(relative_error(found[k], truth[k]) / relative_error(moved[k], truth[k]));
  };
  for (int d = 0; d < draws; ++d) {
    const Draw draw(c, 9 + static_cast<std::uint64_t>(d));
    const auto truth = plain(draw.exact, "reference"), moved = plain(draw.moved, "reference");
    measure("reference", plain(draw.single, "reference"), truth, moved);
    for (const std::string& kernel : fast_kernels())
      if (d < 3 || kernel != "cuda-host")  // cuda-host takes a hundred times as long as the others
        measure(kernel, fast(draw.single, kernel), truth, moved);
  }
  for (const std::string& kernel : fast_kernels()) {
    double log_ratio = 0;
    const auto& tensors = errors[kernel];
    for (std::size_t k = 0; k < tensors.size(); ++k) {
      const double usual = std::sqrt(roundings(c, k) / 4);
      EXPECT_LE(median(tensors[k]), usual) << kernel << ", tensor " << k << " (0 is the output), " << c.text();
      EXPECT_LE(*std::max_element(tensors[k].begin(), tensors[k].end()), 4 * usual)
          << kernel << ", tensor " << k << ", " << c.text();
      log_ratio += std::log(median(tensors[k]) / median(errors["reference"][k]));
    }
    EXPECT_LE(std::exp(log_ratio / static_cast<double>(tensors.size())), 1.5)
        << kernel << ": errors over LibTorch's, " << c.text();
  }
}

TEST(TriangleAttention, SymmetricJobsAreAsExactAsLibTorch) {
  const Case c{{37}, 4, 8, 32, 32, true, true};
  for (const bool one : {false, true})
    expect_float32_accuracy(
        c, [&](const Data& d, const std::string& kernel) { return run_symmetric(c, d, kernel, false, one); },
        [&](const Data& d, const std::string& kernel) { return run_symmetric(c, d, kernel, true, one); }, 4);
}

// The last case is there for its size: a single long sum over all pairs would show.
TEST(TriangleAttention, Float32IsAsExactAsLibTorch) {
  for (const Case& c : {Case{{13}, 4, 8, 32, 32, false, true}, Case{{33}, 4, 8, 32, 32, true, true},
                        Case{{33}, 2, 32, 64, 64, false, true}, Case{{40}, 4, 8, 32, 32, false, false},
                        Case{{21}, 12, 4, 48, 48, true, true}, Case{{24}, 8, 2, 16, 16, false, true},
                        Case{{9, 30}, 3, 5, 15, 15, false, true}, Case{{64}, 1, 8, 8, 8, false, true}}) {
    const Attention run = [&](const Data& d, const std::string& kernel) { return d.run(c, kernel); };
    expect_float32_accuracy(c, run, run, c.orders[0] == 64 ? 3 : 8);
  }
}

TEST(TriangleAttention, GradientsAreFiniteDifferences) {
  const Case c{{4, 3}, 2, 3, 5, 6, true, true};
  const Data data(c, torch::kFloat64, 12);
  for (const std::string& kernel : fast_kernels()) {
    const auto analytic = data.run(c, kernel);
    std::size_t tensor = 0;
    for (std::size_t leaf = 0; leaf < data.leaves.size(); ++leaf) {
      if (!data.leaves[leaf].defined()) continue;
      ++tensor;
      for (std::int64_t at = 0; at < data.leaves[leaf].numel(); at += 3) {
        double value[2];
        for (int side : {0, 1}) {
          Data moved = data;
          moved.leaves[leaf] = data.leaves[leaf].clone();
          moved.leaves[leaf].view(-1)[at] += side ? 1e-5 : -1e-5;
          value[side] = (moved.run(c, kernel)[0] * data.grad).sum().item<double>();
        }
        EXPECT_NEAR(analytic[tensor].reshape(-1)[at].item<double>(), (value[1] - value[0]) / 2e-5, 1e-6)
            << kernel << ", leaf " << leaf << " at " << at;
      }
    }
  }
}

// The LibTorch reference itself, and padding with a mask, against plain loops.
TEST(TriangleAttention, AgreesWithLoopsOverAPaddedMaskedArray) {
  for (bool qk_norm : {false, true})
    for (bool value_norm : {false, true}) {
      const Case c{{5, 8}, 3, 4, 7, 9, qk_norm, value_norm};
      const Data data(c, torch::kFloat64, 21);
      auto list = [](const Tensor& t) {
        return t.defined() ? std::vector<double>(t.data_ptr<double>(), t.data_ptr<double>() + t.numel())
                           : std::vector<double>();
      };
      std::vector<double> expected;
      std::size_t start = 0;
      for (std::size_t n : c.orders) {
        reference::AttentionInput a{n,
                                    n + 3,
                                    7,
                                    3,
                                    4,
                                    9,
                                    qk_norm,
                                    value_norm,
                                    1e-5,
                                    {},
                                    list(data.leaves[1]),
                                    list(data.leaves[2]),
                                    list(data.leaves[3]),
                                    list(data.leaves[4]),
                                    list(data.leaves[5]),
                                    list(data.leaves[6])};
        const auto x = list(data.leaves[0]);
        a.x.assign(a.padded * a.padded * a.in, 1e3);  // masked entries must not matter
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            for (std::size_t e = 0; e < a.in; ++e)
              a.x[(i * a.padded + j) * a.in + e] = x[(start + i * n + j) * a.in + e];
        const auto y = reference::triangle_attention(a);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j)
            expected.insert(expected.end(), y.begin() + (i * a.padded + j) * a.out,
                            y.begin() + (i * a.padded + j + 1) * a.out);
        start += n * n;
      }
      const Tensor truth = torch::tensor(expected, torch::kFloat64).view({-1, 9});
      for (const std::string& kernel : kernel_names())
        EXPECT_LT(relative_error(data.run(c, kernel)[0], truth), 1e-13) << kernel << ", " << c.text();
    }
}

// Graphs of a batch do not affect each other, and the number of threads does not
// matter: results are equal to the last bit.
TEST(TriangleAttention, ThreadsAndBatchesDoNotMatter) {
  for (auto dtype : {torch::kFloat32, torch::kFloat64})
    for (const std::string& kernel : fast_kernels()) {
      const Case c{{21, 5, 34}, 4, 8, 32, 32, true, true, 0.1};
      const Data data(c, dtype, 31);
      const auto once = data.run(c, kernel, 1);
      for (unsigned threads : {2u, 3u, 8u}) {
        const auto again = data.run(c, kernel, threads);
        for (std::size_t k = 0; k < once.size(); ++k) EXPECT_TRUE(torch::equal(once[k], again[k])) << kernel << k;
      }
      const Case alone{{21}, 4, 8, 32, 32, true, true, 0.1};
      Data first = data;
      first.leaves[0] = data.leaves[0].slice(0, 0, 21 * 21);
      first.grad = data.grad.slice(0, 0, 21 * 21);
      const auto part = first.run(alone, kernel);
      EXPECT_TRUE(torch::equal(part[0], once[0].slice(0, 0, 21 * 21))) << kernel;
      EXPECT_TRUE(torch::equal(part[1], once[1].slice(0, 0, 21 * 21))) << kernel;
    }
}

TEST(TriangleAttention, Equivariant) {
  const std::int64_t n = 23;
  const Case c{{23}, 4, 8, 32, 32, true, true};
  const Data data(c, torch::kFloat64, 41);
  auto generator = at::detail::createCPUGenerator(4);
  const Tensor order = torch::randperm(n, generator, torch::kInt64);
  auto permuted = [&](const Tensor& t) {
    return t.view({n, n, -1}).index_select(0, order).index_select(1, order).reshape({n * n, -1});
  };
  for (const std::string& kernel : kernel_names()) {
    const auto plain = data.run(c, kernel);
    Data moved = data;
    moved.leaves[0] = permuted(data.leaves[0]);
    moved.grad = permuted(data.grad);
    const auto other = moved.run(c, kernel);
    EXPECT_LT(relative_error(other[0], permuted(plain[0])), 1e-13) << kernel;
    EXPECT_LT(relative_error(other[1], permuted(plain[1])), 1e-13) << kernel;
    for (std::size_t k = 2; k < plain.size(); ++k) EXPECT_LT(relative_error(other[k], plain[k]), 1e-12) << kernel;
  }
}

// The softmax must not hide a NaN.
TEST(TriangleAttention, NotANumberStaysNone) {
  for (int leaf : {0, 1, 2}) {
    const Case c{{6}, 1, 8, 16, 16, false, true};
    Data data(c, torch::kFloat32, 51);
    data.leaves[leaf].view(-1)[0] = std::numeric_limits<float>::quiet_NaN();  // leaf 1, 2: in the queries only
    const Tensor truth = data.run(c, "reference")[0].isnan();
    EXPECT_TRUE(truth.any().item<bool>());
    for (const std::string& kernel : fast_kernels())
      EXPECT_TRUE(torch::equal(data.run(c, kernel)[0].isnan(), truth)) << kernel << ", leaf " << leaf;
  }
}

// One query or key overflows while all values are finite. Plain LibTorch and the online
// softmax of CUDA show NaN where the score is plus infinity, the other kernels in the
// whole row or column.
TEST(TriangleAttention, OverflowOfOneTokenStaysVisible) {
  for (int slot : {0, 1}) {
    const Case c{{6}, 1, 8, 16, 16, false, true};
    Data data(c, torch::kFloat32, 52);
    data.leaves[1].select(1, 0).zero_();
    data.leaves[1][slot * 8][0] = 1e30f;
    data.leaves[0].select(1, 0).zero_();
    data.leaves[0][8][0] = 1e30f;
    const Tensor truth = data.run(c, "reference")[0].isnan();
    EXPECT_TRUE(truth.any().item<bool>());
    for (const std::string& kernel : fast_kernels()) {
      const Tensor found = data.run(c, kernel)[0].isnan();
      EXPECT_FALSE((truth & ~found).any().item<bool>()) << kernel << ", slot " << slot;
      if (!kernel.starts_with("cuda")) {
        EXPECT_EQ(found.any(1).sum().item<int>(), 6) << kernel << ", slot " << slot;
      }
    }
  }
}

TEST(TriangleAttention, KernelNames) {
  EXPECT_EQ(kernel_names().back(), "reference");
  for (const std::string& name : kernel_names()) {
    ::setenv("LEMAN_KERNEL", name.c_str(), 1);
    EXPECT_EQ(default_kernel(), name);
  }
  ::setenv("LEMAN_KERNEL", "abacus", 1);
  EXPECT_THROW(default_kernel(), UsageError);
  ::unsetenv("LEMAN_KERNEL");
  EXPECT_EQ(default_kernel(), kernel_names().front());
}

TEST(TriangleAttention, WrongShapesAreErrors) {
  const Case c{{4}, 2, 4, 8, 8, false, false};
  Data data(c, torch::kFloat32, 1);
  const auto& t = data.leaves;
  EXPECT_ANY_THROW(triangle_attention(t[0], {5}, {t[1], t[2], t[3], t[4], t[5], t[6]}, {}));
  AttentionOptions options;
  options.heads = 3;
  EXPECT_ANY_THROW(triangle_attention(t[0], {4}, {t[1], t[2], t[3], t[4], t[5], t[6]}, options));
  EXPECT_ANY_THROW(triangle_attention(t[0], {4}, {t[1].t(), t[2], t[3], t[4], t[5], t[6]}, {}));
}

}  // namespace
}  // namespace leman::et
