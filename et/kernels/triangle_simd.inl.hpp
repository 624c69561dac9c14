// Vectors, their exponential and root, and small matrix products; see
// triangle_kernel.inl.hpp.
#pragma once

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
// a if a > b, else b: what the instruction does. GCC does not find it by itself.
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
inline T sum_lanes(Vec<T> v) {  // a tree, the same for every call
  T part[kLanes<T>];
  store<T>(part, v);
  for (std::size_t half = kLanes<T> / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) part[k] += part[k + half];
  return part[0];
}

// Combines two vectors by the bit `Bit` of the lane number. The result keeps a's lanes
// without the bit and moves b's lanes without the bit to those with it. Upper: the same
// with the lanes that have the bit, a's first.
template <class T, std::size_t Bit, bool Upper>
inline Vec<T> exchange(Vec<T> a, Vec<T> b) {
  typename Simd<T>::I lanes;
  for (std::size_t k = 0; k < kLanes<T>; ++k)
    lanes[k] = static_cast<typename Simd<T>::Lane>(k & Bit ? kLanes<T> + k - (Upper ? 0 : Bit) : k + (Upper ? Bit : 0));
  return __builtin_shuffle(a, b, lanes);
}

// Transposes the kLanes x kLanes matrix v.
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

// Lane k of the result is the sum of the lanes of v[k].
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
struct ExpCoefficients {  // of 2^f: ln(2)^k / k!; for |f| <= 1/2 the error is below half a unit in the last place
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
  // Estrin's scheme: half as many sequential steps as Horner's.
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

// C[m][v] = bias + sum over k of A[m, k] B[k][v], or C += the same. A is any matrix of
// scalars (strides am, ak); rows of B and C are vectors v = 0, 1, ... at distances bv
// and cv. With C += the sum starts from zero, not from C. So if a caller adds up n
// products of depth n, rounding grows with sqrt(n), not with n.
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
      if (p.column_bias)
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
    for (int v = 0; v < Vectors; ++v) {
      T* to = c + m * p.cm + v * p.cv;
      store<T>(to, p.add ? load<T>(to) + acc[m][v] : acc[m][v]);
    }
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

// Writes the first `count` lanes of a tile [channels][lanes] as rows `stride` apart,
// the first `scaled` channels times a factor.
template <class T>
void tile_to_rows(const T* tile, std::size_t channels, std::size_t scaled, T factor, std::size_t count, T* rows,
                  std::size_t stride) {
  constexpr std::size_t L = kLanes<T>;
  auto factor_of = [&](std::size_t c) { return c < scaled ? factor : T(1); };
  std::size_t c = 0;
  for (; c + L <= channels; c += L) {
    Vec<T> square[L], factors;
    for (std::size_t k = 0; k < L; ++k) square[k] = load<T>(tile + (c + k) * L), factors[k] = factor_of(c + k);
    transpose_square<T>(square);
    for (std::size_t k = 0; k < count; ++k) store<T>(rows + k * stride + c, square[k] * factors);
  }
  for (; c < channels; ++c)
    for (std::size_t k = 0; k < count; ++k) rows[k * stride + c] = tile[c * L + k] * factor_of(c);
}

// Writes rows [lanes][channels] as a tile [channels][lanes].
template <class T>
void rows_to_tile(const T* rows, std::size_t channels, T* tile) {
  constexpr std::size_t L = kLanes<T>;
  std::size_t c = 0;
  for (; c + L <= channels; c += L) {
    Vec<T> square[L];
    for (std::size_t k = 0; k < L; ++k) square[k] = load<T>(rows + k * channels + c);
    transpose_square<T>(square);
    for (std::size_t k = 0; k < L; ++k) store<T>(tile + (c + k) * L, square[k]);
  }
  for (; c < channels; ++c)
    for (std::size_t k = 0; k < L; ++k) tile[c * L + k] = rows[k * channels + c];
}

// Writes the n x width rows at `from` as [width][np], with zeros in padded columns.
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

}  // namespace
}  // namespace leman::et
