#include "et/kernels/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <numbers>

#ifdef LEMAN_CUDA
#include "et/kernels/cuda/triangle_cuda.hpp"
#endif
#include "base/cpu.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "et/kernels/triangle_stages.hpp"

namespace leman::et {

namespace {

std::size_t round_up(std::size_t value, std::size_t step) { return (value + step - 1) / step * step; }

struct Free {
  void operator()(void* p) const { std::free(p); }
};

// Uninitialised memory, aligned to a cache line.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count = 0) { grow(count); }
  T* grow(std::size_t count) {
    if (count > count_) {
      data_.reset(static_cast<T*>(std::aligned_alloc(64, round_up(count * sizeof(T), 64))));
      if (!data_) throw std::bad_alloc();
      count_ = count;
    }
    return data_.get();
  }
  T* get() const { return data_.get(); }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t k) const { return data_.get()[k]; }

 private:
  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0;
};

template <class T>
const TriangleStages<T>& stages_of(const TriangleKernel& kernel) {
  if constexpr (sizeof(T) == 4)
    return *kernel.f32;
  else
    return *kernel.f64;
}

// The index in the caller's [4, inner] of channel m of qv (q, v1) or kv (k, v2). In
// qv and kv heads are outermost.
template <class T>
std::size_t natural(const Triangle<T>& job, std::size_t m, bool kv) {
  const std::size_t dh = job.head_width, head = m / (2 * dh), second = m / dh % 2, c = m % dh;
  return (kv + 2 * second) * job.inner() + head * dh + c;
}

// Whether the values of a symmetric job have the same weights as its keys.
template <class T>
bool one_projection(const Triangle<T>& job) {
  const std::size_t inner = job.inner(), block = inner * job.width;
  return job.symmetric && std::equal(job.in_weight + block, job.in_weight + 2 * block, job.in_weight + 3 * block) &&
         std::equal(job.in_bias + inner, job.in_bias + 2 * inner, job.in_bias + 3 * inner);
}

// The weights in the layouts of GraphJob.
template <class T>
struct Packed {
  const Triangle<T>& job;
  bool tied;
  std::size_t channels, qs, kv_channels;
  T factor;  // of queries
  Buffer<T> qv_columns, qv_rows, kv_rows, qv_bias, kv_bias, affine, out_columns;

  Packed(const Triangle<T>& job_, std::size_t lanes)
      : job(job_),
        tied(one_projection(job)),
        channels(2 * job.inner()),
        qs(round_up(channels, lanes)),
        kv_channels(tied ? job.inner() : channels),
        factor(job.scale * std::numbers::log2e_v<T>),
        qv_columns(job.width * qs),
        qv_rows(channels * job.width),
        kv_rows(kv_channels * job.width),
        qv_bias(qs),
        kv_bias(kv_channels),
        affine(4 * job.head_width),
        out_columns(job.inner() * job.width) {
    const std::size_t width = job.width, dh = job.head_width;
    std::fill_n(qv_columns.get(), width * qs, T(0));
    std::fill_n(qv_bias.get(), qs, T(0));
    for (std::size_t m = 0; m < channels; ++m) {
      const std::size_t q = natural(job, m, false);
      const T f = query_factor(m);
      for (std::size_t e = 0; e < width; ++e)
        qv_columns[e * qs + m] = qv_rows[m * width + e] = job.in_weight[q * width + e] * f;
      qv_bias[m] = job.in_bias[q] * f;
    }
    for (std::size_t m = 0; m < kv_channels; ++m) {
      std::copy_n(job.in_weight + kv_natural(m) * width, width, &kv_rows[m * width]);
      kv_bias[m] = job.in_bias[kv_natural(m)];
    }
    if (job.qk_norm)
      for (std::size_t c = 0; c < dh; ++c) {
        affine[c] = job.qk_gain[c] * factor, affine[dh + c] = job.qk_shift[c] * factor;
        affine[2 * dh + c] = job.qk_gain[dh + c], affine[3 * dh + c] = job.qk_shift[dh + c];
      }
    for (std::size_t e = 0; e < width; ++e)
      for (std::size_t c = 0; c < job.inner(); ++c) out_columns[c * width + e] = job.out_weight[e * job.inner() + c];
  }

  std::size_t kv_natural(std::size_t m) const { return tied ? job.inner() + m : natural(job, m, true); }

  // The weights of queries carry the factor if no norm follows; otherwise the gain and
  // shift of the norm do.
  T query_factor(std::size_t m) const { return job.qk_norm || m / job.head_width % 2 ? T(1) : factor; }
};

