#include "et/kernels/quotient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/cpu.hpp"
#include "base/parallel.hpp"

#define LEMAN_INLINE inline __attribute__((always_inline))

namespace leman::et {

namespace {

constexpr std::size_t L = 8;  // channels at a time; a head is padded to a multiple

// L numbers in parts of 32 bytes. No AVX2 register holds 64 bytes: for vectors of that
// size GCC 12 builds broadcasts in memory and then waits for them.
template <class T>
struct Vec {
  static constexpr std::size_t kParts = L * sizeof(T) / 32;
  typedef T Part __attribute__((vector_size(32), may_alias, aligned(alignof(T))));  // no alignment needed
  Part part[kParts];
};

#define LEMAN_BY_PARTS(expression)                                              \
  Vec<T> result;                                                                \
  for (std::size_t p = 0; p < Vec<T>::kParts; ++p) result.part[p] = expression; \
  return result
template <class T>
LEMAN_INLINE Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
  LEMAN_BY_PARTS(a.part[p] + b.part[p]);
}
template <class T>
LEMAN_INLINE Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
  LEMAN_BY_PARTS(a.part[p] - b.part[p]);
}
template <class T>
LEMAN_INLINE Vec<T> operator*(const Vec<T>& a, const Vec<T>& b) {
  LEMAN_BY_PARTS(a.part[p] * b.part[p]);
}
template <class T>
LEMAN_INLINE Vec<T> operator*(T a, const Vec<T>& b) {
  LEMAN_BY_PARTS(a * b.part[p]);
}
template <class T>
LEMAN_INLINE Vec<T> load(const T* from) {
  LEMAN_BY_PARTS(reinterpret_cast<const typename Vec<T>::Part*>(from)[p]);
}
#undef LEMAN_BY_PARTS
template <class T>
LEMAN_INLINE void store(T* to, const Vec<T>& value) {
  for (std::size_t p = 0; p < Vec<T>::kParts; ++p) reinterpret_cast<typename Vec<T>::Part*>(to)[p] = value.part[p];
}
template <class T>
LEMAN_INLINE void add(T* to, const Vec<T>& value) {
  store(to, load(to) + value);
}
template <class T>
LEMAN_INLINE T sum_of(const Vec<T>& v) {
  const typename Vec<T>::Part& x = v.part[0];
  if constexpr (Vec<T>::kParts == 1) {
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  } else {
    const typename Vec<T>::Part& y = v.part[1];  // the same order
    return ((x[0] + y[0]) + (x[2] + y[2])) + ((x[1] + y[1]) + (x[3] + y[3]));
  }
}

// One head, with rows padded with zeros. q and v1 of a colour lie side by side,
// because a triple needs both of its left colour; so do k and v2, which it needs of
// its right colour.
template <class T>
struct Head {
  const QuotientAttention<T>& job;
  std::size_t head, dh, padded;
  std::vector<T> left, right;            // [colour][2][padded]
  std::vector<T> grad_left, grad_right;  // the same; backward only
  std::vector<T> mask;                   // [padded]: 1 for a channel, 0 for padding

  Head(const QuotientAttention<T>& j, std::size_t h)
      : job(j),
        head(h),
        dh(j.head_width),
        padded((dh + L - 1) / L * L),
        left(gather(j.q, j.v1)),
        right(gather(j.k, j.v2)),
        mask(padded, T(0)) {
    std::fill_n(mask.begin(), dh, T(1));
  }
  std::size_t at(std::size_t color) const { return color * job.heads * dh + head * dh; }
  const T* row(const std::vector<T>& rows, std::size_t color) const { return rows.data() + color * 2 * padded; }

  std::vector<T> gather(const T* first, const T* second) const {
    std::vector<T> rows(job.quotient->colors * 2 * padded, T(0));
    for (std::size_t c = 0; c < job.quotient->colors; ++c) {
      std::copy_n(first + at(c), dh, rows.data() + c * 2 * padded);
      std::copy_n(second + at(c), dh, rows.data() + c * 2 * padded + padded);
    }
    return rows;
  }
  void scatter(const std::vector<T>& rows, T* first, T* second) const {
    for (std::size_t c = 0; c < job.quotient->colors; ++c) {
      std::copy_n(row(rows, c), dh, first + at(c));
      std::copy_n(row(rows, c) + padded, dh, second + at(c));
    }
  }
};

