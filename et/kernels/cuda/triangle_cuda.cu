#include "et/kernels/cuda/triangle_cuda.hpp"

#include <numbers>
#include <stdexcept>
#include <vector>

#include "et/kernels/cuda/words.hpp"
#include "et/kernels/dropout_mask.hpp"

namespace leman::et {

namespace {

constexpr unsigned kTile = 16;                 // pairs in a side of a block's tile
constexpr unsigned kThreads = kTile * kTile;   // of every block
constexpr unsigned kParts = 64;                // partial sums over rows, added up in order

// Sums over the third index in shared memory at a time: 4 tiles of kTile x steps x DH numbers.
template <int DH>
constexpr unsigned kSteps = DH <= 8 ? 8 : DH <= 16 ? 4 : DH <= 32 ? 2 : 1;

struct Tile {  // what a block of the attention kernels works on
  std::size_t first_row;       // of the graph
  unsigned graph, n, row, column;  // number, order, first i (or l) and first j (or l)
};

// Sizes and flags, by value.
template <class T>
struct Shape {
  std::size_t rows;
  unsigned width, heads, dh, inner;
  bool qk_norm;
  T epsilon, factor, keep_scale;
  DropoutMask dropout;
};

__device__ inline float power2(float x) { return exp2f(x); }
__device__ inline double power2(double x) { return exp2(x); }
__device__ inline float logarithm2(float x) { return log2f(x); }
__device__ inline double logarithm2(double x) { return log2(x); }
__device__ inline float root(float x) { return sqrtf(x); }
__device__ inline double root(double x) { return sqrt(x); }

// ---- products of matrices

// C[m][n] = sum over k of A[m][k] B[k][n] (+ bias[n]), with any strides. Split over k into
// gridDim.z parts: part z goes to C + z * part.
template <class T>
struct Product {
  std::size_t m, n, k;
  const T* a;
  std::size_t am, ak;
  const T* b;
  std::size_t bk, bn;
  const T* bias;
  T* c;
  std::size_t cm, part;
};

template <class T>
__global__ void __launch_bounds__(kThreads) product_kernel(Product<T> p) {
  T* a = shared_memory<T>();      // [kTile][kTile + 1]
  T* b = a + kTile * (kTile + 1);  // [kTile][kTile + 1]
  const unsigned tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
  const std::size_t m = std::size_t{blockIdx.x} * kTile + ty, n = std::size_t{blockIdx.y} * kTile + tx;
  const std::size_t share = (p.k + gridDim.z - 1) / gridDim.z, from = share * blockIdx.z;
  const std::size_t to = from + share < p.k ? from + share : p.k;
  T sum = 0;
  for (std::size_t k0 = from; k0 < to; k0 += kTile) {
    a[ty * (kTile + 1) + tx] = m < p.m && k0 + tx < to ? p.a[m * p.am + (k0 + tx) * p.ak] : T(0);
    b[ty * (kTile + 1) + tx] = n < p.n && k0 + ty < to ? p.b[(k0 + ty) * p.bk + n * p.bn] : T(0);
    LEMAN_BARRIER();
    for (unsigned k = 0; k < kTile; ++k) sum += a[ty * (kTile + 1) + k] * b[k * (kTile + 1) + tx];
    LEMAN_BARRIER();
  }
  if (m < p.m && n < p.n) p.c[blockIdx.z * p.part + m * p.cm + n] = sum + (p.bias ? p.bias[n] : T(0));
}

// out[k] = scale * sum over parts of part[z][k], in order.
template <class T>
__global__ void __launch_bounds__(kThreads) add_parts_kernel(const T* parts, unsigned count, std::size_t size, T* out) {
  const std::size_t k = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (k >= size) return;
  T sum = 0;
  for (unsigned z = 0; z < count; ++z) sum += parts[z * size + k];
  out[k] = sum;
}

// Column sums of a[rows][columns], part by part.
template <class T>
__global__ void __launch_bounds__(kThreads) column_sums_kernel(const T* a, std::size_t rows, std::size_t columns, T* parts) {
  const std::size_t c = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (c >= columns) return;
  const std::size_t share = (rows + gridDim.y - 1) / gridDim.y, from = share * blockIdx.y;
  const std::size_t to = from + share < rows ? from + share : rows;
  T sum = 0;
  for (std::size_t r = from; r < to; ++r) sum += a[r * columns + c];
  parts[blockIdx.y * columns + c] = sum;
}

// ---- queries and keys: norm and factor, in place

// p [rows][4][inner]: q and k get their norm, q its factor. hat [rows][2][inner] and
// inverse [rows][2][heads] keep what the backward pass needs, if not null.
template <class T>
__global__ void __launch_bounds__(kThreads)
    prepare_kernel(Shape<T> s, T* p, const T* gain, const T* shift, T* hat, T* inverse) {
  const std::size_t at = std::size_t{blockIdx.x} * kThreads + threadIdx.x;  // row, slot, head
  if (at >= s.rows * 2 * s.heads) return;
  const std::size_t row = at / (2 * s.heads);
  const auto slot = static_cast<unsigned>(at / s.heads % 2), head = static_cast<unsigned>(at % s.heads);
  T* v = p + (row * 4 + slot) * s.inner + head * s.dh;
  const T factor = slot == 0 ? s.factor : T(1);
  T mean = 0, square = 0, r = 1;
  if (s.qk_norm) {
    for (unsigned c = 0; c < s.dh; ++c) mean += v[c];
    mean /= T(s.dh);
    for (unsigned c = 0; c < s.dh; ++c) square += (v[c] - mean) * (v[c] - mean);
    r = T(1) / root(square / T(s.dh) + s.epsilon);
  }
  for (unsigned c = 0; c < s.dh; ++c) {
    const T normal = (v[c] - mean) * r;
    if (hat) hat[(row * 2 + slot) * s.inner + head * s.dh + c] = normal;
    v[c] = (s.qk_norm ? normal * gain[slot * s.dh + c] + shift[slot * s.dh + c] : v[c]) * factor;
  }
  if (inverse) inverse[(row * 2 + slot) * s.heads + head] = r;
}

// From gradients of what prepare_kernel made to those of what it took, in place.
// affine [rows * heads][4 dh] gets what (row, head) adds to gain of q, of k, shift of q, of k.
template <class T>
__global__ void __launch_bounds__(kThreads)
    unprepare_kernel(Shape<T> s, T* grad, const T* gain, const T* hat, const T* inverse, T* affine) {
  const std::size_t at = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= s.rows * 2 * s.heads) return;
  const std::size_t row = at / (2 * s.heads);
  const auto slot = static_cast<unsigned>(at / s.heads % 2), head = static_cast<unsigned>(at % s.heads);
  T* g = grad + (row * 4 + slot) * s.inner + head * s.dh;
  const T factor = slot == 0 ? s.factor : T(1);
  if (!s.qk_norm) {
    for (unsigned c = 0; c < s.dh; ++c) g[c] *= factor;
    return;
  }
  const T* y = hat + (row * 2 + slot) * s.inner + head * s.dh;
  T* sums = affine + (row * s.heads + head) * 4 * s.dh + slot * s.dh;
  T mean = 0, along = 0;
  for (unsigned c = 0; c < s.dh; ++c) {
    const T d = g[c] * factor;
    sums[c] = d * y[c];
    sums[2 * s.dh + c] = d;
    g[c] = d * gain[slot * s.dh + c];
    mean += g[c];
    along += g[c] * y[c];
  }
  mean /= T(s.dh);
  along /= T(s.dh);
  const T r = inverse[(row * 2 + slot) * s.heads + head];
  for (unsigned c = 0; c < s.dh; ++c) g[c] = r * (g[c] - mean - y[c] * along);
}

// grad_context centred if the fused value is normalised; dots [rows][heads] = grad . context.
template <class T>
__global__ void __launch_bounds__(kThreads)
    dots_kernel(Shape<T> s, bool value_norm, T* grad_context, const T* context, T* dots) {
  const std::size_t at = std::size_t{blockIdx.x} * kThreads + threadIdx.x;  // row, head
  if (at >= s.rows * s.heads) return;
  T* g = grad_context + at * s.dh;
  const T* o = context + at * s.dh;
  T mean = 0, dot = 0;
  if (value_norm) {  // a layer norm passes on nothing along its mean
    for (unsigned c = 0; c < s.dh; ++c) mean += g[c];
    mean /= T(s.dh);
  }
  for (unsigned c = 0; c < s.dh; ++c) {
    g[c] -= mean;
    dot += g[c] * o[c];
  }
  dots[at] = dot;
}

// ---- attention

// Copies slot `slot` of the pairs (r0 + r, c0 + c), r < rows, c < columns, to shared memory as
// [r][channel][c] if `inner_last` is false, else as [r][c][channel]; zeros outside and from dh to DH.
template <class T, int DH>
__device__ void load_tile(const Shape<T>& s, const Tile& t, const T* p, unsigned slots, unsigned slot, unsigned head,
                          unsigned r0, unsigned rows, unsigned c0, unsigned columns, bool inner_last, T* out) {
  for (unsigned at = threadIdx.x; at < rows * columns * DH; at += kThreads) {
    const unsigned channel = at % DH, c = at / DH % columns, r = at / DH / columns;
    const bool inside = r0 + r < t.n && c0 + c < t.n && channel < s.dh;
    const std::size_t row = t.first_row + std::size_t{r0 + r} * t.n + c0 + c;
    const T value = inside ? p[(row * slots + slot) * s.inner + head * s.dh + channel] : T(0);
    out[inner_last ? (r * columns + c) * DH + channel : (r * DH + channel) * columns + c] = value;
  }
}

// The score of one triple, and of its fused value the mean and the inverse deviation.
// The value itself is multiplied out again where it is needed: an array of it would
// take the registers that decide how many blocks run at a time.
template <class T, int DH, bool Norm>
struct Fused {
  const T *v1, *v2;
  unsigned s1, s2;  // channels are so far apart
  T score = 0, mean = 0, inverse = 1;
  __device__ Fused(const Shape<T>& s, const T* q, const T* v1_, unsigned s1_, const T* k, const T* v2_, unsigned s2_)
      : v1(v1_), v2(v2_), s1(s1_), s2(s2_) {
    for (int c = 0; c < DH; ++c) {
      score += q[c * s1] * k[c * s2];
      if (Norm) mean += v1[c * s1] * v2[c * s2];
    }
    if (!Norm) return;
    mean /= T(s.dh);
    T square = 0;
    for (int c = 0; c < DH; ++c)
      if (static_cast<unsigned>(c) < s.dh) square += value(c) * value(c);
    inverse = T(1) / root(square / T(s.dh) + s.epsilon);
  }
  __device__ T value(int c) const { return v1[c * s1] * v2[c * s2] - mean; }  // centred
};

template <class T>
__device__ bool is_dropped(const Shape<T>& s, const Tile& t, unsigned head, unsigned i, unsigned l, unsigned j) {
  return s.dropout.threshold != 0 && s.dropout.dropped(s.dropout.row(t.graph, head, i, l), j);
}

// Thread (ty, tx) has the pair (i, j) = (t.row + ty, t.column + tx), over all l.
template <class T, int DH, bool Norm>
__global__ void __launch_bounds__(kThreads)
    attend_kernel(Shape<T> s, const Tile* tiles, const T* p, T* context, T* sums) {
  constexpr unsigned kStep = kSteps<DH>;
  const Tile t = tiles[blockIdx.x];
  const unsigned head = blockIdx.y, tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
  const unsigned i = t.row + ty, j = t.column + tx;
  T* q = shared_memory<T>();              // [i][l][channel]
  T* v1 = q + kTile * kStep * DH;         // [i][l][channel]
  T* k = v1 + kTile * kStep * DH;         // [l][channel][j]
  T* v2 = k + kTile * kStep * DH;         // [l][channel][j]
  T top = T(-1e30), total = 0, o[DH];
  for (int c = 0; c < DH; ++c) o[c] = 0;
  for (unsigned l0 = 0; l0 < t.n; l0 += kStep) {
    load_tile<T, DH>(s, t, p, 4, 0, head, t.row, kTile, l0, kStep, true, q);
    load_tile<T, DH>(s, t, p, 4, 2, head, t.row, kTile, l0, kStep, true, v1);
    load_tile<T, DH>(s, t, p, 4, 1, head, l0, kStep, t.column, kTile, false, k);
    load_tile<T, DH>(s, t, p, 4, 3, head, l0, kStep, t.column, kTile, false, v2);
    LEMAN_BARRIER();
    for (unsigned l = 0; l < kStep && l0 + l < t.n; ++l) {
      const unsigned a = (ty * kStep + l) * DH, b = l * DH * kTile + tx;
      const Fused<T, DH, Norm> f(s, q + a, v1 + a, 1, k + b, v2 + b, kTile);
      if (f.score > top) {  // what was added so far shrinks
        const T shrink = power2(top - f.score);
        for (int c = 0; c < DH; ++c) o[c] *= shrink;
        total *= shrink;
        top = f.score;
      }
      const T weight = power2(f.score - top);
      total += weight;
      const T kept = is_dropped(s, t, head, i, l0 + l, j) ? T(0) : weight * s.keep_scale * f.inverse;
      for (int c = 0; c < DH; ++c) o[c] += kept * f.value(c);
    }
    LEMAN_BARRIER();
  }
  if (i >= t.n || j >= t.n) return;
  const std::size_t row = t.first_row + std::size_t{i} * t.n + j;
  for (unsigned c = 0; c < s.dh; ++c) context[row * s.inner + head * s.dh + c] = o[c] / total;
  sums[row * s.heads + head] = top + logarithm2(total);
}

// Gradients of one triple: `score` of the score in units of log 2, along and back of
// the fused value: df_c = along g_c - back t_c.
template <class T, int DH, bool Norm>
struct Pull {
  T score, along, back;
  __device__ Pull(const Shape<T>& s, const Fused<T, DH, Norm>& f, const T* g, unsigned sg, T sum, T dot, bool drop) {
    T pull = 0;
    for (int c = 0; c < DH; ++c) pull += f.value(c) * g[c * sg];
    const T weight = power2(f.score - sum);
    along = (drop ? T(0) : weight * s.keep_scale) * f.inverse;
    const T grad = pull * along;
    back = Norm ? grad * f.inverse * f.inverse / T(s.dh) : T(0);
    score = T(0.693147180559945309417232) * (grad - weight * dot);
  }
};

// Sums and dots [row][head] of the pairs (r0 + r, c0 + c) to shared memory as [r][c].
template <class T>
__device__ void load_scalars(const Shape<T>& s, const Tile& t, const T* from, unsigned head, unsigned r0, unsigned rows,
                             unsigned c0, unsigned columns, T* out) {
  for (unsigned at = threadIdx.x; at < rows * columns; at += kThreads) {
    const unsigned r = r0 + at / columns, c = c0 + at % columns;
    out[at] = r < t.n && c < t.n ? from[(t.first_row + std::size_t{r} * t.n + c) * s.heads + head] : T(0);
  }
}

// Thread (ty, tx) has (i, l) = (t.row + ty, t.column + tx), over all j: gradients of q and v1.
template <class T, int DH, bool Norm>
__global__ void __launch_bounds__(kThreads)
    attend_backward_left_kernel(Shape<T> s, const Tile* tiles, const T* p, const T* grad_context, const T* sums,
                                const T* dots, T* grad) {
  constexpr unsigned kStep = kSteps<DH>;
  const Tile t = tiles[blockIdx.x];
  const unsigned head = blockIdx.y, tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
  const unsigned i = t.row + ty, l = t.column + tx;
  T* k = shared_memory<T>();                // [j][channel][l]
  T* v2 = k + kTile * kStep * DH;           // [j][channel][l]
  T* g = v2 + kTile * kStep * DH;           // [i][j][channel]
  T* sum = g + kTile * kStep * DH;          // [i][j]
  T* dot = sum + kTile * kStep;             // [i][j]
  T* q = dot + kTile * kStep + threadIdx.x;  // [channel][thread]: the thread's own
  T* v1 = q + DH * kThreads;
  T grad_q[DH], grad_v1[DH];
  const std::size_t row = t.first_row + std::size_t{i} * t.n + l;
  for (unsigned c = 0; c < DH; ++c) {
    const bool inside = i < t.n && l < t.n && c < s.dh;
    q[c * kThreads] = inside ? p[row * 4 * s.inner + head * s.dh + c] : T(0);
    v1[c * kThreads] = inside ? p[(row * 4 + 2) * s.inner + head * s.dh + c] : T(0);
    grad_q[c] = grad_v1[c] = 0;
  }
  for (unsigned j0 = 0; j0 < t.n; j0 += kStep) {
    // Columns l, rows j of the transposed pairs (l, j): [j][channel][l] from (l, j).
    for (unsigned at = threadIdx.x; at < kTile * kStep * DH; at += kThreads) {
      const unsigned channel = at % DH, j = at / DH % kStep, x = at / DH / kStep;
      const bool inside = t.column + x < t.n && j0 + j < t.n && channel < s.dh;
      const std::size_t pair = t.first_row + std::size_t{t.column + x} * t.n + j0 + j;
      const unsigned to = (j * DH + channel) * kTile + x;
      k[to] = inside ? p[(pair * 4 + 1) * s.inner + head * s.dh + channel] : T(0);
      v2[to] = inside ? p[(pair * 4 + 3) * s.inner + head * s.dh + channel] : T(0);
    }
    load_tile<T, DH>(s, t, grad_context, 1, 0, head, t.row, kTile, j0, kStep, true, g);
    load_scalars(s, t, sums, head, t.row, kTile, j0, kStep, sum);
    load_scalars(s, t, dots, head, t.row, kTile, j0, kStep, dot);
    LEMAN_BARRIER();
    for (unsigned j = 0; j < kStep && j0 + j < t.n; ++j) {
      const unsigned b = j * DH * kTile + tx, a = ty * kStep + j;
      const Fused<T, DH, Norm> f(s, q, v1, kThreads, k + b, v2 + b, kTile);
      const Pull<T, DH, Norm> d(s, f, g + a * DH, 1, sum[a], dot[a], is_dropped(s, t, head, i, l, j0 + j));
      for (int c = 0; c < DH; ++c) {
        grad_q[c] += d.score * k[b + c * kTile];
        grad_v1[c] += (d.along * g[a * DH + c] - d.back * f.value(c)) * v2[b + c * kTile];
      }
    }
    LEMAN_BARRIER();
  }
  if (i >= t.n || l >= t.n) return;
  for (unsigned c = 0; c < s.dh; ++c) {
    grad[row * 4 * s.inner + head * s.dh + c] = grad_q[c];
    grad[(row * 4 + 2) * s.inner + head * s.dh + c] = grad_v1[c];
  }
}

// Thread (ty, tx) has (l, j) = (t.row + ty, t.column + tx), over all i: gradients of k and v2.
template <class T, int DH, bool Norm>
__global__ void __launch_bounds__(kThreads)
    attend_backward_right_kernel(Shape<T> s, const Tile* tiles, const T* p, const T* grad_context, const T* sums,
                                 const T* dots, T* grad) {
  constexpr unsigned kStep = kSteps<DH>;
  const Tile t = tiles[blockIdx.x];
  const unsigned head = blockIdx.y, tx = threadIdx.x % kTile, ty = threadIdx.x / kTile;
  const unsigned l = t.row + ty, j = t.column + tx;
  T* q = shared_memory<T>();                // [i][l][channel]
  T* v1 = q + kTile * kStep * DH;           // [i][l][channel]
  T* g = v1 + kTile * kStep * DH;           // [i][channel][j]
  T* sum = g + kTile * kStep * DH;          // [i][j]
  T* dot = sum + kTile * kStep;             // [i][j]
  T* k = dot + kTile * kStep + threadIdx.x;  // [channel][thread]: the thread's own
  T* v2 = k + DH * kThreads;
  T grad_k[DH], grad_v2[DH];
  const std::size_t row = t.first_row + std::size_t{l} * t.n + j;
  for (unsigned c = 0; c < DH; ++c) {
    const bool inside = l < t.n && j < t.n && c < s.dh;
    k[c * kThreads] = inside ? p[(row * 4 + 1) * s.inner + head * s.dh + c] : T(0);
    v2[c * kThreads] = inside ? p[(row * 4 + 3) * s.inner + head * s.dh + c] : T(0);
    grad_k[c] = grad_v2[c] = 0;
  }
  for (unsigned i0 = 0; i0 < t.n; i0 += kStep) {
    load_tile<T, DH>(s, t, p, 4, 0, head, i0, kStep, t.row, kTile, true, q);
    load_tile<T, DH>(s, t, p, 4, 2, head, i0, kStep, t.row, kTile, true, v1);
    load_tile<T, DH>(s, t, grad_context, 1, 0, head, i0, kStep, t.column, kTile, false, g);
    load_scalars(s, t, sums, head, i0, kStep, t.column, kTile, sum);
    load_scalars(s, t, dots, head, i0, kStep, t.column, kTile, dot);
    LEMAN_BARRIER();
    for (unsigned i = 0; i < kStep && i0 + i < t.n; ++i) {
      const unsigned a = (i * kTile + ty) * DH, b = i * DH * kTile + tx, c0 = i * kTile + tx;
      const Fused<T, DH, Norm> f(s, q + a, v1 + a, 1, k, v2, kThreads);
      const Pull<T, DH, Norm> d(s, f, g + b, kTile, sum[c0], dot[c0], is_dropped(s, t, head, i0 + i, l, j));
      for (int c = 0; c < DH; ++c) {
        grad_k[c] += d.score * q[a + c];
        grad_v2[c] += (d.along * g[b + c * kTile] - d.back * f.value(c)) * v1[a + c];
      }
    }
    LEMAN_BARRIER();
  }
  if (l >= t.n || j >= t.n) return;
  for (unsigned c = 0; c < s.dh; ++c) {
    grad[(row * 4 + 1) * s.inner + head * s.dh + c] = grad_k[c];
    grad[(row * 4 + 3) * s.inner + head * s.dh + c] = grad_v2[c];
  }
}

// ---- the host's side

void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  if (code == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(code));
}

