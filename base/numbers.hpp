// Numbers from text, whole and in range.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace leman {

// Shortest text that round-trips.
template <class T>
std::string plain(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// Throws UsageError.
template <class T>
T parse_number(std::string_view word, T low, T high) {
  T value{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value >= low && value <= high))
    throw UsageError("\"" + std::string(word) + "\" is not a number in " + plain(low) + ".." + plain(high));
  return value;
}

// A set of numbers such as "0-59,260" within 0..limit-1, ascending. Throws UsageError.
std::vector<std::uint32_t> number_list(std::string_view text, std::uint32_t limit);

}  // namespace leman
