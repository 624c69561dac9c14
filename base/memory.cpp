#include "base/memory.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "base/parallel.hpp"
#include "base/text.hpp"

namespace leman {

namespace {

std::uint64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  for (std::string word; info >> word;)
    if (word == "MemAvailable:") {
      std::uint64_t kilobytes = 0;
      info >> kilobytes;
      return kilobytes * 1024;
    }
  return UINT64_MAX / 10;
}

}  // namespace

std::uint64_t usable_memory() { return available_memory() / 10 * 9; }

std::uint64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void demand_memory(std::uint64_t bytes, std::uint64_t limit, const std::string& what) {
  if (limit == 0 && bytes < std::uint64_t{64} << 20) return;  // not worth asking the system
  if (limit == 0) limit = usable_memory();
  if (bytes > limit)
    throw MemoryError(what + " needs about " + gigabytes(bytes) + ", " + gigabytes(limit) + " may be used");
}

std::uint64_t memory_share(std::uint64_t limit, unsigned threads) {
  return limit ? limit : usable_memory() / std::max(threads, default_threads());
}

}  // namespace leman
