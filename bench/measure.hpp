// Timing for the benchmarks: CPU seconds (or by the clock on the wall, where a device does the
// work), median and range, ratio = baseline over ours.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace leman::bench {

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

inline std::string line(const std::string& name, Times ours, const std::string& baseline, Times theirs) {
  char text[300];
  std::snprintf(text, sizeof text, "%-34s %9.4f s (%.4f-%.4f)  %-22s %9.4f s (%.4f-%.4f)  %.1fx", name.c_str(),
                ours.median, ours.least, ours.most, baseline.c_str(), theirs.median, theirs.least, theirs.most,
                theirs.median / ours.median);
  return text;
}

}  // namespace leman::bench
