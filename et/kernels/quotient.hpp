// Triangular attention on a colour quotient (wl/quotient.hpp): rows are colours,
// and the sum over l is a sum over the triples of a colour with multiplicity m:
//
//   o_c = sum over triples (a, b, m) of  m w_ab f_ab / sum of m w_ab,
//   w_ab = exp(scale q_a . k_b),  f_ab = v1_a * v2_b, layer-normalised if value_norm.
//
// Sums run in the order of the triples, which depends only on the isomorphism type
// of the graph: relabelled graphs give the same bits. The caller computes the
// projections. Cost: triples * inner, forward and backward; memory: colours * inner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wl/quotient.hpp"

namespace leman::et {

template <class T>
struct QuotientAttention {
  const wl::Quotient* quotient = nullptr;
  std::size_t heads = 0, head_width = 0;
  T scale = 1;
  bool value_norm = false;
  T epsilon = T(1e-5);
  unsigned threads = 1;

  const T *q = nullptr, *k = nullptr, *v1 = nullptr, *v2 = nullptr;  // [colours, heads * head_width]
  T* out = nullptr;                                                  // the same
  T* sums = nullptr;  // [colours, heads]: log of the sum of m w, kept for the backward pass

  const T* grad_out = nullptr;
  T *grad_q = nullptr, *grad_k = nullptr, *grad_v1 = nullptr, *grad_v2 = nullptr;
};

template <class T>
void quotient_forward(const QuotientAttention<T>& job);
template <class T>
void quotient_backward(const QuotientAttention<T>& job);

}  // namespace leman::et
