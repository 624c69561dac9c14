#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace leman {

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

namespace {

// One parallel_for. Lives on the caller's stack: the caller leaves only when nobody else is in it.
struct Loop {
  const std::size_t count;
  detail::Body* const body;
  void* const context;
  std::atomic<std::size_t> next{0};
  // Guarded by Pool::guard_:
  unsigned wanted = 0;  // threads that may still join
  unsigned inside = 0;  // threads that have joined and not left
  std::exception_ptr error = {};
  std::size_t failed = SIZE_MAX;
};

class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  void run(Loop& loop, unsigned threads) {
    {
      std::lock_guard lock(guard_);
      loop.wanted = static_cast<unsigned>(std::min<std::size_t>(threads, loop.count)) - 1;
      grow(loop.wanted);
      loops_.push_back(&loop);
    }
    work_.notify_all();
    work_on(loop);
    std::unique_lock lock(guard_);
    std::erase(loops_, &loop);  // who has not come by now need not come any more
    done_.wait(lock, [&] { return loop.inside == 0; });
    if (loop.error) std::rethrow_exception(loop.error);
  }

 private:
  Pool() = default;
  ~Pool() {
    {
      std::lock_guard lock(guard_);
      stop_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // As many threads as the largest loop wants helpers; nested loops share them.
  void grow(unsigned helpers) {
    while (threads_.size() < helpers) threads_.emplace_back([this] { serve(); });
  }

  void serve() {
    std::unique_lock lock(guard_);
    while (true) {
      work_.wait(lock, [&] { return stop_ || !loops_.empty(); });
      if (stop_) return;
      Loop& loop = *loops_.front();
      ++loop.inside;
      if (--loop.wanted == 0) loops_.pop_front();
      lock.unlock();
      work_on(loop);
      lock.lock();
      if (--loop.inside == 0) done_.notify_all();
    }
  }

  void work_on(Loop& loop) {
    std::size_t i = 0;
    try {
      while ((i = loop.next++) < loop.count) loop.body(loop.context, i);
    } catch (...) {
      std::lock_guard lock(guard_);
      if (i < loop.failed) loop.failed = i, loop.error = std::current_exception();
      loop.next = loop.count;
    }
  }

  std::mutex guard_;
  std::condition_variable work_, done_;
  std::deque<Loop*> loops_;  // that want helpers, oldest first
  std::vector<std::thread> threads_;
  bool stop_ = false;
};

}  // namespace

void detail::parallel_run(std::size_t count, unsigned threads, Body* body, void* context) {
  Loop loop{count, body, context};
  Pool::instance().run(loop, threads);
}

}  // namespace leman
