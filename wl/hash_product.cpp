#include "wl/hash_product.hpp"

namespace leman::wl {

// One version for every instruction set, chosen when the program starts:
// AVX-512 multiplies eight 64-bit numbers at a time. All give the same bits.
__attribute__((target_clones("arch=skylake-avx512", "avx2", "default"))) void hash_product(
    std::size_t n, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < n; ++l) {
      std::uint64_t x = a[i * n + l];
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += x * b[l * n + j];
    }
}

}  // namespace leman::wl