// Buffers for one graph. A thread keeps small ones for the next graph: new memory from
// the system would cost as much as the work on a small graph.
template <class T>
struct Workspace {
  static constexpr std::size_t kKeep = 8u << 20;  // largest buffer to keep, in bytes
  void trim() {
    for (Buffer<T>* buffer : {&x, &qv, &kv, &q_top, &grad_context, &dots, &grad_qv, &grad_kv, &q_hat, &q_inverse,
                              &k_hat, &k_inverse, &grad_affine, &grad_bias, &grad_y, &grad_x})
      if (buffer->size() * sizeof(T) > kKeep) *buffer = Buffer<T>();
  }
  Buffer<T> x, qv, kv, q_top, grad_context, dots, grad_qv, grad_kv, q_hat, q_inverse, k_hat, k_inverse, grad_affine,
      grad_bias, grad_y, grad_x;
};

template <class T>
struct Offsets {  // of a graph within the batch
  std::size_t rows = 0, context = 0, sums = 0;
};

template <class T>
std::vector<Offsets<T>> offsets_of(const Triangle<T>& job, std::size_t lanes) {
  std::vector<Offsets<T>> at(job.orders.size() + 1);
  for (std::size_t g = 0; g < job.orders.size(); ++g) {
    const std::size_t n = job.orders[g], np = round_up(n, lanes);
    at[g + 1] = {at[g].rows + pair_rows(n, job.symmetric), at[g].context + n * np * job.inner(),
                 at[g].sums + n * np * job.heads};
  }
  return at;
}

// Expands the rows i <= j to all pairs; below the diagonal mirrored, or zero.
template <class T>
const T* all_pairs(const T* upper, std::size_t n, std::size_t width, bool mirror, Buffer<T>& space) {
  T* to = space.grow(n * n * width);
  for (std::size_t i = 0; i < n; ++i) {
    if (!mirror) std::fill_n(to + i * n * width, i * width, T(0));
    std::copy_n(upper, (n - i) * width, to + (i * n + i) * width);
    for (std::size_t j = i + 1; j < n && mirror; ++j)
      std::copy_n(upper + (j - i) * width, width, to + (j * n + i) * width);
    upper += (n - i) * width;
  }
  return to;
}

// The reverse: row (i,j) gets the sum of (i,j) and (j,i).
template <class T>
void fold_pairs(const T* all, std::size_t n, std::size_t width, T* upper) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j, upper += width)
      for (std::size_t e = 0; e < width; ++e)
        upper[e] = all[(i * n + j) * width + e] + (i == j ? T(0) : all[(j * n + i) * width + e]);
}

template <class T>
GraphJob<T> graph_job(const Packed<T>& packed, std::size_t lanes, std::size_t graph, const Offsets<T>& at,
                      Workspace<T>& space, bool backward) {
  const Triangle<T>& job = packed.job;
  const std::size_t n = job.orders[graph], np = round_up(n, lanes), dh = job.head_width, inner = job.inner();
  GraphJob<T> g{};
  g.graph = graph;
  g.n = n, g.np = np, g.width = job.width, g.heads = job.heads, g.dh = dh, g.inner = inner, g.qs = packed.qs;
  g.kv_channels = packed.kv_channels;
  g.qk_norm = job.qk_norm, g.value_norm = job.value_norm, g.symmetric = job.symmetric, g.query_factor = packed.factor,
  g.epsilon = job.epsilon;
  g.dropout = {static_cast<std::uint32_t>(job.dropout * 4294967296.0), job.seed};
  g.keep_scale = static_cast<T>(1 / (1 - job.dropout));
  g.qv_columns = packed.qv_columns.get(), g.qv_rows = packed.qv_rows.get(), g.kv_rows = packed.kv_rows.get();
  g.qv_bias = packed.qv_bias.get(), g.kv_bias = packed.kv_bias.get();
  g.q_gain = packed.affine.get(), g.q_shift = g.q_gain + dh, g.k_gain = g.q_shift + dh, g.k_shift = g.k_gain + dh;
  g.out_columns = packed.out_columns.get(), g.out_rows = job.out_weight, g.out_bias = job.out_bias;
  g.x = job.x + at.rows * job.width;
  if (job.symmetric) g.x = all_pairs(g.x, n, job.width, true, space.x);
  g.context = job.context + at.context, g.sums = job.sums ? job.sums + at.sums : nullptr;
  if (!backward || !job.symmetric) g.qv = space.qv.grow(n * n * packed.qs);
  g.kv = space.kv.grow(n * np * 2 * inner);
  g.q_top = space.q_top.grow(n * job.heads);
  if (!backward) {
    g.y = job.y + at.rows * job.width;
    return g;
  }
  g.grad_y = job.grad_y + at.rows * job.width;
  if (job.symmetric) g.grad_y = all_pairs(g.grad_y, n, job.width, false, space.grad_y);
  if (job.grad_x) g.grad_x = job.symmetric ? space.grad_x.grow(n * n * job.width) : job.grad_x + at.rows * job.width;
  g.grad_context = space.grad_context.grow(n * np * inner);
  g.dots = space.dots.grow(n * np * job.heads);
  if (!job.symmetric) g.grad_qv = space.grad_qv.grow(n * n * packed.qs);
  g.grad_kv = space.grad_kv.grow(n * np * 2 * inner);
  g.grad_bias = space.grad_bias.grow(n * (packed.qs + 2 * inner));
  if (job.qk_norm) {
    if (!job.symmetric) {
      g.q_hat = space.q_hat.grow(n * n * inner), g.q_inverse = space.q_inverse.grow(n * n * job.heads);
    }
    g.k_hat = space.k_hat.grow(n * np * inner), g.k_inverse = space.k_inverse.grow(n * np * job.heads);
    g.grad_affine = space.grad_affine.grow(n * 4 * dh);
    std::fill_n(g.grad_affine, n * 4 * dh, T(0));
  }
  return g;
}