// Device memory that lives as long as the stream needs it.
template <class T>
class Device {
 public:
  Device(std::size_t count, cudaStream_t stream) : count_(count), stream_(stream) {
    void* memory = nullptr;
    if (count) check(cudaMallocAsync(&memory, count * sizeof(T), stream), "memory");
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
  void download(T* to) const {
    if (count_) check(cudaMemcpyAsync(to, data_, count_ * sizeof(T), cudaMemcpyDeviceToHost, stream_), "copy out");
  }

 private:
  std::size_t count_;
  cudaStream_t stream_;
  T* data_ = nullptr;
};

unsigned blocks_for(std::size_t work) { return static_cast<unsigned>((work + kThreads - 1) / kThreads); }

template <class T>
Shape<T> shape_of(const Triangle<T>& job) {
  Shape<T> s{};
  s.rows = job.rows();
  s.width = static_cast<unsigned>(job.width), s.heads = static_cast<unsigned>(job.heads);
  s.dh = static_cast<unsigned>(job.head_width), s.inner = static_cast<unsigned>(job.inner());
  s.qk_norm = job.qk_norm;
  s.epsilon = job.epsilon, s.factor = job.scale * std::numbers::log2e_v<T>;
  s.keep_scale = static_cast<T>(1 / (1 - job.dropout));
  s.dropout = {static_cast<std::uint32_t>(job.dropout * 4294967296.0), job.seed};
  return s;
}

std::vector<Tile> tiles_of(const std::vector<std::uint32_t>& orders) {
  std::vector<Tile> tiles;
  std::size_t row = 0;
  for (unsigned g = 0; g < orders.size(); row += std::size_t{orders[g]} * orders[g], ++g)
    for (unsigned i = 0; i < orders[g]; i += kTile)
      for (unsigned j = 0; j < orders[g]; j += kTile) tiles.push_back({row, g, orders[g], i, j});
  return tiles;
}

template <class T>
class Run {
 public:
  explicit Run(const CudaTriangle<T>& call)
      : call_(call), job_(*call.job), s_(shape_of(job_)), stream_(static_cast<cudaStream_t>(call.stream)),
        host_tiles_(tiles_of(job_.orders)), tiles_(host_tiles_.size(), stream_), p_(s_.rows * 4 * s_.inner, stream_) {
    if (s_.dh > 64) throw std::invalid_argument("kernel cuda: heads wider than 64 are not supported");
    tiles_.upload(host_tiles_.data());
  }

