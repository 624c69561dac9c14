// Inside reports/: names that must fit.
#pragma once

#include <string>

#include "base/text.hpp"

namespace leman::reports {

// At most so many characters, the last of them an ellipsis where some are left out.
inline std::string shortened(const std::string& text, std::size_t characters) {
  if (width_of(text) <= characters) return text;
  std::size_t end = 0;
  for (std::size_t count = 1; count < characters; ++count) do
      ++end;
    while (end < text.size() && (text[end] & 0xC0) == 0x80);
  return text.substr(0, end) + "…";
}

}  // namespace leman::reports
