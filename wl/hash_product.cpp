#include "wl/hash_product.hpp"

#include "base/cpu.hpp"

namespace leman::wl {

namespace {

using Product = void(std::size_t, const std::uint64_t*, const std::uint64_t*, std::uint64_t*);

[[gnu::always_inline]] inline void multiply(std::size_t n, const std::uint64_t* a, const std::uint64_t* b,
                                            std::uint64_t* out) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t l = 0; l < n; ++l) {
      std::uint64_t x = a[i * n + l];
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += x * b[l * n + j];
    }
}

// The same loop for every instruction set; AVX-512 multiplies eight 64-bit numbers at a time. All
// versions give the same bits.
#ifdef LEMAN_X86
LEMAN_FOR_AVX512 void multiply_avx512(std::size_t n, const std::uint64_t* a, const std::uint64_t* b,
                                      std::uint64_t* out) {
  multiply(n, a, b, out);
}
LEMAN_FOR_AVX2 void multiply_avx2(std::size_t n, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  multiply(n, a, b, out);
}
#endif
void multiply_portable(std::size_t n, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  multiply(n, a, b, out);
}

constexpr std::array kProducts{
#ifdef LEMAN_X86
    Implementation<Product>{Isa::Avx512, multiply_avx512}, Implementation<Product>{Isa::Avx2, multiply_avx2},
#endif
    Implementation<Product>{Isa::Portable, multiply_portable}};

}  // namespace

void hash_product(std::size_t n, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out) {
  static Product* const product = best_of(kProducts);
  product(n, a, b, out);
}

}  // namespace leman::wl
