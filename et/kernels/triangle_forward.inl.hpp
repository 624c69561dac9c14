// The forward pass; see triangle_kernel.inl.hpp.
#pragma once

#include "et/kernels/triangle_simd.inl.hpp"

namespace leman::et {
namespace {

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
bool is_tied(const GraphJob<T>& g) {
  return g.kv_channels == g.inner;
}

// Computes the keys from their projections, which are stored in the place of the
// keys, or in that of the values if the job is tied.
template <class T>
void finish_keys(const GraphJob<T>& g, std::size_t row) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t h = 0; h < g.heads; ++h)
    for (std::size_t tile = 0; tile < g.np / L; ++tile) {
      T* k = tile_of(g, h, tile, row);
      const T* from = is_tied(g) ? k + g.dh * L : k;
      if (!g.qk_norm) {
        for (std::size_t c = 0; c < g.dh; ++c) store<T>(k + c * L, load<T>(from + c * L));
        continue;
      }
      Vec<T> mean{}, square{};
      for (std::size_t c = 0; c < g.dh; ++c) mean += load<T>(from + c * L);
      mean /= T(g.dh);
      for (std::size_t c = 0; c < g.dh; ++c) {
        Vec<T> t = load<T>(from + c * L) - mean;
        square += t * t;
      }
      const Vec<T> inverse = inverse_root<T>(square / T(g.dh) + g.epsilon);
      for (std::size_t c = 0; c < g.dh; ++c) {
        const Vec<T> hat = (load<T>(from + c * L) - mean) * inverse;
        if (g.k_hat) store<T>(g.k_hat + (row * g.inner + h * g.dh + c) * g.np + tile * L, hat);
        store<T>(k + c * L, hat * g.k_gain[c] + g.k_shift[c]);
      }
      if (g.k_hat) store<T>(g.k_inverse + (row * g.heads + h) * g.np + tile * L, inverse);
    }
}

// A bound on |q_il| over all l of a row, for every head: the root of the sum over the
// channels of the largest square. Infinite if a query is. The padding of a row to
// whole vectors is read but not used.
template <class T>
void bound_queries(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t c = 0; c < g.qs; c += L) {
    Vec<T> top{};
    for (std::size_t l = 0; l < g.n; ++l) {
      const Vec<T> q = load<T>(g.qv + (row * g.n + l) * g.qs + c);
      top = max<T>(top, q * q);
    }
    store<T>(scratch + c, top);
  }
  for (std::size_t h = 0; h < g.heads; ++h) {
    T sum = 0;
    for (std::size_t c = 0; c < g.dh; ++c) sum += scratch[h * 2 * g.dh + c];
    g.q_top[row * g.heads + h] = root(sum);
  }
}

// The largest |k_lj| over all l of a column tile.
template <class T>
Vec<T> longest_key(const GraphJob<T>& g, const T* kv) {
  constexpr std::size_t L = kLanes<T>;
  Vec<T> top{};
  for (std::size_t l = 0; l < g.n; ++l, kv += 2 * g.dh * L) {
    Vec<T> square{};
    for (std::size_t c = 0; c < g.dh; ++c) {
      const Vec<T> k = load<T>(kv + c * L);
      square += k * k;
    }
    top = max<T>(top, square);
  }
  for (std::size_t k = 0; k < L; ++k) top[k] = root(top[k]);
  return top;
}

// The queries of a symmetric job are its keys times a factor; its first values are its
// second values.
template <class T>
void copy_keys(const GraphJob<T>& g, std::size_t row) {
  constexpr std::size_t L = kLanes<T>;
  for (std::size_t h = 0; h < g.heads; ++h)
    for (std::size_t j = 0; j < g.n; j += L)
      tile_to_rows<T>(tile_of(g, h, j / L, row), 2 * g.dh, g.dh, g.query_factor, g.n - j < L ? g.n - j : L,
                      g.qv + (row * g.n + j) * g.qs + h * 2 * g.dh, g.qs);
}

