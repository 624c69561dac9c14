// Host definitions of the CUDA words that the kernels use. Every thread of a block is a
// fiber (Boost.Context) that runs until it meets a barrier or a shuffle; then another one
// runs. Which one, and the order of blocks, is drawn from a seed, so any dependence on
// the order shows as a difference. Shared and device memory are heap arrays of the exact
// size, filled with bytes that read as NaN. So the address sanitizer detects accesses
// outside, and the results show reads of unwritten memory.
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
#define LEMAN_UNROLL
#define LEMAN_NO_UNROLL
#define LEMAN_BARRIER() ::leman::cuda_host::barrier()
#define LEMAN_SHUFFLE_XOR(value, mask) ::leman::cuda_host::shuffle_xor(value, mask)
#define LEMAN_LAUNCH(kernel, grid, block, stream, ...) \
  ::leman::cuda_host::launch(                          \
      #kernel, [&] { kernel(__VA_ARGS__); }, grid, block)
#define LEMAN_SHARED(T, name, bytes) T* const name = static_cast<T*>(::leman::cuda_host::shared_memory(bytes))

struct dim3 {
  unsigned x, y, z;
  explicit dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
inline thread_local dim3 threadIdx, blockIdx, gridDim;

namespace leman::cuda_host {

struct Settings {
  std::uint64_t seed = 1;  // determines the order of threads and blocks
  std::string where;       // `drop` applies to kernels whose name contains this
  int drop = -1;           // what does nothing: 0, 1: a thread's barriers with this number mod 2; 2: waiting for copies
};
inline thread_local Settings settings;

constexpr std::size_t kWarp = 32;

// The block that runs on this host thread.
struct Block {
  struct Copy {
    void* to;
    const void* from;  // null: zeros
    std::size_t bytes;
  };
  enum Wait { kNone, kShuffle, kBarrier, kEnd };
  struct Thread {
    boost::context::fiber fiber;
    Wait wait = kNone;
    unsigned barriers = 0, shuffles = 0;
    double passed[2] = {};     // values of the last two shuffles
    std::vector<Copy> copies;  // started; they arrive when the thread waits for them
  };
  std::vector<Thread> threads;
  std::vector<std::size_t> ready;      // threads that can continue
  std::vector<std::size_t> shuffling;  // per warp: number of threads waiting in a shuffle
  std::size_t at_barrier = 0, ended = 0, current = 0;
  int drop = -1;
  std::mt19937_64* order = nullptr;
  std::unique_ptr<unsigned char[]> shared;
  boost::context::fiber scheduler;

  void stop(Wait why) {
    threads[current].wait = why;
    scheduler = std::move(scheduler).resume();
  }
  // Lets the threads [from, to), which are all waiting, continue.
  void release(std::size_t from, std::size_t to) {
    for (std::size_t t = from; t < to; ++t) threads[t].wait = kNone, ready.push_back(t);
  }
};
inline thread_local Block* block = nullptr;

inline void barrier() {
  Block& b = *block;
  if (static_cast<int>(b.threads[b.current].barriers++ % 2) != b.drop) b.stop(Block::kBarrier);
}

// Only the threads of a warp wait for each other. Each thread has two slots, used in turn: a fast
// thread may be one shuffle ahead, not two.
template <class T>
T shuffle_xor(T value, unsigned mask) {
  Block& b = *block;
  const std::size_t self = b.current;
  if (mask >= kWarp) throw std::logic_error("a shuffle beyond the warp");
  const unsigned turn = b.threads[self].shuffles++ % 2;
  b.threads[self].passed[turn] = static_cast<double>(value);
  b.stop(Block::kShuffle);
  return static_cast<T>(b.threads[self ^ mask].passed[turn]);
}

// Allocated by the first thread that asks for it.
inline void* shared_memory(std::size_t bytes) {
  Block& b = *block;
  if (!b.shared) {
    b.shared.reset(new unsigned char[bytes]);
    std::memset(b.shared.get(), 0xff, bytes);
  }
  return b.shared.get();
}

// Runs a random ready thread until it waits or ends.
inline void run_one(Block& b, std::mt19937_64& order) {
  std::swap(b.ready[order() % b.ready.size()], b.ready.back());
  b.current = b.ready.back();
  b.ready.pop_back();
  Block::Thread& thread = b.threads[b.current];
  threadIdx = dim3(static_cast<unsigned>(b.current));
  thread.fiber = std::move(thread.fiber).resume();
  if (!thread.fiber) thread.wait = Block::kEnd, ++b.ended;
  if (thread.wait == Block::kBarrier && ++b.at_barrier == b.threads.size())
    b.at_barrier = 0, b.release(0, b.threads.size());
  const std::size_t warp = b.current / kWarp;
  if (thread.wait == Block::kShuffle && ++b.shuffling[warp] == kWarp)
    b.shuffling[warp] = 0, b.release(warp * kWarp, (warp + 1) * kWarp);
}

template <class Kernel>
void launch(const std::string& name, Kernel kernel, dim3 grid, dim3 threads) {
  std::mt19937_64 order(settings.seed);
  const int drop = name.find(settings.where) == std::string::npos ? -1 : settings.drop;
  std::vector<std::size_t> blocks(std::size_t{grid.x} * grid.y * grid.z);
  std::iota(blocks.begin(), blocks.end(), 0u);
  std::shuffle(blocks.begin(), blocks.end(), order);
  gridDim = grid;
  static thread_local boost::context::pooled_fixedsize_stack stacks(128 * 1024);
  for (const std::size_t at : blocks) {
    blockIdx = dim3(static_cast<unsigned>(at % grid.x), static_cast<unsigned>(at / grid.x % grid.y),
                    static_cast<unsigned>(at / grid.x / grid.y));
    Block b;
    b.drop = drop;
    b.order = &order;
    b.threads.resize(threads.x);
    b.shuffling.resize(threads.x / kWarp);
    block = &b;
    for (std::size_t t = 0; t < threads.x; ++t)
      b.threads[t].fiber =
          boost::context::fiber(std::allocator_arg, stacks, [&b, &kernel](boost::context::fiber&& back) {
            b.scheduler = std::move(back);
            kernel();
            return std::move(b.scheduler);
          });
    b.release(0, threads.x);
    while (!b.ready.empty()) run_one(b, order);
    block = nullptr;
    if (b.ended != b.threads.size()) throw std::logic_error("threads went different ways round a barrier or a shuffle");
  }
}

}  // namespace leman::cuda_host

namespace leman::et {

inline unsigned thread_number() { return threadIdx.x; }
// A copy arrives either at once or when the thread waits for it; the choice is random.
template <class E>
void copy_to_shared(E* to, const E* from, bool inside) {
  cuda_host::Block& b = *cuda_host::block;
  if (reinterpret_cast<std::uintptr_t>(to) % sizeof(E) != 0 || reinterpret_cast<std::uintptr_t>(from) % sizeof(E) != 0)
    throw std::logic_error("a copy to or from a place that is not aligned");
  if ((*b.order)() % 2)
    *to = inside ? *from : E{};
  else
    b.threads[b.current].copies.push_back({to, inside ? from : nullptr, sizeof(E)});
}
inline void wait_for_copies() {
  if (cuda_host::block->drop == 2) return;
  auto& copies = cuda_host::block->threads[cuda_host::block->current].copies;
  for (const auto& copy : copies)
    copy.from ? std::memcpy(copy.to, copy.from, copy.bytes) : std::memset(copy.to, 0, copy.bytes);
  copies.clear();
}
template <class T>
Vector<T> read_shared(const Vector<T>* at) {
  return *at;
}

}  // namespace leman::et

// The part of CUDA's library that the kernels use.
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
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, void (*work)(void*), void* data) { return work(data), cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return "out of memory"; }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
