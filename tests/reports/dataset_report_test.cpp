// Data sets in the report, and the drawings of graphs there.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/graph_drawing.hpp"
#include "reports/layout.hpp"
#include "reports/render.hpp"
#include "study/dataset_study.hpp"
#include "study/store.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

using study::DatasetRecord;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

class DatasetReport : public test::WithFiles {
 protected:
  // A hexagon and two triangles with different labels.
  static DatasetRecord record(const std::string& name) {
    study::Dataset set;
    set.name = name, set.source = "a.jsonl", set.format = "JSON lines";
    set.graphs = {wl::cycle(6), wl::disjoint_union(wl::cycle(3), wl::cycle(3)), wl::cycle(5)};
    set.places = {1, 2, 3};
    set.columns = {{"label", {"<b>", "no"}, {0, 1, 0}}};
    study::DatasetStudy study;
    study.set = &set, study.engines = wl::engine_list("1wl,2fwl");
    study::Silent silent;
    const std::atomic<bool> go_on{false};
    return run_dataset(study, {silent, go_on}).record;
  }
  std::string store(const std::string& file, const std::string& name) const {
    study::Store(path(file), study::datasets_study("a.jsonl", "leman dataset a.jsonl")).put(record(name));
    return path(file);
  }
  static Document document(const std::vector<std::string>& stores) {
    Input input;
    input.command = "leman report", input.stores = stores;
    return build_document(input);
  }
};

TEST_F(DatasetReport, SectionTableChartAndDrawings) {
  const Document d = document({store("a.sqlite", "<script>rings")});
  ASSERT_EQ(d.datasets.size(), 1u);
  EXPECT_EQ(d.datasets[0].title, "<script>rings");
  ASSERT_EQ(d.datasets[0].examples.size(), 1u);
  EXPECT_EQ(d.datasets[0].examples[0].captions[0], "line 1, EhEG, label <b>");
  const std::string page = html_page(d);
  EXPECT_NE(page.find("<h2 id=\"datasets\">Data sets</h2>"), page.npos);
  EXPECT_NE(page.find("href=\"#datasets\""), page.npos);
  EXPECT_EQ(page.find("<script>rings"), page.npos);
  EXPECT_EQ(page.find("label <b>"), page.npos);
  EXPECT_EQ(count_of(page, "<svg class=\"drawing\""), 2u);
  EXPECT_EQ(count_of(page, "<svg class=\"chart\""), 1u);
  EXPECT_NE(page.find("2 of 3"), page.npos);
  const auto json = nlohmann::json::parse(document_json(d));
  EXPECT_EQ(json["datasets"][0]["title"], "<script>rings");
  EXPECT_EQ(json["datasets"][0]["engines"][0]["depths"][0]["scores"][0]["correct"], 2);
  EXPECT_EQ(d.verdict.size(), 1u);
}

TEST_F(DatasetReport, NoSectionWithoutDataSets) {
  const study::Study other{"{\"kind\": \"claims\"}", "", "", "", "leman claims", ""};
  study::Store(path("b.sqlite"), other);
  EXPECT_EQ(html_page(document({path("b.sqlite")})).find("datasets\">"), std::string::npos);
}

TEST_F(DatasetReport, TwoOfOneNameAreToldApart) {
  const Document d = document({store("a.sqlite", "rings"), store("b.sqlite", "rings"), store("c.sqlite", "other")});
  EXPECT_EQ(d.datasets[0].title, "rings [a]");
  EXPECT_EQ(d.datasets[1].title, "rings [b]");
  EXPECT_EQ(d.datasets[2].title, "other");
}

TEST_F(DatasetReport, UnknownEnginesAreSaid) {
  DatasetRecord strange = record("rings");
  strange.rows[0].engine = "7wl";
  study::Store(path("a.sqlite"), study::datasets_study("a", "leman dataset")).put(strange);
  EXPECT_THROW(document({path("a.sqlite")}), study::StoreError);
}

TEST(GraphDrawing, LinesCirclesArrowsAndMarks) {
  Rng rng(4);
  for (const test::Kind kind : test::kKinds)
    for (const wl::Node n : {0u, 1u, 7u, 60u}) {
      const wl::Graph graph = test::random_graph(n, 0.1, kind, rng);
      GraphDrawing drawing{&graph, std::vector<int>(n, 0), {}, "a \"graph\" & more"};
      if (n > 0) drawing.marked = n - 1;
      if (n > 1) drawing.colors[0] = 1;
      const std::string svg = draw(drawing);
      EXPECT_EQ(count_of(svg, "<line "), graph.size());
      EXPECT_EQ(count_of(svg, "<circle "), n);
      EXPECT_EQ(count_of(svg, "class=\"arrow\""), kind.directed ? graph.size() : 0);
      EXPECT_EQ(count_of(svg, "class=\"marked\""), n > 0 ? 1u : 0u);
      EXPECT_EQ(count_of(svg, "</text>"), n > 1 && n <= 40 ? n : 0u);
      EXPECT_NE(svg.find("a &quot;graph&quot; &amp; more"), svg.npos);
      EXPECT_EQ(svg.find("nan"), svg.npos);
      EXPECT_EQ(svg, draw(drawing));
    }
}

// Components stand apart: no node of one lies within the box of another.
TEST(GraphDrawing, ComponentsStandSideBySide) {
  std::vector<wl::Graph> parts{wl::cycle(5), wl::complete(4), wl::path(3), wl::complete(1), wl::complete(1)};
  wl::Graph all = parts[0];
  for (std::size_t k = 1; k < parts.size(); ++k) all = wl::disjoint_union(all, parts[k]);
  const std::vector<Point> places = layout(all);
  std::vector<std::array<int, 4>> boxes;  // left, right, top, bottom
  std::size_t at = 0;
  for (const wl::Graph& part : parts) {
    std::array<int, 4> box{1000, 0, 1000, 0};
    for (wl::Node v = 0; v < part.order(); ++v, ++at) {
      EXPECT_TRUE(places[at].x >= 0 && places[at].x <= 999 && places[at].y >= 0 && places[at].y <= 999);
      box = {std::min(box[0], places[at].x), std::max(box[1], places[at].x), std::min(box[2], places[at].y),
             std::max(box[3], places[at].y)};
    }
    boxes.push_back(box);
  }
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool beside = boxes[a][1] < boxes[b][0] || boxes[b][1] < boxes[a][0];
      const bool below = boxes[a][3] < boxes[b][2] || boxes[b][3] < boxes[a][2];
      EXPECT_TRUE(beside || below) << a << " " << b;
    }
}

}  // namespace
}  // namespace leman::reports
