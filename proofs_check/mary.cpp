#include "proofs_check/mary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"

namespace leman::proofs {

using Digits = std::vector<std::pair<Sparse::Position, std::uint64_t>>;

// Carries: a count of base or more at a position adds one or more to the position before.
Sparse::Sparse(std::uint32_t base, Digits counts) : base_(base) {
  if (base < 2) throw UsageError("m-ary number: base " + std::to_string(base));
  std::uint64_t carry = 0;
  Position at = 0;
  auto put = [&](std::uint64_t value) {
    if (value % base) digits_.emplace_back(at, value % base);
    carry = value / base;
    --at;
  };
  for (auto digit = counts.rbegin(); digit != counts.rend(); ++digit) {
    while (carry && at > digit->first) put(carry);
    at = digit->first;
    put(carry + digit->second);
  }
  while (carry) put(carry);
  std::reverse(digits_.begin(), digits_.end());
}

Sparse operator+(const Sparse& a, const Sparse& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.base_ != b.base_) throw UsageError("m-ary numbers of different bases");
  Digits sum;
  auto x = a.digits_.begin(), y = b.digits_.begin();
  while (x != a.digits_.end() || y != b.digits_.end()) {
    if (y == b.digits_.end() || (x != a.digits_.end() && x->first < y->first))
      sum.push_back(*x++);
    else if (x == a.digits_.end() || y->first < x->first)
      sum.push_back(*y++);
    else
      sum.emplace_back(x->first, x->second + y->second), ++x, ++y;
  }
  return Sparse(a.base_, std::move(sum));
}

Sparse operator*(const Sparse& a, const Sparse& b) {
  if (a.is_zero() || b.is_zero()) return {};
  if (a.base_ != b.base_) throw UsageError("m-ary numbers of different bases");
  std::map<Sparse::Position, std::uint64_t> counts;
  for (const auto& [i, x] : a.digits_)
    for (const auto& [j, y] : b.digits_) counts[i + j] += x * y;
  return Sparse(a.base_, Digits(counts.begin(), counts.end()));
}

// At the first difference, the larger number has the earlier digit, or the larger digit at the
// same position.
std::strong_ordering operator<=>(const Sparse& a, const Sparse& b) {
  auto x = a.digits_.begin(), y = b.digits_.begin();
  for (; x != a.digits_.end() && y != b.digits_.end(); ++x, ++y) {
    if (x->first != y->first) return y->first <=> x->first;
    if (x->second != y->second) return x->second <=> y->second;
  }
  return (x != a.digits_.end()) <=> (y != b.digits_.end());
}

std::string Sparse::text() const {
  if (is_zero()) return "0";
  std::string result;
  for (const auto& [position, digit] : digits_)
    result += (result.empty() ? "" : " + ") + (digit == 1 ? "" : std::to_string(digit) + "*") + std::to_string(base_) +
              "^-" + std::to_string(position);
  return result;
}

Exact to_exact(const Sparse& number, std::uint32_t base) {
  Exact sum = 0;
  for (const auto& [position, digit] : number.digits()) sum += digit * power<Exact>(base, position);
  return sum;
}

Sparse to_sparse(const Exact& number, std::uint32_t base) {
  using boost::multiprecision::mpz_int;
  if (number < 0) throw UsageError("to_sparse: a negative number");
  mpz_int numerator = boost::multiprecision::numerator(number),
          denominator = boost::multiprecision::denominator(number);
  Sparse::Position shift = 0;
  while (denominator != 1) {  // numerator / denominator = whole * base^-shift
    const mpz_int common = gcd(denominator, mpz_int(base));
    if (common == 1) throw UsageError("to_sparse: not a finite number to this base");
    numerator *= base / common;
    denominator /= common;
    ++shift;
  }
  Sparse result;
  for (Sparse::Position at = shift; numerator != 0; --at, numerator /= base)
    if (const auto digit = static_cast<std::uint64_t>(numerator % base))
      for (std::uint64_t k = 0; k < digit; ++k) result += Sparse::power(base, at);
  return result;
}

template <>
Sparse power<Sparse>(std::uint32_t base, std::int64_t position) {
  return Sparse::power(base, position);
}

template <>
Exact power<Exact>(std::uint32_t base, std::int64_t position) {
  const auto size = static_cast<unsigned>(position < 0 ? -position : position);
  const Exact value = boost::multiprecision::pow(boost::multiprecision::mpz_int(base), size);
  return position < 0 ? value : Exact(1 / value);
}

// Computed in long double, then rounded to the narrower type. Since that rounds twice, the result
// may differ from the nearest number by a unit in the last place.
template <>
long double power<long double>(std::uint32_t base, std::int64_t position) {
  return std::pow(static_cast<long double>(base), static_cast<long double>(-position));
}
template <>
double power<double>(std::uint32_t base, std::int64_t position) {
  return static_cast<double>(power<long double>(base, position));
}
template <>
float power<float>(std::uint32_t base, std::int64_t position) {
  return static_cast<float>(power<long double>(base, position));
}

}  // namespace leman::proofs
