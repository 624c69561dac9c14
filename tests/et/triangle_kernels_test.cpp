// Every kernel of triangular attention on plain memory, without LibTorch, so that sanitizers see
// all accesses. The CUDA kernels run on the host: they give the same bits in whatever order
// threads and blocks run, and removing a barrier shows. attention_test.cpp compares gradients with
// LibTorch's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "tests/cuda_host/triangle_cuda_host.hpp"
#include "tests/reference/attention_reference.hpp"
#include "wl/constructions/random.hpp"

namespace leman::et {
namespace {

const TriangleKernel& host_cuda() {
  static const TriangleKernel kernel{"cuda-host", [] { return true; },     nullptr,
                                     nullptr,     &triangle_cuda_host_f32, &triangle_cuda_host_f64};
  return kernel;
}

// A job with its own memory; numbers are drawn from a seed.
template <class T>
struct Work {
  Triangle<T> job;
  std::vector<std::vector<T>> memory;

  Work(std::vector<std::uint32_t> orders, std::size_t heads, std::size_t dh, bool qk_norm, bool value_norm) {
    job.orders = std::move(orders);
    job.width = 16, job.heads = heads, job.head_width = dh,
    job.scale = static_cast<T>(1 / std::sqrt(static_cast<double>(dh)));
    job.qk_norm = qk_norm, job.value_norm = value_norm;
    const std::size_t rows = job.rows(), inner = job.inner(), w = job.width;
    Rng rng(7);
    auto drawn = [&](std::size_t count) {
      auto& v = memory.emplace_back(count);
      for (T& x : v) x = static_cast<T>(2 * rng.uniform() - 1);
      return v.data();
    };
    auto empty = [&](std::size_t count) { return memory.emplace_back(count, static_cast<T>(NAN)).data(); };
    memory.reserve(32);
    job.x = drawn(rows * w), job.in_weight = drawn(4 * inner * w), job.in_bias = drawn(4 * inner);
    job.qk_gain = drawn(2 * dh), job.qk_shift = drawn(2 * dh);
    job.out_weight = drawn(w * inner), job.out_bias = drawn(w), job.grad_y = drawn(rows * w);
    job.y = empty(rows * w);
    job.grad_x = empty(rows * w), job.grad_in_weight = empty(4 * inner * w), job.grad_in_bias = empty(4 * inner);
    job.grad_qk_gain = empty(2 * dh), job.grad_qk_shift = empty(2 * dh);
    job.grad_out_weight = empty(w * inner), job.grad_out_bias = empty(w);
  }
  // Makes tokens symmetric, with the same weights for queries and keys and for both values, or
  // for all.
  void tie(bool all) {
    std::size_t at = 0;
    for (const std::size_t n : job.orders) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
          std::copy_n(&memory[0][(at + j * n + i) * job.width], job.width, &memory[0][(at + i * n + j) * job.width]);
      at += n * n;
    }
    for (const int k : {1, 2}) {
      const std::size_t part = memory[k].size() / 4;
      for (const std::size_t p : {1, 2, 3})
        if (all || p != 2) std::copy_n(&memory[k][(p - 1) * part], part, &memory[k][p * part]);
    }
    for (const int k : {3, 4}) std::copy_n(&memory[k][0], job.head_width, &memory[k][job.head_width]);
  }
  // Outputs and gradients, those of tied weights added up.
  std::vector<T> tied_results(const TriangleKernel& kernel, bool all) {
    results(kernel);
    auto fold = [](T* from, std::size_t part) {
      for (std::size_t k = 0; k < part; ++k) from[k] += from[part + k], from[part + k] = 0;
    };
    const std::size_t inner = job.inner(), width = job.width;
    for (const std::size_t from : {2, 1, 0}) {
      if (from == 1 && !all) continue;
      fold(job.grad_in_weight + from * inner * width, inner * width);
      fold(job.grad_in_bias + from * inner, inner);
    }
    fold(job.grad_qk_gain, job.head_width), fold(job.grad_qk_shift, job.head_width);
    return gathered();
  }
  // From rows of all pairs to the rows i <= j; if `add`, rows below the diagonal are added.
  void keep_upper(std::vector<T>& rows, bool add) const {
    std::vector<T> upper;
    std::size_t at = 0;
    for (const std::size_t n : job.orders) {
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i; j < n; ++j)
          for (std::size_t e = 0; e < job.width; ++e)
            upper.push_back(rows[(at + i * n + j) * job.width + e] +
                            (add && i != j ? rows[(at + j * n + i) * job.width + e] : T(0)));
      at += n * n;
    }
    std::copy(upper.begin(), upper.end(), rows.begin());
    rows.resize(upper.size());  // its memory does not move
  }
  // Turns the job and its results into those on the rows i <= j.
  void pack() {
    for (const int k : {0, 7, 8, 9}) keep_upper(memory[k], k == 7 || k == 9);  // x, grad_y, y, grad_x
    job.symmetric = true;
  }
  // The gradient of x may be left out, and so may the data for a backward pass; nothing else
  // changes.
  void expect_same_without_x(const TriangleKernel& kernel, std::vector<T> expected, bool all) {
    T* grad_x = std::exchange(job.grad_x, nullptr);
    std::vector<T> found = tied_results(kernel, all);
    job.grad_x = grad_x;
    const std::size_t rows = memory[8].size();  // numbers in y, and after it in grad_x
    EXPECT_TRUE(std::all_of(&found[rows], &found[2 * rows], [](T x) { return std::isnan(x); }));
    std::copy_n(&expected[rows], rows, &found[rows]);
    EXPECT_EQ(found, expected);
    std::fill(memory[8].begin(), memory[8].end(), static_cast<T>(NAN));
    std::vector<T> context(saved_context(kernel, job));
    job.context = context.data(), job.sums = nullptr;
    triangle_forward(kernel, job);
    EXPECT_TRUE(std::equal(memory[8].begin(), memory[8].end(), expected.begin()));
    EXPECT_THROW(triangle_backward(kernel, job), UsageError);
  }
  std::vector<T> gathered() const {
    std::vector<T> all;
    for (std::size_t k = 8; k < memory.size(); ++k)
      if (job.qk_norm || (memory[k].data() != job.grad_qk_gain && memory[k].data() != job.grad_qk_shift))
        all.insert(all.end(), memory[k].begin(), memory[k].end());
    return all;
  }
  // Outputs and gradients in sequence, with any kernel.
  std::vector<T> results(const TriangleKernel& kernel) {
    for (std::size_t k = 8; k < memory.size(); ++k) std::fill(memory[k].begin(), memory[k].end(), static_cast<T>(NAN));
    std::vector<T> context(saved_context(kernel, job)), sums(saved_sums(kernel, job));
    job.context = context.data(), job.sums = sums.data();
    triangle_forward(kernel, job);
    triangle_backward(kernel, job);
    return gathered();
  }
  // All results of the CUDA kernels, as bytes.
  std::string run(std::uint64_t seed, int drop = -1, const std::string& where = "") {
    cuda_host::set(seed, drop, where);
    const std::vector<T> all = results(host_cuda());
    cuda_host::set(1);
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(T)};
  }
};

