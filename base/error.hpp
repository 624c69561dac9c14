// The kinds of failure that a caller may want to tell apart, all of one base class.
// Libraries throw; only the program prints and exits (exit codes: README, "Exit codes").
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace leman {

class Error : public std::runtime_error {
 public:
  enum class Kind {
    Usage,   // the call makes no sense
    Input,   // a file or graph is not what it should be
    Memory,  // more memory would be needed than may be used
    Output,  // a result cannot be written
    Bug,     // a broken invariant: a mistake in Leman itself
  };
  Error(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what) : Error(Kind::Usage, what) {}
};

// Bad input: where it stands and why. Line and column count from 1; 0: not known, or
// not a text file.
class InputError : public Error {
 public:
  InputError(std::string file, std::uint64_t line, std::uint64_t column, std::string reason)
      : Error(Kind::Input, join(file, line, column, reason)),
        file_(std::move(file)),
        line_(line),
        column_(column),
        reason_(std::move(reason)) {}
  InputError(std::string file, std::string reason) : InputError(std::move(file), 0, 0, std::move(reason)) {}
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

// The source itself fails (unreadable, cut short): nothing can be read behind it, so that
// skipping bad graphs does not help.
class ReadError : public InputError {
 public:
  using InputError::InputError;
};

// A value that a model or a caller computed is not what it should be, e.g. not finite.
class ValueError : public Error {
 public:
  explicit ValueError(const std::string& what) : Error(Kind::Input, what) {}
};

// A graph that breaks the rules of wl/graph.hpp. `edge` is the index of the offending edge in
// the order given, so that a reader can name its line.
class GraphError : public Error {
 public:
  explicit GraphError(const std::string& reason, std::optional<std::size_t> edge = std::nullopt)
      : Error(Kind::Input, reason), edge_(edge) {}
  std::optional<std::size_t> edge() const { return edge_; }

 private:
  std::optional<std::size_t> edge_;
};

class MemoryError : public Error {
 public:
  explicit MemoryError(const std::string& what) : Error(Kind::Memory, what) {}
};

// Writing failed: full disk, no permission.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& what) : Error(Kind::Output, what) {}
};

class BugError : public Error {
 public:
  explicit BugError(const std::string& what) : Error(Kind::Bug, what) {}
};

}  // namespace leman
