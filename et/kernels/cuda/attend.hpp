// The attention kernels: everything that is cubic in the number of nodes.
//
// A block has a tile of pairs for one head of one graph. A pair belongs to a group of threads,
// each with 32 bytes of its channels (8 in float32, 4 in float64) in registers, whatever the
// width of a head. Dot products are summed in the thread, then over the group by shuffles. So
// register use does not grow with the head, and nothing spills.
//
// The third index runs in steps through shared memory. One of the two factors of a triple is
// read by all pairs of a tile's row (`along`), the other by neighbouring threads (`across`).
// Both are laid out so that reading 16 bytes per thread causes no bank conflicts.
#pragma once

#include <limits>

#include "et/kernels/cuda/common.hpp"

namespace leman::et {

namespace {

// A tile of pairs: number of the graph, its first row and order; the tile's first pair.
struct Tile {
  unsigned graph, first_row, n, row, column;
};

template <class T, int DH>
struct Layout {
  static constexpr unsigned kOwn = 32 / sizeof(T);  // channels per thread, two vectors
  static constexpr unsigned kGroup = DH / kOwn;     // threads per pair
  static constexpr unsigned kVectors = 2 * kGroup;  // per pair
  static constexpr unsigned kColumns = kGroup <= 2 ? 16 : kGroup <= 8 ? 8 : 4;
  static constexpr unsigned kRows = kThreads / kGroup / kColumns;
  // Values of the third index per step: 16 KB for four factors.
  static constexpr unsigned kSteps = 8192 / ((kRows + kColumns) * DH * sizeof(T)) >= 4 ? 4 : 2;
  static constexpr std::size_t forward_bytes() {
    return 2 * (kRows + kColumns) * kSteps * kVectors * sizeof(Vector<T>) + kSteps * kThreads * sizeof(T);
  }
  static constexpr std::size_t backward_bytes(bool left) {
    const unsigned twice = left ? kColumns : kRows, once = left ? kRows : kColumns;
    return (2 * twice + once) * kSteps * kVectors * sizeof(Vector<T>) + 2 * once * kSteps * sizeof(T) +
           4 * kThreads * sizeof(Vector<T>);
  }
  __device__ static unsigned along(unsigned step, unsigned y, unsigned u) {
    return ((y * kSteps + step) * 2 + u % 2) * kGroup + u / 2;
  }
  __device__ static unsigned across(unsigned step, unsigned x, unsigned u) {
    return ((step * 2 + u % 2) * kColumns + x) * kGroup + u / 2;
  }
};

// The calling thread's place: its tile, pair and part of the channels.
template <class T, int DH>
struct Place {
  using L = Layout<T, DH>;
  Tile t;
  unsigned part = threadIdx.x % L::kGroup, x = threadIdx.x / L::kGroup % L::kColumns,
           y = threadIdx.x / L::kGroup / L::kColumns;
  __device__ explicit Place(const Tile& tile) : t(tile) {}
  __device__ unsigned row() const { return t.row + y; }
  __device__ unsigned column() const { return t.column + x; }
  __device__ bool inside() const { return row() < t.n && column() < t.n; }
  __device__ unsigned pair() const { return t.first_row + row() * t.n + column(); }
};

// The channels of one thread.
template <class T>
struct Own {
  static constexpr unsigned kHalf = Vector<T>::kSize, kCount = 2 * kHalf;
  T x[kCount];
  __device__ T& operator[](unsigned c) { return x[c]; }
  __device__ T operator[](unsigned c) const { return x[c]; }
};

// The location of the thread's two vectors of a tile.
template <class T>
struct Source {
  const Vector<T>* at;
  unsigned apart;
  __device__ Vector<T> half(unsigned h) const { return read_shared(at + h * apart); }
};
template <class T, int DH>
__device__ Source<T> along(const Vector<T>* tile, unsigned step, const Place<T, DH>& me) {
  using L = Layout<T, DH>;
  return {tile + L::along(step, me.y, 2 * me.part), L::kGroup};
}
template <class T, int DH>
__device__ Source<T> across(const Vector<T>* tile, unsigned step, const Place<T, DH>& me) {
  using L = Layout<T, DH>;
  return {tile + L::across(step, me.x, 2 * me.part), L::kColumns * L::kGroup};
}

// Sum over the threads of a pair; every thread gets the same bits.
template <unsigned Group, class T>
__device__ T over_group(T sum) {
  LEMAN_UNROLL
  for (unsigned mask = 1; mask < Group; mask *= 2) sum += LEMAN_SHUFFLE_XOR(sum, mask);
  return sum;
}

template <class T>
__device__ T dot(const Own<T>& a, const Source<T>& b) {
  T sum = 0;
  LEMAN_UNROLL
  for (unsigned h = 0; h < 2; ++h) {
    const Vector<T> v = b.half(h);
    LEMAN_UNROLL
    for (unsigned c = 0; c < Own<T>::kHalf; ++c) sum += a[h * Own<T>::kHalf + c] * v.x[c];
  }
  return sum;
}
template <class T>
__device__ T dot(const Source<T>& a, const Source<T>& b) {
  T sum = 0;
  LEMAN_UNROLL
  for (unsigned h = 0; h < 2; ++h) {
    const Vector<T> u = a.half(h), v = b.half(h);
    LEMAN_UNROLL
    for (unsigned c = 0; c < Own<T>::kHalf; ++c) sum += u.x[c] * v.x[c];
  }
  return sum;
}
template <class T>
__device__ Own<T> times(const Source<T>& a, const Source<T>& b) {
  Own<T> product;
  LEMAN_UNROLL
  for (unsigned h = 0; h < 2; ++h) {
    const Vector<T> u = a.half(h), v = b.half(h);
    LEMAN_UNROLL
    for (unsigned c = 0; c < Own<T>::kHalf; ++c) product[h * Own<T>::kHalf + c] = u.x[c] * v.x[c];
  }
  return product;
}

// The fused value of a triple: v1 * v2, centred if it is normalised, and its inverse deviation.
template <class T, int DH, bool Norm>
struct Fused {
  using L = Layout<T, DH>;
  Own<T> t;
  T inverse = 1;
  __device__ Fused(const Shape<T>& s, unsigned part, const Own<T>& product) : t(product) {
    if (!Norm) return;
    T mean = 0, square = 0;
    LEMAN_UNROLL
    for (unsigned c = 0; c < L::kOwn; ++c) mean += t[c];
    mean = over_group<L::kGroup>(mean) * s.share;
    LEMAN_UNROLL
    for (unsigned c = 0; c < L::kOwn; ++c) {
      t[c] -= mean;
      if (part * L::kOwn + c < s.dh) square += t[c] * t[c];
    }
    inverse = inverse_root(over_group<L::kGroup>(square) * s.share + s.epsilon);
  }
};

// Starts a copy of R x C pairs from (r0, c0) on, U elements each, to shared memory; zeros outside
// the graph. Row r has its elements at r * stride + offset. 32-bit indices suffice (the host side
// checks this) and take half the registers.
template <unsigned R, unsigned C, unsigned U, class E, class To>
__device__ void load(const Tile& t, const E* from, unsigned stride, unsigned offset, unsigned r0, unsigned c0, E* out,
                     To to) {
  LEMAN_NO_UNROLL
  for (unsigned at = thread_number(); at < R * C * U; at += kThreads) {
    const unsigned u = at % U, c = at / U % C, r = at / U / C;
    const bool inside = r0 + r < t.n && c0 + c < t.n;
    const unsigned pair = inside ? t.first_row + (r0 + r) * t.n + c0 + c : 0;
    copy_to_shared(out + to(r, c, u), from + (pair * stride + offset + u), inside);
  }
}

template <class T>
__device__ bool is_dropped(const Shape<T>& s, const Tile& t, unsigned head, unsigned i, unsigned l, unsigned j) {
  return s.dropout.threshold != 0 && s.dropout.dropped(s.dropout.row(t.graph, head, i, l), j);
}

// Slots of p [rows][4][inner].
enum Slot : unsigned { kQ, kK, kV1, kV2 };

// For pairs (i, j), over all l: contexts [rows][inner], and sums [rows][heads] = log2 of the sum
// of 2^score.
template <class T, int DH, bool Norm>
__global__ void __launch_bounds__(kThreads, kBlocks)
    attend_kernel(Shape<T> s, const Tile* tiles, const Vector<T>* p, T* context, T* sums) {
  using L = Layout<T, DH>;
  const Place<T, DH> me(tiles[blockIdx.x]);
  const unsigned head = blockIdx.y, stride = 4 * s.heads * L::kVectors;
  const auto offset = [&](Slot slot) { return (slot * s.heads + blockIdx.y) * L::kVectors; };
  const auto to_along = [](unsigned y, unsigned step, unsigned u) { return L::along(step, y, u); };
  const auto to_across = [](unsigned step, unsigned x, unsigned u) { return L::across(step, x, u); };
  LEMAN_SHARED(Vector<T>, q, L::forward_bytes());
  Vector<T>* v1 = q + L::kRows * L::kSteps * L::kVectors;
  Vector<T>* k = v1 + L::kRows * L::kSteps * L::kVectors;
  Vector<T>* v2 = k + L::kColumns * L::kSteps * L::kVectors;
  T* score = reinterpret_cast<T*>(v2 + L::kColumns * L::kSteps * L::kVectors) + threadIdx.x;  // [step][thread]
  T top = -std::numeric_limits<T>::infinity(), total = 0;
  Own<T> o{};
  for (unsigned l0 = 0; l0 < me.t.n; l0 += L::kSteps) {
    const unsigned steps = me.t.n - l0 < L::kSteps ? me.t.n - l0 : L::kSteps;
    load<L::kRows, L::kSteps, L::kVectors>(me.t, p, stride, offset(kQ), me.t.row, l0, q, to_along);
    load<L::kRows, L::kSteps, L::kVectors>(me.t, p, stride, offset(kV1), me.t.row, l0, v1, to_along);
    load<L::kSteps, L::kColumns, L::kVectors>(me.t, p, stride, offset(kK), l0, me.t.column, k, to_across);
    load<L::kSteps, L::kColumns, L::kVectors>(me.t, p, stride, offset(kV2), l0, me.t.column, v2, to_across);
    wait_for_copies();
    LEMAN_BARRIER();
    T highest = top;
    LEMAN_NO_UNROLL
    for (unsigned l = 0; l < steps; ++l) {
      const T x = over_group<L::kGroup>(dot(along(q, l, me), across(k, l, me)));
      score[l * kThreads] = x;
      highest = x > highest ? x : highest;
    }
    const T shrink = highest > top ? power2(top - highest) : T(1);  // rescales the sums so far
    top = highest;
    total *= shrink;
    LEMAN_UNROLL
    for (unsigned c = 0; c < L::kOwn; ++c) o[c] *= shrink;
    const T base = top == -std::numeric_limits<T>::infinity() ? T(0) : top;  // -inf - -inf would be NaN
    LEMAN_NO_UNROLL
    for (unsigned l = 0; l < steps; ++l) {
      const Fused<T, DH, Norm> f(s, me.part, times(along(v1, l, me), across(v2, l, me)));
      const T weight = power2(score[l * kThreads] - base);
      total += weight;
      const bool drop = is_dropped(s, me.t, head, me.row(), l0 + l, me.column());
      const T kept = drop ? T(0) : weight * s.keep_scale * f.inverse;
      LEMAN_UNROLL
      for (unsigned c = 0; c < L::kOwn; ++c) o[c] += kept * f.t[c];
    }
    LEMAN_BARRIER();
  }
  if (!me.inside()) return;
  T* out = context + std::size_t{me.pair()} * s.inner + head * DH + me.part * L::kOwn;
  LEMAN_UNROLL
  for (unsigned c = 0; c < L::kOwn; ++c) out[c] = me.part * L::kOwn + c < s.dh ? o[c] / total : T(0);
  if (me.part == 0) sums[me.pair() * s.heads + head] = top + logarithm2(total);
}

// The shared memory of attend_backward_kernel for kSteps values of its third index m.
template <class T, int DH, bool Left>
struct BackwardTiles {
  using L = Layout<T, DH>;
  static constexpr unsigned kTwice = Left ? L::kColumns : L::kRows, kOnce = Left ? L::kRows : L::kColumns;
  Vector<T>* factor;                                             // k or q
  Vector<T>* value = factor + kTwice * L::kSteps * L::kVectors;  // v2 or v1
  Vector<T>* grad = value + kTwice * L::kSteps * L::kVectors;    // of the context
  T* sum = reinterpret_cast<T*>(grad + kOnce * L::kSteps * L::kVectors);
  T* dot = sum + kOnce * L::kSteps;
  Vector<T>* own =
      reinterpret_cast<Vector<T>*>(dot + kOnce * L::kSteps);  // [4][thread]: q and v1, or k and v2, of the pair

