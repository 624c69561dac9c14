#include "cli/progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.hpp"

namespace leman::cli {

namespace {

bool can_redraw() {
  const char* kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && kind && std::string(kind) != "dumb";
}

}  // namespace

Progress::Progress() : terminal_(can_redraw()) {}

Progress::~Progress() { clear(); }

void Progress::start(const std::string& what, std::uint64_t total, std::uint64_t already, std::uint64_t weight) {
  std::lock_guard lock(guard_);
  what_ = what, total_ = total, already_ = count_ = already, weight_ = weight, weight_done_ = 0;
  start_ = last_ = Clock::now();
}

void Progress::begin(const std::string& item) {
  std::lock_guard lock(guard_);
  draw(item);
}

void Progress::done(std::uint64_t items, const std::string& item, std::uint64_t weight) {
  std::lock_guard lock(guard_);
  count_ += items;
  weight_done_ += weight;
  draw(item);
}

void Progress::finish() {
  std::lock_guard lock(guard_);
  clear();
}

void Progress::note(const std::string& message) {
  std::lock_guard lock(guard_);
  clear();
  std::fprintf(stderr, "leman: %s\n", message.c_str());
}

void Progress::clear() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::draw(const std::string& item) {
  const auto now = Clock::now();
  if (now - last_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::minutes(1))) return;
  last_ = now;
  const std::string text = line(item, std::chrono::duration<double>(now - start_).count());
  std::fprintf(stderr, terminal_ ? "\r\033[K%s" : "leman: %s\n", text.c_str());
}

std::string Progress::line(const std::string& item, double seconds) const {
  const auto count = static_cast<double>(count_ - already_);
  if (total_ == 0) return what_ + ": " + std::to_string(count_) + ", " + fixed(count / seconds, 0) + " per second";
  constexpr std::size_t width = 30;
  const std::size_t filled = width * count_ / total_;
  const double part = weight_ ? static_cast<double>(weight_done_) / static_cast<double>(weight_)
                              : count / static_cast<double>(total_ - already_);
  const std::string left = part > 0 ? ", " + duration(seconds / part * (1 - part)) + " left" : "";
  return what_ + " [" + std::string(filled, '#') + std::string(width - filled, '.') + "] " + std::to_string(count_) +
         "/" + std::to_string(total_) + ", " + item + left;
}

}  // namespace leman::cli
