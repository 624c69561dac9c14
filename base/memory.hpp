// Memory is estimated before it is used: a run that would need too much is refused with the
// estimate instead of ending in the middle.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"

namespace leman {

std::uint64_t usable_memory();  // bytes: nine tenths of what the system has available
std::uint64_t peak_memory();    // bytes: the most that this process has used so far

// Throws MemoryError with the estimate if `bytes` is more than `limit`; 0: usable_memory().
void demand_memory(std::uint64_t bytes, std::uint64_t limit, const std::string& what);

// What one of several parallel runs may use: `limit`, or if that is 0 a share of what is free, so
// that as many as there are threads, or cores, fit. What is refused does not depend on the
// number of threads, unless there are more of them than cores.
std::uint64_t memory_share(std::uint64_t limit, unsigned threads);

}  // namespace leman
