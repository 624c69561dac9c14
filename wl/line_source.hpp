// Lines of a file, of standard input or of a string; gzip is recognised by
// content. One buffer grows to the length of the longest line.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace leman::wl {

class LineSource {
 public:
  static LineSource open(const std::string& path);  // "-" is standard input
  static LineSource from_text(std::string name, std::string_view text);
  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) noexcept;
  ~LineSource();

  // The next line without its end (\n or \r\n), valid until the next call.
  // False at the end of input; throws ReadError on a read error or a truncated
  // gzip stream.
  bool next(std::string_view& line);
  // Makes next() return the last line once more.
  void unread();
  // The bytes from here on, at most kOpening and fewer only if there are no others, without consuming
  // them; valid until the next call.
  static constexpr std::size_t kOpening = 1 << 16;
  std::string_view opening();
  // Everything from here on; valid as long as this object. Throws ReadError, and MemoryError before more is
  // read than there is memory for.
  std::string_view rest();

  const std::string& name() const { return name_; }
  std::uint64_t line_number() const { return line_number_; }  // of the last line returned, from 1

 private:
  struct File;
  explicit LineSource(std::string name);
  bool is_bomb() const;
  bool fill();  // appends more at end_; false at the end of input
  std::optional<std::size_t> find_line_end(std::size_t from);

  std::string name_;
  std::unique_ptr<File> file_;  // null: all text is in buffer_
  std::vector<char> buffer_;    // buffer_[begin_ .. end_) is read and not yet returned
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t last_begin_ = 0;         // where the last returned line starts
  std::uint64_t line_number_ = 0;      // lines returned so far
  std::optional<std::string> broken_;  // read error, thrown after the complete lines before it are returned
};

}  // namespace leman::wl