  void forward() {
    if (s_.rows == 0) return;
    project(nullptr, nullptr);
    each_head_width([&](auto dh, auto norm) {
      constexpr int DH = decltype(dh)::value;
      LEMAN_LAUNCH((attend_kernel<T, DH, decltype(norm)::value>), grid(), dim3(kThreads), tile_bytes<DH>(4, 0, 0), stream_, s_,
                   tiles_.get(), p_.get(), call_.context, call_.sums);
    });
    product({s_.rows, s_.width, s_.inner, call_.context, s_.inner, 1, call_.out_weight, 1, s_.inner, call_.out_bias, call_.y, s_.width, 0});
    check(cudaGetLastError(), "forward");
  }

  void backward() {
    if (s_.rows == 0) return;
    const std::size_t kept = job_.qk_norm ? s_.rows * 2 : 0;
    Device<T> hat(kept * s_.inner, stream_), inverse(kept * s_.heads, stream_);
    Device<T> grad_context(s_.rows * s_.inner, stream_), dots(s_.rows * s_.heads, stream_), grad(s_.rows * 4 * s_.inner, stream_);
    project(hat.get(), inverse.get());
    product({s_.rows, s_.inner, s_.width, call_.grad_y, s_.width, 1, call_.out_weight, s_.inner, 1, nullptr, grad_context.get(), s_.inner, 0});
    LEMAN_LAUNCH(dots_kernel<T>, dim3(blocks_for(s_.rows * s_.heads)), dim3(kThreads), 0, stream_, s_, job_.value_norm, grad_context.get(), call_.context, dots.get());
    each_head_width([&](auto dh, auto norm) {
      constexpr int DH = decltype(dh)::value;
      LEMAN_LAUNCH((attend_backward_left_kernel<T, DH, decltype(norm)::value>), grid(), dim3(kThreads), tile_bytes<DH>(3, 2, 2), stream_, s_,
                   tiles_.get(), p_.get(), grad_context.get(), call_.sums, dots.get(), grad.get());
      LEMAN_LAUNCH((attend_backward_right_kernel<T, DH, decltype(norm)::value>), grid(), dim3(kThreads), tile_bytes<DH>(3, 2, 2), stream_, s_,
                   tiles_.get(), p_.get(), grad_context.get(), call_.sums, dots.get(), grad.get());
    });
    const std::size_t pairs = s_.rows * s_.heads, gains = 4 * std::size_t{s_.dh};
    Device<T> affine(job_.qk_norm ? pairs * gains : 0, stream_);
    LEMAN_LAUNCH(unprepare_kernel<T>, dim3(blocks_for(2 * pairs)), dim3(kThreads), 0, stream_, s_, grad.get(), call_.qk_gain, hat.get(), inverse.get(), affine.get());
    const std::size_t channels = 4 * std::size_t{s_.inner};
    product({s_.rows, s_.width, channels, grad.get(), channels, 1, call_.in_weight, s_.width, 1, nullptr, call_.grad_x, s_.width, 0});
    weight_product(channels, grad.get(), channels, s_.width, call_.x, s_.width, call_.grad_in_weight);
    weight_product(s_.width, call_.grad_y, s_.width, s_.inner, call_.context, s_.inner, call_.grad_out_weight);
    column_sums(grad.get(), s_.rows, channels, call_.grad_in_bias);
    column_sums(call_.grad_y, s_.rows, s_.width, call_.grad_out_bias);
    if (job_.qk_norm) {  // gain of q, of k; shift of q, of k
      Device<T> sums(gains, stream_);
      column_sums(affine.get(), pairs, gains, sums.get());
      const std::size_t half = 2 * s_.dh * sizeof(T);
      check(cudaMemcpyAsync(call_.grad_qk_gain, sums.get(), half, cudaMemcpyDeviceToDevice, stream_), "copy");
      check(cudaMemcpyAsync(call_.grad_qk_shift, sums.get() + 2 * s_.dh, half, cudaMemcpyDeviceToDevice, stream_), "copy");
    }
    check(cudaGetLastError(), "backward");
  }

