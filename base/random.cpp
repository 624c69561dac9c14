#include "base/random.hpp"

#include <numeric>
#include <utility>

namespace leman {

std::uint64_t Rng::below(std::uint64_t bound) {
  std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;  // a multiple of bound
  std::uint64_t x = engine_();
  while (x >= limit) x = engine_();
  return x % bound;
}

std::vector<std::uint32_t> Rng::permutation(std::uint32_t n) {
  std::vector<std::uint32_t> image(n);
  std::iota(image.begin(), image.end(), 0);
  for (std::uint32_t i = n; i > 1; --i) std::swap(image[i - 1], image[below(i)]);
  return image;
}

}  // namespace leman
