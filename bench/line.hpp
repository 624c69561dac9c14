// One line of a benchmark: ours, baseline, ratio = baseline over ours.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/timing.hpp"

namespace leman::bench {

inline std::string line(const std::string& name, Times ours, const std::string& baseline, Times theirs) {
  return fmt::format("{:<34} {:9.4f} s ({:.4f}-{:.4f})  {:<22} {:9.4f} s ({:.4f}-{:.4f})  {:.1f}x", name, ours.median,
                     ours.least, ours.most, baseline, theirs.median, theirs.least, theirs.most,
                     theirs.median / ours.median);
}

}  // namespace leman::bench
