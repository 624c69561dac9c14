#include <memory>
#include <vector>

#include "base/error.hpp"
#include "et/kernels/cuda/attend.hpp"
#include "et/kernels/cuda/linear.hpp"
#include "et/kernels/cuda/triangle_cuda.hpp"

namespace leman::et {

namespace {

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  cudaGetLastError();  // the next call must not see this one's error
  throw ValueError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(code));
}

// Device memory that lives as long as the stream needs it.
template <class T>
class Device {
 public:
  Device(std::size_t count, cudaStream_t stream) : count_(count), stream_(stream) {
    void* memory = nullptr;
    if (count)
      check(cudaMallocAsync(&memory, count * sizeof(T), stream),
            (std::to_string(count * sizeof(T)) + " bytes").c_str());
    data_ = static_cast<T*>(memory);
  }
  ~Device() {
    if (data_) cudaFreeAsync(data_, stream_);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  T* get() const { return data_; }
  void upload(const T* from) {
    if (count_) check(cudaMemcpyAsync(data_, from, count_ * sizeof(T), cudaMemcpyHostToDevice, stream_), "copy in");
  }

 private:
  std::size_t count_;
  cudaStream_t stream_;
  T* data_ = nullptr;
};

unsigned blocks_for(std::size_t work) { return static_cast<unsigned>((work + kThreads - 1) / kThreads); }

// Calls body with the smallest compiled head width that has room for dh channels.
template <class Body>
auto with_room(std::size_t dh, Body body) {
  if (dh <= 8) return body(std::integral_constant<int, 8>());
  if (dh <= 16) return body(std::integral_constant<int, 16>());
  if (dh <= 32) return body(std::integral_constant<int, 32>());
  if (dh <= kMaxDeviceHead) return body(std::integral_constant<int, 64>());
  throw UsageError("kernel cuda: heads wider than 64 are not supported");
}
std::size_t room_for(std::size_t dh) {
  return with_room(dh, [](auto room) { return static_cast<std::size_t>(room.value); });
}

template <class T>
Shape<T> shape_of(const Triangle<T>& job) {
  Shape<T> s{};
  s.rows = job.rows();
  s.width = static_cast<unsigned>(job.width), s.heads = static_cast<unsigned>(job.heads);
  s.dh = static_cast<unsigned>(job.head_width), s.room = static_cast<unsigned>(room_for(job.head_width));
  s.inner = s.heads * s.room;
  if (s.rows * 4 * s.inner * sizeof(T) >> 36 != 0)  // vectors have 32-bit numbers
    throw UsageError("kernel cuda: a batch with more than 64 GiB of projections is not supported");
  s.qk_norm = job.qk_norm;
  s.epsilon = job.epsilon, s.factor = job.scale * T(1.442695040888963407359925), s.share = T(1) / static_cast<T>(s.dh);
  s.keep_scale = static_cast<T>(1 / (1 - job.dropout));
  s.dropout = {static_cast<std::uint32_t>(job.dropout * 4294967296.0), job.seed};
  return s;
}

std::vector<Tile> tiles_of(const std::vector<std::uint32_t>& orders, unsigned rows, unsigned columns) {
  std::vector<Tile> tiles;
  unsigned first = 0;
  for (unsigned g = 0; g < orders.size(); first += orders[g] * orders[g], ++g)
    for (unsigned i = 0; i < orders[g]; i += rows)
      for (unsigned j = 0; j < orders[g]; j += columns) tiles.push_back({g, first, orders[g], i, j});
  return tiles;
}

// Weights [outer][dh][inner] padded to the compiled head width; the caller's own if they fit.
template <class T>
class Roomy {
 public:
  Roomy(const Shape<T>& s, const T* from, std::size_t outer, std::size_t inner, cudaStream_t stream)
      : copy_(s.room == s.dh ? 0 : outer * s.room * inner, stream), data_(s.room == s.dh ? from : copy_.get()) {
    if (s.room != s.dh)
      LEMAN_LAUNCH(resize_kernel<T>, dim3(blocks_for(outer * s.room * inner)), dim3(kThreads), stream, from, outer,
                   s.dh, s.room, inner, copy_.get());
  }
  const T* get() const { return data_; }

