// The document of a report, its tables and drawings, from stores made by hand.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "reports/charts.hpp"
#include "reports/document.hpp"
#include "reports/layout.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/random.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

class Reports : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("leman-reports-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  static brec::StoredRun row(int pair, std::uint64_t seed, bool distinguished, double t2 = 1e6) {
    brec::StoredRun r;
    r.run.pair = pair, r.run.seed = seed, r.family = brec::Family::Basic, r.order = 10, r.commit = "c";
    r.run.verdict.distinguished = distinguished, r.run.verdict.reliable = true;
    r.run.verdict.pairs.t2 = t2;
    r.run.losses = {0.5, 0.25}, r.run.epochs = 2;
    return r;
  }
  // 2-FWL tells pair 0 apart and not pair 1.
  static void add_engines(brec::Store& store) {
    store.add(brec::EngineRun{0, "2fwl", true, 3});
    store.add(brec::EngineRun{1, "2fwl", false, 0});
  }
  static brec::Study study(const std::string& pairs = "digest") {
    return {R"({"model": "et", "protocol": "published"})", "test pairs", pairs, "leman brec <x> & \"y\""};
  }
  Input input(std::vector<std::string> stores) const {
    return {"1",
            "c",
            "leman report",
            "a machine",
            std::move(stores),
            nullptr,
            {{"ET (somebody)", {"1", "2", "3", "4±1", "10"}}},
            1};
  }
  static const Json& named(const Json& doc, const std::string& title) {
    for (const Json& row : doc["rows"])
      if (row["title"] == title) return row;
    throw std::out_of_range(title);
  }
  static std::string text(const std::vector<File>& files, const std::string& name) {
    for (const File& file : files)
      if (file.name == name) return file.text;
    throw std::out_of_range(name);
  }
  std::filesystem::path directory_;
};

TEST_F(Reports, CountsFalsePositivesAndWhatWasNotRun) {
  {
    brec::Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, true)), store.add(row(0, 2, false));
    store.add(row(1, 1, true)), store.add(row(1, 2, false));  // 2-FWL does not: impossible
    store.add(row(2, 1, true));                               // seed 2 did not come to it
  }
  const Json doc = build_document(input({path("a")}));
  const Json &et = named(doc, "ET, published"), &engine = named(doc, "2-FWL");
  EXPECT_EQ(engine["counts"]["Basic"]["distinguished"], 1.0);
  EXPECT_EQ(engine["cells"][0]["round"], 3);
  EXPECT_TRUE(engine["cells"][2].is_null());
  EXPECT_EQ(et["counts"]["all"]["run"], 3);
  EXPECT_EQ(et["seeds"], 1);  // only seed 1 ran every pair
  EXPECT_EQ(et["counts"]["all"]["distinguished"], 3.0);
  EXPECT_EQ(et["counts"]["CFI"]["run"], 0);
  EXPECT_TRUE(et["cells"][1]["false_positive"].get<bool>());
  EXPECT_FALSE(et["cells"][0]["false_positive"].get<bool>());
  // Pair 2 counts, but 2-FWL was not run on it.
  EXPECT_EQ(et["false_positives"], 1);
  EXPECT_EQ(et["unchecked"], 1);
  EXPECT_NE(doc["verdict"].dump().find("1 FALSE POSITIVES (1 pairs not checked"), std::string::npos);
  EXPECT_NE(doc["not_run"].dump().find("ET, published: 397 of 400 pairs"), std::string::npos);
  EXPECT_NE(doc["not_run"].dump().find("agreement"), std::string::npos);
  const auto files = render(doc);
  EXPECT_NE(text(files, "index.html").find("<td class=fp>!"), std::string::npos);
  EXPECT_NE(text(files, "counts.tex").find("ET, published & 3 of 3 & -- & -- & -- & 3 of 3"), std::string::npos)
      << text(files, "counts.tex");
  EXPECT_NE(text(files, "counts.tex").find("4$\\pm$1"), std::string::npos);
  EXPECT_NE(text(files, "verdicts.csv").find("0,basic,2fwl,2-FWL,1,1,3,,"), std::string::npos);
}

TEST_F(Reports, MeanOverSeedsAndKnownFalsePositives) {
  {
    brec::Store store(path("a"), study());
    add_engines(store);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) store.add(row(0, seed, true)), store.add(row(1, seed, seed == 2));
  }
  const Json doc = build_document(input({path("a")}));
  const Json& et = named(doc, "ET, published");
  EXPECT_EQ(et["false_positives"], 1);  // a pair, whatever the number of seeds
  EXPECT_EQ(et["counts"]["Basic"]["distinguished"], 1.5);
  EXPECT_NEAR(et["counts"]["Basic"]["deviation"].get<double>(), std::sqrt(0.5), 1e-12);
  EXPECT_NE(doc["verdict"].dump().find("1 FALSE POSITIVES"), std::string::npos);
  EXPECT_EQ(doc["studies"][0]["losses"][0]["median"], Json({0.5, 0.25}));
}

