// A meaning on the host for the CUDA words that the kernels use. Every thread of a
// block is a fiber (Boost.Context) that runs until it meets a barrier; then the next
// one runs. The order of threads between two barriers, and of blocks, is drawn from
// a seed: what depends on it shows as a difference. Shared and device memory are
// arrays of their exact size on the heap, filled with bytes that make NaN, so that the
// address sanitizer sees what lies outside, and the results what was never written.
#pragma once

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#define __global__
#define __device__
#define __launch_bounds__(...)
#define LEMAN_BARRIER() ::leman::cuda_host::barrier()
#define LEMAN_LAUNCH(kernel, grid, block, shared, stream, ...) \
  ::leman::cuda_host::launch([&] { kernel(__VA_ARGS__); }, grid, block, shared)

struct dim3 {
  unsigned x, y, z;
  explicit dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
inline thread_local dim3 threadIdx, blockIdx, gridDim;

namespace leman::cuda_host {

struct Settings {
  std::uint64_t seed = 1;  // of the order of threads and blocks
  int drop = -1;           // 0, 1: every barrier of a thread with this number mod 2 does nothing
};
inline thread_local Settings settings;

// The block that runs on this thread of the host.
struct Block {
  struct Thread {
    boost::context::fiber fiber;
    bool waits = false, ended = false;
    int barriers = 0;
  };
  std::vector<Thread> threads;
  std::unique_ptr<unsigned char[]> shared;
  std::size_t current = 0;
  boost::context::fiber scheduler;
};
inline thread_local Block* block = nullptr;

inline void barrier() {
  Block& b = *block;
  Block::Thread& self = b.threads[b.current];
  if (self.barriers++ % 2 == settings.drop) return;
  self.waits = true;
  b.scheduler = std::move(b.scheduler).resume();
}

// All threads to the next barrier, or to their end; in one round no thread may end
// while another waits.
inline bool run_round(Block& b, std::mt19937_64& order) {
  std::vector<std::size_t> turn(b.threads.size());
  std::iota(turn.begin(), turn.end(), 0u);
  std::shuffle(turn.begin(), turn.end(), order);
  std::size_t waiting = 0;
  for (const std::size_t t : turn) {
    b.current = t;
    b.threads[t].waits = false;
    threadIdx = dim3(static_cast<unsigned>(t));
    b.threads[t].fiber = std::move(b.threads[t].fiber).resume();
    waiting += b.threads[t].waits;
  }
  if (waiting != 0 && waiting != b.threads.size())
    throw std::logic_error("threads of a block went different ways round a barrier");
  return waiting != 0;
}

template <class Kernel>
void launch(Kernel kernel, dim3 grid, dim3 threads, std::size_t shared_bytes) {
  std::mt19937_64 order(settings.seed);
  std::vector<std::size_t> blocks(std::size_t{grid.x} * grid.y * grid.z);
  std::iota(blocks.begin(), blocks.end(), 0u);
  std::shuffle(blocks.begin(), blocks.end(), order);
  gridDim = grid;
  static thread_local boost::context::pooled_fixedsize_stack stacks(128 * 1024);
  for (const std::size_t at : blocks) {
    blockIdx = dim3(static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                    static_cast<unsigned>(at / grid.x / grid.y));
    Block b;
    b.shared.reset(new unsigned char[shared_bytes]);
    std::memset(b.shared.get(), 0xff, shared_bytes);
    b.threads.resize(threads.x);
    block = &b;
    for (std::size_t t = 0; t < threads.x; ++t)
      b.threads[t].fiber =
          boost::context::fiber(std::allocator_arg, stacks, [&b, &kernel](boost::context::fiber&& back) {
            b.scheduler = std::move(back);
            kernel();
            return std::move(b.scheduler);
          });
    while (run_round(b, order)) {
    }
    block = nullptr;
  }
}

}  // namespace leman::cuda_host

namespace leman::et {

template <class T>
T* shared_memory() {
  return reinterpret_cast<T*>(cuda_host::block->shared.get());
}

}  // namespace leman::et

// What the kernels use of CUDA's library.
enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
using cudaStream_t = void*;

inline cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
  *memory = std::malloc(bytes);
  if (!*memory) return cudaErrorMemoryAllocation;
  std::memset(*memory, 0xff, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return std::free(memory), cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
inline cudaError_t cudaGetDeviceCount(int* count) { return *count = 1, cudaSuccess; }
