#include "brec/pair_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/csv.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "brec/truth.hpp"
#include "wl/canon.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

namespace fs = std::filesystem;

// A pair as a file has it; it gets its number later.
struct Entry {
  std::string name, family, category;
  Pair pair;
};

// ---- graphs two by two

std::string file_stem(const std::string& path) {
  if (path == "-") return "stdin";
  fs::path name = fs::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

void read_two_by_two(wl::LineSource source, const std::string& path, std::vector<Entry>& entries) {
  wl::GraphReader reader(std::move(source));
  const std::string family = file_stem(path);
  wl::Graph first, second;
  while (reader.next(first)) {
    const std::uint64_t line = reader.line(), number = reader.graphs();
    if (!reader.next(second))
      throw InputError(
          path, line, 0,
          "graph " + std::to_string(number) + " has no partner: graphs stand two by two, a pair and a pair");
    Entry& entry = entries.emplace_back();
    entry.family = entry.category = family;
    entry.pair.origin = fs::path(path).filename().string() + ", graphs " + std::to_string(number) + " and " +
                        std::to_string(number + 1);
    entry.pair.first = first, entry.pair.second = second;
  }
}

// ---- CSV

// Where the columns stand; those that a header leaves out have none.
struct Columns {
  static constexpr std::array<const char*, 5> kNames{"id", "family", "category", "first", "second"};
  std::array<std::optional<std::size_t>, 5> at{0, 1, 2, 3, 4};
  std::size_t count = 5;

  std::string cell(const CsvRow& cells, std::size_t column) const { return at[column] ? cells[*at[column]] : ""; }
};

// True if the row is a header; then `columns` are its columns.
bool read_header(const CsvLine& row, const std::string& path, Columns& columns) {
  const auto named = [&](const char* name) { return std::find(row.cells.begin(), row.cells.end(), name); };
  if (named("first") == row.cells.end() || named("second") == row.cells.end()) return false;
  columns.count = row.cells.size();
  for (std::size_t k = 0; k < columns.at.size(); ++k) {
    const auto at = named(Columns::kNames[k]);
    columns.at[k] =
        at == row.cells.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - row.cells.begin()));
  }
  for (const std::string& cell : row.cells)
    if (std::find(Columns::kNames.begin(), Columns::kNames.end(), cell) == Columns::kNames.end())
      throw InputError(
          path, row.line, 0,
          "there is no column \"" + cell + "\"" + did_you_mean(cell, {Columns::kNames.begin(), Columns::kNames.end()}));
  return true;
}

wl::Graph graph_of_cell(const std::string& text, const std::string& path, std::size_t line) {
  try {
    return wl::graph_from_graph6(text);
  } catch (const Error& e) {
    throw InputError(path, line, 0, e.what());
  }
}

void read_csv(std::string_view text, const std::string& path, std::vector<Entry>& entries) {
  Columns columns;
  std::set<std::string> names;
  bool first = true;
  for (const CsvLine& row : parse_csv(text, path)) {
    if (std::exchange(first, false) && read_header(row, path, columns)) continue;
    if (row.cells.size() != columns.count)
      throw InputError(path, row.line, 0,
                       "has " + std::to_string(row.cells.size()) + " columns, not " + std::to_string(columns.count) +
                           " (id,family,category,first,second)");
    Entry& entry = entries.emplace_back();
    entry.name = columns.cell(row.cells, 0), entry.family = columns.cell(row.cells, 1);
    entry.category = columns.cell(row.cells, 2);
    if (!entry.name.empty() && !names.insert(entry.name).second)
      throw InputError(path, row.line, 0, "the id \"" + entry.name + "\" is there twice");
    if (entry.family.empty()) entry.family = file_stem(path);
    if (entry.category.empty()) entry.category = entry.family;
    entry.pair.origin = fs::path(path).filename().string() + " line " + std::to_string(row.line);
    entry.pair.first = graph_of_cell(columns.cell(row.cells, 3), path, row.line);
    entry.pair.second = graph_of_cell(columns.cell(row.cells, 4), path, row.line);
  }
}

