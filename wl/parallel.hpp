// A loop over 0 .. count-1 on several threads. Results must go to places that
// depend on the index alone; then they do not depend on the number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace leman::wl {

// Once all threads have ended, the exception of the first index that failed is thrown
// again. Indices begin in order, so that it is the same for any number of threads.
template <class Body>
void parallel_for(std::size_t count, unsigned threads, Body body) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr error;
  std::size_t failed = count;
  std::mutex guard;
  auto work = [&] {
    std::size_t i = 0;
    try {
      while ((i = next++) < count) body(i);
    } catch (...) {
      std::lock_guard lock(guard);
      if (i < failed) failed = i, error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> pool;
    for (unsigned t = 0; t < threads; ++t) pool.emplace_back(work);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace leman::wl
