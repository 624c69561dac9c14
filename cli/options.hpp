// The options of a subcommand as one table: parsing, --help and shell
// completion all read it. (CLI11 was tried: it costs seven seconds of compile
// time for every file that declares an option.)
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace leman::cli {

// A call that makes no sense; exit code kUsage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Option {
  std::string name;   // "--json", or "FILE" for a positional argument
  std::string value;  // what the value is called; empty: a flag
  std::string help;
  std::function<void(const std::string&)> set;  // throws UsageError with the reason
  enum Kind { Optional, Required, Repeated } kind = Optional;
};

struct Command {
  std::string name, summary;
  std::vector<Option> positionals;
  std::vector<Option> options;
  std::string footer;        // examples
  std::function<int()> run;  // returns the exit code
};

// Setters for the table.
using Setter = std::function<void(const std::string&)>;
Setter flag(bool& target);
Setter text(std::string& target);
Setter non_empty(std::string& target);
Setter choice(std::string& target, std::vector<std::string> allowed);
Setter append(std::vector<std::string>& target);

// A number in as few characters as tell it from all others.
template <class T>
std::string plain(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
T parse_number(const std::string& word, T low, T high) {
  T value{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !(value >= low && value <= high))
    throw UsageError("\"" + word + "\" is not a number in " + plain(low) + ".." + plain(high));
  return value;
}

template <class T>
Setter number(T& target, T low = 0, T high = std::numeric_limits<T>::max()) {
  return [&target, low, high](const std::string& word) { target = parse_number<T>(word, low, high); };
}

template <class T>
Setter number(std::optional<T>& target, T low = 0, T high = std::numeric_limits<T>::max()) {
  return [&target, low, high](const std::string& word) { target = parse_number<T>(word, low, high); };
}

// Fills the targets from the words behind the command's name. False: --help
// was asked for. Throws UsageError.
bool parse(const Command& command, const std::vector<std::string>& words);
std::string help_text(const Command& command);

}  // namespace leman::cli
