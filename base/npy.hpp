// NumPy's arrays: one in a .npy file, several in a .npz file (a zip archive of them).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leman {

// Row-major, little-endian.
struct Array {
  std::string name;
  std::string type;  // "<f4", "<f8", "<i8"
  std::vector<std::int64_t> shape;
  std::string bytes;  // as many as shape and type say
};

std::string to_npy(const Array& array);
std::string to_npz(const std::vector<Array>& arrays);

// Versions 1 to 3 of the format, any type of fixed size. Throws InputError that names the file and
// what is wrong.
Array from_npy(std::string bytes, const std::string& file);

}  // namespace leman