// Queries and first values of the pairs (row, l), keys and second values of the
// pairs (row, j).
template <class T>
void project(const GraphJob<T>& g, std::size_t row, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const T* x = g.x + row * g.n * g.width;
  transpose<T>(x, g.n, g.np, g.width, scratch);
  const bool tied = is_tied(g);
  const std::size_t rows = g.kv_channels / g.heads;
  for (std::size_t h = 0; h < g.heads; ++h)
    product<T>({.rows = rows,
                .vectors = g.np / L,
                .depth = g.width,
                .a = g.kv_rows + h * rows * g.width,
                .am = g.width,
                .ak = 1,
                .b = scratch,
                .bk = g.np,
                .bv = L,
                .c = tile_of(g, h, 0, row) + (tied ? g.dh * L : 0),
                .cm = L,
                .cv = g.n * 2 * g.dh * L,
                .row_bias = g.kv_bias + h * rows});
  if (g.qk_norm || tied) finish_keys(g, row);
  if (g.symmetric) {
    if (g.qv) copy_keys(g, row);
  } else {
    product<T>({.rows = g.n,
                .vectors = g.qs / L,
                .depth = g.width,
                .a = x,
                .am = g.width,
                .ak = 1,
                .b = g.qv_columns,
                .bk = g.qs,
                .bv = L,
                .c = g.qv + row * g.n * g.qs,
                .cm = g.qs,
                .cv = L,
                .column_bias = g.qv_bias});
    if (g.qk_norm) normalize_queries(g, row);
  }
  if (!g.grad_y) bound_queries(g, row, scratch);
}

// The first column of row i that a symmetric job computes: a whole number of tiles,
// and the same for kBackRows rows, so that the backward pass may take them together.
template <class T>
std::size_t first_column(const GraphJob<T>& g, std::size_t i) {
  return g.symmetric ? i / kBackRows * kBackRows / kLanes<T> * kLanes<T> : 0;
}

// The number of rows that compute columns before `end`.
template <class T>
std::size_t rows_before(const GraphJob<T>& g, std::size_t end) {
  const std::size_t rows = (end + kBackRows - 1) / kBackRows * kBackRows;
  return g.symmetric && rows < g.n ? rows : g.n;
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

// Sums over c of a_c b_c for Rows rows a and Tiles tiles b: scores from queries and
// keys, means from values. A small matrix product, so that loaded data is used
// several times.
template <class T, int Rows, int Tiles>
[[gnu::always_inline]] inline void dot_products(const T* const (&a)[Rows], const T* b, std::size_t next_tile,
                                                std::size_t dh, Vec<T> (&sum)[Rows][Tiles]) {
  constexpr std::size_t L = kLanes<T>;
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) sum[r][v] = Vec<T>{};
  for (std::size_t c = 0; c < dh; ++c) {
    Vec<T> column[Tiles];
    for (int v = 0; v < Tiles; ++v) column[v] = load<T>(b + c * L + v * next_tile);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Tiles; ++v) sum[r][v] += a[r][c] * column[v];
  }
}

// The shift of the softmax for row i: zero where a bound on |score| shows that
// 2^score and its sum stay in range, else the exact maximum. NaN if a query or a key
// overflowed: exp2 alone would hide that.
template <class T>
Vec<T> shift_of(const Columns<T>& t, std::size_t i, std::size_t v, Vec<T> longest_key) {
  const Vec<T> bound = longest_key * t.g.q_top[i * t.g.heads + t.head];  // by Cauchy-Schwarz
  bool safe = true;
  for (std::size_t k = 0; k < kLanes<T>; ++k) safe &= bound[k] <= Simd<T>::kSafe;
  if (safe) return Vec<T>{};
  Vec<T> top = all<T>(-__builtin_huge_val());
  for (std::size_t l = 0; l < t.g.n; ++l) {
    Vec<T> score[1][1];
    dot_products<T, 1, 1>({t.q(i, l)}, t.kv(l, v), 0, t.g.dh, score);
    top = max<T>(top, score[0][0]);
  }
  return top + bound * T(0);
}

