#include "wl/coloring.hpp"

#include <fstream>

namespace leman::wl {

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

std::string gigabytes(std::uint64_t bytes) {
  std::uint64_t tenths = (bytes + (1u << 26)) / ((std::uint64_t{1} << 30) / 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

}  // namespace

std::uint64_t usable_memory() { return available_memory() / 10 * 9; }

void demand_memory(std::uint64_t bytes, std::uint64_t limit, const std::string& what) {
  if (limit == 0 && bytes < std::uint64_t{64} << 20) return;  // not worth asking the system
  if (limit == 0) limit = usable_memory();
  if (bytes > limit)
    throw MemoryError(what + " needs about " + gigabytes(bytes) + ", " + gigabytes(limit) + " may be used");
}

}  // namespace leman::wl
