// The backward pass; see triangle_kernel.inl.hpp.
#pragma once

#include "et/kernels/triangle_forward.inl.hpp"

namespace leman::et {
namespace {

template <class T>
void grad_context(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  T* grad = g.grad_context + row * g.inner * g.np;
  const T* context = g.context + row * g.inner * g.np;
  const std::size_t from = first_column(g, row);
  transpose<T>(g.grad_y + (row * g.n + from) * g.width, g.n - from, g.np - from, g.width, scratch);
  for (std::size_t h = 0; h < g.heads; ++h) {
    T* head = grad + h * g.dh * g.np;
    product<T>({.rows = g.dh,
                .vectors = (g.np - from) / L,
                .depth = g.width,
                .a = g.out_rows + h * g.dh,
                .am = 1,
                .ak = g.inner,
                .b = scratch,
                .bk = g.np - from,
                .bv = L,
                .c = head + from * g.dh,
                .cm = L,
                .cv = g.dh * L});
    for (std::size_t j = from; j < g.np; j += L) {
      Vec<T> mean{}, dot{};
      T* first = head + j * g.dh;
      if (g.value_norm) {  // the gradient through a layer norm has no component along the mean
        for (std::size_t c = 0; c < g.dh; ++c) mean += load<T>(first + c * L);
        mean /= T(g.dh);
      }
      for (std::size_t c = 0; c < g.dh; ++c) {
        const Vec<T> centred = load<T>(first + c * L) - mean;
        store<T>(first + c * L, centred);
        dot += centred * load<T>(context + (h * g.dh + c) * g.np + j);
      }
      store<T>(g.dots + (h * g.n + row) * g.np + j, dot);
    }
  }
}

// The working data of attend_backward(): one l of one head, some rows i at a time.
template <class T>
struct Backward {
  const GraphJob<T>& g;
  std::size_t head, l;
  const T* qv;       // [i][q or v1, c]
  const T* kv;       // [tile][k or v2, c][lanes]
  T* grad_kv;        // the same
  T* scores;         // [row][np]: attention weights, later the gradients of scores
  T* means;          // [row][np]: of fused values
  T *along, *back;   // [np]: see score_gradients
  T* grad_rows;      // [row][q or v1, c]: gradients
  std::size_t from;  // the first column of the rows at work
  const T* q(std::size_t i) const { return qv + i * 2 * g.dh; }
};

// Computes again the attention weights and the means of fused values for Rows rows
// i, i+1, ..., into rows r, r+1, ... of the buffers.
template <class T, int Rows, bool Norm>
void weights_again(const Backward<T>& b, std::size_t i, std::size_t r0) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = b.g.dh, np = b.g.np, block = 2 * dh * L;
  const T share = T(1) / T(dh);
  const T* q[Rows];
  const T* v1[Rows];
  for (int r = 0; r < Rows; ++r) q[r] = b.q(i + r), v1[r] = q[r] + dh;
  T* scores = b.scores + r0 * np;
  T* means = b.means + r0 * np;
  for (std::size_t j = b.from; j < np; j += L) {
    Vec<T> sum[Rows][1];
    dot_products<T, Rows, 1>(q, b.kv + j / L * block, 0, dh, sum);
    for (int r = 0; r < Rows; ++r) store<T>(scores + r * np + j, sum[r][0]);
    if constexpr (Norm) {
      dot_products<T, Rows, 1>(v1, b.kv + j / L * block + dh * L, 0, dh, sum);
      for (int r = 0; r < Rows; ++r) store<T>(means + r * np + j, sum[r][0] * share);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    const T* sums = b.g.sums + (b.head * b.g.n + i + r) * np;
    for (std::size_t j = b.from; j < np; j += L)
      store<T>(scores + r * np + j, exp2<T>(load<T>(scores + r * np + j) - load<T>(sums + j)));
  }
}

// Turns the weights of row i into gradients of the scores. Leaves in `along` and
// `back` the factors of a fused value's gradient, df_c = along g_c - back t_c.
template <class T, int DH, bool Norm>
void score_gradients(const Backward<T>& b, std::size_t i, std::size_t r) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = DH ? DH : b.g.dh, np = b.g.np;
  const T share = T(1) / T(dh), epsilon = b.g.epsilon;
  const bool drop = b.g.dropout.threshold != 0;
  const T* v1 = b.q(i) + dh;
  T* scores = b.scores + r * np;
  const T* means = b.means + r * np;
  const T* dots = b.g.dots + (b.head * b.g.n + i) * np;
  const T* out = b.g.grad_context + (i * b.g.inner + b.head * dh) * np + b.from * dh;
  const T* v2 = b.kv + b.from * 2 * dh + dh * L;
  for (std::size_t j = b.from; j < np; j += L, v2 += 2 * dh * L, out += dh * L) {
    const Vec<T> weight = load<T>(scores + j);
    Vec<T> mean{}, square[2]{}, pull[2]{};
    if constexpr (Norm) mean = load<T>(means + j);
    for (std::size_t c = 0; c < dh; ++c) {
      const Vec<T> fused = v1[c] * load<T>(v2 + c * L) - mean;
      if constexpr (Norm) square[c % 2] += fused * fused;
      pull[c % 2] += fused * load<T>(out + c * L);
    }
    Vec<T> along = weight;
    if (drop) along *= kept(b.g, b.head, i, b.l, j / L);
    Vec<T> grad_score = (pull[0] + pull[1]) * along;
    if constexpr (Norm) {
      const Vec<T> inverse = inverse_root<T>((square[0] + square[1]) * share + epsilon);
      along *= inverse;
      grad_score *= inverse;
      store<T>(b.back + j, grad_score * (inverse * inverse) * share);
    }
    store<T>(b.along + j, along);
    // Scores are in units of log2, hence ln 2.
    store<T>(scores + j, T(0.693147180559945309417232) * (grad_score - weight * load<T>(dots + j)));
  }
}

// Gradients of C channels, from c0 on, of the values of row i. Those of the second
// value are added up. `sums` gets those of the first as [C][lanes], to be summed over
// lanes. C is small enough for the channels to stay in registers.
template <class T, int C, bool Norm>
void value_gradients(const Backward<T>& b, std::size_t i, std::size_t r, std::size_t c0, T* sums) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = b.g.dh, np = b.g.np;
  const T* v1 = b.q(i) + dh + c0;
  const T* means = b.means + r * np;
  const T* out = b.g.grad_context + (i * b.g.inner + b.head * dh) * np + b.from * dh + c0 * L;
  Vec<T> acc[C]{}, factor[C];
  for (int c = 0; c < C; ++c) factor[c] = all<T>(v1[c]);
  const std::size_t first = b.from * 2 * dh + (dh + c0) * L;
  const T* v2 = b.kv + first;
  T* grad_v2 = b.grad_kv + first;
  for (std::size_t j = b.from; j < np; j += L, v2 += 2 * dh * L, grad_v2 += 2 * dh * L, out += dh * L) {
    const Vec<T> along = load<T>(b.along + j);
    Vec<T> back{}, mean{};
    if constexpr (Norm) back = load<T>(b.back + j), mean = load<T>(means + j);
    for (int c = 0; c < C; ++c) {
      const Vec<T> value = load<T>(v2 + c * L);
      Vec<T> grad_fused = along * load<T>(out + c * L);
      if constexpr (Norm) grad_fused -= back * (factor[c] * value - mean);
      acc[c] += grad_fused * value;
      store<T>(grad_v2 + c * L, load<T>(grad_v2 + c * L) + factor[c] * grad_fused);
    }
  }
  for (int c = 0; c < C; ++c) store<T>(sums + c * L, acc[c]);
}

