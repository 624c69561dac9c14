#include "wl/constructions/field.hpp"

#include <string>

#include "base/error.hpp"

namespace leman::wl {

namespace {

using Poly = std::vector<std::uint32_t>;  // coefficients over Z_p, constant term first, length e

Poly digits(std::uint32_t a, std::uint32_t p, std::size_t e) {
  Poly result(e);
  for (auto& d : result) d = a % p, a /= p;
  return result;
}

std::uint32_t number(const Poly& poly, std::uint32_t p) {
  std::uint32_t a = 0;
  for (std::size_t i = poly.size(); i-- > 0;) a = a * p + poly[i];
  return a;
}

// Product modulo x^e + m(x), m given by its e lower coefficients.
Poly product(const Poly& a, const Poly& b, const Poly& m, std::uint32_t p) {
  std::size_t e = a.size();
  Poly wide(2 * e, 0);
  for (std::size_t i = 0; i < e; ++i)
    for (std::size_t j = 0; j < e; ++j) wide[i + j] = (wide[i + j] + a[i] * b[j]) % p;
  for (std::size_t i = 2 * e; i-- > e;)
    for (std::size_t j = 0; j < e; ++j) wide[i - e + j] = (wide[i - e + j] + wide[i] * (p - m[j])) % p;
  wide.resize(e);
  return wide;
}

// The smallest modulus, read as a number, that makes the ring a field: no product of
// non-zero elements vanishes.
Poly modulus(std::uint32_t q, std::uint32_t p, std::size_t e) {
  for (std::uint32_t candidate = 0; candidate < q; ++candidate) {
    Poly m = digits(candidate, p, e);
    bool field = true;
    for (std::uint32_t a = 1; a < q && field; ++a)
      for (std::uint32_t b = a; b < q && field; ++b)
        field = number(product(digits(a, p, e), digits(b, p, e), m, p), p) != 0;
    if (field) return m;
  }
  throw BugError("Field: no irreducible polynomial");
}

}  // namespace

Field::Field(std::uint32_t q) : q_(q), p_(2) {
  if (q < 2 || q > 1024) throw UsageError("Field: order " + std::to_string(q) + " is not in 2..1024");
  while (q % p_ != 0) ++p_;
  std::size_t e = 0;
  std::uint32_t rest = q;
  for (; rest % p_ == 0; rest /= p_) ++e;
  if (rest != 1) throw UsageError("Field: " + std::to_string(q) + " is not a prime power");
  Poly m = e == 1 ? Poly{0} : modulus(q, p_, e);
  add_.resize(std::size_t{q} * q);
  multiply_.resize(std::size_t{q} * q);
  negate_.resize(q);
  character_.assign(q, -1);
  for (std::uint32_t a = 0; a < q; ++a)
    for (std::uint32_t b = 0; b < q; ++b) {
      Poly x = digits(a, p_, e), y = digits(b, p_, e), sum(e);
      for (std::size_t i = 0; i < e; ++i) sum[i] = (x[i] + y[i]) % p_;
      add_[a * q + b] = number(sum, p_);
      multiply_[a * q + b] = e == 1 ? a * b % p_ : number(product(x, y, m, p_), p_);
      if (add_[a * q + b] == 0) negate_[a] = b;
    }
  for (std::uint32_t a = 1; a < q; ++a) character_[multiply(a, a)] = 1;
  character_[0] = 0;
}

std::uint32_t Field::power(std::uint32_t a, std::uint32_t exponent) const {
  std::uint32_t result = 1;
  for (; exponent > 0; --exponent) result = multiply(result, a);
  return result;
}

}  // namespace leman::wl
