// Progress on standard error: a line that is drawn again, at most ten times a second, where a
// person is looking (a terminal that can); else one line per minute, for logs.
#pragma once

#include <chrono>
#include <mutex>

#include "study/observer.hpp"

namespace leman::cli {

class Progress : public study::Observer {
 public:
  Progress();
  ~Progress() override;
  void start(const std::string& what, std::uint64_t total, std::uint64_t already = 0,
             std::uint64_t weight = 0) override;
  void begin(const std::string& item) override;
  void done(std::uint64_t items, const std::string& item, std::uint64_t weight = 0) override;
  void finish() override;
  void note(const std::string& message) override;

 private:
  using Clock = std::chrono::steady_clock;
  void clear();
  void draw(const std::string& item);
  std::string line(const std::string& item, double seconds) const;

  const bool terminal_;
  std::mutex guard_;
  std::string what_;
  std::uint64_t total_ = 0, already_ = 0, count_ = 0, weight_ = 0, weight_done_ = 0;
  Clock::time_point start_{}, last_{};
};

}  // namespace leman::cli