// Gradients of the queries of row i, as [dh][lanes].
template <class T, int DH>
void query_gradients(const Backward<T>& b, std::size_t r, T* sums) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = DH ? DH : b.g.dh, np = b.g.np;
  Vec<T> small_acc[DH ? DH : 1];
  Vec<T>* acc = DH ? small_acc : reinterpret_cast<Vec<T>*>(sums);
  for (std::size_t c = 0; c < dh; ++c) acc[c] = Vec<T>{};
  const T* k = b.kv + b.from * 2 * dh;
  for (std::size_t j = b.from; j < np; j += L, k += 2 * dh * L) {
    const Vec<T> grad = load<T>(b.scores + r * np + j);
    for (std::size_t c = 0; c < dh; ++c) acc[c] += grad * load<T>(k + c * L);
  }
  for (std::size_t c = 0; c < dh; ++c) store<T>(sums + c * L, acc[c]);
}

// Adds the contribution of rows i, i+1, ... to the gradients of the keys.
template <class T>
void key_gradients(const Backward<T>& b, std::size_t i, std::size_t rows) {
  constexpr std::size_t L = kLanes<T>;
  product<T>({.rows = b.g.dh,
              .vectors = (b.g.np - b.from) / L,
              .depth = rows,
              .a = b.q(i),
              .am = 1,
              .ak = 2 * b.g.dh,
              .b = b.scores + b.from,
              .bk = b.g.np,
              .bv = L,
              .c = b.grad_kv + b.from * 2 * b.g.dh,
              .cm = L,
              .cv = 2 * b.g.dh * L,
              .add = true});
}