// The state of attend() for a row i and a tile: the sum over l of p times the fused
// value [dh], the sum of p, and the shift.
template <class T>
struct State {
  T* at;
  static std::size_t size(std::size_t dh) { return (dh + 2) * kLanes<T>; }
  T* sum(std::size_t c) const { return at + c * kLanes<T>; }
  T* total(std::size_t dh) const { return at + dh * kLanes<T>; }
  T* shift(std::size_t dh) const { return at + (dh + 1) * kLanes<T>; }
};

// Sums over c of the squares of fused values minus their mean, for Rows rows and
// Tiles tiles.
template <class T, int Rows, int Tiles>
[[gnu::always_inline]] inline void square_sums(const T* const (&v1)[Rows], const T* v2, std::size_t next_tile,
                                               std::size_t dh, const Vec<T> (&mean)[Rows][Tiles],
                                               Vec<T> (&square)[Rows][Tiles]) {
  constexpr std::size_t L = kLanes<T>;
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) square[r][v] = Vec<T>{};
  for (std::size_t c = 0; c < dh; ++c)
    for (int v = 0; v < Tiles; ++v) {
      const Vec<T> column = load<T>(v2 + c * L + v * next_tile);
      for (int r = 0; r < Rows; ++r) {
        const Vec<T> centred = v1[r][c] * column - mean[r][v];
        square[r][v] += centred * centred;
      }
    }
}

// Adds weight times (centred) fused value to a state, for l = 0 .. count-1; weights
// and means are [l][lanes]. A small head is kept in registers.
template <class T, int DH, bool Norm>
inline void accumulate(const T* q, std::size_t qs, const T* kv, std::size_t count, const T* weights, const T* means,
                       T* state) {
  constexpr std::size_t L = kLanes<T>;
  Vec<T> acc[DH];
  for (int c = 0; c < DH; ++c) acc[c] = load<T>(state + c * L);
  for (std::size_t l = 0; l < count; ++l, q += qs, kv += 2 * DH * L) {
    const Vec<T> weight = load<T>(weights + l * L), mean = Norm ? load<T>(means + l * L) : Vec<T>{};
    for (int c = 0; c < DH; ++c) acc[c] += weight * (q[DH + c] * load<T>(kv + (DH + c) * L) - mean);
  }
  for (int c = 0; c < DH; ++c) store<T>(state + c * L, acc[c]);
}

// The same for a head of any width: four l at a time, so that the sums in memory are
// loaded and stored once per four.
template <class T, bool Norm>
void accumulate_wide(const T* q, std::size_t qs, const T* kv, std::size_t count, std::size_t dh, const T* weights,
                     const T* means, T* state) {
  constexpr std::size_t L = kLanes<T>;
  constexpr int group = 4;
  for (std::size_t l = 0; l < count; l += group) {
    const T* v1[group];
    const T* v2[group];
    Vec<T> weight[group], mean[group];
    for (int u = 0; u < group; ++u) {
      const bool real = l + u < count;  // the last group is padded with weight zero
      const std::size_t at = real ? l + u : count - 1;
      v1[u] = q + at * qs + dh;
      v2[u] = kv + (at * 2 + 1) * dh * L;
      weight[u] = real ? load<T>(weights + at * L) : Vec<T>{};
      mean[u] = Norm ? load<T>(means + at * L) : Vec<T>{};
    }
    for (std::size_t c = 0; c < dh; ++c) {
      Vec<T> sum = load<T>(state + c * L);
      for (int u = 0; u < group; ++u) sum += weight[u] * (v1[u][c] * load<T>(v2[u] + c * L) - mean[u]);
      store<T>(state + c * L, sum);
    }
  }
}

