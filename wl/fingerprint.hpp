// The 128-bit fingerprint of a graph under an engine; see wl/engine.hpp.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "base/text.hpp"

namespace leman::wl {

struct Fingerprint {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
  std::string text() const { return hexadecimal(high) + hexadecimal(low); }
};

}  // namespace leman::wl
