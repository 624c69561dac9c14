// Runs the built program as a user runs it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace leman::test {

struct Result {
  int code;
  std::string out, err;
};

class Cli : public ::testing::Test {
 protected:
  void SetUp() override {
    // One level down, so that ../shared/brec is ours too, and not there.
    directory_ = std::filesystem::temp_directory_path() / ("leman-cli-" + std::to_string(getpid())) / "work";
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_.parent_path()); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string contents(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // `words` go through the shell behind the program's name, in an empty folder
  // so that no BREC files are found by chance.
  Result leman(const std::string& words, const std::string& before = "") const {
    // The path of a checkout may have spaces.
    std::string command = "cd \"" + directory_.string() + "\" && unset LEMAN_BREC && " + before +
                          "\"" LEMAN_BINARY_DIR "/leman\" " + words + " > \"" + path("out") + "\" 2> \"" +
                          path("err") + "\"";
    int status = std::system(("bash -c '" + command + "'").c_str());
    return {WEXITSTATUS(status), contents(path("out")), contents(path("err"))};
  }
  std::filesystem::path directory_;
};

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

}  // namespace leman::test