// The scratch for one l, in T: queries, keys and values, the gradients of keys,
// buffers for rows, and the gradients of their queries.
template <class T>
std::size_t slice_size(const GraphJob<T>& g) {
  return 6 * g.dh * g.np + 2 * kBackRows * (g.np + g.dh);
}

// The scratch after the slices: [q or v1, c][lanes], and two rows.
template <class T>
std::size_t shared_size(const GraphJob<T>& g) {
  return 2 * g.dh * kLanes<T> + 2 * g.np;
}

// The number of l that share a pass over the gradients of the context. These come
// from the second-level cache; as many l are taken as fit into the first.
template <class T>
std::size_t slices_at_once(const GraphJob<T>& g) {
  const std::size_t fit = 28000 / (slice_size(g) * sizeof(T));
  return fit < 1 ? 1 : fit > kBackL ? kBackL : fit;
}

// Gathers the data of one l from arrays whose rows lie pages apart. The queries
// (i, l) of a symmetric job are the keys (l, i).
template <class T>
void fetch_slice(const Backward<T>& b, T* qv, T* kv) {
  constexpr std::size_t L = kLanes<T>;
  const GraphJob<T>& g = b.g;
  const std::size_t channels = 2 * g.dh;
  for (std::size_t tile = 0; tile < g.np / L; ++tile)
    for (std::size_t c = 0; c < channels; ++c) {
      const std::size_t to = (tile * channels + c) * L;
      store<T>(kv + to, load<T>(tile_of(g, b.head, tile, b.l) + c * L));
      store<T>(b.grad_kv + to, Vec<T>{});
    }
  if (!g.symmetric) {
    for (std::size_t i = 0; i < g.n; ++i)
      for (std::size_t c = 0; c < channels; ++c)
        qv[i * channels + c] = g.qv[(i * g.n + b.l) * g.qs + b.head * channels + c];
    return;
  }
  for (std::size_t j = 0; j < g.np; j += L)
    tile_to_rows<T>(kv + j * channels, channels, g.dh, g.query_factor, L, qv + j * channels, channels);
  for (std::size_t k = g.n * channels; k < g.np * channels; ++k) qv[k] = 0;  // gradients will be added up from there
}

