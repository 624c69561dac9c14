// Ctrl-C during long work: the first signal stops cleanly; a second one after 0.5 s kills. (Some
// programs send a signal to the process and again to its group.)
#pragma once

#include <atomic>
#include <csignal>
#include <ctime>

namespace leman::cli {

class InterruptGuard {
 public:
  InterruptGuard() {
    flag() = false;
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, on_signal);
  }
  ~InterruptGuard() {
    for (int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  static const std::atomic<bool>& stop() { return flag(); }  // set by a signal

 private:
  static std::atomic<bool>& flag() {
    static std::atomic<bool> set{false};
    return set;
  }
  static long milliseconds() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
  }
  static void on_signal(int signal) {
    static std::atomic<long> first{0};
    if (!flag()) {
      first = milliseconds();
      flag() = true;
    } else if (milliseconds() - first > 500) {
      std::signal(signal, SIG_DFL);
      std::raise(signal);
    }
  }
};

}  // namespace leman::cli
