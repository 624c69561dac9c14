// Progress on stderr: a line that is drawn again, at most ten times a second,
// where a person is looking (a terminal); else a line a minute, for logs.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace leman::cli {

class Progress {
 public:
  // total 0: not known. `already` of it were done before; the remaining time is
  // that of the remaining weight, or of the remaining count if there is none.
  Progress(std::string what, std::uint64_t total, std::uint64_t already = 0, std::uint64_t weight = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void begin(const std::string& current);  // from any thread
  void done(std::uint64_t more, const std::string& current, std::uint64_t weight = 0);

 private:
  void draw(const std::string& current);
  std::string line(const std::string& current, double seconds) const;
  std::string what_;
  std::uint64_t total_, already_, count_, weight_, weight_done_ = 0;
  bool terminal_;
  std::chrono::steady_clock::time_point start_, last_;
  std::mutex guard_;
};

}  // namespace leman::cli
