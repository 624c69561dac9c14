#include "base/npy.hpp"

#include <charconv>

#include "base/error.hpp"
#include "base/zip.hpp"

namespace leman {

namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};

// The value behind a key of the header, a Python dictionary, up to `last`.
std::string header_field(const std::string& header, const std::string& key, char last) {
  const auto at = header.find("'" + key + "':");
  if (at == header.npos) return "";
  auto from = at + key.size() + 3;
  while (from < header.size() && header[from] == ' ') ++from;
  const auto to = header.find(last, from);
  return to == header.npos ? "" : header.substr(from, to - from);
}

// "(128, 16" -> 128, 16.
std::vector<std::int64_t> parse_shape(const std::string& text, const std::string& file) {
  std::vector<std::int64_t> shape;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size();
  if (text.empty() || text[0] != '(') throw InputError(file, "its header has no shape");
  while (at < end) {
    std::int64_t side = 0;
    const auto [next, error] = std::from_chars(at, end, side);
    if (error != std::errc() || side < 0 || side > std::int64_t{1} << 40)
      throw InputError(file, "its shape " + text + ") is not one of an array");
    shape.push_back(side);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return shape;
}

// Bytes of an element: the digits behind '<f', '|S' and so on; characters ('<U') have four.
std::uint64_t item_size(const std::string& type, const std::string& file) {
  std::uint64_t size = 0;
  if (type.starts_with("|O"))
    throw InputError(file, "holds Python objects (pickled), which are not read; numpy.array(..., dtype=\"S\") helps");
  if (type.size() < 3) throw InputError(file, "its type " + type + " is not one of fixed size");
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), size);
  if (error != std::errc() || end != type.data() + type.size() || type[1] == 'O' || size > 1u << 20)
    throw InputError(file, "its type " + type + " is not one of fixed size");
  return type[1] == 'U' ? 4 * size : size;
}

}  // namespace

std::string to_npy(const Array& array) {
  std::string header = "{'descr': '" + array.type + "', 'fortran_order': False, 'shape': (";
  for (std::int64_t side : array.shape) header += std::to_string(side) + ",";
  header += "), }";
  header.append(63 - (header.size() + 10) % 64, ' ');  // data starts at a multiple of 64
  header += '\n';
  std::string out(kMagic);
  out += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return out + header + array.bytes;
}

std::string to_npz(const std::vector<Array>& arrays) {
  std::vector<ZipEntry> entries;
  for (const Array& array : arrays) entries.push_back({array.name + ".npy", to_npy(array)});
  return to_zip(entries);
}

Array from_npy(std::string text, const std::string& file) {
  if (text.size() < 12 || text.compare(0, 6, kMagic) != 0) throw InputError(file, "not a .npy file");
  if (text[6] < 1 || text[6] > 3)
    throw InputError(file, "a .npy file of version " + std::to_string(text[6]) + "; 1 to 3 can be read");
  const std::size_t wide = text[6] >= 2 ? 4 : 2;
  std::size_t length = 0;
  for (std::size_t k = 0; k < wide; ++k) length |= std::size_t{static_cast<unsigned char>(text[8 + k])} << (8 * k);
  if (length > text.size() - 8 - wide) throw InputError(file, "ends within its header");
  const std::string header = text.substr(8 + wide, length);
  const std::string order = header_field(header, "fortran_order", ',');
  Array array{"", header_field(header, "descr", ','), parse_shape(header_field(header, "shape", ')'), file), ""};
  if (array.type.size() > 2 && array.type.front() == '\'') array.type = array.type.substr(1, array.type.size() - 2);
  if (order != "False") throw InputError(file, "in Fortran order; numpy.ascontiguousarray helps");
  array.bytes = std::move(text);
  array.bytes.erase(0, 8 + wide + length);
  double needed = static_cast<double>(item_size(array.type, file));
  for (std::int64_t side : array.shape) needed *= static_cast<double>(side);
  if (static_cast<double>(array.bytes.size()) != needed)
    throw InputError(file,
                     "has " + std::to_string(array.bytes.size()) + " bytes of data, which does not fit its shape");
  return array;
}

}  // namespace leman
