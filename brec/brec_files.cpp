#include "brec/brec_files.hpp"

#include "base/parallel.hpp"
#include "brec/builtin.hpp"
#include "brec/sample.hpp"
#include "brec/truth.hpp"
#include "wl/canon.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

namespace fs = std::filesystem;
constexpr std::size_t kGraphsPerPair = 2 * kCouples;  // in each half of brec_v3.npy

}  // namespace

const std::array<BrecFamilyInfo, 7>& brec_families() {
  using enum BrecFamily;
  static constexpr std::array<BrecFamilyInfo, 7> table{{
      {Basic, "basic", "basic.g6", "basic.npy", "Basic", 0, 60, 10, 10},
      {SimpleRegular, "simple-regular", "simple_regular.g6", "regular.npy", "Regular", 60, 50, 7, 10},
      {StronglyRegular, "strongly-regular", "strongly_regular.g6", "str.npy", "Regular", 110, 50, 16, 35},
      {Extension, "extension", "extension.g6", "extension.npy", "Extension", 160, 100, 10, 19},
      {Cfi, "cfi", "cfi.g6", "cfi.npy", "CFI", 260, 100, 18, 198},
      {FourVertex, "four-vertex", "four_vertex_condition.g6", "4vtx.npy", "Regular", 360, 20, 63, 63},
      {DistanceRegular, "distance-regular", "distance_regular.g6", "dr.npy", "Regular", 380, 20, 30, 63},
  }};
  return table;
}

const BrecFamilyInfo& info(BrecFamily family) { return brec_families()[static_cast<std::size_t>(family)]; }

const Roster& brec_roster() {
  static const Roster roster = [] {
    std::vector<Family> families;
    for (const BrecFamilyInfo& f : brec_families())
      families.push_back({std::string(f.name), std::string(f.category), f.first_id, f.pairs});
    return Roster(std::move(families), {}, {});
  }();
  return roster;
}