// Runs the tasks of one stage, each with its thread's scratch.
template <class T, class Body>
void run_stage(std::size_t tasks, std::size_t scratch, unsigned threads, Body body) {
  parallel_for(tasks, threads, [&](std::size_t task) {
    static thread_local Buffer<T> buffer;
    body(task, buffer.grow(scratch));
  });
}

// Runs graphs in parallel if there are enough of them, else one graph after the
// other with its stages on all threads.
template <class Body>
void for_graphs(std::size_t graphs, unsigned threads, Body body) {
  const bool outer = graphs >= 2 * std::size_t{threads};
  parallel_for(graphs, outer ? threads : 1, [&](std::size_t graph) { body(graph, outer ? 1 : threads); });
}

template <class T>
void project_all(const TriangleStages<T>& stages, const GraphJob<T>& g, std::size_t scratch, unsigned threads) {
  run_stage<T>(g.n, scratch, threads, [&](std::size_t row, T* s) { stages.project(g, row, s); });
}

// Gradients of the weights from one graph, in packed order.
template <class T>
struct WeightGradients {
  std::vector<T> qv, kv, qv_bias, kv_bias, out, affine;
  void resize(const Triangle<T>& job) {
    const std::size_t channels = 2 * job.inner();  // kv of a tied job has fewer
    qv.assign(channels * job.width, 0), kv.assign(channels * job.width, 0);
    qv_bias.assign(channels, 0), kv_bias.assign(channels, 0);
    out.assign(job.inner() * job.width, 0);
    affine.assign(job.qk_norm ? 4 * job.head_width : 0, 0);
  }
  void add(const WeightGradients& other) {
    auto plus = [](std::vector<T>& a, const std::vector<T>& b) {
      for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
    };
    plus(qv, other.qv), plus(kv, other.kv), plus(qv_bias, other.qv_bias), plus(kv_bias, other.kv_bias);
    plus(out, other.out), plus(affine, other.affine);
  }
};

template <class T>
void weight_gradients(const TriangleStages<T>& stages, const GraphJob<T>& g, unsigned threads,
                      WeightGradients<T>& grads) {
  constexpr std::size_t step = 8;
  const std::size_t channels = 2 * g.inner, blocks = (channels + step - 1) / step,
                    out_blocks = (g.inner + step - 1) / step;
  parallel_for(2 * blocks + out_blocks, threads, [&](std::size_t task) {
    const bool out = task >= 2 * blocks, kv = task >= blocks;
    if (g.symmetric && !kv) return;  // all in keys and second values
    const std::size_t first = (out ? task - 2 * blocks : task % blocks) * step,
                      end = std::min(first + step, out  ? g.inner
                                                   : kv ? g.kv_channels
                                                        : channels);
    if (first >= end) return;
    if (out)
      stages.grad_out_weight(g, first, end - first, &grads.out[first * g.width]);
    else
      stages.grad_in_weight(g, first, end - first, kv, &(kv ? grads.kv : grads.qv)[first * g.width]);
  });
  for (std::size_t row = 0; row < g.n; ++row) {
    const T* bias = g.grad_bias + row * (g.qs + channels);
    for (std::size_t c = 0; c < channels; ++c) grads.qv_bias[c] += bias[c];
    for (std::size_t c = 0; c < g.kv_channels; ++c) grads.kv_bias[c] += bias[g.qs + c];
    for (std::size_t c = 0; c < grads.affine.size(); ++c) grads.affine[c] += g.grad_affine[row * 4 * g.dh + c];
  }
}

