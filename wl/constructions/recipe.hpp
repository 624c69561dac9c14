// Switching sequences as text: steps separated by spaces. A step is an optional
// letter, numbers joined by dots, and an optional mark after a slash, such as
// "0.1.2.35/1", "r0.1.3.6" or "6.13.38.45".
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

struct Step {
  char kind = 0;  // the letter; 0 if there is none
  std::vector<Node> numbers;
  unsigned mark = 0;
};

inline std::vector<Step> parse_steps(std::string_view text) {
  std::vector<Step> steps;
  const char* at = text.data();
  const char* stop = at + text.size();
  while (at < stop) {
    Step step;
    if (*at >= 'a' && *at <= 'z') step.kind = *at++;
    for (char separator = '.'; separator == '.' || separator == '/';) {
      Node value = 0;
      auto [end, error] = std::from_chars(at, stop, value);
      if (error != std::errc()) throw UsageError("switching sequence: cannot read \"" + std::string(text) + "\"");
      if (at != text.data() && at[-1] == '/')
        step.mark = value;
      else
        step.numbers.push_back(value);
      separator = end < stop ? *end : ' ';
      at = end < stop ? end + 1 : end;
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace leman::wl