// Copies the gradients of a slice to the full arrays. In the slice the gradients of
// queries have replaced the queries. `turned` has room for a tile.
template <class T>
void put_slice(const Backward<T>& b, T* turned) {
  constexpr std::size_t L = kLanes<T>;
  const GraphJob<T>& g = b.g;
  const std::size_t channels = 2 * g.dh;
  for (std::size_t i = 0; i < g.n && !g.symmetric; ++i)
    for (std::size_t c = 0; c < channels; ++c)
      g.grad_qv[(i * g.n + b.l) * g.qs + b.head * channels + c] = b.qv[i * channels + c];
  for (std::size_t tile = 0; tile < g.np / L; ++tile) {
    if (g.symmetric) rows_to_tile<T>(b.qv + tile * channels * L, channels, turned);
    for (std::size_t c = 0; c < channels; ++c) {
      Vec<T> grad = load<T>(b.grad_kv + (tile * channels + c) * L);
      if (g.symmetric) grad += load<T>(turned + c * L) * (c < g.dh ? g.query_factor : T(1));
      store<T>(g.grad_kv + (b.l * 2 * g.inner + b.head * channels + c) * g.np + tile * L, grad);
    }
  }
}

// The l from `first` to `last` of one head: gradients of k_lj and v2_lj for all
// j, of q_il and v1_il for all i. With g the (centred) gradient of o_ij, t the
// centred fused value, r its inverse deviation and a the attention weight:
//   da = r g.t,  ds = a (da - g.o),  df_c = a r (g_c - t_c r da / dh).
template <class T, int DH, bool Norm>
void attend_backward_slices(const GraphJob<T>& g, std::size_t head, std::size_t first, std::size_t last, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t n = g.n, np = g.np, channels = 2 * g.dh, slices = last - first;
  T* sums = scratch + slices * slice_size(g);
  T* along = sums + channels * L;
  auto slice = [&](std::size_t l, std::size_t from) {
    T* qv = scratch + (l - first) * slice_size(g);
    T* kv = qv + channels * np;
    T* rows = kv + 2 * channels * np;
    T* grad_rows = rows + 2 * kBackRows * np;
    return Backward<T>{g,     head,       l,         qv,  kv, kv + channels * np, rows, rows + kBackRows * np,
                       along, along + np, grad_rows, from};
  };
  for (std::size_t l = first; l < last; ++l) {
    T* qv = scratch + (l - first) * slice_size(g);
    fetch_slice(slice(l, 0), qv, qv + channels * np);
  }
  for (std::size_t i0 = 0; i0 < n; i0 += kBackRows) {
    const std::size_t rows = i0 + kBackRows < n ? kBackRows : n - i0, from = first_column(g, i0);
    for (std::size_t l = first; l < last; ++l) {
      const Backward<T> b = slice(l, from);
      std::size_t r = 0;
      for (; r + kRows <= rows; r += kRows) weights_again<T, kRows, Norm>(b, i0 + r, r);
      for (; r < rows; ++r) weights_again<T, 1, Norm>(b, i0 + r, r);
    }
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t l = first; l < last; ++l) {
        const Backward<T> b = slice(l, from);
        score_gradients<T, DH, Norm>(b, i0 + r, r);
        std::size_t c = 0;
        for (; c + 4 <= g.dh; c += 4) value_gradients<T, 4, Norm>(b, i0 + r, r, c, sums + (g.dh + c) * L);
        for (; c < g.dh; ++c) value_gradients<T, 1, Norm>(b, i0 + r, r, c, sums + (g.dh + c) * L);
        query_gradients<T, DH>(b, r, sums);
        sum_rows<T>(sums, channels, b.grad_rows + r * channels);
      }
    for (std::size_t l = first; l < last; ++l) {
      const Backward<T> b = slice(l, from);
      key_gradients(b, i0, rows);
      T* qv = scratch + (l - first) * slice_size(g) + i0 * channels;  // no longer needed
      for (std::size_t k = 0; k < rows * channels; ++k) qv[k] = b.grad_rows[k];
    }
  }
  for (std::size_t l = first; l < last; ++l) put_slice(slice(l, 0), sums);
}