 private:
  dim3 grid() const { return dim3(static_cast<unsigned>(host_tiles_.size()), s_.heads); }
  template <int DH>
  static std::size_t tile_bytes(std::size_t arrays, std::size_t scalars, std::size_t own) {
    return ((arrays * DH + scalars) * kTile * kSteps<DH> + own * DH * kThreads) * sizeof(T);
  }

  // Calls with the smallest compiled head width that fits, and with the norm's flag.
  template <class Body>
  void each_head_width(Body body) {
    auto with = [&](auto dh) {
      if (job_.value_norm)
        body(dh, std::true_type());
      else
        body(dh, std::false_type());
    };
    if (s_.dh <= 8) return with(std::integral_constant<int, 8>());
    if (s_.dh <= 16) return with(std::integral_constant<int, 16>());
    if (s_.dh <= 32) return with(std::integral_constant<int, 32>());
    with(std::integral_constant<int, 64>());
  }

  void project(T* hat, T* inverse) {
    const std::size_t channels = 4 * std::size_t{s_.inner};
    product({s_.rows, channels, s_.width, call_.x, s_.width, 1, call_.in_weight, 1, s_.width, call_.in_bias, p_.get(), channels, 0});
    LEMAN_LAUNCH(prepare_kernel<T>, dim3(blocks_for(s_.rows * 2 * s_.heads)), dim3(kThreads), 0, stream_, s_, p_.get(), call_.qk_gain, call_.qk_shift, hat, inverse);
  }

