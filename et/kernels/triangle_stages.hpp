// What a compiled implementation of triangular attention offers to the driver:
// stages over one graph. Plain data only, because this header is compiled once for
// every instruction set. If two of them shared a standard library function, the
// linker would keep one version, perhaps one that the processor cannot run.
//
// "Lanes" is the number of T in a vector and np the order rounded up to lanes. A tile
// is one vector of columns j. In padded columns all inputs are zero.
#pragma once

#include <cstddef>

#include "et/kernels/dropout_mask.hpp"

namespace leman::et {

template <class T>
struct GraphJob {
  std::size_t graph;                    // its number in the batch
  std::size_t n, np;                    // order; rounded up to lanes
  std::size_t width, heads, dh, inner;  // inner = heads * dh
  std::size_t qs;                       // row length of qv: 2 * inner rounded up to lanes
  std::size_t kv_channels;              // of the weights of kv: 2 * inner, or see symmetric
  bool qk_norm, value_norm;
  // y_ij = y_ji: row i is computed from column first_column(i) on. Queries are keys
  // times query_factor, first values are second values, and all weight gradients go to
  // keys and second values. If these two have the same weights too (tied), kv has inner
  // channels instead of 2 * inner, in the order (head, c). They give the values and,
  // normalised if qk_norm, the keys.
  bool symmetric;
  T query_factor;
  T epsilon;
  DropoutMask dropout;
  T keep_scale;  // 1 / (1 - dropout)

  // Weights, packed by the driver. Channels of qv are ordered (head, q or v1,
  // c), those of kv (head, k or v2, c). Queries carry scale * log2(e).
  const T *qv_columns, *qv_rows;                 // [width][qs], [2 inner][width]
  const T* kv_rows;                              // [kv_channels][width]
  const T *qv_bias, *kv_bias;                    // [qs], [kv_channels]
  const T *q_gain, *q_shift, *k_gain, *k_shift;  // [dh]
  const T *out_columns, *out_rows;               // [inner][width], [width][inner]
  const T* out_bias;                             // [width]

  const T* x;  // [n][n][width]
  T* y;        // [n][n][width]; symmetric: only the pairs i <= j
  T* qv;       // [i][l][qs]; null, like grad_qv, in the backward pass of a symmetric job
  T* kv;       // [head][tile][l][k or v2, c][lanes]
  T* q_top;    // [i][head]: bound on |q_il|
  T* context;  // [i][inner][np]: o
  T* sums;     // [head][i][np]: log2 of the sum of exp over l; null: not needed

  const T* grad_y;  // [n][n][width]; symmetric: zero below the diagonal; null: a forward pass
  T* grad_x;        // [n][n][width]; null: not needed
  T* grad_context;  // [i][head][tile][c][lanes], centred over c if value_norm
  T* dots;          // [head][i][np]: grad_context . context
  T* grad_qv;       // [i][l][qs]
  T* grad_kv;       // [l][2 inner][np]; grad_x() leaves kv_channels of them
  T* grad_bias;     // [row][qv: qs, kv: 2 inner], the row's contribution
  // For the backward pass with qk_norm; null without it and in a forward pass.
  T *q_hat, *q_inverse;  // [i][l][inner], [i][l][heads]: normalised, 1 / deviation
  T *k_hat, *k_inverse;  // [l][inner][np], [l][heads][np]
  T* grad_affine;        // [row][q gain, q shift, k gain, k shift][dh]
};

inline constexpr std::size_t kBackL = 8;     // l in a task of attend_backward
inline constexpr std::size_t kBackRows = 8;  // rows i that it processes at a time

template <class T>
struct TriangleStages {
  std::size_t lanes;
  // The scratch that a task may use, in T.
  std::size_t (*scratch)(const GraphJob<T>&);
  void (*project)(const GraphJob<T>&, std::size_t row, T* scratch);
  void (*attend)(const GraphJob<T>&, std::size_t head, std::size_t columns, T* scratch);  // two tiles
  void (*emit)(const GraphJob<T>&, std::size_t row, T* scratch);
  void (*grad_context)(const GraphJob<T>&, std::size_t row, T* scratch);
  void (*attend_backward)(const GraphJob<T>&, std::size_t head, std::size_t first_l, T* scratch);  // kBackL of them
  void (*grad_x)(const GraphJob<T>&, std::size_t row, T* scratch);
  // Gradients of channels first .. first + count - 1 of the packed weights qv or kv,
  // and of out; added to the rows [channel][width].
  void (*grad_in_weight)(const GraphJob<T>&, std::size_t first, std::size_t count, bool kv, T* weight);
  void (*grad_out_weight)(const GraphJob<T>&, std::size_t first, std::size_t count, T* weight);  // [inner][width]
};

// The compiled implementations, one source file each.
extern const TriangleStages<float> triangle_portable_f32, triangle_avx2_f32, triangle_avx512_f32;
extern const TriangleStages<double> triangle_portable_f64, triangle_avx2_f64, triangle_avx512_f64;

}  // namespace leman::et
