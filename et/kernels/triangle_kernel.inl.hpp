// The one source of the CPU kernels, in GNU vector extensions; included by
// triangle_portable.cpp, triangle_avx2.cpp and triangle_avx512.cpp, which define LEMAN_VECTOR_BYTES and are
// compiled for their instruction set. Everything is in an unnamed namespace and
// uses no function of the standard library (see triangle_stages.hpp).
//
// Vectors run over the columns j. Per (i, l, tile of j) and channel the forward
// pass costs 5 fused multiply-adds, the backward pass 11; queries and first
// values are scalars that the processor broadcasts from memory.
#include "et/kernels/triangle_stages.hpp"

#if defined(__AVX2__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace leman::et {
namespace {

template <class T>
struct Simd;
template <>
struct Simd<float> {
  typedef float V __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias));
  typedef float U __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias, aligned(4)));
  typedef std::int32_t Lane;
  typedef Lane I __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias));
  static constexpr int kMantissa = 23, kDegree = 7;
  static constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float kLowest = -125, kSafe = 80;
};
template <>
struct Simd<double> {
  typedef double V __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias));
  typedef double U __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias, aligned(8)));
  typedef std::int64_t Lane;
  typedef Lane I __attribute__((vector_size(LEMAN_VECTOR_BYTES), may_alias));
  static constexpr int kMantissa = 52, kDegree = 13;
  static constexpr double kRound = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double kLowest = -1021, kSafe = 500;
};

template <class T>
using Vec = typename Simd<T>::V;
template <class T>
inline constexpr std::size_t kLanes = LEMAN_VECTOR_BYTES / sizeof(T);

template <class T>
inline Vec<T> load(const T* p) {
  return *reinterpret_cast<const typename Simd<T>::U*>(p);
}
template <class T>
inline void store(T* p, Vec<T> v) {
  *reinterpret_cast<typename Simd<T>::U*>(p) = v;
}
template <class T>
inline Vec<T> all(T value) {
  return Vec<T>{} + value;
}
// a if a > b, else b: what the instruction does. GCC does not see it by itself.
template <class T>
inline Vec<T> max(Vec<T> a, Vec<T> b) {
#if LEMAN_VECTOR_BYTES == 64
  if constexpr (sizeof(T) == 4)
    return reinterpret_cast<Vec<T>>(_mm512_max_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b)));
  else
    return reinterpret_cast<Vec<T>>(_mm512_max_pd(reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b)));
#else
  return a > b ? a : b;
#endif
}
template <class T>
inline Vec<T> abs(Vec<T> a) {
  return a < T(0) ? -a : a;
}
template <class T>
inline T sum_lanes(Vec<T> v) {  // a tree, the same for every call
  T part[kLanes<T>];
  store<T>(part, v);
  for (std::size_t half = kLanes<T> / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) part[k] += part[k + half];
  return part[0];
}

// Lanes whose number has the bit `bit`, of two vectors: the first keeps its
// lanes without the bit and takes those of the second; Upper: the other way.
template <class T, std::size_t Bit, bool Upper>
inline Vec<T> exchange(Vec<T> a, Vec<T> b) {
  typename Simd<T>::I lanes;
  for (std::size_t k = 0; k < kLanes<T>; ++k)
    lanes[k] = static_cast<typename Simd<T>::Lane>(k & Bit ? kLanes<T> + k - (Upper ? 0 : Bit) : k + (Upper ? Bit : 0));
  return __builtin_shuffle(a, b, lanes);
}

// The kLanes x kLanes matrix v, transposed.
template <class T, std::size_t Bit = kLanes<T> / 2>
inline void transpose_square(Vec<T> (&v)[kLanes<T>]) {
  for (std::size_t k = 0; k < kLanes<T>; ++k)
    if (!(k & Bit)) {
      const Vec<T> a = v[k], b = v[k + Bit];
      v[k] = exchange<T, Bit, false>(a, b);
      v[k + Bit] = exchange<T, Bit, true>(a, b);
    }
  if constexpr (Bit > 1) transpose_square<T, Bit / 2>(v);
}

// Sums of the lanes of v[0], v[1], ... in the lanes of the result.
template <class T, std::size_t Bit = kLanes<T> / 2>
inline Vec<T> sum_square(Vec<T> (&v)[kLanes<T>]) {
  for (std::size_t k = 0; k < Bit; ++k)
    v[k] = exchange<T, Bit, false>(v[k], v[k + Bit]) + exchange<T, Bit, true>(v[k], v[k + Bit]);
  if constexpr (Bit > 1)
    return sum_square<T, Bit / 2>(v);
  else
    return v[0];
}

// Sums over the lanes of `count` vectors at `from`, to `count` numbers at `to`.
template <class T>
void sum_rows(const T* from, std::size_t count, T* to) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t r = 0; r < count; r += L) {
    Vec<T> part[L];
    for (std::size_t k = 0; k < L; ++k) part[k] = r + k < count ? load<T>(from + (r + k) * L) : Vec<T>{};
    const Vec<T> sums = sum_square<T>(part);
    if (r + L <= count)
      store<T>(to + r, sums);
    else
      for (std::size_t k = r; k < count; ++k) to[k] = sums[k - r];
  }
}

template <class T>
struct ExpCoefficients {  // of 2^f: ln(2)^k / k!; |f| <= 1/2 leaves less than half a unit in the last place
  T value[Simd<T>::kDegree + 1];
  constexpr ExpCoefficients() : value{} {
    double term = 1;
    for (int k = 0; k <= Simd<T>::kDegree; ++k) {
      value[k] = static_cast<T>(term);
      term *= 0.693147180559945309417232 / (k + 1);
    }
  }
};

