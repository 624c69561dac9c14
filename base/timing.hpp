// Repeated measurements: median and range of CPU seconds, or of seconds by the clock on the wall
// where a device does the work.
#pragma once

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

namespace leman {

inline double seconds_now(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Times {
  double median = 0, least = 0, most = 0;
};

inline Times measure(int runs, const std::function<void()>& work, clockid_t clock = CLOCK_PROCESS_CPUTIME_ID) {
  std::vector<double> seconds;
  for (int i = 0; i < runs; ++i) {
    double start = seconds_now(clock);
    work();
    seconds.push_back(seconds_now(clock) - start);
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back()};
}

}  // namespace leman