  void product(const Product<T>& p, unsigned parts = 1) {
    const dim3 grid(static_cast<unsigned>((p.m + kTile - 1) / kTile), static_cast<unsigned>((p.n + kTile - 1) / kTile), parts);
    LEMAN_LAUNCH(product_kernel<T>, grid, dim3(kThreads), 2 * kTile * (kTile + 1) * sizeof(T), stream_, p);
  }

  // out [m][n] = sum over rows of a[row][m] b[row][n], in parts.
  void weight_product(std::size_t m, const T* a, std::size_t am, std::size_t n, const T* b, std::size_t bn, T* out) {
    Device<T> parts(kParts * m * n, stream_);
    product({m, n, s_.rows, a, 1, am, b, bn, 1, nullptr, parts.get(), n, m * n}, kParts);
    LEMAN_LAUNCH(add_parts_kernel<T>, dim3(blocks_for(m * n)), dim3(kThreads), 0, stream_, parts.get(), kParts, m * n, out);
  }

  void column_sums(const T* a, std::size_t rows, std::size_t columns, T* out) {
    Device<T> parts(kParts * columns, stream_);
    LEMAN_LAUNCH(column_sums_kernel<T>, dim3(blocks_for(columns), kParts), dim3(kThreads), 0, stream_, a, rows, columns, parts.get());
    LEMAN_LAUNCH(add_parts_kernel<T>, dim3(blocks_for(columns)), dim3(kThreads), 0, stream_, parts.get(), kParts, columns, out);
  }