 private:
  Device<T> copy_;
  const T* data_;
};

template <class T>
class Run {
 public:
  explicit Run(const Triangle<T>& job)
      : job_(job),
        s_(shape_of(job_)),
        stream_(static_cast<cudaStream_t>(job.stream)),
        in_weight_(s_, job.in_weight, 4 * s_.heads, s_.width, stream_),
        in_bias_(s_, job.in_bias, 4 * s_.heads, 1, stream_),
        out_weight_(s_, job.out_weight, std::size_t{s_.width} * s_.heads, 1, stream_),
        p_(s_.rows * 4 * s_.inner, stream_) {}

  void forward() {
    project(nullptr, nullptr);
    each_head([&](auto dh, auto norm, const Tile* tiles, dim3 grid) {
      LEMAN_LAUNCH((attend_kernel<T, decltype(dh)::value, decltype(norm)::value>), grid, dim3(kThreads), stream_, s_,
                   tiles, vectors(p_), job_.context, job_.sums);
    });
    product({s_.rows, s_.width, s_.inner, job_.context, s_.inner, 1, out_weight_.get(), 1, s_.inner, job_.out_bias,
             job_.y, s_.width, 0});
    check(cudaGetLastError(), "forward");
  }

  void backward() {
    const std::size_t kept = job_.qk_norm ? s_.rows * 2 : 0, pairs = s_.rows * s_.heads;
    Device<T> hat(kept * s_.inner, stream_), inverse(kept * s_.heads, stream_);
    Device<T> grad_context(s_.rows * s_.inner, stream_), dots(pairs, stream_), grad(s_.rows * 4 * s_.inner, stream_);
    project(hat.get(), inverse.get());
    product({s_.rows, s_.inner, s_.width, job_.grad_y, s_.width, 1, out_weight_.get(), s_.inner, 1, nullptr,
             grad_context.get(), s_.inner, 0});
    LEMAN_LAUNCH(dots_kernel<T>, dim3(blocks_for(pairs)), dim3(kThreads), stream_, s_, job_.value_norm,
                 grad_context.get(), job_.context, dots.get());
    each_head([&](auto dh, auto norm, const Tile* tiles, dim3 grid) {
      constexpr int DH = decltype(dh)::value;
      constexpr bool kNorm = decltype(norm)::value;
      LEMAN_LAUNCH((attend_backward_kernel<T, DH, kNorm, true>), grid, dim3(kThreads), stream_, s_, tiles, vectors(p_),
                   vectors(grad_context), job_.sums, dots.get(), grad.get());
      LEMAN_LAUNCH((attend_backward_kernel<T, DH, kNorm, false>), grid, dim3(kThreads), stream_, s_, tiles, vectors(p_),
                   vectors(grad_context), job_.sums, dots.get(), grad.get());
    });
    const std::size_t gains = 4 * std::size_t{s_.dh};
    Device<T> affine(job_.qk_norm ? pairs * gains : 0, stream_);
    LEMAN_LAUNCH(unprepare_kernel<T>, dim3(blocks_for(s_.rows), 2 * s_.heads), dim3(kThreads), stream_, s_, grad.get(),
                 job_.qk_gain, hat.get(), inverse.get(), affine.get());
    const std::size_t channels = 4 * std::size_t{s_.inner};
    product({s_.rows, s_.width, channels, grad.get(), channels, 1, in_weight_.get(), s_.width, 1, nullptr, job_.grad_x,
             s_.width, 0});
    weight_product(channels, grad.get(), s_.width, job_.x, 4 * s_.heads, s_.width, job_.grad_in_weight);
    weight_product(s_.width, job_.grad_y, s_.inner, job_.context, std::size_t{s_.width} * s_.heads, 1,
                   job_.grad_out_weight);
    Device<T> bias(channels, stream_);
    column_sums(grad.get(), s_.rows, channels, bias.get());
    shrink(bias.get(), 4 * s_.heads, 1, job_.grad_in_bias);
    column_sums(job_.grad_y, s_.rows, s_.width, job_.grad_out_bias);
    if (job_.qk_norm) {  // gain of q, of k; shift of q, of k
      Device<T> sums(gains, stream_);
      column_sums(affine.get(), pairs, gains, sums.get());
      const std::size_t half = 2 * s_.dh * sizeof(T);
      check(cudaMemcpyAsync(job_.grad_qk_gain, sums.get(), half, cudaMemcpyDeviceToDevice, stream_), "copy");
      check(cudaMemcpyAsync(job_.grad_qk_shift, sums.get() + 2 * s_.dh, half, cudaMemcpyDeviceToDevice, stream_),
            "copy");
    }
    check(cudaGetLastError(), "backward");
  }