namespace {

// A pair from a file counts as a CFI pair only if it is one: the base graph of the
// built-in pair with this id must give isomorphic graphs.
void recognise_cfi(Pair& pair) {
  wl::Graph base = cfi_base(pair.id);
  auto [straight, twisted] = wl::cfi_pair(base);
  if (!wl::isomorphic(pair.first, straight) || !wl::isomorphic(pair.second, twisted)) return;
  pair.origin += ": " + cfi_origin(pair.id);
  pair.truth = cfi_truth(base);
}

// The file says which pair, `line` where its first graph stands, `lines` both for people.
Pair pair_of(const BrecFamilyInfo& family, int id, wl::Graph first, wl::Graph second, const std::string& file,
             std::uint64_t line, const std::string& lines) {
  for (const wl::Graph* graph : {&first, &second})
    if (graph->order() < family.min_order || graph->order() > family.max_order)
      throw InputError(file, line, 0,
                       "a graph of order " + std::to_string(graph->order()) + ", expected " +
                           std::to_string(family.min_order) + ".." + std::to_string(family.max_order));
  if (first.order() != second.order())
    throw InputError(file, line, 0,
                     "the two graphs of pair " + std::to_string(id) + " have orders " + std::to_string(first.order()) +
                         " and " + std::to_string(second.order()));
  Pair pair;
  pair.id = id, pair.is_brec = true, pair.origin = lines;
  pair.first = std::move(first), pair.second = std::move(second);
  pair.truth = prove(pair.first, pair.second);
  if (family.family == BrecFamily::Cfi) recognise_cfi(pair);
  return pair;
}

void read_family(const BrecFamilyInfo& family, const fs::path& file, std::vector<Pair>& pairs) {
  const std::string path = file.string(), name = file.filename().string();
  wl::GraphReader reader(wl::LineSource::open(path));
  auto next = [&](wl::Graph& graph) {
    if (!reader.next(graph))
      throw InputError(path,
                       "has " + std::to_string(reader.graphs()) + " graphs, needs " + std::to_string(2 * family.pairs));
    return reader.line();
  };
  for (int i = 0; i < family.pairs; ++i) {
    wl::Graph first, second;
    const auto line = next(first), other = next(second);
    pairs.push_back(pair_of(family, family.first_id + i, std::move(first), std::move(second), path, line,
                            name + " lines " + std::to_string(line) + " and " + std::to_string(other)));
  }
  wl::Graph extra;
  if (reader.next(extra))
    throw InputError(path, reader.line(), 0, "more than " + std::to_string(2 * family.pairs) + " graphs");
}

// Arrays come from outside, and the order of their pairs is all that gives them their ids.
void check_against_builtin(const std::vector<Pair>& pairs, const std::string& path) {
  const PairSet own = builtin_pairs();
  parallel_for(pairs.size(), default_threads(), [&](std::size_t k) {
    if (own.pairs[k].is_brec &&
        (!wl::isomorphic(pairs[k].first, own.pairs[k].first) || !wl::isomorphic(pairs[k].second, own.pairs[k].second)))
      throw InputError(path, "pair " + std::to_string(k) + " is not BREC's (by canonical form)");
  });
}

// brec_v3.npy: 64 graphs G, H, G, H, ... for each pair, and then 64 relabellings of one of the two for
// each pair. The first two stand for the pair.
std::vector<Pair> read_relabelled(const std::string& path) {
  wl::GraphReader reader(wl::LineSource::open(path));
  const std::size_t needed = 2 * kGraphsPerPair * kBrecPairs;
  std::vector<wl::Graph> first(kBrecPairs), second(kBrecPairs);
  std::vector<std::vector<std::string>> samples(kBrecPairs);
  wl::Graph graph;
  for (std::size_t k = 0; reader.next(graph); ++k) {
    if (k == needed) throw InputError(path, "has more than " + std::to_string(needed) + " graphs");
    const std::size_t pair = k / kGraphsPerPair % kBrecPairs, place = samples[pair].size();
    if (place < 2) (place ? second : first)[pair] = graph;
    samples[pair].push_back(wl::to_graph6(graph));
  }
  if (reader.graphs() != needed)
    throw InputError(path, "has " + std::to_string(reader.graphs()) + " graphs, needs " + std::to_string(needed));
  std::vector<Pair> pairs;
  for (const BrecFamilyInfo& family : brec_families())
    for (int id = family.first_id; id < family.first_id + family.pairs; ++id) {
      const auto at = static_cast<std::size_t>(id);
      pairs.push_back(
          pair_of(family, id, std::move(first[at]), std::move(second[at]), path, 0, "with its own relabellings"));
      pairs.back().sample = std::move(samples[at]);
    }
  parallel_for(pairs.size(), default_threads(), [&](std::size_t k) { check_sample(pairs[k], path); });
  return pairs;
}

// Which of the two kinds of files a directory has.
std::vector<Pair> read_directory(const fs::path& directory) {
  std::vector<Pair> pairs;
  const bool text = fs::exists(directory / brec_families()[0].file);
  const bool arrays = !text && fs::exists(directory / brec_families()[0].array);
  if (!text && !arrays && fs::exists(directory / "brec_v3.npy"))
    return read_relabelled((directory / "brec_v3.npy").string());
  for (const BrecFamilyInfo& family : brec_families())
    read_family(family, directory / (arrays ? family.array : family.file), pairs);
  return pairs;
}

}  // namespace

PairSet read_brec(const fs::path& path) {
  PairSet set{PairSet::Kind::Brec, "BREC files in " + path.string(), path.string(), {}, brec_roster()};
  if (fs::is_directory(path)) {
    set.pairs = read_directory(path);
  } else {
    set.source = "BREC's " + path.string();
    set.pairs = read_relabelled(path.string());
  }
  if (!fs::exists(path / brec_families()[0].file)) check_against_builtin(set.pairs, path.string());
  return set;
}

}  // namespace leman::brec
