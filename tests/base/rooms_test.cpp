// The rooms of the house: every #include of the tree against the table of CONTRIBUTING.md. An
// arrow that the table does not allow fails; exceptions are named here with their reason.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace leman {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = LEMAN_SOURCE_DIR;

// Who may use whom, besides itself.
const std::map<std::string, std::set<std::string>> kAllowed{
    {"base", {}},
    {"wl", {"base"}},
    {"et", {"base", "wl"}},
    {"brec", {"base", "wl", "et"}},
    {"proofs_check", {"base", "wl", "et"}},
    {"study", {"base", "wl", "et", "brec", "proofs_check"}},
    {"reports", {"base", "wl", "brec", "proofs_check", "study"}},
    {"bench", {"base", "wl", "et", "brec"}},
    {"cli", {"base", "wl", "et", "brec", "proofs_check", "study", "reports"}},
};

const std::map<std::pair<std::string, std::string>, std::string> kExceptions{
    {{"cli/bench.cpp", "bench"}, "the program's bench command is what the benchmarks are for"},
};

// Files that may include LibTorch's headers; others that include them through these may, too.
bool may_use_torch(const std::string& file) {
  static const std::set<std::string> training{"brec/baselines.cpp", "brec/model.cpp", "brec/model.hpp",
                                              "brec/protocol.cpp"};
  static const std::set<std::string> real_model{"proofs_check/agreement_model.cpp", "proofs_check/backward.cpp",
                                                "proofs_check/onehot.cpp"};
  // What stands behind the interface to LibTorch must know both sides; the benchmark of the model is a leaf.
  static const std::set<std::string> sides{"study/torch_library.cpp", "bench/et_bench.cpp"};
  return file.starts_with("et/") || training.count(file) || real_model.count(file) || sides.count(file);
}

struct Include {
  std::string file, target;  // relative to the source tree; the target as written
  bool system = false;       // in angle brackets
};

std::vector<Include> includes() {
  static const std::vector<Include> all = [] {
    std::vector<Include> list;
    const std::regex pattern(R"(^\s*#\s*include\s+([<"])([^">]+)[">])");
    for (const auto& [folder, allowed] : kAllowed)
      for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".cpp" && extension != ".hpp" && extension != ".cu") continue;
        std::ifstream in(entry.path());
        std::smatch match;
        for (std::string line; std::getline(in, line);)
          if (std::regex_search(line, match, pattern))
            list.push_back({fs::relative(entry.path(), kSource).string(), match[2], match[1] == "<"});
      }
    return list;
  }();
  return all;
}

std::string room_of(const std::string& path) { return path.substr(0, path.find('/')); }

TEST(Rooms, ArrowsPointDown) {
  std::size_t arrows = 0;
  for (const Include& include : includes()) {
    const std::string from = room_of(include.file), to = room_of(include.target);
    if (include.system || from == to || to == "generated") continue;
    EXPECT_TRUE(fs::exists(kSource / include.target)) << include.file << " includes " << include.target;
    const bool allowed = kAllowed.at(from).count(to) || kExceptions.count({include.file, to});
    EXPECT_TRUE(allowed) << include.file << " includes " << include.target << ": " << from << "/ may not use " << to
                         << "/";
    ++arrows;
  }
  EXPECT_GT(arrows, 300u) << "the test found too few includes to mean anything";
}

TEST(Rooms, ExceptionsAreStillNeeded) {
  for (const auto& [exception, reason] : kExceptions) {
    bool used = false;
    for (const Include& include : includes())
      used |= include.file == exception.first && room_of(include.target) == exception.second;
    EXPECT_TRUE(used) << exception.first << " -> " << exception.second << " (" << reason << ")";
  }
}

// Headers through which LibTorch's come in.
TEST(Rooms, TorchStaysWhereItBelongs) {
  std::set<std::string> carriers;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Include& include : includes()) {
      const bool torch = include.system && (include.target.starts_with("torch/") ||
                                            include.target.starts_with("ATen/") || include.target.starts_with("c10/"));
      if ((torch || carriers.count(include.target)) && carriers.insert(include.file).second) grown = true;
    }
  }
  EXPECT_TRUE(carriers.count("et/torch.hpp"));
  for (const std::string& file : carriers) EXPECT_TRUE(may_use_torch(file)) << file << " includes LibTorch's headers";
}

std::string code_of(const fs::path& file) {  // without comments and raw strings of help
  std::ifstream in(file);
  std::string text, line;
  while (std::getline(in, line)) text += std::regex_replace(line, std::regex(R"(//.*$)"), "") + "\n";
  return text;
}

// A library never prints and never exits.
TEST(Rooms, LibrariesAreSilent) {
  const std::regex forbidden(
      R"(std::(cout|cerr|clog)\b|\b(printf|puts|fprintf|abort|_Exit)\s*\(|std::exit\s*\(|[^_a-z]exit\s*\()");
  for (const auto& [folder, allowed] : kAllowed) {
    if (folder == "cli" || folder == "bench") continue;
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      const std::string code = code_of(entry.path());
      std::smatch match;
      EXPECT_FALSE(std::regex_search(code, match, forbidden))
          << fs::relative(entry.path(), kSource) << ": " << match.str();
    }
  }
}

// snprintf was replaced by fmt, and std exceptions by those of base/error.hpp.
TEST(Rooms, OneWayToDoIt) {
  const std::regex forbidden(R"(\bsn?printf\s*\(|throw std::(runtime_error|logic_error|invalid_argument)\b)");
  for (const auto& [folder, allowed] : kAllowed)
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
      std::smatch match;
      const std::string code = code_of(entry.path());
      EXPECT_FALSE(std::regex_search(code, match, forbidden))
          << fs::relative(entry.path(), kSource) << ": " << match.str();
    }
}

}  // namespace
}  // namespace leman