inline constexpr std::size_t kBlockL = 16;  // l in a block
inline constexpr std::size_t kRows = 4;     // rows whose products fit into the registers

// The arrays of a block, each [row][tile][l][lanes].
template <class T, int Tiles>
struct Block {
  static constexpr std::size_t kLength = kBlockL * kLanes<T>, kSize = kRows * Tiles * kLength;
  T* weights;  // scores, then the factors of the fused values
  T* means;    // of fused values
  T* squares;  // sums of squares of fused values minus their mean
  static std::size_t at(int r, int v) { return static_cast<std::size_t>(r * Tiles + v) * kLength; }
};

// Scores of one l, and means and squares of its fused values.
template <class T, bool Norm, int Rows, int Tiles>
[[gnu::always_inline]] inline void block_products(const Columns<T>& t, std::size_t i, std::size_t l, std::size_t dh,
                                                  const Block<T, Tiles>& block, std::size_t to) {
  const T* q[Rows];
  for (int r = 0; r < Rows; ++r) q[r] = t.q(i + r, l);
  const T* kv = t.kv(l, 0);
  auto keep = [&](T* buffer, int r, const Vec<T>(&values)[Tiles]) {
    for (int v = 0; v < Tiles; ++v) store<T>(buffer + block.at(r, v) + to, values[v]);
  };
  Vec<T> score[Rows][Tiles];
  dot_products<T, Rows, Tiles>(q, kv, t.next_tile(), dh, score);
  for (int r = 0; r < Rows; ++r) keep(block.weights, r, score[r]);
  if constexpr (Norm) {
    const T* v2 = kv + dh * kLanes<T>;
    for (int r = 0; r < Rows; ++r) q[r] += dh;
    Vec<T> mean[Rows][Tiles];
    dot_products<T, Rows, Tiles>(q, v2, t.next_tile(), dh, mean);
    for (int r = 0; r < Rows; ++r) {
      for (int v = 0; v < Tiles; ++v) mean[r][v] *= T(1) / T(dh);
      keep(block.means, r, mean[r]);
    }
    constexpr int some = Rows % 2 ? 1 : 2;  // rows whose means and squares fit into the registers
    for (int r = 0; r < Rows; r += some) {
      const T* v1[some];
      Vec<T> own[some][Tiles], square[some][Tiles];
      for (int s = 0; s < some; ++s) {
        v1[s] = q[r + s];
        for (int v = 0; v < Tiles; ++v) own[s][v] = load<T>(block.means + block.at(r + s, v) + to);
      }
      square_sums<T, some, Tiles>(v1, v2, t.next_tile(), dh, own, square);
      for (int s = 0; s < some; ++s) keep(block.squares, r + s, square[s]);
    }
  }
}

// A block of l for Rows rows from i on, in three sweeps: products, exponentials,
// sums.
template <class T, int DH, bool Norm, int Rows, int Tiles>
void attend_block(const Columns<T>& t, std::size_t i, std::size_t l0, std::size_t l1, T* states,
                  const Block<T, Tiles>& block) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t dh = DH ? DH : t.g.dh, count = l1 - l0, size = State<T>::size(dh);
  const T share = T(1) / T(dh), epsilon = t.g.epsilon;
  for (std::size_t l = 0; l < count; ++l) block_products<T, Norm, Rows, Tiles>(t, i, l0 + l, dh, block, l * L);
  const bool drop = t.g.dropout.threshold != 0;
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) {
      const State<T> state{states + (r * Tiles + v) * size};
      T* weights = block.weights + block.at(r, v);
      const T* squares = block.squares + block.at(r, v);
      const Vec<T> shift = load<T>(state.shift(dh));
      Vec<T> total = load<T>(state.total(dh));
      for (std::size_t l = 0; l < count; ++l) {
        Vec<T> p = exp2<T>(load<T>(weights + l * L) - shift);
        total += p;
        if (drop) p *= kept(t.g, t.head, i + r, l0 + l, t.tile + v);
        if constexpr (Norm) p *= inverse_root<T>(load<T>(squares + l * L) * share + epsilon);
        store<T>(weights + l * L, p);
      }
      store<T>(state.total(dh), total);
    }
  for (int r = 0; r < Rows; ++r)
    for (int v = 0; v < Tiles; ++v) {
      const T* weights = block.weights + block.at(r, v);
      const T* means = block.means + block.at(r, v);
      T* sums = states + (r * Tiles + v) * size;
      if constexpr (DH)
        accumulate<T, DH, Norm>(t.q(i + r, l0), t.g.qs, t.kv(l0, v), count, weights, means, sums);
      else
        accumulate_wide<T, Norm>(t.q(i + r, l0), t.g.qs, t.kv(l0, v), count, dh, weights, means, sums);
    }
}

