#include "base/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace leman {

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

namespace {

// How long a thread looks for work, or for others to finish, before it sleeps. To wake one that sleeps
// takes 30 to 50 microseconds, which a shorter loop would wait for.
constexpr std::chrono::microseconds kSpin{40};

inline void pause() {
#ifdef __x86_64__
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <class Ready>
void spin_until(Ready ready) {
  const auto end = std::chrono::steady_clock::now() + kSpin;
  while (!ready() && std::chrono::steady_clock::now() < end) pause();
}

// One parallel_for. Lives on the caller's stack: the caller leaves only when nobody else is in it.
struct Loop {
  const std::size_t count;
  detail::Body* const body;
  void* const context;
  std::atomic<std::size_t> next{0};
  // Guarded by Pool::guard_:
  unsigned wanted = 0;              // threads that may still join
  std::atomic<unsigned> inside{0};  // threads that have joined and not left
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
      ++waiting_;
    }
    work_.notify_all();
    work_on(loop);
    std::unique_lock lock(guard_);
    if (std::erase(loops_, &loop)) --waiting_;  // who has not come by now need not come any more
    if (may_spin()) {
      lock.unlock();
      spin_until([&] { return loop.inside == 0; });
      lock.lock();
    }
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

  // Only where every thread of the pool has a processor to itself.
  bool may_spin() const { return threads_.size() < processors_; }

  void serve() {
    std::unique_lock lock(guard_);
    while (true) {
      if (may_spin()) {
        lock.unlock();
        spin_until([&] { return waiting_ != 0; });
        lock.lock();
      }
      work_.wait(lock, [&] { return stop_ || !loops_.empty(); });
      if (stop_) return;
      Loop& loop = *loops_.front();
      ++loop.inside;
      if (--loop.wanted == 0) loops_.pop_front(), --waiting_;
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
  std::deque<Loop*> loops_;              // that want helpers, oldest first
  std::atomic<std::size_t> waiting_{0};  // of them, for those who look without the lock
  std::vector<std::thread> threads_;
  const unsigned processors_ = default_threads();
  bool stop_ = false;
};

}  // namespace

void detail::parallel_run(std::size_t count, unsigned threads, Body* body, void* context) {
  Loop loop{count, body, context};
  Pool::instance().run(loop, threads);
}

}  // namespace leman
