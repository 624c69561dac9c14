#include "brec/suites.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/csv.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "brec/brec_files.hpp"
#include "brec/pair_files.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

namespace fs = std::filesystem;

// What is given by name must exist; the default one may be missing.
std::optional<fs::path> find_brec(const std::string& path) {
  const char* variable = std::getenv("LEMAN_BREC");
  const bool from_variable = path.empty() && variable != nullptr && *variable != 0;
  const std::string named = from_variable ? variable : path;
  if (!named.empty()) {
    if (!fs::exists(named))
      throw InputError(named, from_variable ? "no such file or directory ($LEMAN_BREC)" : "no such file or directory");
    return named;
  }
  const fs::path usual = "../shared/brec";
  if (fs::is_directory(usual)) return usual;
  return std::nullopt;
}

std::optional<PairSet> load_own(const SuiteRequest& request) {
  if (request.own.empty()) return std::nullopt;
  return read_pairs(request.own);
}

std::optional<PairSet> load_brec(const SuiteRequest& request) {
  if (request.builtin) return std::nullopt;
  const auto path = find_brec(request.brec);
  if (!path) return std::nullopt;
  return read_brec(*path);
}

std::optional<PairSet> load_builtin(const SuiteRequest&) { return builtin_pairs(); }

// Any graph on a line or more, colours and directions included.
void append_graph(const wl::Graph& graph, std::string& text) {
  if (graph.node_colored() || graph.edge_colored())
    wl::write_graph(graph, wl::Format::EdgeList, text);
  else
    text += wl::to_graph6(graph);
}

}  // namespace

const std::vector<Suite>& suites() {
  static const std::vector<Suite> table{
      {"own", "pairs of your own, from a file or a directory", load_own},
      {"brec", "BREC's 400 pairs, from its files", load_brec},
      {"builtin", "400 pairs in BREC's families that Leman builds itself; 250 are BREC's own", load_builtin},
  };
  return table;
}

PairSet load_suite(const SuiteRequest& request) {
  if (request.builtin + !request.brec.empty() + !request.own.empty() > 1)
    throw UsageError("pairs of your own, BREC's files and the built-in pairs exclude each other");
  for (const Suite& suite : suites())
    if (auto set = suite.load(request)) return std::move(*set);
  throw BugError("no suite fits");
}

std::string suite_options(const PairSet& set) {
  switch (set.kind) {
    case PairSet::Kind::Own: return "--pairs " + shell_quoted(set.path);
    case PairSet::Kind::Brec: return "--brec " + shell_quoted(set.path);
    case PairSet::Kind::Builtin: break;
  }
  return "--builtin";
}

std::string graphs_text(const PairSet& set) {
  std::string all;
  for (const Pair& pair : set.pairs) {
    append_graph(pair.first, all), append_graph(pair.second, all);
    for (const std::string& graph : pair.sample) all += graph;
  }
  return all;
}

std::vector<PublishedRow> published_rows(const PairSet& set) {
  const std::string file = set.path + "/published.csv";
  std::vector<PublishedRow> rows;
  if (set.kind != PairSet::Kind::Brec || !fs::exists(file)) return rows;
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
