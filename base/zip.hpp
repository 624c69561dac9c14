// Zip archives in memory, by libzip: what NumPy's .npz and LibTorch's weights files are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leman {

struct ZipEntry {
  std::string name, bytes;
};

// Stored without compression, dated 1980-01-01: the same entries give the same bytes.
std::string to_zip(const std::vector<ZipEntry>& entries);

// All entries, checksums compared. `limit` bounds the sum of their sizes, so that a small file
// cannot ask for much memory. Throws InputError.
std::vector<ZipEntry> from_zip(const std::string& bytes, const std::string& file, std::uint64_t limit);

}  // namespace leman
