#include "base/numbers.hpp"

#include <set>

namespace leman {

std::vector<std::uint32_t> number_list(std::string_view text, std::uint32_t limit) {
  std::set<std::uint32_t> numbers;
  auto bad = [&] {
    return UsageError("\"" + std::string(text) + "\" is not a list of numbers in 0.." +
                      std::to_string(std::int64_t{limit} - 1) + " such as 0-59,260");
  };
  const char* at = text.data();
  const char* stop = at + text.size();
  while (at < stop) {
    std::uint32_t low = 0;
    auto [end, error] = std::from_chars(at, stop, low);
    std::uint32_t high = low;
    if (error == std::errc() && end < stop && *end == '-') {
      auto second = std::from_chars(end + 1, stop, high);
      error = second.ec;
      end = second.ptr;
    }
    const bool ends = end == stop || (*end == ',' && end + 1 < stop);
    if (error != std::errc() || !ends || high < low || high >= limit) throw bad();
    for (std::uint32_t i = low; i <= high; ++i) numbers.insert(i);
    at = end == stop ? end : end + 1;
  }
  if (numbers.empty()) throw bad();
  return {numbers.begin(), numbers.end()};
}

}  // namespace leman
