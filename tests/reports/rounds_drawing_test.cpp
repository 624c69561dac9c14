// Drawings of runs followed round by round: files, shapes, hostile names, colours, places.
#include "reports/rounds_drawing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <regex>
#include <set>

#include "reports/escape.hpp"
#include "reports/rounds_page.hpp"
#include "reports/rounds_svg.hpp"
#include "tests/reports/follow.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

// Is a text well-formed enough for XML: tags nest, attributes are quoted, nothing is left unescaped?
std::string xml_problem(const std::string& xml) {
  static const std::regex tag(
      R"(^<(/?)([a-z]+)((?: [a-z:A-Z-]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|#39);[^"<>&]*)*")*)(/?)>)");
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '<') {
      std::smatch match;
      const std::string rest = xml.substr(at, xml.find('>', at) - at + 1);
      if (!std::regex_search(rest, match, tag)) return "tag " + rest;
      if (match[1].length()) {
        if (open.empty() || open.back() != match[2]) return "unexpected " + rest;
        open.pop_back();
      } else if (!match[4].length()) {
        open.push_back(match[2]);
      }
      at += rest.size();
    } else if (xml[at] == '&') {
      static const std::regex entity("^&(amp|lt|gt|quot|#39);");
      if (!std::regex_search(xml.substr(at, 8), entity)) return "& at " + std::to_string(at);
      ++at;
    } else if (xml[at] == '>' || (static_cast<unsigned char>(xml[at]) < 0x20 && xml[at] != '\n')) {
      return "character at " + std::to_string(at);
    } else {
      ++at;
    }
  }
  return open.empty() ? "" : "open " + open.back();
}

void check_files(const Rounds& rounds) {
  const std::vector<File> files = rounds_svg(rounds);
  ASSERT_EQ(files.size(), rounds.rounds.size() + 1);
  for (std::size_t t = 0; t < rounds.rounds.size(); ++t)
    EXPECT_EQ(files[t].name, "round-" + std::to_string(t) + ".svg");
  EXPECT_EQ(files.back().name, "all.svg");
  for (const File& file : files) {
    EXPECT_EQ(xml_problem(file.text), "") << file.name;
    EXPECT_FALSE(has(file.text, "nan") || has(file.text, "inf"));
  }
}

TEST(RoundsDrawing, AllSmallGraphsAreDrawn) {
  for (Node n = 1; n <= 5; ++n)
    for (const Graph& g : wl::all_graphs(n))
      for (const char* engine : {"1wl", "2fwl"}) {
        SCOPED_TRACE(std::string(engine) + " on " + ::testing::PrintToString(g));
        check_files(follow(engine, {g}).rounds);
      }
}

TEST(RoundsDrawing, EveryEngineAndKindIsDrawn) {
  on_many([](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    const Rounds rounds = follow(std::string(engine.name), graphs).rounds;
    check_files(rounds);
    EXPECT_TRUE(has(rounds_page(rounds), "id=\"round-" + std::to_string(rounds.rounds.size() - 1) + "\""));
  });
}

TEST(RoundsDrawing, EveryTupleIsDrawnWithItsLabelAndColor) {
  const Rounds rounds = follow("2fwl", {wl::path(5)}).rounds;
  for (const Round& round : rounds.rounds) {
    const std::string graph = graph_shapes(rounds, round, 0), matrix = matrix_shapes(rounds, round, 0);
    std::map<std::string, std::size_t> labels;
    static const std::regex text("<text[^>]*>([A-Z]+)</text>");
    for (std::sregex_iterator at(matrix.begin(), matrix.end(), text), end; at != end; ++at) ++labels[(*at)[1]];
    for (const RoundClass& c : round.classes) {
      EXPECT_EQ(labels[label_text(c.label)], c.size);
      EXPECT_TRUE(has(matrix, swatch(c.label).fill));
    }
    for (Node v = 0; v < 5; ++v) {
      const Label label = round.labels[0][v * 5 + v];
      EXPECT_TRUE(
          has(graph, swatch(label).fill + "\"><title>node " + std::to_string(v) + ", class " + label_text(label)));
    }
  }
}