template <class T>
inline Vec<T> exp2(Vec<T> x) {
  static constexpr ExpCoefficients<T> coefficients;
  x = max<T>(x, all<T>(Simd<T>::kLowest));  // 2^-125 stands for everything smaller
  Vec<T> rounded = x + Simd<T>::kRound;
  Vec<T> f = x - (rounded - Simd<T>::kRound);
  // By Estrin: half as many steps in sequence as by Horner.
  constexpr int terms = Simd<T>::kDegree + 1;
  Vec<T> part[terms / 2], power = f;
  for (int k = 0; k < terms / 2; ++k) part[k] = coefficients.value[2 * k + 1] * f + coefficients.value[2 * k];
  for (int left = terms / 2; left > 1; left = (left + 1) / 2) {
    power *= power;
    for (int k = 0; k < left / 2; ++k) part[k] = part[2 * k + 1] * power + part[2 * k];
    if (left % 2) part[left / 2] = part[left - 1];
  }
  const Vec<T> y = part[0];
  using I = typename Simd<T>::I;
  return reinterpret_cast<Vec<T>>(reinterpret_cast<I>(y) + (reinterpret_cast<I>(rounded) << Simd<T>::kMantissa));
}

inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }

// 1 / sqrt(x) to about the last place.
template <class T>
inline Vec<T> inverse_root(Vec<T> x) {
#if LEMAN_VECTOR_BYTES == 64
  Vec<T> y;
  if constexpr (sizeof(T) == 4)
    y = reinterpret_cast<Vec<T>>(_mm512_rsqrt14_ps(reinterpret_cast<__m512>(x)));
  else
    y = reinterpret_cast<Vec<T>>(_mm512_rsqrt14_pd(reinterpret_cast<__m512d>(x)));
  for (int step = 0; step < (sizeof(T) == 4 ? 1 : 2); ++step) {
    Vec<T> half = y * T(0.5);
    y = y + half * (T(1) - x * y * y);
  }
  return y;
#elif LEMAN_VECTOR_BYTES == 32
  if constexpr (sizeof(T) == 4)
    return T(1) / reinterpret_cast<Vec<T>>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
  else
    return T(1) / reinterpret_cast<Vec<T>>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
#else
  for (std::size_t k = 0; k < kLanes<T>; ++k) x[k] = T(1) / root(x[k]);
  return x;
#endif
}

inline float log2_of(float x) { return __builtin_log2f(x); }
inline double log2_of(double x) { return __builtin_log2(x); }

// C[m][v] = bias + sum over k of A[m, k] B[k][v], or C += it. A is any matrix of
// scalars (strides am, ak); rows of B and C are vectors v = 0, 1, ... at
// distances bv and cv.
template <class T>
struct Product {
  std::size_t rows, vectors, depth;
  const T* a;
  std::size_t am, ak;
  const T* b;
  std::size_t bk, bv;
  T* c;
  std::size_t cm, cv;
  const T* row_bias = nullptr;     // [rows]
  const T* column_bias = nullptr;  // [vectors * lanes]
  bool add = false;
};

template <class T, int Rows, int Vectors>
[[gnu::always_inline]] inline void product_tile(const Product<T>& p, std::size_t m0, std::size_t v0) {
  Vec<T> acc[Rows][Vectors];
  T* c = p.c + m0 * p.cm + v0 * p.cv;
  for (int m = 0; m < Rows; ++m)
    for (int v = 0; v < Vectors; ++v) {
      if (p.add)
        acc[m][v] = load<T>(c + m * p.cm + v * p.cv);
      else if (p.column_bias)
        acc[m][v] = load<T>(p.column_bias + (v0 + v) * kLanes<T>);
      else
        acc[m][v] = all<T>(p.row_bias ? p.row_bias[m0 + m] : T(0));
    }
  const T* a = p.a + m0 * p.am;
  const T* b = p.b + v0 * p.bv;
  for (std::size_t k = 0; k < p.depth; ++k, a += p.ak, b += p.bk) {
    Vec<T> row[Vectors];
    for (int v = 0; v < Vectors; ++v) row[v] = load<T>(b + v * p.bv);
    for (int m = 0; m < Rows; ++m)
      for (int v = 0; v < Vectors; ++v) acc[m][v] += a[m * p.am] * row[v];
  }
  for (int m = 0; m < Rows; ++m)
    for (int v = 0; v < Vectors; ++v) store<T>(c + m * p.cm + v * p.cv, acc[m][v]);
}

template <class T>
void product(const Product<T> p) {  // by value: stores through p.c cannot change a copy
  constexpr std::size_t step = LEMAN_VECTOR_BYTES == 64 ? 8 : 4;
  for (std::size_t v = 0; v < p.vectors; v += 2) {
    const bool pair = v + 2 <= p.vectors;
    std::size_t m = 0;
    for (; m + step <= p.rows; m += step) pair ? product_tile<T, step, 2>(p, m, v) : product_tile<T, step, 1>(p, m, v);
    for (; m < p.rows; ++m) pair ? product_tile<T, 1, 2>(p, m, v) : product_tile<T, 1, 1>(p, m, v);
  }
}

// The n x width rows at `from` as [width][np], zero in padded columns.
template <class T>
void transpose(const T* from, std::size_t n, std::size_t np, std::size_t width, T* to) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t j = 0; j < np; j += L)
    for (std::size_t e = 0; e < width; e += L) {
      Vec<T> square[L];
      for (std::size_t k = 0; k < L; ++k) square[k] = j + k < n ? load<T>(from + (j + k) * width + e) : Vec<T>{};
      transpose_square<T>(square);
      for (std::size_t k = 0; k < L; ++k) store<T>(to + (e + k) * np + j, square[k]);
    }
}

// Forward ----------------------------------------------------------------------

template <class T>
void normalize_queries(const GraphJob<T>& g, std::size_t row) {
  for (std::size_t l = 0; l < g.n; ++l)
    for (std::size_t h = 0; h < g.heads; ++h) {
      const std::size_t at = row * g.n + l;
      T* q = g.qv + at * g.qs + h * 2 * g.dh;
      T mean = 0, square = 0;
      for (std::size_t c = 0; c < g.dh; ++c) mean += q[c];
      mean /= T(g.dh);
      for (std::size_t c = 0; c < g.dh; ++c) square += (q[c] - mean) * (q[c] - mean);
      const T inverse = T(1) / root(square / T(g.dh) + g.epsilon);
      for (std::size_t c = 0; c < g.dh; ++c) {
        const T hat = (q[c] - mean) * inverse;
        if (g.q_hat) g.q_hat[at * g.inner + h * g.dh + c] = hat;
        q[c] = hat * g.q_gain[c] + g.q_shift[c];
      }
      if (g.q_hat) g.q_inverse[at * g.heads + h] = inverse;
    }
}

