#include "study/dataset_bounds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "base/numbers.hpp"

namespace leman::study {

namespace {

using boost::multiprecision::cpp_int;

constexpr double kLargest = 1e100;  // of a label in absolute value

// Digits and a power of ten: 12.5 = 125 * 10^-1.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
};

Decimal decimal_of(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  Decimal decimal;
  const char* at = text + (text[0] == '-');
  bool fraction = false;
  for (; *at != 'e'; ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    decimal.digits = 10 * decimal.digits + (*at - '0');
    decimal.exponent -= fraction;
  }
  int exponent = 0;
  std::from_chars(at + 1 + (at[1] == '+'), end, exponent);
  decimal.exponent += exponent;
  if (text[0] == '-') decimal.digits = -decimal.digits;
  return decimal.digits == 0 ? Decimal{} : decimal;
}

cpp_int power_of_ten(int exponent) { return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent)); }

std::uint64_t pairs_of(std::uint64_t n) { return n % 2 ? n * ((n - 1) / 2) : n / 2 * (n - 1); }

// Integers keep all digits; other numbers get the shortest text.
std::string number_name(const std::string& text, double value) {
  std::size_t at = text.find_first_not_of("+-");
  if (at == text.npos || text.find_first_not_of("0123456789", at) != text.npos) return plain(value == 0 ? 0.0 : value);
  at = std::min(text.find_first_not_of('0', at), text.size() - 1);
  const std::string digits = text.substr(at);
  return text[0] == '-' && digits != "0" ? "-" + digits : digits;
}

}  // namespace

std::optional<double> number_of(const std::string& label) {
  const char* from = label.data() + (label.starts_with('+') && !label.starts_with("+-"));
  double value = 0;
  const auto [end, error] = std::from_chars(from, label.data() + label.size(), value);
  if (label.empty() || error == std::errc::invalid_argument || end != label.data() + label.size()) return {};
  if (error == std::errc::result_out_of_range) return INFINITY;
  return value;
}

std::string bad_label(const std::string& text) {
  if (text.empty()) return "is missing";
  const std::optional<double> value = number_of(text);
  if (value && std::isnan(*value)) return "is NaN";
  if (value && !(std::abs(*value) <= kLargest)) return "\"" + text.substr(0, 40) + "\" is out of range";
  return "";
}

Bound& Bound::operator+=(const Bound& other) {
  differ += other.differ, correct += other.correct, absolute += other.absolute, squared += other.squared;
  return *this;
}

Target::Target(const LabelColumn& column, std::optional<TaskKind> kind, const std::string& source)
    : name_(column.name) {
  std::vector<double> numbers;
  for (const std::string& value : column.values)
    if (const auto number = number_of(value))
      numbers.push_back(*number);
    else if (kind == TaskKind::Regression)
      throw InputError(source, name_ + " \"" + value.substr(0, 40) + "\" is not a number: no task for regression");
    else
      break;
  const bool all = numbers.size() == column.values.size();
  const bool whole = std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::floor(x); });
  kind_ = kind.value_or(all && !whole ? TaskKind::Regression : TaskKind::Classification);
  if (all)
    rank_numbers(column, std::move(numbers));
  else
    rank_texts(column);
  if (kind_ == TaskKind::Regression) scale();
}

// 1, 1.0 and 01 are one label.
void Target::rank_numbers(const LabelColumn& column, std::vector<double> numbers) {
  using Key = std::pair<double, std::string>;  // integers beyond 2^53 differ in their names only
  std::map<Key, std::uint32_t> rank;
  std::vector<Key> keys;
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const std::string name = kind_ == TaskKind::Regression ? plain(numbers[k] == 0 ? 0.0 : numbers[k])
                                                           : number_name(column.values[k], numbers[k]);
    keys.emplace_back(numbers[k] == 0 ? 0.0 : numbers[k], name);
    rank.emplace(keys.back(), 0);
  }
  for (auto& entry : rank)
    entry.second = static_cast<std::uint32_t>(names_.size()), names_.push_back(entry.first.second);
  for (const std::uint32_t label : column.label) label_.push_back(rank.at(keys[label]));
}

void Target::rank_texts(const LabelColumn& column) {
  std::vector<std::uint32_t> order(column.values.size()), rank(column.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return column.values[a] < column.values[b]; });
  for (std::uint32_t r = 0; r < order.size(); ++r) rank[order[r]] = r, names_.push_back(column.values[order[r]]);
  for (const std::uint32_t label : column.label) label_.push_back(rank[label]);
}

void Target::scale() {
  std::vector<Decimal> decimals;
  for (const std::string& name : names_) decimals.push_back(decimal_of(*number_of(name)));
  for (const Decimal& d : decimals) decimals_ = std::max(decimals_, -d.exponent);
  for (const Decimal& d : decimals) units_.push_back(cpp_int(d.digits) * power_of_ten(d.exponent + decimals_));
}

Bound Target::bound(std::span<const std::uint32_t> items) const {
  std::vector<std::uint32_t> labels;
  labels.reserve(items.size());
  for (const std::uint32_t item : items) labels.push_back(label_[item]);
  std::sort(labels.begin(), labels.end());
  Bound bound;
  bound.differ = pairs_of(labels.size());
  for (std::size_t k = 0, end = 0; k < labels.size(); k = end) {
    while (end < labels.size() && labels[end] == labels[k]) ++end;
    bound.differ -= pairs_of(end - k);
    bound.correct = std::max<std::uint64_t>(bound.correct, end - k);
  }
  if (kind_ == TaskKind::Classification) return bound;
  bound.correct = 0;
  const std::size_t n = labels.size();
  cpp_int sum = 0, squares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const cpp_int& y = units_[labels[k]];
    sum += y, squares += y * y;
    if (k < n / 2) bound.absolute -= y;  // the median itself cancels out
    if (k >= n - n / 2) bound.absolute += y;
  }
  if (bound.differ == 0) return bound;            // all equal: no error at all
  const cpp_int whole = squares * n - sum * sum;  // n times the sum of squares, in units squared
  bound.squared = whole.convert_to<long double>() / static_cast<long double>(n) * std::pow(10.0L, -2 * decimals_);
  return bound;
}

std::string Target::decimal(const cpp_int& units) const {
  std::string digits = units.str();
  const auto places = static_cast<std::size_t>(decimals_);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places == 0) return digits;
  digits.insert(digits.size() - places, 1, '.');
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace leman::study