template <class T, int DH, bool Norm>
void attend_backward_with(const GraphJob<T>& g, std::size_t head, std::size_t first, T* scratch) {
  const std::size_t end = first + kBackL < g.n ? first + kBackL : g.n, step = slices_at_once(g);
  for (std::size_t l = first; l < end; l += step)
    attend_backward_slices<T, DH, Norm>(g, head, l, l + step < end ? l + step : end, scratch);
}

template <class T>
void attend_backward(const GraphJob<T>& g, std::size_t head, std::size_t first, T* scratch) {
  if (g.dh == 8)
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

// Adds the gradients of values and keys to give those of the single projection of a tied job.
template <class T>
void join_gradients(const GraphJob<T>& g, std::size_t row) {
  constexpr std::size_t L = kLanes<T>;
  T* grad = g.grad_kv + row * 2 * g.inner * g.np;
  for (std::size_t m = 0; m < g.inner; ++m) {  // overwrites only what is no longer needed
    const T* key = grad + (m + m / g.dh * g.dh) * g.np;
    for (std::size_t j = 0; j < g.np; j += L)
      store<T>(grad + m * g.np + j, load<T>(key + j) + load<T>(key + g.dh * g.np + j));
  }
}

// The row's contribution to the gradients of the biases.
template <class T>
void bias_gradients(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  T* bias = g.grad_bias + row * (g.qs + 2 * g.inner);
  for (std::size_t c = 0; c < g.qs; c += L) {
    Vec<T> sum{};
    for (std::size_t l = 0; l < g.n && !g.symmetric; ++l) sum += load<T>(g.grad_qv + (row * g.n + l) * g.qs + c);
    store<T>(bias + c, sum);
  }
  for (std::size_t c = 0; c < g.kv_channels; ++c) {
    Vec<T> sum{};
    for (std::size_t j = 0; j < g.np; j += L) sum += load<T>(g.grad_kv + (row * 2 * g.inner + c) * g.np + j);
    store<T>(scratch + c * L, sum);
  }
  sum_rows<T>(scratch, g.kv_channels, bias + g.qs);
}

template <class T>
void grad_x(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  if (g.qk_norm && !g.symmetric) denormalize_queries(g, row);
  if (g.qk_norm) denormalize_keys(g, row, scratch);
  if (is_tied(g)) join_gradients(g, row);
  bias_gradients(g, row, scratch);
  if (!g.grad_x) return;
  Product<T> p{.rows = g.n,
               .vectors = g.width / L,
               .depth = g.kv_channels,
               .a = g.grad_kv + row * 2 * g.inner * g.np,
               .am = 1,
               .ak = g.np,
               .b = g.kv_rows,
               .bk = g.width,
               .bv = L,
               .c = g.grad_x + row * g.n * g.width,
               .cm = g.width,
               .cv = L};
  if (!g.symmetric) {
    Product<T> queries = p;
    queries.a = g.grad_qv + row * g.n * g.qs, queries.am = g.qs, queries.ak = 1;
    queries.b = g.qv_rows;  // as many as keys and values: a tied job is symmetric
    product<T>(queries);
    p.add = true;
  }
  product<T>(p);
}

// Works row by row, so that x and the gradients of a row are in the cache for all channels.
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
  for (std::size_t row = 0; row < g.n; ++row) {
    const std::size_t from = g.symmetric ? row : 0;
    product<T>({.rows = count,
                .vectors = g.width / kLanes<T>,
                .depth = g.n - from,
                .a = g.context + (row * g.inner + first) * g.np + from,
                .am = g.np,
                .ak = 1,
                .b = g.grad_y + (row * g.n + from) * g.width,
                .bk = g.width,
                .bv = kLanes<T>,
                .c = weight,
                .cm = g.width,
                .cv = kLanes<T>,
                .add = true});
  }
}

}  // namespace
}  // namespace leman::et