template <class T>
T* tile_of(const GraphJob<T>& g, std::size_t head, std::size_t tile, std::size_t l) {
  constexpr std::size_t L = kLanes<T>;
  return g.kv + (((head * (g.np / L) + tile) * g.n + l) * 2 * g.dh) * L;
}

template <class T>
void normalize_keys(const GraphJob<T>& g, std::size_t row) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t h = 0; h < g.heads; ++h)
    for (std::size_t tile = 0; tile < g.np / L; ++tile) {
      T* k = tile_of(g, h, tile, row);
      Vec<T> mean{}, square{};
      for (std::size_t c = 0; c < g.dh; ++c) mean += load<T>(k + c * L);
      mean /= T(g.dh);
      for (std::size_t c = 0; c < g.dh; ++c) {
        Vec<T> t = load<T>(k + c * L) - mean;
        square += t * t;
      }
      const Vec<T> inverse = inverse_root<T>(square / T(g.dh) + g.epsilon);
      for (std::size_t c = 0; c < g.dh; ++c) {
        const Vec<T> hat = (load<T>(k + c * L) - mean) * inverse;
        if (g.k_hat) store<T>(g.k_hat + (row * g.inner + h * g.dh + c) * g.np + tile * L, hat);
        store<T>(k + c * L, hat * g.k_gain[c] + g.k_shift[c]);
      }
      if (g.k_hat) store<T>(g.k_inverse + (row * g.heads + h) * g.np + tile * L, inverse);
    }
}

// A bound on |q_il|^2 over all l of a row, for every head: the sum of the largest
// squares of each channel. Not a number if a query has an infinity or none.
template <class T>
void bound_queries(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t c = 0; c < g.qs; c += L) {
    Vec<T> top{}, probe{};
    for (std::size_t l = 0; l < g.n; ++l) {
      const Vec<T> q = load<T>(g.qv + (row * g.n + l) * g.qs + c);
      top = max<T>(top, q * q);
      probe += q * T(0);
    }
    store<T>(scratch + c, top + probe);
  }
  for (std::size_t h = 0; h < g.heads; ++h) {
    T sum = 0;
    for (std::size_t c = 0; c < g.dh; ++c) sum += scratch[h * 2 * g.dh + c];
    g.q_top[row * g.heads + h] = sum;
  }
}

// The largest |k_lj|^2 over all l of a column tile, with the same mark.
template <class T>
Vec<T> longest_key(const GraphJob<T>& g, const T* kv) {
  constexpr std::size_t L = kLanes<T>;
  Vec<T> top{}, probe{};
  for (std::size_t l = 0; l < g.n; ++l, kv += 2 * g.dh * L) {
    Vec<T> square{};
    for (std::size_t c = 0; c < g.dh; ++c) {
      const Vec<T> k = load<T>(kv + c * L);
      square += k * k;
      probe += k * T(0);
    }
    top = max<T>(top, square);
  }
  return top + probe;
}

// Queries and first values of the pairs (row, l), keys and second values of the
// pairs (row, j).
template <class T>
void project(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const T* x = g.x + row * g.n * g.width;
  T* qv = g.qv + row * g.n * g.qs;
  transpose<T>(x, g.n, g.np, g.width, scratch);
  for (std::size_t h = 0; h < g.heads; ++h)
    product<T>({.rows = 2 * g.dh,
                .vectors = g.np / L,
                .depth = g.width,
                .a = g.kv_rows + h * 2 * g.dh * g.width,
                .am = g.width,
                .ak = 1,
                .b = scratch,
                .bk = g.np,
                .bv = L,
                .c = tile_of(g, h, 0, row),
                .cm = L,
                .cv = g.n * 2 * g.dh * L,
                .row_bias = g.kv_bias + h * 2 * g.dh});
  product<T>({.rows = g.n,
              .vectors = g.qs / L,
              .depth = g.width,
              .a = x,
              .am = g.width,
              .ak = 1,
              .b = g.qv_columns,
              .bk = g.qs,
              .bv = L,
              .c = qv,
              .cm = g.qs,
              .cv = L,
              .column_bias = g.qv_bias});
  if (g.qk_norm) {
    normalize_queries(g, row);
    normalize_keys(g, row);
  }
  bound_queries(g, row, scratch);
}

// A block of columns of one head: Tiles (1 or 2) vectors of j.
template <class T>
struct Columns {
  const GraphJob<T>& g;
  std::size_t head, tile;
  const T* kv(std::size_t l, std::size_t v) const { return tile_of(g, head, tile + v, l); }
  std::size_t next_tile() const { return g.n * 2 * g.dh * kLanes<T>; }  // from kv(l, 0) to kv(l, 1)
  const T* q(std::size_t i, std::size_t l) const { return g.qv + (i * g.n + l) * g.qs + head * 2 * g.dh; }
};

// 1 / (1 - dropout) where the attention weight is kept, 0 where it is dropped.
template <class T>
Vec<T> kept(const GraphJob<T>& g, std::size_t head, std::size_t i, std::size_t l, std::size_t tile) {
  const std::uint32_t hash = g.dropout.row(g.graph, head, i, l);
  Vec<T> keep;
  for (std::size_t k = 0; k < kLanes<T>; ++k)
    keep[k] = g.dropout.dropped(hash, static_cast<std::uint32_t>(tile * kLanes<T> + k)) ? T(0) : g.keep_scale;
  return keep;
}