template <class T>
void expect_same_bits() {
  for (const bool norm : {false, true}) {
    Work<T> work({19, 1, 5}, 2, 8, norm, norm);
    const std::string first = work.run(1);
    for (std::uint64_t seed = 2; seed < 8; ++seed) EXPECT_EQ(work.run(seed), first) << seed;
  }
}

TEST(CudaHost, SameBitsInEveryOrder) {
  expect_same_bits<float>();
  expect_same_bits<double>();
}

// The harness detects errors: without the barriers before the use of shared memory, without
// those after it, or without waiting for copies, results depend on the order.
TEST(CudaHost, ABarrierThatIsMissingShows) {
  Work<double> work({19}, 2, 8, true, true);
  const std::string right = work.run(1);
  for (const std::string kernel : {"product_kernel", "attend_kernel", "kNorm, true>", "kNorm, false>"})
    for (const int drop : {0, 1, 2}) {
      if (drop == 2 && kernel == "product_kernel") continue;  // has no copies to wait for
      for (std::uint64_t seed = 1; seed < 3; ++seed)
        EXPECT_NE(work.run(seed, drop, kernel), right) << kernel << ", left out: " << drop;
    }
}

std::vector<TriangleKernel> all_kernels() {
  std::vector<TriangleKernel> kernels;
  for (const TriangleKernel& kernel : triangle_kernels())
    if (kernel.supported()) kernels.push_back(kernel);
  kernels.push_back(host_cuda());
  return kernels;
}