// Blocks = padded / L, or 0 if not known at compile time.
template <class T, int Blocks>
LEMAN_INLINE T score_of(const Head<T>& h, const wl::Triple& t) {
  const T *q = h.row(h.left, t.left), *k = h.row(h.right, t.right);
  Vec<T> sum{};
  for (std::size_t c = 0; c < (Blocks ? Blocks * L : h.padded); c += L) sum = sum + load(q + c) * load(k + c);
  return h.job.scale * sum_of(sum);
}

// The fused value of a triple, centred if it is to be normalised; returns the
// inverse deviation (1 without a norm).
template <class T, int Blocks>
LEMAN_INLINE T fuse(const Head<T>& h, const wl::Triple& t, T* fused) {
  const std::size_t blocks = Blocks ? Blocks : h.padded / L;
  const T *v1 = h.row(h.left, t.left) + blocks * L, *v2 = h.row(h.right, t.right) + blocks * L;
  Vec<T> sum{}, square{};
  for (std::size_t c = 0; c < blocks; ++c) {
    const Vec<T> product = load(v1 + c * L) * load(v2 + c * L);
    store(fused + c * L, product);
    sum = sum + product;
  }
  if (!h.job.value_norm) return 1;
  const T mean = sum_of(sum) / T(h.dh);
  for (std::size_t c = 0; c < blocks; ++c) {
    const Vec<T> centred = load(fused + c * L) - mean * load(h.mask.data() + c * L);
    store(fused + c * L, centred);
    square = square + centred * centred;
  }
  return T(1) / std::sqrt(sum_of(square) / T(h.dh) + h.job.epsilon);
}

template <class T>
struct Scratch {
  std::vector<T> scores, fused, out;
};

template <class T, int Blocks>
LEMAN_INLINE void forward_color(const Head<T>& h, std::size_t color, Scratch<T>& s) {
  const std::size_t blocks = Blocks ? Blocks : h.padded / L;
  const auto triples = h.job.quotient->of(static_cast<wl::Color>(color));
  s.scores.resize(triples.size());
  T top = -std::numeric_limits<T>::infinity(), total = 0;
  for (std::size_t t = 0; t < triples.size(); ++t) {
    s.scores[t] = score_of<T, Blocks>(h, triples[t]);
    top = std::max(top, s.scores[t]);
  }
  std::fill(s.out.begin(), s.out.end(), T(0));
  for (std::size_t t = 0; t < triples.size(); ++t) {
    const T weight = T(triples[t].multiplicity) * std::exp(s.scores[t] - top);
    total += weight;
    const T factor = weight * fuse<T, Blocks>(h, triples[t], s.fused.data());
    for (std::size_t c = 0; c < blocks * L; c += L) add(s.out.data() + c, factor * load(s.fused.data() + c));
  }
  T* out = h.job.out + h.at(color);
  for (std::size_t c = 0; c < h.dh; ++c) out[c] = s.out[c] / total;
  h.job.sums[color * h.job.heads + h.head] = top + std::log(total);
}

// Gradients of one head. The derivation is above attend_backward_slices in triangle_backward.inl.hpp.
template <class T, int Blocks>
LEMAN_INLINE void backward_head(Head<T>& h) {
  const std::size_t blocks = Blocks ? Blocks : h.padded / L, second = blocks * L;
  std::vector<T> fused(h.padded), grad(h.padded, T(0)), out(h.padded, T(0));
  for (std::size_t color = 0; color < h.job.quotient->colors; ++color) {
    std::copy_n(h.job.grad_out + h.at(color), h.dh, grad.begin());
    std::copy_n(h.job.out + h.at(color), h.dh, out.begin());
    T mean = 0, along_out = 0;
    if (h.job.value_norm)
      for (std::size_t c = 0; c < h.dh; ++c) mean += grad[c] / T(h.dh);
    for (std::size_t c = 0; c < h.dh; ++c) {
      grad[c] -= mean;
      along_out += grad[c] * out[c];
    }
    const T sum = h.job.sums[color * h.job.heads + h.head];
    for (const wl::Triple& t : h.job.quotient->of(static_cast<wl::Color>(color))) {
      const T *qv = h.row(h.left, t.left), *kv = h.row(h.right, t.right);
      T *grad_qv = h.grad_left.data() + t.left * 2 * second, *grad_kv = h.grad_right.data() + t.right * 2 * second;
      const T weight = T(t.multiplicity) * std::exp(score_of<T, Blocks>(h, t) - sum);
      const T inverse = fuse<T, Blocks>(h, t, fused.data());
      Vec<T> pulls{};
      for (std::size_t c = 0; c < blocks * L; c += L) pulls = pulls + load(grad.data() + c) * load(fused.data() + c);
      const T pull = inverse * sum_of(pulls);
      const T grad_score = h.job.scale * weight * (pull - along_out);
      const T back = h.job.value_norm ? inverse * pull / T(h.dh) : T(0), along = weight * inverse;
      for (std::size_t c = 0; c < blocks * L; c += L) {
        const Vec<T> of_fused = along * (load(grad.data() + c) - back * load(fused.data() + c));
        add(grad_qv + second + c, of_fused * load(kv + second + c));
        add(grad_kv + second + c, of_fused * load(qv + second + c));
        add(grad_qv + c, grad_score * load(kv + c));
        add(grad_kv + c, grad_score * load(qv + c));
      }
    }
  }
}

