#include "wl/text_fields.hpp"

#include <algorithm>
#include <charconv>

namespace leman::wl {

namespace {

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';'; }

}  // namespace

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

bool is_blank_or_comment(std::string_view line) {
  auto at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line[at] == '#' || line[at] == '%';
}

std::vector<std::string_view> split_fields(std::string_view line) {
  Fields fields;
  fields.cut(line);
  return std::move(fields.list);
}

bool is_whole_number(std::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789") == field.npos;
}

bool is_word(std::string_view line) {
  return line.find_first_of(" \t,;", 1) == line.npos && line.find_first_not_of("0123456789") != line.npos;
}

void Fields::cut(std::string_view text) {
  line = text;
  list.clear();
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_separator(line[at])) ++at;
    std::size_t begin = at;
    while (at < line.size() && !is_separator(line[at])) ++at;
    if (at > begin) list.push_back(line.substr(begin, at - begin));
  }
}

std::string Fields::quoted(std::size_t i) const { return "\"" + std::string(list[i].substr(0, 40)) + "\""; }

std::uint64_t Fields::number(std::size_t i, std::uint64_t low, std::uint64_t high, std::string_view what,
                             std::string_view hint) const {
  std::uint64_t value = 0;
  const std::string_view field = list[i];
  auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  const std::string kind =
      (std::string_view("aeiou").find(what[0]) == std::string_view::npos ? "a " : "an ") + std::string(what);
  if (error == std::errc::invalid_argument || end != field.data() + field.size())
    throw LineError{column(i), quoted(i) + " is not " + kind + " (a whole number)"};
  if (error != std::errc() || value < low || value > high)
    throw LineError{column(i), std::string(field.substr(0, 40)) + " is out of range for " + kind + " (" +
                                   std::to_string(low) + ".." + std::to_string(high) + ")" +
                                   (error == std::errc() ? std::string(hint) : "")};
  return value;
}

bool TextLines::next(std::string_view& line) {
  if (end_ >= text_.size()) return false;
  begin_ = end_;
  const std::size_t stop = std::min(text_.find('\n', begin_), text_.size());
  end_ = stop + 1;
  line = text_.substr(begin_, stop - begin_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return true;
}

}  // namespace leman::wl
