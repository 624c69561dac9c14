#include "base/digest.hpp"

#include <xxhash.h>

#include <cstdint>

#include "base/file.hpp"
#include "base/text.hpp"

namespace leman {

std::string digest(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return hexadecimal(hash.high64) + hexadecimal(hash.low64);
}

std::string file_digest(const std::string& file) { return digest(read_file(file)); }

std::string legacy_digest(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hexadecimal(hash);
}

}  // namespace leman
