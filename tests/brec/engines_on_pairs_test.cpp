// The engines on the 400 built-in pairs, compared with proved verdicts and with counts
// found by other programs.
#include <gtest/gtest.h>

#include <array>

#include "base/parallel.hpp"
#include "brec/brec_files.hpp"
#include "wl/engine.hpp"

namespace leman::brec {
namespace {

const PairSet& pairs() {
  static const PairSet set = builtin_pairs();
  return set;
}

using Counts = std::array<int, 7>;  // by family

Counts count(const char* engine, wl::Node largest = 1000) {
  std::vector<char> found(pairs().pairs.size(), 0);
  parallel_for(found.size(), 2, [&](std::size_t i) {
    const Pair& pair = pairs().pairs[i];
    if (pair.first.order() <= largest)
      found[i] = wl::compare(wl::engine_named(engine), pair.first, pair.second).distinguished;
  });
  Counts counts{};
  const std::vector<Family>& families = pairs().roster.families();
  for (std::size_t f = 0; f < families.size(); ++f)
    for (int id = families[f].first_id; id < families[f].first_id + families[f].pairs; ++id)
      counts[f] += found[static_cast<std::size_t>(id)];
  return counts;
}

TEST(EnginesOnPairs, OneWlAndTwoWlSeeNothing) {
  EXPECT_EQ(count("1wl"), (Counts{}));
  EXPECT_EQ(count("2wl"), (Counts{}));
  EXPECT_EQ(count("1fwl", 60), (Counts{}));
}

TEST(EnginesOnPairs, TwoFwlSees270) { EXPECT_EQ(count("2fwl"), (Counts{60, 50, 0, 100, 60, 0, 0})); }

// 3-WL agrees with 2-FWL on every pair.
TEST(EnginesOnPairs, ThreeWlSeesWhatTwoFwlSees) {
  for (const Pair& pair : pairs().pairs) {
    if (pair.first.order() > 45) continue;
    EXPECT_EQ(wl::compare(wl::engine_named("3wl"), pair.first, pair.second).distinguished,
              wl::compare(wl::engine_named("2fwl"), pair.first, pair.second).distinguished)
        << pair.id;
  }
}

// Everything proved about a pair holds for k-FWL. For CFI pairs that includes the
// treewidth of the base.
TEST(EnginesOnPairs, VerdictsAgreeWithProofs) {
  for (const Pair& pair : pairs().pairs)
    for (auto [engine, k, largest] : {std::tuple{"2fwl", 2, 200u}, {"3fwl", 3, 40u}}) {
      if (pair.first.order() > largest) continue;
      bool found = wl::compare(wl::engine_named(engine), pair.first, pair.second).distinguished;
      if (k < pair.truth.fwl_at_least) {
        EXPECT_FALSE(found) << pair.id << " " << engine;
      }
      if (pair.truth.fwl_at_most && k >= *pair.truth.fwl_at_most) {
        EXPECT_TRUE(found) << pair.id << " " << engine;
      }
    }
}

TEST(EnginesOnPairs, ThreeFwlSeesSmallStronglyRegularPairs) {
  EXPECT_EQ(count("3fwl", 35), (Counts{60, 50, 50, 100, 2, 0, 4}));
}

TEST(EnginesOnPairs, CountsOfTheQuotedTests) {
  EXPECT_EQ(count("m1"), (Counts{60, 50, 0, 100, 41, 0, 0}));
  EXPECT_EQ(count("n1"), (Counts{58, 49, 50, 22, 0, 20, 0}));
  EXPECT_EQ(count("s3", 35), (Counts{58, 48, 0, 5, 0, 0, 0}));
  EXPECT_EQ(count("s4", 16), (Counts{60, 49, 1, 88, 0, 0, 0}));
  EXPECT_EQ(count("n2", 35), (Counts{60, 50, 50, 100, 0, 0, 3}));
}

// BREC's own 90 pairs 160-249 and its cones, if its files are present.
TEST(EnginesOnPairs, CountsOnBrecsOwnFiles) {
  std::filesystem::path directory = std::filesystem::path(LEMAN_SOURCE_DIR) / "../shared/brec";
  if (!std::filesystem::is_directory(directory)) GTEST_SKIP() << "BREC's files are not here";
  PairSet set = read_brec(directory);
  auto found = [&](const char* engine, int first, int last) {
    int n = 0;
    for (int id = first; id <= last; ++id) {
      const Pair& pair = set.pairs[static_cast<std::size_t>(id)];
      n += wl::compare(wl::engine_named(engine), pair.first, pair.second).distinguished;
    }
    return n;
  };
  EXPECT_EQ(found("s3", 160, 249), 0);
  EXPECT_EQ(found("s4", 160, 249), 79);
  EXPECT_EQ(found("n1", 160, 249), 57);
  EXPECT_EQ(found("m1", 160, 249), 90);
  EXPECT_EQ(found("s4", 250, 254), 0);
  EXPECT_EQ(found("spd", 0, 59), 16);
  EXPECT_EQ(found("spd", 60, 109), 14);
  EXPECT_EQ(found("spd", 160, 259), 41);
  EXPECT_EQ(found("spd", 260, 359), 12);
}

}  // namespace
}  // namespace leman::brec