// Row i, column j: where arcs have directions, (i, j) and (j, i) differ. Of an edge's two halves the
// one at i has the colour of (i, j).
TEST(RoundsDrawing, MatrixAndEdgesKeepDirections) {
  const Graph arcs(wl::GraphData{.order = 3, .directed = true, .edges = {{0, 1}, {1, 2}}, .node_colors = {}});
  const Rounds rounds = follow("2fwl", {arcs}).rounds;
  const Round& round = rounds.rounds.at(0);
  const std::vector<Label>& labels = round.labels[0];
  const std::string matrix = matrix_shapes(rounds, round, 0), graph = graph_shapes(rounds, round, 0);
  static const std::regex text("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>([A-Z]+)</text>");
  std::map<std::pair<double, double>, std::string> by_place;  // (y, x): row-major
  for (std::sregex_iterator at(matrix.begin(), matrix.end(), text), end; at != end; ++at)
    by_place[{std::stod((*at)[2]), std::stod((*at)[1])}] = (*at)[3];
  ASSERT_EQ(by_place.size(), 9u);
  std::size_t k = 0;
  for (const auto& [place, label] : by_place) EXPECT_EQ(label, label_text(labels[k++]));
  ASSERT_NE(labels[0 * 3 + 1], labels[1 * 3 + 0]);
  const std::size_t tail = graph.find(swatch(labels[1]).fill), head = graph.find(swatch(labels[3]).fill);
  ASSERT_TRUE(tail != graph.npos && head != graph.npos);
  static const std::regex start("^[^M]*M([0-9.]+) ([0-9.]+)Q");
  std::smatch at;
  const std::string half = graph.substr(tail);
  ASSERT_TRUE(std::regex_search(half, at, start));
  static const std::regex first_node("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::smatch node;
  ASSERT_TRUE(std::regex_search(graph, node, first_node));
  EXPECT_EQ(at[1], node[1]);  // it starts at node 0
  EXPECT_EQ(at[2], node[2]);
}

TEST(RoundsDrawing, HostileNamesAreText) {
  const std::string hostile = "</title><script>alert('1')</script>&\"\x01\xFF\xC0\x80\n{{{script}}}";
  const Rounds rounds = follow("2fwl", std::vector<NamedGraph>{{hostile, wl::cycle(6)}, {hostile, wl::path(6)}}).rounds;
  EXPECT_NE(rounds.graphs[0].name, rounds.graphs[1].name);  // two of one name
  check_files(rounds);
  const std::string page = rounds_page(rounds);
  EXPECT_FALSE(has(page, "<script>alert"));
  EXPECT_FALSE(has(page, "\x01"));
  EXPECT_FALSE(has(page, "\xFF"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert"));
}

TEST(RoundsDrawing, PrintableKeepsTextAndReplacesTheRest) {
  EXPECT_EQ(printable("Gräße – 圖 😀 a\xC2\xA0z"), "Gräße – 圖 😀 a\xC2\xA0z");
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(printable("a\tb"), "a" + r + "b");
  EXPECT_EQ(printable("\x7F\xC2\x85"), r + r + r);          // DEL; a control character of two bytes
  EXPECT_EQ(printable("\xC0\xAF"), r + r);                  // an overlong slash
  EXPECT_EQ(printable("\xED\xA0\x80"), r + r + r);          // a surrogate
  EXPECT_EQ(printable("\xEF\xBF\xBE"), r + r + r);          // a non-character
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), r + r + r + r);  // behind the last code point
  EXPECT_EQ(printable("\xE2\x82"), r + r);                  // cut short
  EXPECT_EQ(escape("\x01<"), r + "&lt;");
  EXPECT_EQ(escape("<a b='\"&'>"), "&lt;a b=&#39;&quot;&amp;&#39;&gt;");
}

// ---- colours and places

struct Seen {
  double l, a, b;
};

std::array<double, 3> linear(const std::string& hex) {
  std::array<double, 3> rgb;
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(hex.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    rgb[k] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return rgb;
}
double luminance(const std::string& hex) {
  const auto c = linear(hex);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
// OKLab (Ottosson 2020) of what is seen through a matrix of Machado, Oliveira, Fernandes (2009).
Seen seen(const std::string& hex, const double (&m)[9]) {
  const auto c = linear(hex);
  double s[3];
  for (std::size_t i = 0; i < 3; ++i)
    s[i] = std::clamp(m[3 * i] * c[0] + m[3 * i + 1] * c[1] + m[3 * i + 2] * c[2], 0.0, 1.0);
  const double l = std::cbrt(0.4122214708 * s[0] + 0.5363325363 * s[1] + 0.0514459929 * s[2]);
  const double n = std::cbrt(0.2119034982 * s[0] + 0.6806995451 * s[1] + 0.1073969566 * s[2]);
  const double k = std::cbrt(0.0883024619 * s[0] + 0.2817188376 * s[1] + 0.6299787005 * s[2]);
  return {0.2104542553 * l + 0.7936177850 * n - 0.0040720468 * k,
          1.9779984951 * l - 2.4285922050 * n + 0.4505937099 * k,
          0.0259040371 * l + 0.7827717662 * n - 0.8086757660 * k};
}

TEST(RoundsDrawing, ColoursAreToldApartAndLabelsCanBeRead) {
  const double all[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double no_red[9] = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                            0.099216, -0.003882, -0.048116, 1.051998};
  const double no_green[9] = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                              0.047413, -0.011820, 0.042940,  0.968881};
  for (Label a = 0; a < 12; ++a)
    for (Label b = 0; b < a; ++b)
      for (const auto* eyes : {&all, &no_red, &no_green}) {
        const Seen x = seen(swatch(a).fill, *eyes), y = seen(swatch(b).fill, *eyes);
        EXPECT_GT(std::hypot(x.l - y.l, x.a - y.a, x.b - y.b), 0.06) << label_text(a) << " and " << label_text(b);
      }
  std::set<std::string> fills;
  for (Label label = 0; label < 36; ++label) {
    EXPECT_GT(contrast(swatch(label).fill, swatch(label).ink), 4.5) << label_text(label);
    fills.insert(swatch(label).fill);
  }
  EXPECT_EQ(fills.size(), 36u);
}

TEST(RoundsDrawing, PolygonsAreRegularAndPathsStraight) {
  for (const Node n : {3u, 4u, 6u, 9u}) {
    const std::vector<Point> p = layout(wl::cycle(n));
    std::vector<double> lengths;
    for (std::size_t v = 0; v < n; ++v)
      lengths.push_back(std::hypot(p[v].x - p[(v + 1) % n].x, p[v].y - p[(v + 1) % n].y));
    EXPECT_LT(*std::max_element(lengths.begin(), lengths.end()), *std::min_element(lengths.begin(), lengths.end()) + 3)
        << n;
  }
  const std::vector<Point> path = layout(wl::path(9));
  for (std::size_t v = 0; v + 1 < path.size(); ++v) {
    EXPECT_NEAR(path[v].y, path[0].y, 2);
    EXPECT_NEAR(std::abs(path[v + 1].x - path[v].x), 999 / 8.0, 3);
  }
}

// Components do not touch: every node is nearest to one of its own.
TEST(RoundsDrawing, ComponentsStandApart) {
  const Graph g = wl::disjoint_union(wl::disjoint_union(wl::cycle(5), wl::complete(8)), wl::path(4));
  const std::vector<Point> p = layout(g);
  for (Node v = 0; v < g.order(); ++v) {
    Node nearest = v == 0 ? 1 : 0;
    const auto far = [&](Node w) { return std::hypot(p[v].x - p[w].x, p[v].y - p[w].y); };
    for (Node w = 0; w < g.order(); ++w)
      if (w != v && far(w) < far(nearest)) nearest = w;
    EXPECT_TRUE(g.has_edge(v, nearest)) << v << " " << nearest;
  }
}

}  // namespace
}  // namespace leman::reports