  const CudaTriangle<T>& call_;
  const Triangle<T>& job_;
  Shape<T> s_;
  cudaStream_t stream_;
  std::vector<Tile> host_tiles_;
  Device<Tile> tiles_;
  Device<T> p_;  // [rows][4][inner]: q, k, v1, v2
};

// Host pointers: everything is copied in and out.
template <class T>
struct Staged {
  const Triangle<T>& job;
  cudaStream_t stream = nullptr;
  std::size_t rows = job.rows(), inner = job.inner(), norm = job.qk_norm ? 2 * job.head_width : 0;
  Device<T> x{rows * job.width, stream}, in_weight{4 * inner * job.width, stream}, in_bias{4 * inner, stream}, qk_gain{norm, stream},
      qk_shift{norm, stream}, out_weight{job.width * inner, stream}, out_bias{job.width, stream}, context{rows * inner, stream},
      sums{rows * job.heads, stream};

  explicit Staged(const Triangle<T>& job_) : job(job_) {
    x.upload(job.x), in_weight.upload(job.in_weight), in_bias.upload(job.in_bias);
    qk_gain.upload(job.qk_gain), qk_shift.upload(job.qk_shift);
    out_weight.upload(job.out_weight), out_bias.upload(job.out_bias);
  }
  CudaTriangle<T> call() const {
    CudaTriangle<T> c;
    c.job = &job, c.x = x.get(), c.in_weight = in_weight.get(), c.in_bias = in_bias.get(), c.qk_gain = qk_gain.get();
    c.qk_shift = qk_shift.get(), c.out_weight = out_weight.get(), c.out_bias = out_bias.get();
    c.context = context.get(), c.sums = sums.get(), c.stream = stream;
    return c;
  }
  void wait() const { check(cudaStreamSynchronize(stream), "run"); }
};

template <class T>
void staged_forward(const Triangle<T>& job) {
  Staged<T> staged(job);
  Device<T> y(staged.rows * job.width, staged.stream);
  CudaTriangle<T> call = staged.call();
  call.y = y.get();
  cuda_forward(call);
  y.download(job.y), staged.context.download(job.context), staged.sums.download(job.sums);
  staged.wait();
}

template <class T>
void staged_backward(const Triangle<T>& job) {
  Staged<T> staged(job);
  staged.context.upload(job.context), staged.sums.upload(job.sums);
  const cudaStream_t stream = staged.stream;
  const std::size_t rows = staged.rows, inner = staged.inner, width = job.width;
  Device<T> grad_y(rows * width, stream), grad_x(rows * width, stream), grad_in_weight(4 * inner * width, stream), grad_in_bias(4 * inner, stream),
      grad_qk_gain(staged.norm, stream), grad_qk_shift(staged.norm, stream), grad_out_weight(width * inner, stream), grad_out_bias(width, stream);
  grad_y.upload(job.grad_y);
  CudaTriangle<T> call = staged.call();
  call.grad_y = grad_y.get(), call.grad_x = grad_x.get(), call.grad_in_weight = grad_in_weight.get(), call.grad_in_bias = grad_in_bias.get();
  call.grad_qk_gain = grad_qk_gain.get(), call.grad_qk_shift = grad_qk_shift.get();
  call.grad_out_weight = grad_out_weight.get(), call.grad_out_bias = grad_out_bias.get();
  cuda_backward(call);
  grad_x.download(job.grad_x), grad_in_weight.download(job.grad_in_weight), grad_in_bias.download(job.grad_in_bias);
  grad_qk_gain.download(job.grad_qk_gain), grad_qk_shift.download(job.grad_qk_shift);
  grad_out_weight.download(job.grad_out_weight), grad_out_bias.download(job.grad_out_bias);
  staged.wait();
}

template <class T>
constexpr TriangleDevice<T> device() {
  return {[](const Triangle<T>& job) { return job.rows() * job.inner(); }, [](const Triangle<T>& job) { return job.rows() * job.heads; },
          staged_forward<T>, staged_backward<T>};
}

}  // namespace

template <class T>
void cuda_forward(const CudaTriangle<T>& call) {
  Run<T>(call).forward();
}
template <class T>
void cuda_backward(const CudaTriangle<T>& call) {
  Run<T>(call).backward();
}
template void cuda_forward<float>(const CudaTriangle<float>&);
template void cuda_forward<double>(const CudaTriangle<double>&);
template void cuda_backward<float>(const CudaTriangle<float>&);
template void cuda_backward<double>(const CudaTriangle<double>&);

const TriangleDevice<float> triangle_cuda_f32 = device<float>();
const TriangleDevice<double> triangle_cuda_f64 = device<double>();

bool cuda_supported() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

}  // namespace leman::et