// All rows of a block of columns. l runs in blocks whose keys and values stay in
// the first-level cache while i runs through the rows.
template <class T, int DH, bool Norm, int Tiles>
void attend_columns(const Columns<T>& t, T* scratch) {
  constexpr std::size_t L = kLanes<T>;
  const GraphJob<T>& g = t.g;
  const std::size_t n = g.n, rows = rows_before(g, (t.tile + Tiles) * L), dh = DH ? DH : g.dh;
  const std::size_t size = State<T>::size(dh);
  T* buffers = scratch + rows * Tiles * size;
  using Buffers = Block<T, Tiles>;
  const Buffers block{buffers, buffers + Buffers::kSize, buffers + 2 * Buffers::kSize};
  for (int v = 0; v < Tiles; ++v) {
    const Vec<T> bound = longest_key(g, t.kv(0, v));
    for (std::size_t i = 0; i < rows; ++i) {
      const State<T> state{scratch + (i * Tiles + v) * size};
      for (std::size_t c = 0; c <= dh; ++c) store<T>(state.sum(c), Vec<T>{});
      store<T>(state.shift(dh), shift_of(t, i, v, bound));
    }
  }
  for (std::size_t l0 = 0; l0 < n; l0 += kBlockL) {
    const std::size_t l1 = l0 + kBlockL < n ? l0 + kBlockL : n;
    std::size_t i = 0;
    for (; i + kRows <= rows; i += kRows)
      attend_block<T, DH, Norm, kRows, Tiles>(t, i, l0, l1, scratch + i * Tiles * size, block);
    for (; i < rows; ++i) attend_block<T, DH, Norm, 1, Tiles>(t, i, l0, l1, scratch + i * Tiles * size, block);
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (int v = 0; v < Tiles; ++v) {
      const State<T> state{scratch + (i * Tiles + v) * size};
      Vec<T> log = load<T>(state.shift(dh));
      const Vec<T> total = load<T>(state.total(dh)) + log * T(0);  // NaN if the shift is NaN
      for (std::size_t c = 0; c < dh; ++c)
        store<T>(g.context + (i * g.inner + t.head * dh + c) * g.np + (t.tile + v) * L, load<T>(state.sum(c)) / total);
      if (!g.sums) continue;
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
  const std::size_t from = g.symmetric ? row : 0;
  const std::size_t first = row * g.n - (g.symmetric ? row * (row - 1) / 2 : 0);  // in the rows of y
  product<T>({.rows = g.n - from,
              .vectors = g.width / kLanes<T>,
              .depth = g.inner,
              .a = g.context + row * g.inner * g.np + from,
              .am = 1,
              .ak = g.np,
              .b = g.out_columns,
              .bk = g.width,
              .bv = kLanes<T>,
              .c = g.y + first * g.width,
              .cm = g.width,
              .cv = kLanes<T>,
              .column_bias = g.out_bias});
}

}  // namespace
}  // namespace leman::et
