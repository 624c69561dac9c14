// out += a b for n x n matrices over the integers modulo 2^64, row-major: the
// fingerprints of all pairs of nodes under the folklore rule at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leman::wl {

void hash_product(std::size_t n, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out);

}  // namespace leman::wl
