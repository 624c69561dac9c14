#include "brec/suites.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/csv.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

namespace fs = std::filesystem;

// A directory given by name must exist; the default one may be missing.
std::optional<fs::path> find_brec(const std::string& directory) {
  const char* variable = std::getenv("LEMAN_BREC");
  const bool from_variable = directory.empty() && variable != nullptr && *variable != 0;
  const std::string named = from_variable ? variable : directory;
  if (!named.empty()) {
    if (!fs::is_directory(named))
      throw InputError(named, from_variable ? "no such directory ($LEMAN_BREC)" : "no such directory");
    return named;
  }
  const fs::path usual = "../shared/brec";
  if (fs::is_directory(usual)) return usual;
  return std::nullopt;
}

std::optional<PairSet> load_brec(const SuiteRequest& request) {
  if (request.builtin) return std::nullopt;
  const auto directory = find_brec(request.directory);
  if (!directory) return std::nullopt;
  return read_brec(*directory);
}

std::optional<PairSet> load_builtin(const SuiteRequest&) { return builtin_pairs(); }

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> table{
      {"brec", "BREC's 400 pairs, from its files", load_brec},
      {"builtin", "400 pairs in BREC's families that Leman builds itself; 250 are BREC's own", load_builtin},
  };
  return table;
}

PairSet load_suite(const SuiteRequest& request) {
  if (request.builtin && !request.directory.empty())
    throw UsageError("BREC's directory and the built-in pairs exclude each other");
  for (const Suite& suite : suites())
    if (auto set = suite.load(request)) return std::move(*set);
  throw BugError("no suite fits");
}

std::string suite_options(const PairSet& set) {
  return set.from_files ? "--brec " + shell_quoted(set.directory) : "--builtin";
}

std::string graphs_text(const PairSet& set) {
  std::string all;
  for (const Pair& pair : set.pairs) all += wl::to_graph6(pair.first) + wl::to_graph6(pair.second);
  return all;
}

std::vector<PublishedRow> published_rows(const PairSet& set) {
  const std::string file = set.directory + "/published.csv";
  std::vector<PublishedRow> rows;
  if (!set.from_files || !fs::exists(file)) return rows;
  bool header = true;
  for (const CsvLine& line : parse_csv(read_file(file), file)) {
    if (line.cells.size() != 8)
      throw InputError(file, line.line, 0, "has " + std::to_string(line.cells.size()) + " columns, expected 8");
    if (!std::exchange(header, false))
      rows.push_back({line.cells[0] + " (" + line.cells[1] + ")", {line.cells.begin() + 3, line.cells.end()}});
  }
  return rows;
}

}  // namespace leman::brec
