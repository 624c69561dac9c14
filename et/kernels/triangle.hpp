// Triangular attention with its projections, on plain pointers. For every graph
// with n nodes, head h and node pair (i,j), over tokens x:
//
//   q, k, v1, v2 = x W^T + b              (q and k layer-normalised if qk_norm)
//   a_ilj  = softmax over l of  scale * q_il . k_lj
//   f_ilj  = v1_il * v2_lj                (layer-normalised if value_norm)
//   o_ij   = sum over l of  a_ilj f_ilj
//   y_ij   = [o of all heads] W_out^T + b_out
//
// One parameter struct, one table of implementations. An implementation is a list of
// stages. A stage is a number of independent tasks; each writes to places of its own
// and sums in a fixed order. So the driver (triangle.cpp) may run the tasks on any
// number of threads and gets the same bits.
//
// Memory is O(n^2 width): scores and fused values live in registers. Softmax takes
// its maximum in a separate sweep, and only where a bound on the scores does not
// already rule out an overflow of exp. The backward pass computes the scores again.
// The layer norm of a fused value needs its mean (one dot product) and its variance.
// The variance is summed from centred values, not from second moments. That costs one
// more multiply-add per channel and avoids cancellation in float32.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "et/kernels/rows.hpp"

namespace leman::et {

inline constexpr std::size_t kMaxDeviceHead = 64;  // widest head, in channels, of kernel cuda
inline constexpr std::size_t kMaxLanes = 16;       // in the widest implementation; widths are multiples of it

// What the caller fills in. Rows of x, y and their gradients are the pairs (i,j) of
// graph 0 in row-major order, then those of graph 1, and so on. width is a multiple of
// kMaxLanes (pad with zeros); inner = heads * head_width is arbitrary.
template <class T>
struct Triangle {
  std::vector<std::uint32_t> orders;  // n of every graph
  std::size_t width = 0;              // of x and y
  std::size_t heads = 0, head_width = 0;
  T scale = 1;
  bool qk_norm = false, value_norm = false;
  // x_ij = x_ji, q and k have the same weights, gain and shift, and v1 and v2 the same
  // weights; so y_ij = y_ji. Rows are then only the pairs with i <= j, and equal projections
  // may be computed once. Of the gradients of equal weights only the sum is right. Not
  // available with dropout or on a device.
  bool symmetric = false;
  T epsilon = T(1e-5);     // of all layer norms
  double dropout = 0;      // probability that an attention weight is dropped
  std::uint64_t seed = 0;  // of the dropout
  unsigned threads = 1;

  const T* x = nullptr;           // [rows, width]
  const T* in_weight = nullptr;   // [4, inner, width]: q, k, v1, v2
  const T* in_bias = nullptr;     // [4, inner]
  const T* qk_gain = nullptr;     // [2, head_width], read if qk_norm: for q, for k
  const T* qk_shift = nullptr;    // [2, head_width]
  const T* out_weight = nullptr;  // [width, inner]
  const T* out_bias = nullptr;    // [width]
  T* y = nullptr;                 // [rows, width]

  // Kept for the backward pass, in the layout of the implementation; sizes from
  // saved_context() and saved_sums(). Without sums no backward pass can follow; a device
  // always needs them.
  T* context = nullptr;
  T* sums = nullptr;

  // Backward pass: input, then outputs.
  const T* grad_y = nullptr;
  T* grad_x = nullptr;  // null: not needed; a device always needs it
  T* grad_in_weight = nullptr;
  T* grad_in_bias = nullptr;
  T* grad_qk_gain = nullptr;
  T* grad_qk_shift = nullptr;
  T* grad_out_weight = nullptr;
  T* grad_out_bias = nullptr;

  // For kernel cuda. If on_device, all pointers are to memory of the current device and the work
  // is queued on this stream (a cudaStream_t). Otherwise they are host pointers and the kernel
  // copies.
  bool on_device = false;
  void* stream = nullptr;

  std::size_t inner() const { return heads * head_width; }
  std::size_t rows() const;
  void check() const;  // throws a UsageError that names the member
};

// An implementation in stages on the host, or one that does all the work on a device.
template <class T>
struct TriangleStages;
template <class T>
struct TriangleDevice {
  std::size_t (*context)(const Triangle<T>&);  // number of T kept for the backward pass
  std::size_t (*sums)(const Triangle<T>&);
  void (*forward)(const Triangle<T>&);
  void (*backward)(const Triangle<T>&);
};
struct TriangleKernel {
  const char* name;
  bool (*supported)();  // looks at the processor, or for a device
  const TriangleStages<float>* f32;
  const TriangleStages<double>* f64;
  const TriangleDevice<float>* device32 = nullptr;  // null: stages
  const TriangleDevice<double>* device64 = nullptr;
};

// Best first. `reference`, plain LibTorch, is not here: see et/attention.hpp.
const std::vector<TriangleKernel>& triangle_kernels();
// Status of kernel cuda: "built for sm_80 sm_90 sm_100, no device", or that it is not built.
std::string cuda_status();
// Appends a kernel: one of the test programs has kernels of its own.
void add_triangle_kernel(const TriangleKernel& kernel);

template <class T>
std::size_t saved_context(const TriangleKernel& kernel, const Triangle<T>& job);  // number of T
template <class T>
std::size_t saved_sums(const TriangleKernel& kernel, const Triangle<T>& job);

template <class T>
void triangle_forward(const TriangleKernel& kernel, const Triangle<T>& job);
template <class T>
void triangle_backward(const TriangleKernel& kernel, const Triangle<T>& job);

}  // namespace leman::et