 private:
  // Calls body with the compiled head width, the norm's flag, and the tiles that go with them.
  template <class Body>
  void each_head(Body body) {
    with_room(s_.dh, [&](auto dh) {
      using L = Layout<T, decltype(dh)::value>;
      // The list must outlive the copy, so the stream itself deletes it.
      auto host = std::make_unique<std::vector<Tile>>(tiles_of(job_.orders, L::kRows, L::kColumns));
      Device<Tile> tiles(host->size(), stream_);
      tiles.upload(host->data());
      const dim3 grid(static_cast<unsigned>(host->size()), s_.heads);
      check(cudaLaunchHostFunc(
                stream_, [](void* list) { delete static_cast<std::vector<Tile>*>(list); }, host.get()),
            "copy in");
      host.release();
      if (job_.value_norm)
        body(dh, std::true_type(), tiles.get(), grid);
      else
        body(dh, std::false_type(), tiles.get(), grid);
    });
  }

  static const Vector<T>* vectors(const Device<T>& memory) { return reinterpret_cast<const Vector<T>*>(memory.get()); }

  void project(T* hat, T* inverse) {
    const std::size_t channels = 4 * std::size_t{s_.inner};
    product({s_.rows, channels, s_.width, job_.x, s_.width, 1, in_weight_.get(), 1, s_.width, in_bias_.get(), p_.get(),
             channels, 0});
    LEMAN_LAUNCH(prepare_kernel<T>, dim3(blocks_for(s_.rows), 2 * s_.heads), dim3(kThreads), stream_, s_, p_.get(),
                 job_.qk_gain, job_.qk_shift, hat, inverse);
  }

  void product(const Product<T>& p, unsigned parts = 1) {
    const dim3 grid(static_cast<unsigned>((p.m + kSide - 1) / kSide), static_cast<unsigned>((p.n + kSide - 1) / kSide),
                    parts);
    LEMAN_LAUNCH(product_kernel<T>, grid, dim3(kThreads), stream_, p);
  }

  // out [m][n] = sum over rows of a[row][m] b[row][n], in parts; out is [outer][dh][inner].
  void weight_product(std::size_t m, const T* a, std::size_t n, const T* b, std::size_t outer, std::size_t inner,
                      T* out) {
    Device<T> parts(kParts * m * n, stream_), whole(m * n, stream_);
    product({m, n, s_.rows, a, 1, m, b, n, 1, nullptr, parts.get(), n, m * n}, kParts);
    LEMAN_LAUNCH(add_parts_kernel<T>, dim3(blocks_for(m * n)), dim3(kThreads), stream_, parts.get(), kParts, m * n,
                 whole.get());
    shrink(whole.get(), outer, inner, out);
  }

  void shrink(const T* from, std::size_t outer, std::size_t inner, T* to) {
    LEMAN_LAUNCH(resize_kernel<T>, dim3(blocks_for(outer * s_.dh * inner)), dim3(kThreads), stream_, from, outer,
                 s_.room, s_.dh, inner, to);
  }

  void column_sums(const T* a, std::size_t rows, std::size_t columns, T* out) {
    Device<T> parts(kParts * columns, stream_);
    LEMAN_LAUNCH(column_sums_kernel<T>, dim3(blocks_for(columns), kParts), dim3(kThreads), stream_, a, rows, columns,
                 parts.get());
    LEMAN_LAUNCH(add_parts_kernel<T>, dim3(blocks_for(columns)), dim3(kThreads), stream_, parts.get(), kParts, columns,
                 out);
  }