// Scores and sums of fused values, sum over c of q_c k_c and v1_c v2_c, of Rows
// pairs (q, v1) with Tiles tiles of (k, v2): a small matrix product, so that what
// is loaded is used several times.
template <class T, int Rows, int Tiles, bool Means>
[[gnu::always_inline]] inline void pair_products(const T* const (&q)[Rows], const T* kv, std::size_t next_tile,
                                                 std::size_t dh, Vec<T> (&score)[Rows][Tiles],
                                                 Vec<T> (&mean)[Rows][Tiles]) {
  constexpr std::size_t L = kLanes<T>;
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) score[r][v] = mean[r][v] = Vec<T>{};
  for (std::size_t c = 0; c < dh; ++c)
    for (int v = 0; v < Tiles; ++v) {
      const Vec<T> k = load<T>(kv + c * L + v * next_tile), v2 = load<T>(kv + (dh + c) * L + v * next_tile);
      for (int r = 0; r < Rows; ++r) {
        score[r][v] += q[r][c] * k;
        if constexpr (Means) mean[r][v] += q[r][dh + c] * v2;
      }
    }
}

// The shift of the softmax for row i: zero where a bound on |score| shows that
// 2^score and its sum stay in range, else the exact maximum. Not a number if a
// score is none: exp2 alone would hide that.
template <class T>
Vec<T> shift_of(const Columns<T>& t, std::size_t i, std::size_t v, Vec<T> longest_key) {
  const Vec<T> bound = longest_key * t.g.q_top[i * t.g.heads + t.head];  // of the square, by Cauchy and Schwarz
  bool safe = true;
  for (std::size_t k = 0; k < kLanes<T>; ++k) safe &= bound[k] <= Simd<T>::kSafe * Simd<T>::kSafe;
  if (safe) return Vec<T>{};
  Vec<T> top = all<T>(-__builtin_huge_val());
  for (std::size_t l = 0; l < t.g.n; ++l) {
    Vec<T> score[1][1], mean[1][1];
    pair_products<T, 1, 1, false>({t.q(i, l)}, t.kv(l, v), 0, t.g.dh, score, mean);
    top = max<T>(top, score[0][0]);
  }
  return top + bound * T(0);
}

// What attend() knows of a row i and a tile so far: sum over l of p times fused
// value [dh], of p, and the shift.
template <class T>
struct State {
  T* at;
  static std::size_t size(std::size_t dh) { return (dh + 2) * kLanes<T>; }
  T* sum(std::size_t c) const { return at + c * kLanes<T>; }
  T* total(std::size_t dh) const { return at + dh * kLanes<T>; }
  T* shift(std::size_t dh) const { return at + (dh + 1) * kLanes<T>; }
};

// Adds p_l times fused value of l = 0 .. count-1 to a state; p and the means
// are [l][lanes]. A small head is kept in registers.
template <class T, int DH, bool Norm>
inline void accumulate(const T* q, std::size_t qs, const T* kv, std::size_t count, const T* p, const T* mean, T epsilon,
                       T* state) {
  constexpr std::size_t L = kLanes<T>;
  const T share = T(1) / T(DH);
  Vec<T> acc[DH];
  for (int c = 0; c < DH; ++c) acc[c] = load<T>(state + c * L);
  for (std::size_t l = 0; l < count; ++l, q += qs, kv += 2 * DH * L) {
    Vec<T> weight = load<T>(p + l * L), fused[DH];
    if constexpr (Norm) {
      const Vec<T> centre = load<T>(mean + l * L);
      Vec<T> square[4] = {};
      for (int c = 0; c < DH; ++c) {
        fused[c] = q[DH + c] * load<T>(kv + (DH + c) * L) - centre;
        square[c % 4] += fused[c] * fused[c];
      }
      weight *= inverse_root<T>(((square[0] + square[1]) + (square[2] + square[3])) * share + epsilon);
    } else {
      for (int c = 0; c < DH; ++c) fused[c] = q[DH + c] * load<T>(kv + (DH + c) * L);
    }
    for (int c = 0; c < DH; ++c) acc[c] += weight * fused[c];
  }
  for (int c = 0; c < DH; ++c) store<T>(state + c * L, acc[c]);
}

// The same for a head of any width: four l at a time, so that the sums in memory
// are loaded and stored once for four.
template <class T, bool Norm>
void accumulate_wide(const T* q, std::size_t qs, const T* kv, std::size_t count, std::size_t dh, const T* p,
                     const T* mean, T epsilon, T* state) {
  constexpr std::size_t L = kLanes<T>;
  constexpr int group = 4;
  const T share = T(1) / T(dh);
  for (std::size_t l = 0; l < count; l += group) {
    const T* v1[group];
    const T* v2[group];
    Vec<T> weight[group], centre[group];
    for (int u = 0; u < group; ++u) {
      const bool real = l + u < count;  // the last group is filled up with weight zero
      const std::size_t at = real ? l + u : count - 1;
      v1[u] = q + at * qs + dh;
      v2[u] = kv + (at * 2 + 1) * dh * L;
      weight[u] = real ? load<T>(p + at * L) : Vec<T>{};
      centre[u] = Vec<T>{};
      if constexpr (Norm) {
        centre[u] = load<T>(mean + at * L);
        Vec<T> even{}, odd{};
        for (std::size_t c = 0; c < dh; ++c) {
          const Vec<T> fused = v1[u][c] * load<T>(v2[u] + c * L) - centre[u];
          (c % 2 ? odd : even) += fused * fused;
        }
        weight[u] *= inverse_root<T>((even + odd) * share + epsilon);
      }
    }
    for (std::size_t c = 0; c < dh; ++c) {
      Vec<T> sum = load<T>(state + c * L);
      for (int u = 0; u < group; ++u) sum += weight[u] * (v1[u][c] * load<T>(v2[u] + c * L) - centre[u]);
      store<T>(state + c * L, sum);
    }
  }
}

inline constexpr std::size_t kBlockL = 16;  // l in a block

