// The options of a command as one table: parsing, --help, shell completion and the manual page all
// read it. (CLI11 was tried: it costs seven seconds of compile time for every file that declares
// an option.)
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers.hpp"

namespace leman::cli {

using Setter = std::function<void(const std::string&)>;  // throws UsageError with the reason

struct Option {
  std::string name;   // "--json", or "FILE" for a positional argument
  std::string value;  // what the value is called; empty: a flag
  std::string help;
  Setter set;
  enum Kind { Optional, Required, Repeated } kind = Optional;
  std::string alias = {};                // another spelling, not listed
  std::vector<std::string> values = {};  // that a shell may offer
};

struct Command {
  std::string name;  // one word, or two: "brec show"
  std::string summary;
  std::vector<Option> positionals;
  std::vector<Option> options;
  std::string footer;  // what else there is to know
  std::vector<std::string> examples;
  std::function<int()> run;  // returns the exit code
};

// Setters for the table.
Setter flag(bool& target);
Setter text(std::string& target);
Setter non_empty(std::string& target);
Setter choice(std::string& target, std::vector<std::string> allowed);
Setter append(std::vector<std::string>& target);

// An option with what a shell may offer for its value.
Option with_values(Option option, std::vector<std::string> values);

template <class T>
Setter number(T& target, T low = 0, T high = std::numeric_limits<T>::max()) {
  return [&target, low, high](const std::string& word) { target = parse_number<T>(word, low, high); };
}

template <class T>
Setter number(std::optional<T>& target, T low = 0, T high = std::numeric_limits<T>::max()) {
  return [&target, low, high](const std::string& word) { target = parse_number<T>(word, low, high); };
}

// Fills the targets from the words behind the command's name. False: --help was asked for. Throws
// UsageError.
bool parse(const Command& command, const std::vector<std::string>& words);
std::string help_text(const Command& command);

}  // namespace leman::cli