  const Triangle<T>& job_;
  Shape<T> s_;
  cudaStream_t stream_;
  Roomy<T> in_weight_, in_bias_, out_weight_;
  Device<T> p_;  // [rows][4][inner]: q, k, v1, v2
};

template <class T>
std::size_t cuda_context(const Triangle<T>& job) {
  return job.rows() * job.heads * room_for(job.head_width);
}

// The same job with all pointers on the device. Inputs are copied in, outputs copied out.
template <class T>
class Staged {
 public:
  explicit Staged(const Triangle<T>& job) : host_(job), job_(job) {
    const std::size_t rows = job.rows(), inner = job.inner(), w = job.width,
                      norm = job.qk_norm ? 2 * job.head_width : 0;
    job_.on_device = true, job_.stream = nullptr;
    take(&Triangle<T>::x, rows * w), take(&Triangle<T>::in_weight, 4 * inner * w),
        take(&Triangle<T>::in_bias, 4 * inner);
    take(&Triangle<T>::qk_gain, norm), take(&Triangle<T>::qk_shift, norm);
    take(&Triangle<T>::out_weight, w * inner), take(&Triangle<T>::out_bias, w);
  }

  void forward() {
    give(&Triangle<T>::y, job_.rows() * job_.width), give(&Triangle<T>::context, cuda_context(job_));
    give(&Triangle<T>::sums, job_.rows() * job_.heads);
    Run<T>(job_).forward();
    finish();
  }

  void backward() {
    const std::size_t rows = job_.rows(), inner = job_.inner(), w = job_.width,
                      norm = job_.qk_norm ? 2 * job_.head_width : 0;
    upload(job_.context = memory(cuda_context(job_)), host_.context, cuda_context(job_));
    upload(job_.sums = memory(rows * job_.heads), host_.sums, rows * job_.heads);
    take(&Triangle<T>::grad_y, rows * w);
    give(&Triangle<T>::grad_x, rows * w), give(&Triangle<T>::grad_in_weight, 4 * inner * w);
    give(&Triangle<T>::grad_in_bias, 4 * inner), give(&Triangle<T>::grad_qk_gain, norm),
        give(&Triangle<T>::grad_qk_shift, norm);
    give(&Triangle<T>::grad_out_weight, w * inner), give(&Triangle<T>::grad_out_bias, w);
    Run<T>(job_).backward();
    finish();
  }

 private:
  T* memory(std::size_t count) { return memory_.emplace_back(std::make_unique<Device<T>>(count, nullptr))->get(); }
  void upload(T* to, const T* from, std::size_t count) {
    if (count) check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyHostToDevice, nullptr), "copy in");
  }
  void take(const T* Triangle<T>::*member, std::size_t count) {
    T* to = memory(count);
    upload(to, host_.*member, count);
    job_.*member = to;
  }
  void give(T* Triangle<T>::*member, std::size_t count) {
    job_.*member = memory(count);
    out_.push_back({member, count});
  }
  void finish() {
    for (const auto& [member, count] : out_)
      if (count)
        check(cudaMemcpyAsync(host_.*member, job_.*member, count * sizeof(T), cudaMemcpyDeviceToHost, nullptr),
              "copy out");
    check(cudaStreamSynchronize(nullptr), "run");
  }

  const Triangle<T>& host_;
  Triangle<T> job_;
  std::vector<std::unique_ptr<Device<T>>> memory_;
  std::vector<std::pair<T * Triangle<T>::*, std::size_t>> out_;
};

template <class T>
void cuda_forward(const Triangle<T>& job) {
  if (job.rows() == 0) return;
  job.on_device ? Run<T>(job).forward() : Staged<T>(job).forward();
}
template <class T>
void cuda_backward(const Triangle<T>& job) {
  if (job.rows() == 0) return;
  job.on_device ? Run<T>(job).backward() : Staged<T>(job).backward();
}

template <class T>
constexpr TriangleDevice<T> device() {
  return {cuda_context<T>, [](const Triangle<T>& job) { return job.rows() * job.heads; }, cuda_forward<T>,
          cuda_backward<T>};
}

}  // namespace

const TriangleDevice<float> triangle_cuda_f32 = device<float>();
const TriangleDevice<double> triangle_cuda_f64 = device<double>();

}  // namespace leman::et
