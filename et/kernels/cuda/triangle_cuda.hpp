// Triangular attention on a CUDA device; the operation of et/kernels/triangle.hpp.
//
// Kernels work on plain device pointers and include no LibTorch header. Device memory
// is O(n^2 width): projections, contexts, sums, and in the backward pass their
// gradients. Attention (attend.hpp):
//
//   forward   (i,j), over l: online softmax, the fused value's norm folded in
//   backward  (i,l), over j: gradients of q and v1; (l,j), over i: those of k and v2;
//             scores and fused values are computed again
//
// Everything else (linear.hpp) is linear in the number of pairs. Sums run in a fixed order
// and no atomics are used, so a run repeats bit for bit.
#pragma once

#include <string>

#include "et/kernels/triangle.hpp"

namespace leman::et {

// For the table of kernels.
extern const TriangleDevice<float> triangle_cuda_f32;
extern const TriangleDevice<double> triangle_cuda_f64;

bool cuda_supported();     // a device that can run it is present
std::string cuda_about();  // "built for sm_80 sm_90 sm_100, no device"

}  // namespace leman::et
