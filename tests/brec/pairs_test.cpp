#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "brec/brec_files.hpp"
#include "tests/temporary.hpp"
#include "wl/canon.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {
namespace {

const PairSet& builtin() {
  static const PairSet set = builtin_pairs();
  return set;
}

// BREC's files are not part of the project. Without them there is nothing to compare
// with.
std::optional<PairSet> brec_files() {
  const char* named = std::getenv("LEMAN_BREC");
  for (std::filesystem::path dir :
       {std::filesystem::path(named ? named : ""), std::filesystem::path(LEMAN_SOURCE_DIR) / "../shared/brec"})
    if (!dir.empty() && std::filesystem::is_directory(dir)) return read_brec(dir);
  return std::nullopt;
}

std::string form(const wl::Graph& graph) { return wl::to_graph6(wl::canonical(graph).form); }

TEST(BuiltinPairs, FamiliesAndCounts) {
  ASSERT_EQ(builtin().pairs.size(), 400u);
  for (const BrecFamilyInfo& f : brec_families())
    for (int id = f.first_id; id < f.first_id + f.pairs; ++id) {
      EXPECT_EQ(builtin().pairs[static_cast<std::size_t>(id)].id, id);
      EXPECT_EQ(builtin().roster.family_of(id).name, f.name);
    }
  int own = 0;
  for (const Pair& pair : builtin().pairs) own += pair.is_brec;
  EXPECT_EQ(own, 250);
}

TEST(BuiltinPairs, NoPairIsIsomorphic) { EXPECT_EQ(isomorphic_pairs(builtin().pairs), std::vector<int>{}); }

TEST(BuiltinPairs, BothGraphsOfAPairHaveOneDegreeSequence) {
  for (const Pair& pair : builtin().pairs)
    EXPECT_EQ(wl::degree_sequence(pair.first), wl::degree_sequence(pair.second)) << pair.id;
}

TEST(BuiltinPairs, TruthFollowsFromTheFamily) {
  for (const Pair& pair : builtin().pairs) {
    SCOPED_TRACE(pair.id);
    const auto family = std::find_if(brec_families().begin(), brec_families().end(), [&](const BrecFamilyInfo& f) {
      return f.name == builtin().roster.family_of(pair.id).name;
    });
    switch (family->family) {
      case BrecFamily::StronglyRegular:
      case BrecFamily::FourVertex: EXPECT_TRUE(wl::strongly_regular(pair.first)); [[fallthrough]];
      case BrecFamily::DistanceRegular:
        EXPECT_EQ(wl::intersection_array(pair.first), wl::intersection_array(pair.second));
        EXPECT_EQ(pair.truth.fwl_at_least, 3);
        break;
      case BrecFamily::Cfi:
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

TEST(BrecFiles, CfiPairsAreRecognised) {
  auto files = brec_files();
  if (!files) GTEST_SKIP() << "BREC's files are not here";
  for (int id = 260; id < 360; ++id) {
    const Truth& truth = files->pairs[static_cast<std::size_t>(id)].truth;
    EXPECT_EQ(truth.fwl_at_least, id < 320 ? 2 : id < 340 ? 3 : truth.fwl_at_most) << id;
    EXPECT_EQ(truth.fwl_at_least, truth.fwl_at_most) << id;
  }
  EXPECT_EQ(isomorphic_pairs(files->pairs), std::vector<int>{});
}

// A copy of the built-in pairs as files, then damaged in every way that the
// reader promises to notice.
class BrecReader : public test::WithFiles {
 protected:
  void SetUp() override {
    for (const BrecFamilyInfo& family : brec_families()) {
      std::ofstream out(path(std::string(family.file)));
      for (int i = 0; i < family.pairs; ++i) {
        // Ids whose built-in pair is not BREC's get a pair of fitting orders.
        const Pair& pair = builtin().pairs[static_cast<std::size_t>(family.first_id + i)];
        const Pair& fits =
            pair.first.order() > family.max_order || pair.first.order() < family.min_order ? builtin().pairs[0] : pair;
        out << wl::to_graph6(fits.first) << '\n' << wl::to_graph6(fits.second) << '\n';
      }
    }
  }
  std::string error() const {
    try {
      read_brec(directory_.path());
    } catch (const InputError& e) {
      return e.reason();
    }
    return "accepted";
  }
  void append(const char* file, const std::string& text) {
    std::ofstream(directory_.path() / file, std::ios::app) << text;
  }
};

TEST_F(BrecReader, AcceptsAWholeSet) {
  EXPECT_EQ(error(), "accepted");
  PairSet set = read_brec(directory_.path());
  EXPECT_EQ(set.pairs.size(), 400u);
  EXPECT_EQ(set.pairs[110].first, builtin().pairs[110].first);
}

TEST_F(BrecReader, NoticesDamage) {
  append("cfi.g6", "DQc\n");
  EXPECT_EQ(error(), "more than 200 graphs");
  append("basic.g6", "D");
  EXPECT_EQ(error(), "graph6: 5 nodes need 2 bytes behind the header, the line has 0");
  std::ofstream(path("basic.g6")) << "DQc\nDQc\n";
  EXPECT_EQ(error(), "a graph of order 5, expected 10..10");
  std::ofstream(path("basic.g6")) << "";
  EXPECT_EQ(error(), "has 0 graphs, needs 120");
  std::filesystem::remove(path("basic.g6"));
  EXPECT_EQ(error(), "cannot open: No such file or directory");
}

TEST_F(BrecReader, BothGraphsOfAPairHaveOneOrder) {
  std::ofstream out(path("simple_regular.g6"));
  out << wl::to_graph6(builtin().pairs[84].first) << '\n' << wl::to_graph6(builtin().pairs[60].first) << '\n';
  out.close();
  EXPECT_EQ(error(), "the two graphs of pair 60 have orders 8 and 10");
}

// A graph that is not a CFI graph does not get a CFI graph's truth.
TEST_F(BrecReader, ClaimsNothingAboutOtherGraphs) {
  std::ofstream out(path("cfi.g6"));
  for (int i = 0; i < 200; ++i) out << wl::to_graph6(builtin().pairs[265].first) << '\n';
  out.close();
  EXPECT_EQ(read_brec(directory_.path()).pairs[270].truth.reason, "both are 2-regular");
  EXPECT_EQ(read_brec(directory_.path()).pairs[265].truth.reason, "both are 2-regular");  // the same graph twice
  EXPECT_EQ(isomorphic_pairs(read_brec(directory_.path()).pairs).size(), 100u);
}

}  // namespace
}  // namespace leman::brec
