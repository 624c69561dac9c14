// A progress line on stderr, only where a person is looking (a terminal), at
// most ten times a second.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace leman::cli {

class Progress {
 public:
  Progress(std::string what, std::uint64_t total);  // total 0: not known
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void done(std::uint64_t more, const std::string& current);  // from any thread

 private:
  void draw(const std::string& current);
  std::string what_;
  std::uint64_t total_, count_ = 0;
  bool shown_;
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex guard_;
};

}  // namespace leman::cli
