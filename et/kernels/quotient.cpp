#include "et/kernels/quotient.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "wl/parallel.hpp"

namespace leman::et {

namespace {

template <class T>
T dot(const T* a, const T* b, std::size_t count) {
  T sum = 0;
  for (std::size_t c = 0; c < count; ++c) sum += a[c] * b[c];
  return sum;
}

// The fused value of a triple, centred if it is to be normalised; returns the
// inverse deviation (1 without a norm).
template <class T>
T fuse(const QuotientAttention<T>& job, const T* v1, const T* v2, T* fused) {
  const std::size_t dh = job.head_width;
  T mean = 0, square = 0;
  for (std::size_t c = 0; c < dh; ++c) mean += fused[c] = v1[c] * v2[c];
  if (!job.value_norm) return 1;
  mean /= T(dh);
  for (std::size_t c = 0; c < dh; ++c) {
    fused[c] -= mean;
    square += fused[c] * fused[c];
  }
  return T(1) / std::sqrt(square / T(dh) + job.epsilon);
}

template <class T>
void forward_color(const QuotientAttention<T>& job, std::size_t color, std::size_t head, std::vector<T>& scratch) {
  const std::size_t dh = job.head_width, inner = job.heads * dh, at = head * dh;
  const auto triples = job.quotient->of(static_cast<wl::Color>(color));
  scratch.resize(triples.size() + dh);
  T* score = scratch.data();
  T* fused = score + triples.size();
  T top = -std::numeric_limits<T>::infinity(), total = 0;
  for (std::size_t t = 0; t < triples.size(); ++t) {
    score[t] = job.scale * dot(job.q + triples[t].left * inner + at, job.k + triples[t].right * inner + at, dh);
    top = std::max(top, score[t]);
  }
  T* out = job.out + color * inner + at;
  std::fill_n(out, dh, T(0));
  for (std::size_t t = 0; t < triples.size(); ++t) {
    const T weight = T(triples[t].multiplicity) * std::exp(score[t] - top);
    total += weight;
    const T inverse = fuse(job, job.v1 + triples[t].left * inner + at, job.v2 + triples[t].right * inner + at, fused);
    for (std::size_t c = 0; c < dh; ++c) out[c] += weight * inverse * fused[c];
  }
  for (std::size_t c = 0; c < dh; ++c) out[c] /= total;
  job.sums[color * job.heads + head] = top + std::log(total);
}

// The derivation is beside the dense kernel's attend_backward_with.
template <class T>
void backward_head(const QuotientAttention<T>& job, std::size_t head) {
  const std::size_t dh = job.head_width, inner = job.heads * dh, at = head * dh;
  std::vector<T> fused(dh), grad(dh);
  for (std::size_t color = 0; color < job.quotient->colors; ++color) {
    const T* out = job.out + color * inner + at;
    const T* given = job.grad_out + color * inner + at;
    T mean = 0;
    if (job.value_norm)
      for (std::size_t c = 0; c < dh; ++c) mean += given[c] / T(dh);
    for (std::size_t c = 0; c < dh; ++c) grad[c] = given[c] - mean;
    const T along_out = dot(grad.data(), out, dh);
    for (const wl::Triple& t : job.quotient->of(static_cast<wl::Color>(color))) {
      const std::size_t left = t.left * inner + at, right = t.right * inner + at;
      const T score = job.scale * dot(job.q + left, job.k + right, dh);
      const T weight = T(t.multiplicity) * std::exp(score - job.sums[color * job.heads + head]);
      const T inverse = fuse(job, job.v1 + left, job.v2 + right, fused.data());
      const T pull = inverse * dot(grad.data(), fused.data(), dh);
      const T grad_score = job.scale * weight * (pull - along_out);
      const T back = job.value_norm ? inverse * pull / T(dh) : T(0);
      for (std::size_t c = 0; c < dh; ++c) {
        const T grad_fused = weight * inverse * (grad[c] - back * fused[c]);
        job.grad_v1[left + c] += grad_fused * job.v2[right + c];
        job.grad_v2[right + c] += grad_fused * job.v1[left + c];
        job.grad_q[left + c] += grad_score * job.k[right + c];
        job.grad_k[right + c] += grad_score * job.q[left + c];
      }
    }
  }
}

}  // namespace

template <class T>
void quotient_forward(const QuotientAttention<T>& job) {
  constexpr std::size_t batch = 64;  // colours in a task
  const std::size_t colors = job.quotient->colors, tasks = (colors + batch - 1) / batch;
  wl::parallel_for(tasks, job.threads, [&](std::size_t task) {
    std::vector<T> scratch;
    for (std::size_t color = task * batch; color < std::min(colors, (task + 1) * batch); ++color)
      for (std::size_t head = 0; head < job.heads; ++head) forward_color(job, color, head, scratch);
  });
}

template <class T>
void quotient_backward(const QuotientAttention<T>& job) {
  const std::size_t count = job.quotient->colors * job.heads * job.head_width;
  for (T* grad : {job.grad_q, job.grad_k, job.grad_v1, job.grad_v2}) std::fill_n(grad, count, T(0));
  wl::parallel_for(job.heads, job.threads, [&](std::size_t head) { backward_head(job, head); });
}

#define LEMAN_INSTANTIATE(T)                                          \
  template void quotient_forward<T>(const QuotientAttention<T>& job); \
  template void quotient_backward<T>(const QuotientAttention<T>& job);
LEMAN_INSTANTIATE(float)
LEMAN_INSTANTIATE(double)
#undef LEMAN_INSTANTIATE

}  // namespace leman::et
