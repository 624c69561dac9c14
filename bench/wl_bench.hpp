// `leman bench wl`: speed of the exact engines. Every case is verified before it
// is timed; a mismatch gives no number. CPU seconds on one thread, median and
// range of several runs, ratio = baseline over ours.
#pragma once

#include <functional>
#include <string>

#include "brec/suites.hpp"

namespace leman::bench {

// Calls `print` with one line per case; false if one was wrong.
bool bench_wl(bool quick, const brec::SuiteRequest& suite, const std::function<void(const std::string&)>& print);

}  // namespace leman::bench
