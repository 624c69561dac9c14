// Triangular attention on a CUDA device; the operation of et/kernels/triangle.hpp.
//
// Kernels work on plain device pointers and include no header of LibTorch. Device
// memory is O(n^2 width): projections, contexts, sums, and in the backward pass
// their gradients. A block of 256 threads has a tile of 16 x 16 pairs of one head of
// one graph, a thread one pair:
//
//   forward   (i,j), over l: online softmax, the fused value's norm folded in
//   backward  (i,l), over j: gradients of q and v1; (l,j), over i: those of k and v2;
//             scores and fused values are computed again
//
// Sums run in one order and no atomics are used: a run repeats bit for bit.
#pragma once

#include <cstddef>
#include <string>

#include "et/kernels/triangle.hpp"

namespace leman::et {

// All that a call needs, in device memory. Rows are those of Triangle.
template <class T>
struct CudaTriangle {
  const Triangle<T>* job = nullptr;  // sizes and flags; its pointers are not used
  const T *x = nullptr, *in_weight = nullptr, *in_bias = nullptr, *qk_gain = nullptr, *qk_shift = nullptr;
  const T *out_weight = nullptr, *out_bias = nullptr;
  T *y = nullptr, *context = nullptr, *sums = nullptr;  // context [rows][inner], sums [rows][heads]
  const T* grad_y = nullptr;
  T *grad_x = nullptr, *grad_in_weight = nullptr, *grad_in_bias = nullptr, *grad_qk_gain = nullptr,
    *grad_qk_shift = nullptr, *grad_out_weight = nullptr, *grad_out_bias = nullptr;
  void* stream = nullptr;  // a cudaStream_t
};

// On device pointers, in the order of the stream. Workspace is allocated and freed
// on the stream.
template <class T>
void cuda_forward(const CudaTriangle<T>& call);
template <class T>
void cuda_backward(const CudaTriangle<T>& call);

// The kernel for the table: takes host pointers, copies in and out.
extern const TriangleDevice<float> triangle_cuda_f32;
extern const TriangleDevice<double> triangle_cuda_f64;

bool cuda_supported();    // a device is there that can run it
std::string cuda_about();  // "built for sm_80 sm_90 sm_100, no device"

}  // namespace leman::et