// A block of l for Rows rows from i on, in three sweeps: products, exponentials,
// sums. `weights` and `means` hold [row][tile][l][lanes].
template <class T, int DH, bool Norm, int Rows, int Tiles>
void attend_block(const Columns<T>& t, std::size_t i, std::size_t l0, std::size_t l1, T* states, T* weights, T* means) {
  constexpr std::size_t L = kLanes<T>, length = kBlockL * L;
  const std::size_t dh = DH ? DH : t.g.dh, count = l1 - l0, size = State<T>::size(dh);
  const T share = T(1) / T(dh);
  for (std::size_t l = 0; l < count; ++l) {
    const T* q[Rows];
    for (int r = 0; r < Rows; ++r) q[r] = t.q(i + r, l0 + l);
    Vec<T> score[Rows][Tiles], mean[Rows][Tiles];
    pair_products<T, Rows, Tiles, Norm>(q, t.kv(l0 + l, 0), t.next_tile(), dh, score, mean);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Tiles; ++v) {
        store<T>(weights + (r * Tiles + v) * length + l * L, score[r][v]);
        if constexpr (Norm) store<T>(means + (r * Tiles + v) * length + l * L, mean[r][v] * share);
      }
  }
  const bool drop = t.g.dropout.threshold != 0;
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) {
      const State<T> state{states + (r * Tiles + v) * size};
      T* weight = weights + (r * Tiles + v) * length;
      const Vec<T> shift = load<T>(state.shift(dh));
      Vec<T> total = load<T>(state.total(dh));
      for (std::size_t l = 0; l < count; ++l) {
        Vec<T> p = exp2<T>(load<T>(weight + l * L) - shift);
        total += p;
        if (drop) p *= kept(t.g, t.head, i + r, l0 + l, t.tile + v);
        store<T>(weight + l * L, p);
      }
      store<T>(state.total(dh), total);
    }
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) {
      const std::size_t at = (r * Tiles + v) * length;
      T* sums = states + (r * Tiles + v) * size;
      if constexpr (DH)
        accumulate<T, DH, Norm>(t.q(i + r, l0), t.g.qs, t.kv(l0, v), count, weights + at, means + at, t.g.epsilon,
                                sums);
      else
        accumulate_wide<T, Norm>(t.q(i + r, l0), t.g.qs, t.kv(l0, v), count, dh, weights + at, means + at, t.g.epsilon,
                                 sums);
    }
}

inline constexpr std::size_t kRows = LEMAN_VECTOR_BYTES == 64 ? 4 : 2;  // whose products fit into the registers

// All rows of a block of columns. l runs in blocks whose keys and values stay in
// the first-level cache while i runs through the rows.
template <class T, int DH, bool Norm, int Tiles>
void attend_columns(const Columns<T>& t, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const GraphJob<T>& g = t.g;
  const std::size_t n = g.n, dh = DH ? DH : g.dh, size = State<T>::size(dh);
  T* weights = scratch + n * Tiles * size;
  T* means = weights + kRows * Tiles * kBlockL * L;
  for (int v = 0; v < Tiles; ++v) {
    const Vec<T> bound = longest_key(g, t.kv(0, v));
    for (std::size_t i = 0; i < n; ++i) {
      const State<T> state{scratch + (i * Tiles + v) * size};
      for (std::size_t c = 0; c <= dh; ++c) store<T>(state.sum(c), Vec<T>{});
      store<T>(state.shift(dh), shift_of(t, i, v, bound));
    }
  }
  for (std::size_t l0 = 0; l0 < n; l0 += kBlockL) {
    const std::size_t l1 = l0 + kBlockL < n ? l0 + kBlockL : n;
    std::size_t i = 0;
    for (; i + kRows <= n; i += kRows)
      attend_block<T, DH, Norm, kRows, Tiles>(t, i, l0, l1, scratch + i * Tiles * size, weights, means);
    for (; i < n; ++i) attend_block<T, DH, Norm, 1, Tiles>(t, i, l0, l1, scratch + i * Tiles * size, weights, means);
  }
  for (std::size_t i = 0; i < n; ++i)
    for (int v = 0; v < Tiles; ++v) {
      const State<T> state{scratch + (i * Tiles + v) * size};
      Vec<T> log = load<T>(state.shift(dh));
      const Vec<T> total = load<T>(state.total(dh)) + log * T(0);  // not a number if the shift is none
      for (std::size_t c = 0; c < dh; ++c)
        store<T>(g.context + (i * g.inner + t.head * dh + c) * g.np + (t.tile + v) * L, load<T>(state.sum(c)) / total);
      for (std::size_t k = 0; k < L; ++k) log[k] += log2_of(total[k]);
      store<T>(g.sums + (t.head * n + i) * g.np + (t.tile + v) * L, log);
    }
}

template <class T, int DH, bool Norm>
void attend_with(const GraphJob<T>& g, std::size_t head, std::size_t columns, T* scratch) {
  const Columns<T> t{g, head, 2 * columns};
  if (t.tile + 2 <= g.np / kLanes<T>)
    attend_columns<T, DH, Norm, 2>(t, scratch);
  else
    attend_columns<T, DH, Norm, 1>(t, scratch);
}

template <class T>
void attend(const GraphJob<T>& g, std::size_t head, std::size_t columns, T* scratch) {
  if (g.dh == 8)
    (g.value_norm ? attend_with<T, 8, true> : attend_with<T, 8, false>)(g, head, columns, scratch);
  else
    (g.value_norm ? attend_with<T, 0, true> : attend_with<T, 0, false>)(g, head, columns, scratch);
}

template <class T>
void emit(const GraphJob<T>& g, std::size_t row, T*) {
  product<T>({.rows = g.n,
              .vectors = g.width / kLanes<T>,
              .depth = g.inner,
              .a = g.context + row * g.inner * g.np,
              .am = 1,
              .ak = g.np,
              .b = g.out_columns,
              .bk = g.width,
              .bv = kLanes<T>,
              .c = g.y + row * g.n * g.width,
              .cm = g.width,
              .cv = kLanes<T>,
              .column_bias = g.out_bias});
}

// Backward ---------------------------------------------------------------------

