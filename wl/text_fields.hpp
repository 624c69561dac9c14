// Lines of text cut into fields, and whole numbers out of them. Internal to wl/formats*.
#pragma once

#include <string_view>
#include <vector>

#include "wl/format_reader.hpp"

namespace leman::wl {

std::string lower_case(std::string_view text);  // of ASCII
bool is_blank(std::string_view line);
bool is_blank_or_comment(std::string_view line);  // comments start with # or %

// Fields are separated by spaces, tabs, commas or semicolons.
std::vector<std::string_view> split_fields(std::string_view line);
bool is_whole_number(std::string_view field);  // digits only
// A line of one word that is not a number: graph6, or nothing that is known.
bool is_word(std::string_view line);

// A line and its fields; errors know their columns.
struct Fields {
  std::string_view line;
  std::vector<std::string_view> list;

  void cut(std::string_view text);
  std::size_t size() const { return list.size(); }
  bool empty() const { return list.empty(); }
  std::string_view operator[](std::size_t i) const { return list[i]; }
  std::uint64_t column(std::size_t i) const { return static_cast<std::uint64_t>(list[i].data() - line.data()) + 1; }
  std::string quoted(std::size_t i) const;  // the field, shortened
  // Field i as a whole number low..high. Throws LineError: what it is not; out of range, and the hint.
  std::uint64_t number(std::size_t i, std::uint64_t low, std::uint64_t high, std::string_view what,
                       std::string_view hint = "") const;
  Color color(std::size_t i, std::string_view what = "colour") const {
    return static_cast<Color>(number(i, 0, UINT32_MAX, what));
  }
};

// The lines of a text, without their ends (\n or \r\n).
class TextLines {
 public:
  explicit TextLines(std::string_view text) : text_(text) {}
  bool next(std::string_view& line);
  std::size_t at() const { return begin_; }          // where the last line begins
  bool last() const { return end_ > text_.size(); }  // it had no line end

 private:
  std::string_view text_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace leman::wl
