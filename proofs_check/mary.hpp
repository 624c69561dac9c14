// m-ary numbers as the proof uses them: sums of m^-i, read as digits.
//
// Sparse: the non-zero digits by position. A number such as T^(n^2) has up to n^4
// digits, nearly all of them zero. Exact: a rational number over GMP. Both have the
// same operations, and tests check one against the other.
#pragma once

#include <boost/multiprecision/gmp.hpp>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace leman::proofs {

using Exact = boost::multiprecision::mpq_rational;

class Sparse {
 public:
  using Position = std::int64_t;  // 1 is the first after the point; 0, -1, ... are before it

  Sparse() = default;  // zero, in any base
  static Sparse power(std::uint32_t base, Position position) {
    return Sparse(base, {{position, 1}});
  }  // base^-position

  bool is_zero() const { return digits_.empty(); }
  // (position, digit), ascending positions, 0 < digit < base.
  const std::vector<std::pair<Position, std::uint64_t>>& digits() const { return digits_; }
  Position first() const { return digits_.front().first; }  // the number must not be zero
  Position last() const { return digits_.back().first; }

  friend Sparse operator+(const Sparse& a, const Sparse& b);
  friend Sparse operator*(const Sparse& a, const Sparse& b);
  Sparse& operator+=(const Sparse& b) { return *this = *this + b; }
  friend bool operator==(const Sparse& a, const Sparse& b) { return a.digits_ == b.digits_; }
  friend std::strong_ordering operator<=>(const Sparse& a, const Sparse& b);
  std::string text() const;  // "0." and digits, or "3*m^-7 + ..." if there are many

 private:
  Sparse(std::uint32_t base, std::vector<std::pair<Position, std::uint64_t>> digits);
  std::uint32_t base_ = 0;
  std::vector<std::pair<Position, std::uint64_t>> digits_;
};

Exact to_exact(const Sparse& number, std::uint32_t base);
// Throws UsageError unless the number is non-negative with finitely many m-ary digits.
Sparse to_sparse(const Exact& number, std::uint32_t base);

// base^-position, for every kind of number.
template <class Number>
Number power(std::uint32_t base, std::int64_t position);
template <>
Sparse power<Sparse>(std::uint32_t base, std::int64_t position);
template <>
Exact power<Exact>(std::uint32_t base, std::int64_t position);
template <>
float power<float>(std::uint32_t base, std::int64_t position);
template <>
double power<double>(std::uint32_t base, std::int64_t position);
template <>
long double power<long double>(std::uint32_t base, std::int64_t position);

}  // namespace leman::proofs