template <class T>
void grad_context(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  T* grad = g.grad_context + row * g.inner * g.np;
  const T* context = g.context + row * g.inner * g.np;
  transpose<T>(g.grad_y + row * g.n * g.width, g.n, g.np, g.width, scratch);
  product<T>({.rows = g.inner,
              .vectors = g.np / L,
              .depth = g.width,
              .a = g.out_rows,
              .am = 1,
              .ak = g.inner,
              .b = scratch,
              .bk = g.np,
              .bv = L,
              .c = grad,
              .cm = g.np,
              .cv = L});
  for (std::size_t h = 0; h < g.heads; ++h)
    for (std::size_t j = 0; j < g.np; j += L) {
      Vec<T> mean{}, dot{};
      T* first = grad + h * g.dh * g.np + j;
      if (g.value_norm) {  // a layer norm passes on nothing along its mean
        for (std::size_t c = 0; c < g.dh; ++c) mean += load<T>(first + c * g.np);
        mean /= T(g.dh);
      }
      for (std::size_t c = 0; c < g.dh; ++c) {
        const Vec<T> centred = load<T>(first + c * g.np) - mean;
        store<T>(first + c * g.np, centred);
        dot += centred * load<T>(context + (h * g.dh + c) * g.np + j);
      }
      store<T>(g.dots + (h * g.n + row) * g.np + j, dot);
    }
}

// What attend_backward() works with: one l of one head, some rows i at a time.
template <class T>
struct Backward {
  const GraphJob<T>& g;
  std::size_t head, l;
  const T* kv;  // [tile][k or v2, c][lanes]
  T* grad_kv;   // the same
  T* scores;    // [row][np]: attention weights, later the gradients of scores
  T* means;     // [row][np]: of fused values
  const T* q(std::size_t i) const { return g.qv + (i * g.n + l) * g.qs + head * 2 * g.dh; }
};

// Attention weights and means of fused values of Rows rows i, i+1, ..., again;
// they go to the buffers' rows r, r+1, ...
template <class T, int Rows, bool Norm>
void weights_again(const Backward<T>& b, std::size_t i, std::size_t r0) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = b.g.dh, np = b.g.np, block = 2 * dh * L;
  const T share = T(1) / T(dh);
  const T* q[Rows];
  for (int r = 0; r < Rows; ++r) q[r] = b.q(i + r);
  T* scores = b.scores + r0 * np;
  T* means = b.means + r0 * np;
  for (std::size_t j = 0; j < np; j += L) {
    Vec<T> score[Rows][1], mean[Rows][1];
    pair_products<T, Rows, 1, Norm>(q, b.kv + j / L * block, 0, dh, score, mean);
    for (int r = 0; r < Rows; ++r) {
      store<T>(scores + r * np + j, score[r][0]);
      if constexpr (Norm) store<T>(means + r * np + j, mean[r][0] * share);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    const T* sums = b.g.sums + (b.head * b.g.n + i + r) * np;
    for (std::size_t j = 0; j < np; j += L)
      store<T>(scores + r * np + j, exp2<T>(load<T>(scores + r * np + j) - load<T>(sums + j)));
  }
}

// Gradients of the values of row i; turns its weights into gradients of the
// scores. `sums` gets [dh][lanes], to be summed over lanes; behind it there is
// room for as much again. A small head is kept in registers.
template <class T, int DH, bool Norm>
void value_gradients(const Backward<T>& b, std::size_t i, std::size_t r, T* sums) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = DH ? DH : b.g.dh, np = b.g.np;
  const T share = T(1) / T(dh), epsilon = b.g.epsilon;
  const bool drop = !DH && b.g.dropout.threshold != 0;  // small heads with dropout take the wide path
  const T* v1 = b.q(i) + dh;
  T* scores = b.scores + r * np;
  const T* means = b.means + r * np;
  const T* dots = b.g.dots + (b.head * b.g.n + i) * np;
  const T* out = b.g.grad_context + (i * b.g.inner + b.head * dh) * np;
  Vec<T> small_acc[DH ? DH : 1], small_fused[DH ? DH : 1];
  Vec<T>* acc = DH ? small_acc : reinterpret_cast<Vec<T>*>(sums);
  Vec<T>* fused = DH ? small_fused : reinterpret_cast<Vec<T>*>(sums + dh * L);
  for (std::size_t c = 0; c < dh; ++c) acc[c] = Vec<T>{};
  const T* v2 = b.kv + dh * L;
  T* grad_v2 = b.grad_kv + dh * L;
  for (std::size_t j = 0; j < np; j += L, v2 += 2 * dh * L, grad_v2 += 2 * dh * L) {
    const Vec<T> weight = load<T>(scores + j);
    Vec<T> mean{}, square[2]{}, pull[2]{};
    if constexpr (Norm) mean = load<T>(means + j);
    for (std::size_t c = 0; c < dh; ++c) {
      fused[c] = v1[c] * load<T>(v2 + c * L) - mean;
      if constexpr (Norm) square[c % 2] += fused[c] * fused[c];
      pull[c % 2] += fused[c] * load<T>(out + c * np + j);
    }
    Vec<T> along = weight, back{};  // df_c = along g_c - back t_c
    if (drop) along *= kept(b.g, b.head, i, b.l, j / L);
    Vec<T> grad_score = (pull[0] + pull[1]) * along;
    if constexpr (Norm) {
      const Vec<T> inverse = inverse_root<T>((square[0] + square[1]) * share + epsilon);
      along *= inverse;
      grad_score *= inverse;
      back = grad_score * (inverse * inverse) * share;
    }
    // Scores are in units of log2: hence ln 2.
    store<T>(scores + j, T(0.693147180559945309417232) * (grad_score - weight * load<T>(dots + j)));
    for (std::size_t c = 0; c < dh; ++c) {
      Vec<T> grad_fused = along * load<T>(out + c * np + j);
      if constexpr (Norm) grad_fused -= back * fused[c];
      acc[c] += grad_fused * load<T>(v2 + c * L);
      store<T>(grad_v2 + c * L, load<T>(grad_v2 + c * L) + v1[c] * grad_fused);
    }
  }
  for (std::size_t c = 0; c < dh; ++c) store<T>(sums + c * L, acc[c]);
}