// No seed ran every pair: the counts are those of the seed that ran most, of its own pairs.
TEST_F(Reports, SeedsThatRanDifferentPairs) {
  {
    brec::Store store(path("a"), study());
    add_engines(store);
    store.add(row(0, 1, true)), store.add(row(3, 1, true)), store.add(row(4, 1, false));
    store.add(row(1, 2, false)), store.add(row(2, 2, true));
  }
  const Json doc = build_document(input({path("a")}));
  const Json& et = named(doc, "ET, published");
  EXPECT_EQ(et["counts"]["all"]["run"], 3);
  EXPECT_EQ(et["counts"]["all"]["distinguished"], 2.0);
}

TEST_F(Reports, DamagedRecordsAreNamed) {
  {
    brec::Store store(path("a"), study());
    store.put({"agreement", "x", "{}"});
  }
  EXPECT_THROW(build_document(input({path("a")})), brec::StoreError);
  {
    brec::Store store(path("b"), study());
    store.add(row(999, 1, true));
  }
  EXPECT_THROW(build_document(input({path("b")})), brec::StoreError);
}

TEST_F(Reports, NamesAreText) {
  { brec::Store store(path("a"), study()); }
  const std::string page = text(render(build_document(input({path("a")}))), "index.html");
  EXPECT_EQ(page.find("leman brec <x>"), std::string::npos);
  EXPECT_NE(page.find("leman brec &lt;x&gt; &amp; &quot;y&quot;"), std::string::npos);
}

TEST_F(Reports, StoresThatDoNotFitAreRefused) {
  { brec::Store a(path("a"), study()), b(path("b"), study("other")); }
  EXPECT_THROW(build_document(input({path("a"), path("b")})), brec::StoreError);
  EXPECT_THROW(build_document(input({path("missing")})), brec::StoreError);
  {
    brec::Store c(path("c"), study()), d(path("d"), study());
    c.add(brec::EngineRun{0, "1wl", true, 1});
    d.add(brec::EngineRun{0, "1wl", false, 0});
  }
  EXPECT_THROW(build_document(input({path("c"), path("d")})), brec::StoreError);
}

TEST_F(Reports, LayoutsAreOnThePageAndRepeat) {
  wl::Rng rng(1);
  for (const wl::Graph& graph : {wl::complete(1), wl::path(2), wl::cycle(7), wl::complete(9), wl::random_tree(60, rng),
                                 wl::disjoint_union(wl::cycle(4), wl::cycle(5)), wl::make_graph(5, {})}) {
    const auto points = layout(graph), again = layout(graph);
    ASSERT_EQ(points.size(), graph.order());
    std::set<std::pair<int, int>> places;
    for (std::size_t v = 0; v < points.size(); ++v) {
      EXPECT_TRUE(points[v].x >= 0 && points[v].x <= 999 && points[v].y >= 0 && points[v].y <= 999);
      EXPECT_EQ(points[v].x, again[v].x);
      EXPECT_EQ(points[v].y, again[v].y);
      places.emplace(points[v].x, points[v].y);
    }
    EXPECT_EQ(places.size(), points.size());  // no two nodes on one spot
  }
}

TEST_F(Reports, ChartsTakeWhatCannotBeDrawn) {
  const std::string lines = line_chart("a <b>", {"x", true}, {"y", true},
                                       {{"s", 0, {{0, 1}, {1, 0}, {10, 1e-300}, {100, INFINITY}, {2, 5}}}});
  EXPECT_EQ(lines.find("nan"), std::string::npos);
  EXPECT_EQ(lines.find("inf"), std::string::npos);
  EXPECT_NE(lines.find("a &lt;b&gt;"), std::string::npos);
  EXPECT_NE(line_chart("t", {"x"}, {"y"}, {{"s", 0, {{1, 0}, {1, 0}}}}).find("<svg"), std::string::npos);  // one value
  EXPECT_EQ(line_chart("t", {"x"}, {"y"}, {}).find("<svg"), std::string::npos);
  const std::string strips = strip_chart("t", "T", {{"a-b", {0, 1, INFINITY}, {NAN}}}, 72.34, "threshold");
  EXPECT_EQ(strips.find("nan"), std::string::npos);
  EXPECT_EQ(strips.find("inf"), std::string::npos);
}

}  // namespace
}  // namespace leman::reports
