// Files of a fuzz target, in memory where there is such a place; removed when it ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace leman::fuzz {

inline const std::string& scratch() {
  static const std::string directory = [] {
    std::string name =
        std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    name += "/leman-fuzz-XXXXXX";
    if (!mkdtemp(name.data())) std::abort();
    return name;
  }();
  [[maybe_unused]] static const int removed = std::atexit([] { std::filesystem::remove_all(scratch()); });
  return directory;
}

inline std::string put(const std::string& name, const std::string& bytes) {
  const std::string file = scratch() + "/" + name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

}  // namespace leman::fuzz
