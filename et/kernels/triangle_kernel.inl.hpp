// The source of all CPU kernels, in GNU vector extensions. triangle_portable.cpp,
// triangle_avx2.cpp and triangle_avx512.cpp include it, define LEMAN_VECTOR_BYTES and
// are compiled for their instruction set. Everything is in an unnamed namespace and
// uses no function of the standard library (see triangle_stages.hpp).
//
// Vectors run over the columns j. Per (i, l, tile of j) and channel the forward pass
// costs 6 fused multiply-adds, the backward pass 12. Queries and first values are
// scalars that the processor broadcasts from memory. Centred fused values are computed
// again when needed again: with 16 registers, keeping them would mean storing them. With
// AVX2 this makes the forward pass a tenth faster.
#pragma once

#include "et/kernels/triangle_backward.inl.hpp"
#include "et/kernels/triangle_forward.inl.hpp"

namespace leman::et {
namespace {

template <class T>
std::size_t scratch(const GraphJob<T>& g) {
  constexpr std::size_t L = kLanes<T>;
  const std::size_t rows = g.width * g.np + g.qs + 2 * g.inner * L;  // a transposed row; sums over lanes
  const std::size_t forward = 2 * g.n * State<T>::size(g.dh) + 3 * Block<T, 2>::kSize;  // attend
  const std::size_t backward = slices_at_once(g) * slice_size(g) + shared_size(g);      // attend_backward
  const std::size_t most = rows > forward ? rows : forward;
  return most > backward ? most : backward;
}

template <class T>
constexpr TriangleStages<T> stages() {
  return {kLanes<T>,       scratch<T>,         project<T>, attend<T>,         emit<T>,
          grad_context<T>, attend_backward<T>, grad_x<T>,  grad_in_weight<T>, grad_out_weight<T>};
}

}  // namespace
}  // namespace leman::et
