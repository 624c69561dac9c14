#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>

namespace leman::cli {

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)),
      total_(total),
      shown_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::done(std::uint64_t more, const std::string& current) {
  std::lock_guard lock(guard_);
  count_ += more;
  auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  draw(current);
}

void Progress::draw(const std::string& current) {
  double seconds = std::chrono::duration<double>(last_ - start_).count();
  if (total_ == 0) {
    std::fprintf(stderr, "\r\033[K%s: %llu, %.0f a second", what_.c_str(), static_cast<unsigned long long>(count_),
                 static_cast<double>(count_) / seconds);
    return;
  }
  constexpr int width = 30;
  int filled = static_cast<int>(width * count_ / total_);
  double left = seconds / static_cast<double>(count_) * static_cast<double>(total_ - count_);
  std::fprintf(stderr, "\r\033[K%s [%.*s%.*s] %llu/%llu, %s, %.0f s left", what_.c_str(), filled,
               "##############################", width - filled, "..............................",
               static_cast<unsigned long long>(count_), static_cast<unsigned long long>(total_), current.c_str(), left);
}

}  // namespace leman::cli
