// Which attention weights are dropped. A hash of (seed, graph, head, i, l, j)
// decides, the same for every implementation and for the reference. So the backward
// pass can compute it again and nothing is stored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace leman::et {

struct DropoutMask {
  std::uint32_t threshold = 0;  // dropped if the hash is below this; 0: nothing is dropped
  std::uint64_t seed = 0;

  // Always inlined: these functions are compiled for several instruction sets, and
  // the linker must not pick one version for all.
  [[gnu::always_inline]] constexpr std::uint32_t row(std::size_t graph, std::size_t head, std::size_t i,
                                                     std::size_t l) const {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15u * ((std::uint64_t{graph} << 16) + head + 1);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u + ((std::uint64_t{i} << 32) | l);
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>(z >> 32);
  }
  [[gnu::always_inline]] constexpr bool dropped(std::uint32_t row_hash, std::uint32_t j) const {
    std::uint32_t u = row_hash + j * 0x9e3779b9u;
    u = (u ^ (u >> 16)) * 0x7feb352du;
    u = (u ^ (u >> 15)) * 0x846ca68bu;
    return (u ^ (u >> 16)) < threshold;
  }
};

}  // namespace leman::et
