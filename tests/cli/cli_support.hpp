// Runs the built program as a user runs it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/temporary.hpp"

namespace leman::test {

struct Result {
  int code;
  std::string out, err;
};

class Cli : public WithFiles {
 protected:
  // For a shell: the path of a checkout may have spaces.
  static std::string program() { return "\"" LEMAN_BINARY_DIR "/leman\""; }
  // `words` go through the shell behind the program's name, in an empty folder
  // so that no BREC files are found by chance.
  Result leman(const std::string& words, const std::string& before = "") const {
    const std::string command = "cd \"" + directory_.path().string() + "\" && unset LEMAN_BREC && " + before +
                                program() + " " + words + " > \"" + path("out") + "\" 2> \"" + path("err") + "\"";
    int status = std::system(("bash -c '" + command + "'").c_str());
    return {WEXITSTATUS(status), contents(path("out")), contents(path("err"))};
  }
};

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) result.push_back(line);
  return result;
}

}  // namespace leman::test
