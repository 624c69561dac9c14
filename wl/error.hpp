// The kinds of failure that a caller may want to tell apart. Library folders
// throw; only cli/ prints and exits (exit codes: README, "Exit codes").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace leman::wl {

// A graph that breaks the rules of wl/graph.hpp. `edge` is the index of the
// offending edge in the order given, so that a reader can name its line.
class GraphError : public std::invalid_argument {
 public:
  explicit GraphError(const std::string& reason, std::optional<std::size_t> edge = std::nullopt)
      : std::invalid_argument(reason), edge_(edge) {}
  std::optional<std::size_t> edge() const { return edge_; }

 private:
  std::optional<std::size_t> edge_;
};

// Bad input: where it stands and why. Line and column count from 1; 0 = not
// known (a file that cannot be opened has neither).
class InputError : public std::runtime_error {
 public:
  InputError(std::string file, std::uint64_t line, std::uint64_t column, std::string reason)
      : std::runtime_error(join(file, line, column, reason)),
        file_(std::move(file)),
        line_(line),
        column_(column),
        reason_(std::move(reason)) {}
  const std::string& file() const { return file_; }
  std::uint64_t line() const { return line_; }
  std::uint64_t column() const { return column_; }
  const std::string& reason() const { return reason_; }

 private:
  static std::string join(const std::string& file, std::uint64_t line, std::uint64_t column,
                          const std::string& reason) {
    std::string text = file;
    if (line != 0) text += ":" + std::to_string(line);
    if (column != 0) text += ":" + std::to_string(column);
    return text + ": " + reason;
  }
  std::string file_;
  std::uint64_t line_;
  std::uint64_t column_;
  std::string reason_;
};

// The source itself fails (unreadable, cut short): nothing can be read behind
// it, so --keep-going does not apply.
class ReadError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace leman::wl
