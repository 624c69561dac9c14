#include "brec/pairs.hpp"

#include "brec/builtin.hpp"
#include "brec/truth.hpp"
#include "wl/canon.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

const std::array<FamilyInfo, 7>& families() {
  static constexpr std::array<FamilyInfo, 7> table{{
      {Family::Basic, "basic", "basic.g6", Category::Basic, 0, 60, 10, 10},
      {Family::SimpleRegular, "simple-regular", "simple_regular.g6", Category::Regular, 60, 50, 7, 10},
      {Family::StronglyRegular, "strongly-regular", "strongly_regular.g6", Category::Regular, 110, 50, 16, 35},
      {Family::Extension, "extension", "extension.g6", Category::Extension, 160, 100, 10, 19},
      {Family::Cfi, "cfi", "cfi.g6", Category::Cfi, 260, 100, 18, 198},
      {Family::FourVertex, "four-vertex", "four_vertex_condition.g6", Category::Regular, 360, 20, 63, 63},
      {Family::DistanceRegular, "distance-regular", "distance_regular.g6", Category::Regular, 380, 20, 30, 63},
  }};
  return table;
}

const FamilyInfo& info(Family family) { return families()[static_cast<std::size_t>(family)]; }

std::string_view category_name(Category category) {
  static constexpr std::array<std::string_view, 4> names{"Basic", "Regular", "Extension", "CFI"};
  return names[static_cast<std::size_t>(category)];
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

void read_family(const FamilyInfo& family, const std::filesystem::path& directory, std::vector<Pair>& pairs) {
  std::string path = (directory / family.file).string();
  wl::GraphReader reader(wl::LineSource::open(path));
  auto next = [&](wl::Graph& graph) {
    if (!reader.next(graph))
      throw InputError(path, 0, 0,
                       "has " + std::to_string(reader.graphs()) + " graphs, needs " + std::to_string(2 * family.pairs));
    if (graph.order() < family.min_order || graph.order() > family.max_order)
      throw InputError(path, reader.line(), 0,
                       "a graph of order " + std::to_string(graph.order()) + ", expected " +
                           std::to_string(family.min_order) + ".." + std::to_string(family.max_order));
    return reader.line();
  };
  for (int i = 0; i < family.pairs; ++i) {
    Pair pair;
    pair.id = family.first_id + i;
    pair.family = family.family;
    pair.is_brec = true;
    auto line = next(pair.first);
    pair.origin =
        std::string(family.file) + " lines " + std::to_string(line) + " and " + std::to_string(next(pair.second));
    if (pair.first.order() != pair.second.order())
      throw InputError(path, line, 0,
                       "the two graphs of pair " + std::to_string(pair.id) + " have orders " +
                           std::to_string(pair.first.order()) + " and " + std::to_string(pair.second.order()));
    pair.truth = prove(pair.first, pair.second);
    if (pair.family == Family::Cfi) recognise_cfi(pair);
    pairs.push_back(std::move(pair));
  }
  wl::Graph extra;
  if (reader.next(extra))
    throw InputError(path, reader.line(), 0, "more than " + std::to_string(2 * family.pairs) + " graphs");
}

}  // namespace

PairSet read_brec(const std::filesystem::path& directory) {
  PairSet set{"BREC files in " + directory.string(), true, directory.string(), {}};
  for (const FamilyInfo& family : families()) read_family(family, directory, set.pairs);
  return set;
}

std::vector<int> isomorphic_pairs(const PairSet& set) {
  std::vector<int> ids;
  for (const Pair& pair : set.pairs)
    if (wl::isomorphic(pair.first, pair.second)) ids.push_back(pair.id);
  return ids;
}

}  // namespace leman::brec
