#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace leman {

std::string fixed(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }
std::string brief(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }
std::string scientific(double value, int digits) { return fmt::format("{:.{}e}", value, digits); }
std::string shortest(double value) { return fmt::format("{}", value); }
std::string hexadecimal(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::string gigabytes(std::uint64_t bytes) { return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 0x1p30); }

std::string megabytes(std::uint64_t bytes) {
  const auto size = static_cast<double>(bytes);
  return size < 0x1p30 ? fmt::format("{:.1f} MB", size / 0x1p20) : fmt::format("{:.2f} GB", size / 0x1p30);
}

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == at)
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

namespace {

// Levenshtein: insertions, deletions and replacements that turn one word into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string closest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& each : known)
    if (const std::size_t d = distance(word, each); d < least) least = d, best = each;
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string best = closest(word, known);
  return best.empty() ? "" : " (did you mean \"" + best + "\"?)";
}

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-_./,:=+@%") == word.npos;
  if (plain) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace leman
