// Small finite fields GF(p^e), elements 0..q-1 as base-p digit vectors of
// polynomials over Z_p, with tables for the operations.
#pragma once

#include <cstdint>
#include <vector>

namespace leman::wl {

class Field {
 public:
  explicit Field(std::uint32_t q);  // a prime power up to 1024

  std::uint32_t size() const { return q_; }
  std::uint32_t characteristic() const { return p_; }
  std::uint32_t add(std::uint32_t a, std::uint32_t b) const { return add_[a * q_ + b]; }
  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const { return multiply_[a * q_ + b]; }
  std::uint32_t negate(std::uint32_t a) const { return negate_[a]; }
  std::uint32_t power(std::uint32_t a, std::uint32_t exponent) const;
  // Quadratic character: 0 at zero, 1 at other squares, -1 elsewhere.
  int character(std::uint32_t a) const { return character_[a]; }

 private:
  std::uint32_t q_, p_;
  std::vector<std::uint32_t> add_, multiply_, negate_;
  std::vector<int> character_;
};

}  // namespace leman::wl
