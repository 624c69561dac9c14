// Rosters, and pairs of the user's own from files.
#include "brec/pair_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "brec/protocol.hpp"
#include "brec/sample.hpp"
#include "brec/suites.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {
namespace {

using Names = std::vector<std::string>;

Names names_of(const Roster& roster, bool wide) {
  Names names;
  for (const std::size_t group : roster.columns(wide)) names.push_back(roster.groups()[group].name);
  return names;
}

std::vector<std::string> groups_of(const Roster& roster, int pair) {
  Names names;
  roster.for_groups(pair, [&](std::size_t group) { names.push_back(roster.groups()[group].name); });
  return names;
}

TEST(Roster, BrecHasSevenFamiliesInFourCategories) {
  const Roster& roster = brec_roster();
  EXPECT_EQ(roster.pairs(), kBrecPairs);
  EXPECT_EQ(names_of(roster, false), (Names{"Basic", "Regular", "Extension", "CFI", "all"}));
  EXPECT_EQ(names_of(roster, true).size(), 12u);
  EXPECT_EQ(groups_of(roster, 370), (Names{"four-vertex", "Regular", "all"}));
  const int sizes[] = {60, 50, 50, 100, 100, 20, 20, 60, 140, 100, 100, 400};
  for (std::size_t group = 0; group < roster.groups().size(); ++group)
    EXPECT_EQ(roster.groups()[group].pairs, sizes[group]) << roster.groups()[group].name;
  EXPECT_THROW(roster.family_of(400), UsageError);
  EXPECT_THROW(roster.family_of(-1), UsageError);
}

TEST(Roster, ControlsCountNowhereElse) {
  const Roster roster({{"a", "x", 0, 3}, {"b", "x", 3, 2}, {"c", "c", 5, 1}}, {1, 4}, {{5, "mine"}});
  EXPECT_EQ(names_of(roster, false), (Names{"x", "c", "all", "controls"}));
  EXPECT_EQ(names_of(roster, true), (Names{"a", "b", "c", "x", "all", "controls"}));
  EXPECT_EQ(groups_of(roster, 1), (Names{"controls"}));
  EXPECT_EQ(groups_of(roster, 3), (Names{"b", "x", "all"}));
  EXPECT_EQ(groups_of(roster, 5), (Names{"c", "all"}));  // a family that is a category of its own
  EXPECT_EQ(roster.groups()[roster.all()].pairs, 4);
  EXPECT_EQ(roster.title(5), "pair 5 (mine)");
  EXPECT_EQ(roster.title(4), "pair 4");
}

TEST(Roster, NoTwoGroupsHaveOneName) {
  const Roster roster({{"all", "y", 0, 1}, {"y", "z", 1, 1}, {"controls", "z", 2, 1}}, {}, {});
  std::set<std::string> names;
  for (const Roster::Group& group : roster.groups()) EXPECT_TRUE(names.insert(group.name).second) << group.name;
}

TEST(Roster, ManyCategoriesAreOneColumn) {
  std::vector<Family> families;
  for (int k = 0; k < 7; ++k) families.push_back({std::to_string(k), std::to_string(k), k, 1});
  EXPECT_EQ(names_of(Roster(families, {}, {}), false), (Names{"all"}));
  EXPECT_EQ(names_of(Roster({{"one", "one", 0, 5}}, {}, {}), false), (Names{"all"}));
}

TEST(Roster, GapsAreRefused) {
  EXPECT_THROW(Roster({{"a", "a", 1, 1}}, {}, {}), BugError);
  EXPECT_THROW(Roster({{"a", "a", 0, 0}}, {}, {}), BugError);
  EXPECT_THROW(Roster({{"a", "a", 0, 2}}, {1, 1}, {}), BugError);
  EXPECT_THROW(Roster({{"a", "a", 0, 2}}, {2}, {}), BugError);
  EXPECT_THROW(Roster({{"a", "a", 0, 2}}, {}, {{2, "x"}}), BugError);
}

class PairFiles : public test::WithFiles {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string error(const std::string& text, const std::string& name = "mine.csv") const {
    try {
      read_pairs(write(name, text));
    } catch (const InputError& e) {
      return std::string(e.what()).substr(path("").size());
    }
    return "accepted";
  }
  static std::string text(const wl::Graph& graph) { return wl::to_graph6(graph); }
  const std::string six = text(wl::cycle(6)), two = "EwCW";  // the hexagon and two triangles
};

TEST_F(PairFiles, GraphsTwoByTwo) {
  const PairSet set = read_pairs(write("mine.g6", six + "\n" + two + "\n" + six + "\n" + six + "\n"));
  ASSERT_EQ(set.pairs.size(), 2u);
  EXPECT_EQ(set.kind, PairSet::Kind::Own);
  EXPECT_EQ(set.pairs[0].second, wl::graph_from_graph6(two));
  EXPECT_EQ(set.roster.family_of(0).name, "mine");
  EXPECT_EQ(set.roster.controls(), std::vector<int>{1});
  EXPECT_EQ(set.pairs[0].truth.reason, "both are 2-regular");
  EXPECT_EQ(set.pairs[1].truth.fwl_at_least, Truth::kNever);
  EXPECT_EQ(suite_options(set), "--pairs " + set.path);
  EXPECT_EQ(load_suite({.own = set.path}).pairs.size(), 2u);
}

// A relabelled copy is a control as well; a graph of another order or with directions is not.
TEST_F(PairFiles, ControlsAreFoundByIsomorphism) {
  const std::string path5 = text(wl::path(5)),
                    other = text(wl::relabel(wl::path(5), std::vector<wl::Node>{4, 2, 0, 1, 3}));
  const PairSet set = read_pairs(write("m.s6", path5 + "\n" + other + "\n" + path5 + "\n" + six + "\n&BP_\nBw\n"));
  EXPECT_EQ(set.roster.controls(), std::vector<int>{0});
}

TEST_F(PairFiles, TablesNameFamiliesAndPairs) {
  const PairSet set =
      read_pairs(write("mine.csv", "a,hard,H," + six + "," + two + "\nb,easy,E," + six + "," + two + "\nc,hard,H," +
                                       six + "," + two + "\n,,," + six + "," + two + "\n"));
  ASSERT_EQ(set.roster.families().size(), 3u);
  EXPECT_EQ(set.roster.families()[0].pairs, 2);  // a and c: pairs are numbered family by family
  EXPECT_EQ(set.roster.name(0) + set.roster.name(1) + set.roster.name(2) + set.roster.name(3), "acb");
  EXPECT_EQ(set.pairs[1].origin, "mine.csv line 3");
  EXPECT_EQ(set.roster.family_of(3).name, "mine");
  EXPECT_EQ(set.roster.family_of(3).category, "mine");
  EXPECT_EQ(set.roster.family_of(2).category, "E");
}

TEST_F(PairFiles, HeadersNameColumns) {
  const PairSet set = read_pairs(write("mine.csv", "first,second,id\n" + six + "," + two + ",x\n"));
  EXPECT_EQ(set.roster.name(0), "x");
  EXPECT_EQ(set.roster.family_of(0).name, "mine");
  EXPECT_EQ(error("first,second,famly\n"), "mine.csv:1: there is no column \"famly\" (did you mean \"family\"?)");
}

TEST_F(PairFiles, DirectoriesHoldSeveralFiles) {
  std::filesystem::create_directory(path("d"));
  write("d/b.g6", six + "\n" + two + "\n"), write("d/a.csv", "x,f,F," + six + "," + two + "\n"),
      write("d/.hidden", "?");
  const PairSet set = read_pairs(path("d"));
  ASSERT_EQ(set.roster.families().size(), 2u);
  EXPECT_EQ(set.roster.families()[0].name, "f");
  EXPECT_EQ(set.roster.families()[1].name, "b");
}

TEST_F(PairFiles, WhatIsWrongIsNamed) {
  EXPECT_EQ(error("a,b,c," + six + "\n"), "mine.csv:1: has 4 columns, not 5 (id,family,category,first,second)");
  EXPECT_EQ(error("a,b,c," + six + "," + two + "\na,b,c," + six + "," + two + "\n"),
            "mine.csv:2: the id \"a\" is there twice");
  EXPECT_EQ(error("a,b,c," + six + "," + two + "\nd,b,C," + six + "," + two + "\n"),
            "mine.csv: the family \"b\" is of two categories, \"c\" and \"C\"");
  EXPECT_TRUE(error("a,b,c," + six + ",E\n").starts_with("mine.csv:1: \"E\":1:2: graph6: ")) << error("a,b,c,E,E\n");
  EXPECT_EQ(error(six + "\n" + two + "\n" + six + "\n", "odd.g6"),
            "odd.g6:3: graph 3 has no partner: graphs stand two by two, a pair and a pair");
  EXPECT_EQ(error("", "empty.g6"), "empty.g6: no pair of graphs in it");
  EXPECT_THROW(read_pairs(path("missing")), InputError);
  EXPECT_THROW(read_pairs(directory_.path().string()), InputError);  // its files are damaged
}

// The level of a single test is that of the study over the number of pairs at hand.
TEST(OwnPairs, LevelIsCorrectedForTheirNumber) {
  EXPECT_DOUBLE_EQ(settings_for(Protocol::Sound, ModelKind::Et).level, kFamilyLevel / 400);
  EXPECT_DOUBLE_EQ(settings_for(Protocol::Sound, ModelKind::Et, 10).level, kFamilyLevel / 10);
}

// A pair that brings its own sample: couples are counted up to the first that repeats a graph.
TEST(OwnSample, IsUsedAndChecked) {
  Pair pair;
  pair.first = wl::path(4), pair.second = wl::cycle(4);
  const Sample drawn = draw_sample(pair, 7);
  for (const wl::Graph& graph : drawn.graphs) pair.sample.push_back(wl::to_graph6(graph));
  for (const std::uint64_t seed : {7, 8}) {
    const Sample own = draw_sample(pair, seed);
    EXPECT_EQ(own.graphs, drawn.graphs);
    EXPECT_EQ(own.couples, 3u);  // the 4-cycle has 3 labellings
    EXPECT_EQ(own.couples, drawn.couples);
    EXPECT_EQ(own.reliability_couples, drawn.reliability_couples);
  }
  EXPECT_NO_THROW(check_sample(pair, "file"));
  for (const std::size_t place : {0u, 63u, 64u, 127u}) {
    Pair damaged = pair;
    damaged.sample[place] = wl::to_graph6(wl::complete(4));
    EXPECT_THROW(check_sample(damaged, "file"), InputError) << place;
  }
}

}  // namespace
}  // namespace leman::brec