bool looks_like_graph6(std::string_view text) {
  const bool marked = text.starts_with(':') || text.starts_with('&');
  return text.size() > (marked ? 1 : 0) &&
         std::all_of(text.begin() + marked, text.end(), [](char c) { return c >= 63 && c < 127; });
}

// Whether a file is a table, by its name or its first line.
bool is_table(const std::string& path, std::string_view line) {
  if (path.ends_with(".csv") || path.ends_with(".csv.gz")) return true;
  const std::size_t last = line.rfind(','), before = last == line.npos ? last : line.rfind(',', last - 1);
  if (last == line.npos || last == 0 || before == line.npos) return false;
  const std::string_view first = line.substr(before + 1, last - before - 1), second = line.substr(last + 1);
  return line.find("first") != line.npos || (looks_like_graph6(first) && looks_like_graph6(second));
}

void read_file_of_pairs(const std::string& path, std::vector<Entry>& entries) {
  wl::LineSource source = wl::LineSource::open(path);
  const std::string_view opening = source.opening();
  if (!is_table(path, opening.substr(0, opening.find_first_of("\r\n"))))
    return read_two_by_two(std::move(source), path, entries);
  read_csv(source.rest(), path, entries);
}

// ---- from entries to a set

void read_path(const std::string& path, std::vector<Entry>& entries) {
  if (!fs::is_directory(path)) return read_file_of_pairs(path, entries);
  std::vector<std::string> files;
  for (const auto& each : fs::directory_iterator(path))
    if (each.is_regular_file() && !each.path().filename().string().starts_with('.'))
      files.push_back(each.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) read_file_of_pairs(file, entries);
}

// Family by family, in the order in which these appear.
std::vector<Family> sort_by_family(std::vector<Entry>& entries, const std::string& path) {
  std::vector<Family> families;
  std::map<std::string, std::size_t> index;
  for (const Entry& entry : entries) {
    const auto [at, fresh] = index.try_emplace(entry.family, families.size());
    if (fresh) families.push_back({entry.family, entry.category, 0, 0});
    Family& family = families[at->second];
    if (family.category != entry.category)
      throw InputError(path, "the family \"" + entry.family + "\" is of two categories, \"" + family.category +
                                 "\" and \"" + entry.category + "\"");
    ++family.pairs;
  }
  for (std::size_t f = 1; f < families.size(); ++f)
    families[f].first_id = families[f - 1].first_id + families[f - 1].pairs;
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return index[a.family] < index[b.family]; });
  return families;
}

void prove_all(std::vector<Pair>& pairs) {
  parallel_for(pairs.size(), default_threads(), [&](std::size_t k) {
    Pair& pair = pairs[k];
    const bool same_kind = pair.first.directed() == pair.second.directed();
    pair.truth = same_kind && wl::isomorphic(pair.first, pair.second)
                     ? Truth{Truth::kNever, std::nullopt, "the two graphs are isomorphic"}
                     : prove(pair.first, pair.second);
  });
}

}  // namespace

PairSet read_pairs(const std::string& path) {
  if (std::error_code ignored; path != "-" && !fs::exists(path, ignored))
    throw InputError(path, "no such file or directory");
  std::vector<Entry> entries;
  read_path(path, entries);
  if (entries.empty()) throw InputError(path, "no pair of graphs in it");
  if (entries.size() > kMostPairs)
    throw InputError(path, "has " + std::to_string(entries.size()) + " pairs, more than " + std::to_string(kMostPairs));
  std::vector<Family> families = sort_by_family(entries, path);
  PairSet set{PairSet::Kind::Own, "pairs of " + path, path, {}, {}};
  std::map<int, std::string> names;
  for (Entry& entry : entries) {
    entry.pair.id = static_cast<int>(set.pairs.size());
    if (!entry.name.empty()) names[entry.pair.id] = entry.name;
    set.pairs.push_back(std::move(entry.pair));
  }
  prove_all(set.pairs);
  std::vector<int> controls;
  for (const Pair& pair : set.pairs)
    if (pair.truth.fwl_at_least == Truth::kNever) controls.push_back(pair.id);
  set.roster = Roster(std::move(families), std::move(controls), std::move(names));
  return set;
}

}  // namespace leman::brec