// Gradients of the queries of row i, as [dh][lanes].
template <class T, int DH>
void query_gradients(const Backward<T>& b, std::size_t r, T* sums) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = DH ? DH : b.g.dh, np = b.g.np;
  Vec<T> small_acc[DH ? DH : 1];
  Vec<T>* acc = DH ? small_acc : reinterpret_cast<Vec<T>*>(sums);
  for (std::size_t c = 0; c < dh; ++c) acc[c] = Vec<T>{};
  const T* k = b.kv;
  for (std::size_t j = 0; j < np; j += L, k += 2 * dh * L) {
    const Vec<T> grad = load<T>(b.scores + r * np + j);
    for (std::size_t c = 0; c < dh; ++c) acc[c] += grad * load<T>(k + c * L);
  }
  for (std::size_t c = 0; c < dh; ++c) store<T>(sums + c * L, acc[c]);
}

// Adds what rows i, i+1, ... give to the gradients of the keys.
template <class T>
void key_gradients(const Backward<T>& b, std::size_t i, std::size_t rows) {
  constexpr std::size_t L = kLanes<T>;
  product<T>({.rows = b.g.dh,
              .vectors = b.g.np / L,
              .depth = rows,
              .a = b.q(i),
              .am = 1,
              .ak = b.g.n * b.g.qs,
              .b = b.scores,
              .bk = b.g.np,
              .bv = L,
              .c = b.grad_kv,
              .cm = L,
              .cv = 2 * b.g.dh * L,
              .add = true});
}

inline constexpr std::size_t kBackRows = 8;  // rows at a time

// How many T of scratch one l needs: keys and values, their gradients, and two
// buffers for rows.
template <class T>
std::size_t slice_size(const GraphJob<T>& g) {
  return 4 * g.dh * g.np + 2 * kBackRows * g.np;
}

// l that share a pass over the gradients of the context, which come from the
// second-level cache: as many as leave room in the first.
template <class T>
std::size_t slices_at_once(const GraphJob<T>& g) {
  const std::size_t fit = 36000 / (slice_size(g) * sizeof(T));
  return fit < 1 ? 1 : fit > kBackL ? kBackL : fit;
}

// The l from `first` to `last` of one head: gradients of k_lj and v2_lj for all
// j, of q_il and v1_il for all i. With g the (centred) gradient of o_ij, t the
// centred fused value, r its inverse deviation and a the attention weight:
//   da = r g.t,  ds = a (da - g.o),  df_c = a r (g_c - t_c r da / dh).
template <class T, int DH, bool Norm>
void attend_backward_slices(const GraphJob<T>& g, std::size_t head, std::size_t first, std::size_t last, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t n = g.n, np = g.np, tiles = np / L, block = 2 * g.dh * L, slices = last - first;
  T* sums = scratch + slices * slice_size(g);  // [q or v1, c][lanes], and room for dh vectors more
  auto slice = [&](std::size_t l) {
    T* kv = scratch + (l - first) * slice_size(g);
    T* rows = kv + 2 * tiles * block;
    return Backward<T>{g, head, l, kv, kv + tiles * block, rows, rows + kBackRows * np};
  };
  for (std::size_t l = first; l < last; ++l)
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for (std::size_t c = 0; c < 2 * g.dh; ++c) {
        T* kv = scratch + (l - first) * slice_size(g) + tile * block + c * L;
        store<T>(kv, load<T>(tile_of(g, head, tile, l) + c * L));
        store<T>(kv + tiles * block, Vec<T>{});
      }
  for (std::size_t i0 = 0; i0 < n; i0 += kBackRows) {
    const std::size_t rows = i0 + kBackRows < n ? kBackRows : n - i0;
    for (std::size_t l = first; l < last; ++l) {
      const Backward<T> b = slice(l);
      std::size_t r = 0;
      for (; r + kRows <= rows; r += kRows) weights_again<T, kRows, Norm>(b, i0 + r, r);
      for (; r < rows; ++r) weights_again<T, 1, Norm>(b, i0 + r, r);
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t l = first; l < last; ++l) {
        const Backward<T> b = slice(l);
        value_gradients<T, DH, Norm>(b, i0 + r, r, sums + g.dh * L);
        query_gradients<T, DH>(b, r, sums);
        sum_rows<T>(sums, 2 * g.dh, g.grad_qv + ((i0 + r) * n + l) * g.qs + head * 2 * g.dh);
      }
    for (std::size_t l = first; l < last; ++l) key_gradients(slice(l), i0, rows);
  }
  for (std::size_t l = first; l < last; ++l)
    for (std::size_t tile = 0; tile < tiles; ++tile)
      for (std::size_t c = 0; c < 2 * g.dh; ++c)
        store<T>(g.grad_kv + (l * 2 * g.inner + head * 2 * g.dh + c) * np + tile * L,
                 load<T>(slice(l).grad_kv + tile * block + c * L));
}

template <class T, int DH, bool Norm>
void attend_backward_with(const GraphJob<T>& g, std::size_t head, std::size_t first, T* scratch) {
  const std::size_t end = first + kBackL < g.n ? first + kBackL : g.n, step = slices_at_once(g);
  for (std::size_t l = first; l < end; l += step)
    attend_backward_slices<T, DH, Norm>(g, head, l, l + step < end ? l + step : end, scratch);
}

template <class T>
void attend_backward(const GraphJob<T>& g, std::size_t head, std::size_t first, T* scratch) {
  if (g.dh == 8 && g.dropout.threshold == 0)
    (g.value_norm ? attend_backward_with<T, 8, true> : attend_backward_with<T, 8, false>)(g, head, first, scratch);
  else
    (g.value_norm ? attend_backward_with<T, 0, true> : attend_backward_with<T, 0, false>)(g, head, first, scratch);
}

// From gradients of normalised queries to those of raw ones, in place.
template <class T>
void denormalize_queries(const GraphJob<T>& g, std::size_t row) {
  T* affine = g.grad_affine + row * 4 * g.dh;
  for (std::size_t l = 0; l < g.n; ++l)
    for (std::size_t h = 0; h < g.heads; ++h) {
      const std::size_t at = row * g.n + l;
      T* grad = g.grad_qv + at * g.qs + h * 2 * g.dh;
      const T* hat = g.q_hat + at * g.inner + h * g.dh;
      T mean = 0, along = 0;
      for (std::size_t c = 0; c < g.dh; ++c) {
        affine[c] += grad[c] * hat[c];
        affine[g.dh + c] += grad[c];
        grad[c] *= g.q_gain[c];
        mean += grad[c];
        along += grad[c] * hat[c];
      }
      mean /= T(g.dh);
      along /= T(g.dh);
      const T inverse = g.q_inverse[at * g.heads + h];
      for (std::size_t c = 0; c < g.dh; ++c) grad[c] = inverse * (grad[c] - mean - hat[c] * along);
    }
}