TEST(TriangleKernels, OutputsAreThoseOfLoops) {
  for (const bool norm : {false, true})
    for (const TriangleKernel& kernel : all_kernels()) {
      Work<double> work({7}, 2, 5, norm, norm);
      work.results(kernel);
      const auto& m = work.memory;
      reference::AttentionInput in{7, 7, 16, 2, 5, 16, norm, norm, 1e-5, m[0], m[1], m[2], m[3], m[4], m[5], m[6]};
      const std::vector<double> expected = reference::triangle_attention(in);
      for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_NEAR(work.job.y[k], expected[k], 1e-12) << kernel.name;
    }
}

// Sizes that fit no tile, ragged batches, a single node: all kernels give the same numbers.
TEST(TriangleKernels, AgreeWithEachOther) {
  for (const bool norm : {false, true})
    for (const auto& [heads, dh] : {std::pair<std::size_t, std::size_t>{1, 8}, {3, 5}, {1, 12}, {2, 17}, {1, 64}}) {
      Work<double> work({17, 1, 4}, heads, dh, norm, norm);
      const std::vector<double> expected = work.results(triangle_kernels().back());
      double largest = 0;
      for (const double x : expected) largest = std::max(largest, std::abs(x));
      for (const TriangleKernel& kernel : all_kernels()) {
        const std::vector<double> found = work.results(kernel);
        for (std::size_t k = 0; k < expected.size(); ++k)
          ASSERT_NEAR(found[k], expected[k], 1e-12 * largest) << kernel.name << ", heads of " << dh << ", entry " << k;
      }
      Work<float> narrow({17, 1, 4}, heads, dh, norm, norm);
      for (const TriangleKernel& kernel : all_kernels())
        for (std::size_t k = 0; const float x : narrow.results(kernel))
          ASSERT_NEAR(x, expected[k++], 1e-4 * largest) << kernel.name << ", heads of " << dh << ", entry " << k;
    }
}

// A job declared symmetric gives the same numbers.
template <class T>
void symmetric_jobs(double tolerance, bool all) {
  for (const bool norm : {false, true})
    for (const auto& [heads, dh] :
         {std::pair<std::size_t, std::size_t>{2, 8}, {2, 1}, {2, 3}, {3, 5}, {1, 17}, {1, 64}}) {
      Work<T> work({19, 1, 4, 8}, heads, dh, norm, norm);
      work.tie(all);
      work.tied_results(triangle_kernels().back(), all);
      work.pack();
      const std::vector<T> expected = work.gathered();
      double largest = 0;
      for (const T x : expected) largest = std::max(largest, std::abs(double{x}));
      for (const TriangleKernel& kernel : all_kernels()) {
        if (kernel.device64) {
          EXPECT_THROW(work.results(kernel), UsageError);
          continue;
        }
        const std::vector<T> found = work.tied_results(kernel, all);
        for (std::size_t k = 0; k < expected.size(); ++k)
          ASSERT_NEAR(found[k], expected[k], tolerance * largest)
              << kernel.name << ", heads of " << dh << ", entry " << k;
      }
      const TriangleKernel best = all_kernels().front();
      const std::vector<T> alone = work.tied_results(best, all);
      work.job.threads = 3;
      EXPECT_EQ(work.tied_results(best, all), alone) << "heads of " << dh;
      work.expect_same_without_x(best, alone, all);
      work.job.dropout = 0.5;
      EXPECT_THROW(work.results(triangle_kernels().back()), UsageError);
    }
}

TEST(TriangleKernels, SymmetricJobs) {
  for (const bool all : {false, true}) {
    symmetric_jobs<float>(2e-5, all);
    symmetric_jobs<double>(1e-12, all);
  }
}

// Pointers to device memory are used directly; on the host both memories are the same.
TEST(CudaHost, DeviceMemoryNeedsNoCopy) {
  Work<float> work({6, 3}, 2, 8, true, true);
  const std::string copied = work.run(1);
  work.job.on_device = true;
  EXPECT_EQ(work.run(1), copied);
}

TEST(CudaHost, HeadsThatAreTooWideAreRefused) {
  Work<float> work({2}, 1, 65, false, false);
  EXPECT_THROW(work.run(1), UsageError);
}

}  // namespace
}  // namespace leman::et
