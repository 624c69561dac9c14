// Matrix products, sums over rows, and the work on queries and keys before and after
// attention: everything that is linear in the number of pairs.
#pragma once

#include "et/kernels/cuda/common.hpp"

namespace leman::et {

namespace {

constexpr unsigned kSide = 64;          // side of a block's tile of a product: 4 x 4 numbers per thread
constexpr unsigned kDeep = 16;          // summands in shared memory at a time
constexpr unsigned kPitch = kSide + 4;  // of a row there; the extra 4 keep vectors aligned
constexpr unsigned kParts = 64;         // partial sums over rows, added up in order

// C[m][n] = sum over k of A[m][k] B[k][n] (+ bias[n]), with any strides. The sum over k is split
// into gridDim.z parts; part z goes to C + z * part.
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

// Copies the summands from k0 on of kSide rows (or columns) from `first` on to shared memory as
// [k][row]. Neighbouring threads read neighbouring numbers.
template <class T>
__device__ void load_side(const T* from, std::size_t stride, std::size_t first, std::size_t count, std::size_t k_stride,
                          std::size_t k0, std::size_t to, T* out) {
  LEMAN_UNROLL
  for (unsigned round = 0; round < kSide * kDeep / kThreads; ++round) {
    const unsigned at = round * kThreads + threadIdx.x;
    const unsigned k = k_stride == 1 ? at % kDeep : at / kSide, r = k_stride == 1 ? at / kDeep : at % kSide;
    const bool inside = first + r < count && k0 + k < to;
    out[k * kPitch + r] = inside ? from[(first + r) * stride + (k0 + k) * k_stride] : T(0);
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads) product_kernel(Product<T> p) {
  LEMAN_SHARED(T, a, 2 * kDeep * kPitch * sizeof(T));  // [k][m]
  T* b = a + kDeep * kPitch;                           // [k][n]
  const unsigned tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const std::size_t m0 = std::size_t{blockIdx.x} * kSide, n0 = std::size_t{blockIdx.y} * kSide;
  const std::size_t share = (p.k + gridDim.z - 1) / gridDim.z, from = share * blockIdx.z;
  const std::size_t to = from + share < p.k ? from + share : p.k;
  T sum[4][4] = {};
  for (std::size_t k0 = from; k0 < to; k0 += kDeep) {
    load_side(p.a, p.am, m0, p.m, p.ak, k0, to, a);
    load_side(p.b, p.bn, n0, p.n, p.bk, k0, to, b);
    LEMAN_BARRIER();
    LEMAN_UNROLL
    for (unsigned k = 0; k < kDeep; ++k) {
      LEMAN_UNROLL
      for (unsigned y = 0; y < 4; ++y) {
        LEMAN_UNROLL
        for (unsigned x = 0; x < 4; ++x) sum[y][x] += a[k * kPitch + ty * 4 + y] * b[k * kPitch + tx * 4 + x];
      }
    }
    LEMAN_BARRIER();
  }
  LEMAN_UNROLL
  for (unsigned y = 0; y < 4; ++y) {
    LEMAN_UNROLL
    for (unsigned x = 0; x < 4; ++x) {
      const std::size_t m = m0 + ty * 4 + y, n = n0 + tx * 4 + x;
      if (m < p.m && n < p.n) p.c[blockIdx.z * p.part + m * p.cm + n] = sum[y][x] + (p.bias ? p.bias[n] : T(0));
    }
  }
}

// out[k] = sum over parts of part[z][k], in order.
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
__global__ void __launch_bounds__(kThreads)
    column_sums_kernel(const T* a, std::size_t rows, std::size_t columns, T* parts) {
  const std::size_t c = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (c >= columns) return;
  const std::size_t share = (rows + gridDim.y - 1) / gridDim.y, from = share * blockIdx.y;
  const std::size_t to = from + share < rows ? from + share : rows;
  T sum = 0;
  for (std::size_t r = from; r < to; ++r) sum += a[r * columns + c];
  parts[blockIdx.y * columns + c] = sum;
}

// Copies [outer][has][inner] to [outer][gets][inner], adding zeros or leaving them out.
template <class T>
__global__ void __launch_bounds__(kThreads)
    resize_kernel(const T* from, std::size_t outer, unsigned has, unsigned gets, std::size_t inner, T* to) {
  const std::size_t at = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (at >= outer * gets * inner) return;
  const std::size_t k = at / inner % gets, o = at / inner / gets;
  to[at] = k < has ? from[(o * has + k) * inner + at % inner] : T(0);
}

// p [rows][4][inner]: normalises q and k and scales q, in place. hat [rows][2][inner] and
// inverse [rows][2][heads], if not null, keep what the backward pass needs.
template <class T>
__global__ void __launch_bounds__(kThreads)
    prepare_kernel(Shape<T> s, T* p, const T* gain, const T* shift, T* hat, T* inverse) {
  const std::size_t row = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= s.rows) return;
  const unsigned slot = blockIdx.y / s.heads, head = blockIdx.y % s.heads;
  T* v = p + (row * 4 + slot) * s.inner + head * s.room;
  const T factor = slot == 0 ? s.factor : T(1);
  T mean = 0, square = 0, r = 1;
  if (s.qk_norm) {
    for (unsigned c = 0; c < s.dh; ++c) mean += v[c];
    mean *= s.share;
    for (unsigned c = 0; c < s.dh; ++c) square += (v[c] - mean) * (v[c] - mean);
    r = inverse_root(square * s.share + s.epsilon);
  }
  for (unsigned c = 0; c < s.dh; ++c) {
    const T normal = (v[c] - mean) * r;
    if (hat) hat[(row * 2 + slot) * s.inner + head * s.room + c] = normal;
    v[c] = (s.qk_norm ? normal * gain[slot * s.dh + c] + shift[slot * s.dh + c] : v[c]) * factor;
  }
  if (inverse) inverse[(row * 2 + slot) * s.heads + head] = r;
}

// Turns gradients of prepare_kernel's outputs into those of its inputs, in place.
// affine [rows * heads][4 dh] gets the contribution of (row, head) to the gains of q and k and the
// shifts of q and k.
template <class T>
__global__ void __launch_bounds__(kThreads)
    unprepare_kernel(Shape<T> s, T* grad, const T* gain, const T* hat, const T* inverse, T* affine) {
  const std::size_t row = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= s.rows) return;
  const unsigned slot = blockIdx.y / s.heads, head = blockIdx.y % s.heads;
  T* g = grad + (row * 4 + slot) * s.inner + head * s.room;
  const T factor = slot == 0 ? s.factor : T(1);
  if (!s.qk_norm) {
    for (unsigned c = 0; c < s.dh; ++c) g[c] *= factor;
    return;
  }
  const T* y = hat + (row * 2 + slot) * s.inner + head * s.room;
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
  mean *= s.share;
  along *= s.share;
  const T r = inverse[(row * 2 + slot) * s.heads + head];
  for (unsigned c = 0; c < s.dh; ++c) g[c] = r * (g[c] - mean - y[c] * along);
}

// Centres grad_context if the fused value is normalised; dots [rows][heads] = grad . context.
template <class T>
__global__ void __launch_bounds__(kThreads)
    dots_kernel(Shape<T> s, bool value_norm, T* grad_context, const T* context, T* dots) {
  const std::size_t at = std::size_t{blockIdx.x} * kThreads + threadIdx.x;  // row, head
  if (at >= s.rows * s.heads) return;
  T* g = grad_context + at * s.room;
  const T* o = context + at * s.room;
  T mean = 0, dot = 0;
  if (value_norm) {  // the gradient through a layer norm has no component along the mean
    for (unsigned c = 0; c < s.dh; ++c) mean += g[c];
    mean *= s.share;
  }
  for (unsigned c = 0; c < s.dh; ++c) {
    g[c] -= mean;
    dot += g[c] * o[c];
  }
  dots[at] = dot;
}

}  // namespace

}  // namespace leman::et
