// Text: numbers for people and for files, lists, escaping. Locale-independent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leman {

std::string fixed(double value, int digits);  // 0.50
std::string brief(double value, int digits);  // at most so many significant digits, as %g
std::string scientific(double value, int digits);
std::string shortest(double value);            // shortest text that round-trips
std::string hexadecimal(std::uint64_t value);  // 16 digits
std::string gigabytes(std::uint64_t bytes);    // 1.5 GB
std::string megabytes(std::uint64_t bytes);    // 12.3 MB, or from 1 GB on 1.25 GB
std::string duration(double seconds);          // 12 s, 5 min, 2.5 h

std::string join(const std::vector<std::string>& words, std::string_view between = ", ");
std::vector<std::string> split(std::string_view text, char at);  // "" has one word, the empty one

std::size_t width_of(std::string_view text);  // characters, not bytes of UTF-8

// The word of `known` that `word` is most likely a misspelling of; empty if none is close.
std::string closest(std::string_view word, const std::vector<std::string>& known);
// " (did you mean \"x\"?)", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

std::string shell_quoted(const std::string& word);  // as a shell needs it

}  // namespace leman
