// The CUDA words that the kernels use. With nvcc they are CUDA's own; a test
// program gives them a meaning on the host (tests/cuda_host/cuda_words.hpp).
#pragma once

#ifdef __CUDACC__

#include <cuda_runtime.h>

#define LEMAN_BARRIER() __syncthreads()
#define LEMAN_LAUNCH(kernel, grid, block, shared, stream, ...) kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)

namespace leman::et {

// The block's shared memory. One name for all types: CUDA wants one declaration.
extern __shared__ unsigned char leman_shared_bytes[];
template <class T>
__device__ T* shared_memory() {
  return reinterpret_cast<T*>(leman_shared_bytes);
}

}  // namespace leman::et

#else

#include "cuda_words.hpp"

#endif
