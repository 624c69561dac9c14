// The CUDA words that the kernels use. With nvcc they are CUDA's own; a test program
// defines them for the host (tests/cuda_host/cuda_words.hpp).
#pragma once

namespace leman::et {

// What one load from memory fetches.
template <class T>
struct alignas(16) Vector {
  static constexpr unsigned kSize = 16 / sizeof(T);
  T x[kSize];
};

}  // namespace leman::et

#ifdef __CUDACC__

#include <cuda_runtime.h>

#define LEMAN_BARRIER() __syncthreads()
#define LEMAN_LAUNCH(kernel, grid, block, stream, ...) kernel<<<grid, block, 0, stream>>>(__VA_ARGS__)
// name: an array of this many bytes in the block's shared memory; once per kernel.
#define LEMAN_SHARED(T, name, bytes)                          \
  __shared__ __align__(16) unsigned char name##_bytes[bytes]; \
  T* const name = reinterpret_cast<T*>(name##_bytes)
// The value passed by thread (own number ^ mask) of the warp.
#define LEMAN_SHUFFLE_XOR(value, mask) __shfl_xor_sync(0xffffffffu, value, mask)
#define LEMAN_UNROLL _Pragma("unroll")
#define LEMAN_NO_UNROLL _Pragma("unroll 1")

namespace leman::et {

// threadIdx.x, read afresh: the compiler cannot keep values computed from it in
// registers across the rounds of a loop.
__device__ inline unsigned thread_number() {
  unsigned x;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x));
  return x;
}

// Starts a copy from device to shared memory that uses no registers; zeros if `inside` is false.
template <class E>
__device__ void copy_to_shared(E* to, const E* from, bool inside) {
  asm volatile(
      "cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(to))),
      "l"(from), "n"(sizeof(E)), "r"(inside ? static_cast<unsigned>(sizeof(E)) : 0u)
      : "memory");
}
// Waits until the thread's own copies have arrived.
__device__ inline void wait_for_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

// Reads from shared memory on every call. Where registers are scarce, reading twice is cheaper
// than keeping the value; the compiler would keep it, and spill.
__device__ inline Vector<float> read_shared(const Vector<float>* at) {
  Vector<float> v;
  asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x[0]), "=f"(v.x[1]), "=f"(v.x[2]), "=f"(v.x[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(at))));
  return v;
}
__device__ inline Vector<double> read_shared(const Vector<double>* at) {
  Vector<double> v;
  asm volatile("ld.volatile.shared.v2.f64 {%0, %1}, [%2];"
               : "=d"(v.x[0]), "=d"(v.x[1])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(at))));
  return v;
}

}  // namespace leman::et

#else

#include LEMAN_CUDA_WORDS  // defines the words for whoever compiles these kernels for the host

#endif
