#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>

namespace leman::cli {

namespace {

std::string duration(double seconds) {
  char text[40];
  if (seconds < 100)
    std::snprintf(text, sizeof text, "%.0f s", seconds);
  else if (seconds < 6000)
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  else
    std::snprintf(text, sizeof text, "%.1f h", seconds / 3600);
  return text;
}

}  // namespace

Progress::Progress(std::string what, std::uint64_t total, std::uint64_t already, std::uint64_t weight)
    : what_(std::move(what)),
      total_(total),
      already_(already),
      count_(already),
      weight_(weight),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::begin(const std::string& current) {
  std::lock_guard lock(guard_);
  draw(current);
}

void Progress::done(std::uint64_t more, const std::string& current, std::uint64_t weight) {
  std::lock_guard lock(guard_);
  count_ += more;
  weight_done_ += weight;
  draw(current);
}

void Progress::draw(const std::string& current) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::minutes(1))) return;
  last_ = now;
  const std::string text = line(current, std::chrono::duration<double>(now - start_).count());
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "leman: %s\n", text.c_str());
}

std::string Progress::line(const std::string& current, double seconds) const {
  const double count = static_cast<double>(count_ - already_);
  char text[80];
  if (total_ == 0) {
    std::snprintf(text, sizeof text, ": %llu, %.0f a second", static_cast<unsigned long long>(count_), count / seconds);
    return what_ + text;
  }
  constexpr std::size_t width = 30;
  const std::size_t filled = width * count_ / total_;
  const double part = weight_ ? static_cast<double>(weight_done_) / static_cast<double>(weight_)
                              : count / static_cast<double>(total_ - already_);
  std::string left = part > 0 ? ", " + duration(seconds / part * (1 - part)) + " left" : "";
  return what_ + " [" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + std::to_string(count_) +
         "/" + std::to_string(total_) + ", " + current + left;
}

}  // namespace leman::cli
