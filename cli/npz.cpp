#include "cli/npz.hpp"

#include <zlib.h>

#include <stdexcept>

namespace leman::cli {

namespace {

// Little-endian, as zip wants it.
void put(std::string& out, std::uint64_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out += static_cast<char>(value >> (8 * k) & 0xff);
}

std::string to_npy(const Array& array) {
  std::string header = "{'descr': '" + array.type + "', 'fortran_order': False, 'shape': (";
  for (std::int64_t side : array.shape) header += std::to_string(side) + ",";
  header += "), }";
  header.append(63 - (header.size() + 10) % 64, ' ');  // data starts at a multiple of 64
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, header.size(), 2);
  return out + header + array.bytes;
}

struct Entry {
  std::string name;
  std::uint32_t crc;
  std::uint64_t size, offset;
};

// The fields that a file's own header and the directory share.
void put_common(std::string& out, const Entry& e) {
  put(out, 20, 2);  // version needed
  put(out, 0, 2);
  put(out, 0, 2);           // stored
  put(out, 0, 2);           // time
  put(out, 1 | 1 << 5, 2);  // 1980-01-01: the same bytes at any time
  put(out, e.crc, 4);
  put(out, e.size, 4);
  put(out, e.size, 4);
  put(out, e.name.size(), 2);
  put(out, 0, 2);
}

}  // namespace

std::string to_npz(const std::vector<Array>& arrays) {
  std::string out, directory;
  for (const Array& array : arrays) {
    const std::string file = to_npy(array);
    if (out.size() + file.size() > 0xfffffff0u - (1u << 20))
      throw std::runtime_error("more than 4 GB of arrays do not fit into a .npz file");
    Entry e{array.name + ".npy", 0, file.size(), out.size()};
    e.crc = static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(file.data()), file.size()));
    out += "PK\x03\x04";
    put_common(out, e);
    out += e.name + file;
    directory += "PK\x01\x02";
    put(directory, 20, 2);  // version made by
    put_common(directory, e);
    put(directory, 0, 2);  // comment
    put(directory, 0, 2);  // disk
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, e.offset, 4);
    directory += e.name;
  }
  const std::uint64_t start = out.size();
  out += directory + "PK\x05\x06";
  put(out, 0, 4);
  put(out, arrays.size(), 2);
  put(out, arrays.size(), 2);
  put(out, directory.size(), 4);
  put(out, start, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace leman::cli