template <class T>
LEMAN_INLINE void forward_colors_of(const Head<T>& h, std::size_t first, std::size_t last) {
  Scratch<T> s;
  s.fused.resize(h.padded), s.out.resize(h.padded);
  for (std::size_t color = first; color < last; ++color)
    h.padded == L ? forward_color<T, 1>(h, color, s) : forward_color<T, 0>(h, color, s);
}
template <class T>
LEMAN_INLINE void backward_of(Head<T>& h) {
  h.padded == L ? backward_head<T, 1>(h) : backward_head<T, 0>(h);
}

// The same loops for every instruction set. They differ only in how many numbers an instruction
// takes: no fused multiply-add, sums in one order. So the bits are the same on every machine.
template <class T>
using Forward = void(const Head<T>&, std::size_t, std::size_t);
template <class T>
using Backward = void(Head<T>&);

#ifdef LEMAN_X86
template <class T>
LEMAN_FOR_AVX512 void forward_avx512(const Head<T>& h, std::size_t first, std::size_t last) {
  forward_colors_of(h, first, last);
}
template <class T>
LEMAN_FOR_AVX2 void forward_avx2(const Head<T>& h, std::size_t first, std::size_t last) {
  forward_colors_of(h, first, last);
}
template <class T>
LEMAN_FOR_AVX512 void backward_avx512(Head<T>& h) {
  backward_of(h);
}
template <class T>
LEMAN_FOR_AVX2 void backward_avx2(Head<T>& h) {
  backward_of(h);
}
#endif
template <class T>
void forward_portable(const Head<T>& h, std::size_t first, std::size_t last) {
  forward_colors_of(h, first, last);
}
template <class T>
void backward_portable(Head<T>& h) {
  backward_of(h);
}

template <class T>
constexpr std::array kForward{
#ifdef LEMAN_X86
    Implementation<Forward<T>>{Isa::Avx512, forward_avx512<T>}, Implementation<Forward<T>>{Isa::Avx2, forward_avx2<T>},
#endif
    Implementation<Forward<T>>{Isa::Portable, forward_portable<T>}};
template <class T>
constexpr std::array kBackward{
#ifdef LEMAN_X86
    Implementation<Backward<T>>{Isa::Avx512, backward_avx512<T>},
    Implementation<Backward<T>>{Isa::Avx2, backward_avx2<T>},
#endif
    Implementation<Backward<T>>{Isa::Portable, backward_portable<T>}};

}  // namespace

template <class T>
void quotient_forward(const QuotientAttention<T>& job) {
  static Forward<T>* const forward = best_of(kForward<T>);
  constexpr std::size_t batch = 64;  // colours per task
  const std::size_t colors = job.quotient->colors, tasks = (colors + batch - 1) / batch;
  for (std::size_t head = 0; head < job.heads; ++head) {
    const Head<T> h(job, head);
    parallel_for(tasks, job.threads,
                 [&](std::size_t task) { forward(h, task * batch, std::min(colors, (task + 1) * batch)); });
  }
}

template <class T>
void quotient_backward(const QuotientAttention<T>& job) {
  static Backward<T>* const backward = best_of(kBackward<T>);
  parallel_for(job.heads, job.threads, [&](std::size_t head) {
    Head<T> h(job, head);
    h.grad_left.assign(h.left.size(), T(0)), h.grad_right.assign(h.right.size(), T(0));
    backward(h);
    h.scatter(h.grad_left, job.grad_q, job.grad_v1);
    h.scatter(h.grad_right, job.grad_k, job.grad_v2);
  });
}

#define LEMAN_INSTANTIATE(T)                                          \
  template void quotient_forward<T>(const QuotientAttention<T>& job); \
  template void quotient_backward<T>(const QuotientAttention<T>& job);
LEMAN_INSTANTIATE(float)
LEMAN_INSTANTIATE(double)
#undef LEMAN_INSTANTIATE

}  // namespace leman::et
