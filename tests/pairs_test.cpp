#include "brec/pairs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "wl/canon.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {
namespace {

const PairSet& builtin() {
  static const PairSet set = builtin_pairs();
  return set;
}

// BREC's files are no part of the project: where they are not at hand, the
// comparison with them has nothing to compare.
std::optional<PairSet> brec_files() {
  const char* named = std::getenv("LEMAN_BREC");
  for (std::filesystem::path dir : {std::filesystem::path(named ? named : ""),
                                    std::filesystem::path(LEMAN_SOURCE_DIR) / "../shared/brec"})
    if (!dir.empty() && std::filesystem::is_directory(dir)) return read_brec(dir);
  return std::nullopt;
}

std::string form(const wl::Graph& graph) { return wl::to_graph6(wl::canonical(graph).form); }

TEST(BuiltinPairs, FamiliesAndCounts) {
  ASSERT_EQ(builtin().pairs.size(), 400u);
  for (const FamilyInfo& f : families())
    for (int id = f.first_id; id < f.first_id + f.pairs; ++id) {
      EXPECT_EQ(builtin().pairs[static_cast<std::size_t>(id)].id, id);
      EXPECT_EQ(builtin().pairs[static_cast<std::size_t>(id)].family, f.family);
    }
  int own = 0;
  for (const Pair& pair : builtin().pairs) own += pair.is_brec;
  EXPECT_EQ(own, 250);
}

TEST(BuiltinPairs, NoPairIsIsomorphic) { EXPECT_EQ(isomorphic_pairs(builtin()), std::vector<int>{}); }

TEST(BuiltinPairs, BothGraphsOfAPairHaveOneDegreeSequence) {
  for (const Pair& pair : builtin().pairs)
    EXPECT_EQ(wl::degree_sequence(pair.first), wl::degree_sequence(pair.second)) << pair.id;
}

TEST(BuiltinPairs, TruthFollowsFromTheFamily) {
  for (const Pair& pair : builtin().pairs) {
    SCOPED_TRACE(pair.id);
    switch (pair.family) {
      case Family::StronglyRegular:
      case Family::FourVertex: EXPECT_TRUE(wl::strongly_regular(pair.first)); [[fallthrough]];
      case Family::DistanceRegular:
        EXPECT_EQ(wl::intersection_array(pair.first), wl::intersection_array(pair.second));
        EXPECT_EQ(pair.truth.fwl_at_least, 3);
        break;
      case Family::Cfi:
        EXPECT_EQ(pair.truth.fwl_at_least, pair.truth.fwl_at_most);
        EXPECT_EQ(pair.truth.fwl_at_least == 2, pair.id < 320);
        EXPECT_EQ(pair.truth.fwl_at_least == 3, pair.id >= 320 && pair.id < 340);
        break;
      default: EXPECT_EQ(pair.truth.fwl_at_least, 2); break;
    }
  }
}

TEST(BuiltinPairs, TwoHundredAndFiftyAreBrecsOwn) {
  auto files = brec_files();
  if (!files) GTEST_SKIP() << "BREC's files are not here";
  int equal = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    const Pair &ours = builtin().pairs[i], &theirs = files->pairs[i];
    if (!ours.is_brec) continue;
    EXPECT_EQ(form(ours.first), form(theirs.first)) << "pair " << i << ", first graph";
    EXPECT_EQ(form(ours.second), form(theirs.second)) << "pair " << i << ", second graph";
    ++equal;
  }
  EXPECT_EQ(equal, 250);
}

}  // namespace
}  // namespace leman::brec