  // Left: factors of the pairs (l, m) and gradients of (i, m); otherwise (m, l) and (m, j).
  __device__ void load_step(const Shape<T>& s, const Tile& t, const Vector<T>* p, const Vector<T>* grad_context,
                            const T* sums, const T* dots, unsigned m0) const {
    const unsigned stride = 4 * s.heads * L::kVectors, of_head = blockIdx.y * L::kVectors;
    const unsigned of_factor = (Left ? kK : kQ) * s.heads * L::kVectors + of_head;
    const unsigned of_value = (Left ? kV2 : kV1) * s.heads * L::kVectors + of_head;
    if constexpr (Left) {
      const auto to_across = [](unsigned x, unsigned step, unsigned u) { return L::across(step, x, u); };
      const auto to_along = [](unsigned y, unsigned step, unsigned u) { return L::along(step, y, u); };
      const auto to_scalar = [](unsigned y, unsigned step, unsigned) { return y * L::kSteps + step; };
      load<L::kColumns, L::kSteps, L::kVectors>(t, p, stride, of_factor, t.column, m0, factor, to_across);
      load<L::kColumns, L::kSteps, L::kVectors>(t, p, stride, of_value, t.column, m0, value, to_across);
      load<L::kRows, L::kSteps, L::kVectors>(t, grad_context, s.heads * L::kVectors, of_head, t.row, m0, grad,
                                             to_along);
      load<L::kRows, L::kSteps, 1>(t, sums, s.heads, blockIdx.y, t.row, m0, sum, to_scalar);
      load<L::kRows, L::kSteps, 1>(t, dots, s.heads, blockIdx.y, t.row, m0, dot, to_scalar);
    } else {
      const auto to_along = [](unsigned step, unsigned y, unsigned u) { return L::along(step, y, u); };
      const auto to_across = [](unsigned step, unsigned x, unsigned u) { return L::across(step, x, u); };
      const auto to_scalar = [](unsigned step, unsigned x, unsigned) { return step * L::kColumns + x; };
      load<L::kSteps, L::kRows, L::kVectors>(t, p, stride, of_factor, m0, t.row, factor, to_along);
      load<L::kSteps, L::kRows, L::kVectors>(t, p, stride, of_value, m0, t.row, value, to_along);
      load<L::kSteps, L::kColumns, L::kVectors>(t, grad_context, s.heads * L::kVectors, of_head, m0, t.column, grad,
                                                to_across);
      load<L::kSteps, L::kColumns, 1>(t, sums, s.heads, blockIdx.y, m0, t.column, sum, to_scalar);
      load<L::kSteps, L::kColumns, 1>(t, dots, s.heads, blockIdx.y, m0, t.column, dot, to_scalar);
    }
  }
};

// Left: for pairs (i, l), over all m = j, the gradients of q and v1. Otherwise: for pairs (l, j),
// over all m = i, those of k and v2. The pair's own factors are in shared memory, their gradients
// in registers. Scores and fused values are computed again.
template <class T, int DH, bool Norm, bool Left>
__global__ void __launch_bounds__(kThreads, kBackwardBlocks)
    attend_backward_kernel(Shape<T> s, const Tile* tiles, const Vector<T>* p, const Vector<T>* grad_context,
                           const T* sums, const T* dots, T* grad) {
  using L = Layout<T, DH>;
  constexpr unsigned kHalf = Own<T>::kHalf;
  const Place<T, DH> me(tiles[blockIdx.x]);
  const unsigned head = blockIdx.y;
  LEMAN_SHARED(Vector<T>, shared, L::backward_bytes(Left));
  const BackwardTiles<T, DH, Left> tile{shared};
  const Source<T> mine{tile.own + threadIdx.x, kThreads}, my_value{tile.own + 2 * kThreads + threadIdx.x, kThreads};
  Own<T> grad_mine{}, grad_value{};
  for (unsigned h = 0; h < 4; ++h) {
    const unsigned slot = (Left ? kQ : kK) + h / 2 * (kV1 - kQ);
    const unsigned from = ((me.pair() * 4 + slot) * s.heads + head) * L::kVectors + 2 * me.part + h % 2;
    copy_to_shared(tile.own + h * kThreads + threadIdx.x, p + (me.inside() ? from : 0), me.inside());
  }
  for (unsigned m0 = 0; m0 < me.t.n; m0 += L::kSteps) {
    tile.load_step(s, me.t, p, grad_context, sums, dots, m0);
    wait_for_copies();
    LEMAN_BARRIER();
    LEMAN_NO_UNROLL
    for (unsigned step = 0; step < L::kSteps && m0 + step < me.t.n; ++step) {
      const unsigned at = Left ? me.y * L::kSteps + step : step * L::kColumns + me.x;
      const Source<T> other = Left ? across(tile.factor, step, me) : along(tile.factor, step, me);
      const Source<T> other_value = Left ? across(tile.value, step, me) : along(tile.value, step, me);
      const Source<T> back = Left ? along(tile.grad, step, me) : across(tile.grad, step, me);
      const T weight = power2(over_group<L::kGroup>(dot(mine, other)) - tile.sum[at]);
      const Fused<T, DH, Norm> f(s, me.part, times(my_value, other_value));
      const bool drop = Left ? is_dropped(s, me.t, head, me.row(), me.column(), m0 + step)
                             : is_dropped(s, me.t, head, m0 + step, me.row(), me.column());
      const T scaled = drop ? T(0) : weight * s.keep_scale * f.inverse;
      const T pull = over_group<L::kGroup>(dot(f.t, back)) * scaled;  // gradient of the weight, times the weight
      const T of_norm = Norm ? pull * f.inverse * f.inverse * s.share : T(0);
      const T of_score = T(0.693147180559945309417232) * (pull - weight * tile.dot[at]);
      LEMAN_UNROLL
      for (unsigned h = 0; h < 2; ++h) {
        const Vector<T> o = other.half(h);
        LEMAN_UNROLL
        for (unsigned c = 0; c < kHalf; ++c) grad_mine[h * kHalf + c] += of_score * o.x[c];
      }
      LEMAN_UNROLL
      for (unsigned h = 0; h < 2; ++h) {
        const Vector<T> d = back.half(h), v = other_value.half(h);
        LEMAN_UNROLL
        for (unsigned c = 0; c < kHalf; ++c)
          grad_value[h * kHalf + c] += (scaled * d.x[c] - of_norm * f.t[h * kHalf + c]) * v.x[c];
      }
    }
    LEMAN_BARRIER();
  }
  if (!me.inside()) return;
  T* out = grad + (std::size_t{me.pair()} * 4 + (Left ? kQ : kK)) * s.inner + head * DH + me.part * L::kOwn;
  LEMAN_UNROLL
  for (unsigned c = 0; c < L::kOwn; ++c) out[c] = grad_mine[c], out[(kV1 - kQ) * s.inner + c] = grad_value[c];
}

}  // namespace

}  // namespace leman::et
