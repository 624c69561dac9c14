// Shared by the CUDA kernels: sizes, vectors, and functions by type.
#pragma once

#include <cstddef>

#include "et/kernels/cuda/words.hpp"
#include "et/kernels/dropout_mask.hpp"

namespace leman::et {

namespace {

constexpr unsigned kThreads = 256;  // per block
// Blocks of the attention kernels per multiprocessor: four blocks of 256 threads are half of the
// 2048 threads it can hold, and leave 64 registers per thread.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr unsigned kBlocks = 4, kBackwardBlocks = 3;  // with four, ptxas for sm_100 spills a register or two
#else
constexpr unsigned kBlocks = 4, kBackwardBlocks = 4;
#endif

// Sizes and flags, passed by value. Heads have dh channels and room for 8, 16, 32 or 64;
// the padding is zero.
template <class T>
struct Shape {
  std::size_t rows;
  unsigned width, heads, dh, room, inner;  // inner = heads * room
  bool qk_norm;
  T epsilon, factor, keep_scale, share;  // factor of queries; share = 1 / dh
  DropoutMask dropout;
};

__device__ inline float power2(float x) { return exp2f(x); }
__device__ inline double power2(double x) { return exp2(x); }
__device__ inline float logarithm2(float x) { return log2f(x); }
__device__ inline double logarithm2(double x) { return log2(x); }
__device__ inline float inverse_root(float x) { return rsqrtf(x); }
__device__ inline double inverse_root(double x) { return rsqrt(x); }

}  // namespace

}  // namespace leman::et
