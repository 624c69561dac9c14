// Whole files, read and written with every error said.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace leman {

std::string read_file(const std::string& path);  // throws InputError: no such file, cannot be read

// A file that appears under its name only when close() has written all of it. A link is followed,
// and the mode of a file that is replaced stays; a device or a pipe is written to as it is. Throws
// OutputError.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();
  void write(std::string_view text);
  void close();

 private:
  [[noreturn]] void fail(const char* what) const;
  void discard() const;
  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
};

void write_file(const std::string& path, std::string_view text);
void make_directories(const std::string& path);  // throws OutputError

}  // namespace leman
