// Ctrl-C during long work: the first signal ends the run in order, a second one at once.
#pragma once

#include <atomic>
#include <csignal>

namespace leman::cli {

inline constexpr int kInterrupted = 130;  // exit code

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
  static void on_signal(int signal) {
    flag() = true;
    std::signal(signal, SIG_DFL);
  }
};

}  // namespace leman::cli
