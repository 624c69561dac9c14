// Random numbers that are the same everywhere: the generator is std::mt19937_64, whose output is
// fixed by the standard, and the distributions are our own, since those of the library are not.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace leman {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t below(std::uint64_t bound);  // uniform on 0..bound-1, bound > 0, without bias
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }  // on [0, 1)
  std::vector<std::uint32_t> permutation(std::uint32_t n);                       // uniform (Fisher-Yates)

 private:
  std::mt19937_64 engine_;
};

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): every bit of the result depends on every
// bit of x.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace leman