// From packed order to the caller's.
template <class T>
void unpack(const Packed<T>& packed, const WeightGradients<T>& grads) {
  const Triangle<T>& job = packed.job;
  const std::size_t width = job.width, dh = job.head_width;
  std::fill_n(job.grad_in_weight, 2 * packed.channels * width, T(0));
  std::fill_n(job.grad_in_bias, 2 * packed.channels, T(0));
  for (std::size_t m = 0; m < packed.channels && !job.symmetric; ++m) {
    const std::size_t q = natural(job, m, false);
    const T f = packed.query_factor(m);
    for (std::size_t e = 0; e < width; ++e) job.grad_in_weight[q * width + e] = grads.qv[m * width + e] * f;
    job.grad_in_bias[q] = grads.qv_bias[m] * f;
  }
  for (std::size_t m = 0; m < packed.kv_channels; ++m) {
    std::copy_n(&grads.kv[m * width], width, job.grad_in_weight + packed.kv_natural(m) * width);
    job.grad_in_bias[packed.kv_natural(m)] = grads.kv_bias[m];
  }
  for (std::size_t e = 0; e < width; ++e)
    for (std::size_t c = 0; c < job.inner(); ++c) job.grad_out_weight[e * job.inner() + c] = grads.out[c * width + e];
  std::vector<double> bias(width, 0);  // in double: a long sequential sum would lose digits
  for (std::size_t row = 0; row < job.rows(); ++row)
    for (std::size_t e = 0; e < width; ++e) bias[e] += static_cast<double>(job.grad_y[row * width + e]);
  for (std::size_t e = 0; e < width; ++e) job.grad_out_bias[e] = static_cast<T>(bias[e]);
  for (std::size_t c = 0; c < dh && job.qk_norm; ++c) {
    job.grad_qk_gain[c] = grads.affine[c] * packed.factor, job.grad_qk_shift[c] = grads.affine[dh + c] * packed.factor;
    job.grad_qk_gain[dh + c] = grads.affine[2 * dh + c], job.grad_qk_shift[dh + c] = grads.affine[3 * dh + c];
  }
}

}  // namespace

namespace {

std::vector<TriangleKernel>& table_of_kernels() {
  static std::vector<TriangleKernel> table{
#ifdef LEMAN_CUDA
      {"cuda", cuda_supported, nullptr, nullptr, &triangle_cuda_f32, &triangle_cuda_f64},
#endif
#ifdef LEMAN_X86
      {"avx512", [] { return has(Isa::Avx512); }, &triangle_avx512_f32, &triangle_avx512_f64},
      {"avx2", [] { return has(Isa::Avx2); }, &triangle_avx2_f32, &triangle_avx2_f64},
#endif
      {"portable", [] { return true; }, &triangle_portable_f32, &triangle_portable_f64},
  };
  return table;
}

template <class T>
const TriangleDevice<T>* device_of(const TriangleKernel& kernel) {
  if constexpr (sizeof(T) == 4)
    return kernel.device32;
  else
    return kernel.device64;
}

template <class T>
void run_device(void (*pass)(const Triangle<T>&), const Triangle<T>& job) {
  if (job.symmetric) throw UsageError("triangular attention: symmetric on a device");
  pass(job);
}

}  // namespace

const std::vector<TriangleKernel>& triangle_kernels() { return table_of_kernels(); }

std::string cuda_status() {
#ifdef LEMAN_CUDA
  return cuda_about();
#else
  return "not built (there was no nvcc)";
#endif
}

void add_triangle_kernel(const TriangleKernel& kernel) { table_of_kernels().push_back(kernel); }

template <class T>
std::size_t Triangle<T>::rows() const {
  std::size_t sum = 0;
  for (std::size_t n : orders) sum += pair_rows(n, symmetric);
  return sum;
}

