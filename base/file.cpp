#include "base/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace leman {

namespace fs = std::filesystem;

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(path, "is a directory");
  if (!fs::exists(path, ignored)) throw InputError(path, "no such file");
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw InputError(path, "cannot be read");
  return bytes;
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  std::error_code ignored;
  if (fs::is_symlink(path_, ignored)) path_ = fs::weakly_canonical(path_, ignored).string();
  const bool exists = fs::exists(path_, ignored), special = exists && !fs::is_regular_file(path_, ignored);
  temporary_ = special ? path_ : path_ + ".part." + std::to_string(getpid());
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot create");
  if (exists && !special) fs::permissions(temporary_, fs::status(path_, ignored).permissions(), ignored);
}

OutputFile::~OutputFile() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  discard();
}

void OutputFile::discard() const {
  if (temporary_ != path_) std::remove(temporary_.c_str());
}

void OutputFile::fail(const char* what) const { throw OutputError(path_ + ": " + what + ": " + std::strerror(errno)); }

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot write");
}

void OutputFile::close() {
  const bool flushed = std::fflush(file_) == 0;
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!flushed || !closed || (temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0)) {
    const int error = errno;
    discard();
    errno = error;
    fail("cannot write");
  }
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

void make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError(path + ": cannot be made: " + error.message());
}

}  // namespace leman