template <class T>
void denormalize_keys(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  T* affine = g.grad_affine + row * 4 * g.dh + 2 * g.dh;
  Vec<T>* sums = reinterpret_cast<Vec<T>*>(scratch);
  for (std::size_t c = 0; c < 2 * g.dh; ++c) sums[c] = Vec<T>{};
  for (std::size_t h = 0; h < g.heads; ++h)
    for (std::size_t j = 0; j < g.np; j += L) {
      T* grad = g.grad_kv + (row * 2 * g.inner + h * 2 * g.dh) * g.np + j;
      const T* hat = g.k_hat + (row * g.inner + h * g.dh) * g.np + j;
      Vec<T> mean{}, along{};
      for (std::size_t c = 0; c < g.dh; ++c) {
        Vec<T> d = load<T>(grad + c * g.np);
        const Vec<T> y = load<T>(hat + c * g.np);
        sums[c] += d * y;
        sums[g.dh + c] += d;
        d *= g.k_gain[c];
        store<T>(grad + c * g.np, d);
        mean += d;
        along += d * y;
      }
      mean /= T(g.dh);
      along /= T(g.dh);
      const Vec<T> inverse = load<T>(g.k_inverse + (row * g.heads + h) * g.np + j);
      for (std::size_t c = 0; c < g.dh; ++c)
        store<T>(grad + c * g.np, inverse * (load<T>(grad + c * g.np) - mean - load<T>(hat + c * g.np) * along));
    }
  for (std::size_t c = 0; c < 2 * g.dh; ++c) affine[c] = sum_lanes<T>(sums[c]);
}

// What the row adds to the gradients of the biases.
template <class T>
void bias_gradients(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  T* bias = g.grad_bias + row * (g.qs + 2 * g.inner);
  for (std::size_t c = 0; c < g.qs; c += L) {
    Vec<T> sum{};
    for (std::size_t l = 0; l < g.n; ++l) sum += load<T>(g.grad_qv + (row * g.n + l) * g.qs + c);
    store<T>(bias + c, sum);
  }
  for (std::size_t c = 0; c < 2 * g.inner; ++c) {
    Vec<T> sum{};
    for (std::size_t j = 0; j < g.np; j += L) sum += load<T>(g.grad_kv + (row * 2 * g.inner + c) * g.np + j);
    store<T>(scratch + c * L, sum);
  }
  sum_rows<T>(scratch, 2 * g.inner, bias + g.qs);
}

template <class T>
void grad_x(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  if (g.qk_norm) {
    denormalize_queries(g, row);
    denormalize_keys(g, row, scratch);
  }
  bias_gradients(g, row, scratch);
  Product<T> p{.rows = g.n,
               .vectors = g.width / L,
               .depth = 2 * g.inner,
               .a = g.grad_qv + row * g.n * g.qs,
               .am = g.qs,
               .ak = 1,
               .b = g.qv_rows,
               .bk = g.width,
               .bv = L,
               .c = g.grad_x + row * g.n * g.width,
               .cm = g.width,
               .cv = L};
  product<T>(p);
  p.a = g.grad_kv + row * 2 * g.inner * g.np, p.am = 1, p.ak = g.np;
  p.b = g.kv_rows;
  p.add = true;
  product<T>(p);
}

// Row by row: x and the gradients of a row are in the cache for all channels.
template <class T>
void grad_in_weight(const GraphJob<T>& g, std::size_t first, std::size_t count, bool kv, T* weight) {
  for (std::size_t row = 0; row < g.n; ++row)
    product<T>({.rows = count,
                .vectors = g.width / kLanes<T>,
                .depth = g.n,
                .a = kv ? g.grad_kv + (row * 2 * g.inner + first) * g.np : g.grad_qv + row * g.n * g.qs + first,
                .am = kv ? g.np : 1,
                .ak = kv ? 1 : g.qs,
                .b = g.x + row * g.n * g.width,
                .bk = g.width,
                .bv = kLanes<T>,
                .c = weight,
                .cm = g.width,
                .cv = kLanes<T>,
                .add = true});
}

template <class T>
void grad_out_weight(const GraphJob<T>& g, std::size_t first, std::size_t count, T* weight) {
  for (std::size_t row = 0; row < g.n; ++row)
    product<T>({.rows = count,
                .vectors = g.width / kLanes<T>,
                .depth = g.n,
                .a = g.context + (row * g.inner + first) * g.np,
                .am = g.np,
                .ak = 1,
                .b = g.grad_y + row * g.n * g.width,
                .bk = g.width,
                .bv = kLanes<T>,
                .c = weight,
                .cm = g.width,
                .cv = kLanes<T>,
                .add = true});
}

template <class T>
std::size_t scratch(const GraphJob<T>& g) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t rows = g.width * g.np + g.qs + 2 * g.inner * L;  // a transposed row; sums over lanes
  const std::size_t forward = 2 * (g.n * State<T>::size(g.dh) + 2 * kRows * kBlockL * L);  // attend
  const std::size_t backward = slices_at_once(g) * slice_size(g) + 3 * g.dh * L;           // attend_backward
  const std::size_t most = rows > forward ? rows : forward;
  return (most > backward ? most : backward) + 2 * g.dh * L;
}

template <class T>
constexpr TriangleStages<T> stages() {
  return {kLanes<T>,       scratch<T>,         project<T>, attend<T>,         emit<T>,
          grad_context<T>, attend_backward<T>, grad_x<T>,  grad_in_weight<T>, grad_out_weight<T>};
}

}  // namespace
}  // namespace leman::et