template <class T>
void Triangle<T>::check() const {
  auto demand = [](bool ok, const char* what) {
    if (!ok) throw UsageError(std::string("triangular attention: ") + what);
  };
  demand(width > 0 && width % kMaxLanes == 0, "width is not a multiple of 16");
  demand(heads > 0 && head_width > 0, "no heads");
  demand(dropout >= 0 && dropout < 1, "dropout is not in [0, 1)");
  demand(std::isfinite(scale) && epsilon > 0, "scale or epsilon out of range");
  demand(x && in_weight && in_bias && out_weight && out_bias && context, "a tensor is missing");
  demand(!symmetric || dropout == 0, "symmetric with dropout");
  demand(!qk_norm || (qk_gain && qk_shift), "qk_norm without gain and shift");
}

template <class T>
std::size_t saved_context(const TriangleKernel& kernel, const Triangle<T>& job) {
  if (const auto* device = device_of<T>(kernel)) return device->context(job);
  return offsets_of(job, stages_of<T>(kernel).lanes).back().context;
}
template <class T>
std::size_t saved_sums(const TriangleKernel& kernel, const Triangle<T>& job) {
  if (const auto* device = device_of<T>(kernel)) return device->sums(job);
  return offsets_of(job, stages_of<T>(kernel).lanes).back().sums;
}

template <class T>
void triangle_forward(const TriangleKernel& kernel, const Triangle<T>& job) {
  job.check();
  if (const auto* device = device_of<T>(kernel)) return run_device(device->forward, job);
  const TriangleStages<T>& stages = stages_of<T>(kernel);
  const std::size_t lanes = stages.lanes;
  const auto at = offsets_of(job, lanes);
  const Packed<T> packed(job, lanes);
  for_graphs(job.orders.size(), job.threads, [&](std::size_t graph, unsigned threads) {
    static thread_local Workspace<T> space;
    const GraphJob<T> g = graph_job(packed, lanes, graph, at[graph], space, false);
    const std::size_t scratch = stages.scratch(g), blocks = (g.np / lanes + 1) / 2;
    project_all(stages, g, scratch, threads);
    run_stage<T>(g.heads * blocks, scratch, threads,
                 [&](std::size_t task, T* s) { stages.attend(g, task / blocks, task % blocks, s); });
    run_stage<T>(g.n, scratch, threads, [&](std::size_t row, T* s) { stages.emit(g, row, s); });
    space.trim();
  });
}

template <class T>
void triangle_backward(const TriangleKernel& kernel, const Triangle<T>& job) {
  job.check();
  if (!job.sums) throw UsageError("triangular attention: backward without sums");
  if (const auto* device = device_of<T>(kernel)) return run_device(device->backward, job);
  const TriangleStages<T>& stages = stages_of<T>(kernel);
  const std::size_t lanes = stages.lanes;
  const auto at = offsets_of(job, lanes);
  const Packed<T> packed(job, lanes);
  std::vector<WeightGradients<T>> parts(job.orders.size());
  for_graphs(job.orders.size(), job.threads, [&](std::size_t graph, unsigned threads) {
    static thread_local Workspace<T> space;
    const GraphJob<T> g = graph_job(packed, lanes, graph, at[graph], space, true);
    const std::size_t scratch = stages.scratch(g);
    project_all(stages, g, scratch, threads);
    run_stage<T>(g.n, scratch, threads, [&](std::size_t row, T* s) { stages.grad_context(g, row, s); });
    const std::size_t blocks = (g.n + kBackL - 1) / kBackL;
    run_stage<T>(g.heads * blocks, scratch, threads,
                 [&](std::size_t task, T* s) { stages.attend_backward(g, task / blocks, task % blocks * kBackL, s); });
    run_stage<T>(g.n, scratch, threads, [&](std::size_t row, T* s) { stages.grad_x(g, row, s); });
    if (job.symmetric && job.grad_x) fold_pairs(g.grad_x, g.n, g.width, job.grad_x + at[graph].rows * g.width);
    parts[graph].resize(job);
    weight_gradients(stages, g, threads, parts[graph]);
    space.trim();
  });
  WeightGradients<T> total;
  total.resize(job);
  for (const auto& part : parts) total.add(part);  // in the order of the graphs
  unpack(packed, total);
}

#define LEMAN_INSTANTIATE(T)                                                        \
  template struct Triangle<T>;                                                      \
  template std::size_t saved_context<T>(const TriangleKernel&, const Triangle<T>&); \
  template std::size_t saved_sums<T>(const TriangleKernel&, const Triangle<T>&);    \
  template void triangle_forward<T>(const TriangleKernel&, const Triangle<T>&);     \
  template void triangle_backward<T>(const TriangleKernel&, const Triangle<T>&);
LEMAN_INSTANTIATE(float)
LEMAN_INSTANTIATE(double)
#undef LEMAN_INSTANTIATE

}  // namespace leman::et
