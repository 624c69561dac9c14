#include "reports/escape.hpp"

#include <cstdint>

namespace leman::reports {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool allowed(std::uint32_t c) {
  return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c < 0xD800) || (c >= 0xE000 && c < 0xFDD0) ||
         (c > 0xFDEF && c <= 0x10FFFF && (c & 0xFFFE) != 0xFFFE);
}

// The length of the character that `text` starts with; 0 if it is none that is allowed.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : byte(0) >= 0xC0 ? 2 : 0;
  if (length == 0 || length > text.size() || byte(0) > 0xF4) return 0;
  std::uint32_t code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter forms are not UTF-8
  return code >= kLeast[length] && allowed(code) ? length : 0;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = character(text);
    out += length ? text.substr(0, length) : kReplacement;
    text.remove_prefix(length ? length : 1);
  }
  return out;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

}  // namespace leman::reports
