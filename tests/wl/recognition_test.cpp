// Which format a file is in, which attribute is a colour, which number a node has.
#include <gtest/gtest.h>

#include "tests/wl/reading.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/random.hpp"

namespace leman::wl {
namespace {

using namespace std::string_literals;

Format recognised(const std::string& text) {
  GraphReader reader(LineSource::from_text("t", text));
  Graph graph;
  reader.next(graph);
  return reader.format();
}

TEST(Recognition, RecognisedByContent) {
  EXPECT_EQ(recognised("<?xml version='1.0'?>\n<graphml/>"), Format::GraphML);
  EXPECT_EQ(recognised("\xEF\xBB\xBF<graphml/>"), Format::GraphML);
  EXPECT_EQ(recognised("# note\nCreator \"me\"\nVersion 1\ngraph\n[\n]\n"), Format::Gml);
  EXPECT_EQ(recognised("graph [ ]"), Format::Gml);
  EXPECT_EQ(recognised("/* note */ strict graph {}"), Format::Dot);
  EXPECT_EQ(recognised("// note\nDIGRAPH \"a b\"\n{\n}"), Format::Dot);
  EXPECT_EQ(recognised("{\"nodes\":[],\"links\":[]}"), Format::Json);
  EXPECT_EQ(recognised("\n[\n  {\n \"nodes\": [], \"edges\": []}]"), Format::Json);
  EXPECT_EQ(recognised("[]"), Format::Json);
  EXPECT_EQ(recognised("%%MatrixMarket matrix coordinate pattern general\n% x\n1 1 0\n"), Format::MatrixMarket);
  EXPECT_EQ(recognised("% note\n3 2\n2\n1 3\n2\n"), Format::Metis);
  EXPECT_EQ(recognised("3 3\n2 3\n1 3\n1 2\n"), Format::Metis);
  EXPECT_EQ(recognised("4 6\n2 3 4\n1 3 4\n1 2 4\n1 2 3\n"), Format::Metis);
  EXPECT_EQ(recognised("a b\n"), Format::NetworkX);
  EXPECT_EQ(recognised("cat dog\n"), Format::NetworkX);
  EXPECT_EQ(recognised("0 1 {}\n"), Format::NetworkX);
  EXPECT_EQ(recognised("0 1 0.5\n"), Format::NetworkX);
  EXPECT_EQ(recognised("source,target,a,b\nx,y,1,2\n"), Format::NetworkX);
}

TEST(Recognition, NotMistakenForAnother) {
  EXPECT_EQ(recognised("3 2\n2 1\n1 3\n"), Format::EdgeList);  // two lines are not three nodes
  EXPECT_EQ(recognised("3 2\n1 2\n3 1\n2 0\n"), Format::EdgeList);
  EXPECT_EQ(recognised("4 1\n2 3\n"), Format::EdgeList);
  EXPECT_EQ(recognised("4 5\n2 4\n1 3\n1 2 4\n3 2 1\n"), Format::EdgeList);  // not mutual
  EXPECT_EQ(recognised("1 0\n"), Format::EdgeList);
  EXPECT_EQ(recognised("0 1\n1 2\n"), Format::EdgeList);
  EXPECT_EQ(recognised("0 1 3\n1 2 5\n"), Format::EdgeList);
  EXPECT_EQ(recognised("0 1 1\n1 0 1\n1 1 0\n"), Format::Matrix);
  EXPECT_EQ(recognised("c a comment\np edge 2 1\ne 1 2\n"), Format::Dimacs);
  for (const Node n : {28u, 60u})  // lines that start with [ and {
    for (const double p : {0.0, 0.5, 1.0}) {
      Rng rng(n);
      std::string text;
      write_graph(erdos_renyi(n, p, rng), Format::Graph6, text);
      EXPECT_EQ(recognised(text), Format::Graph6) << text;
    }
}

// METIS files too long to be seen whole.
TEST(Recognition, LongMetisFilesAreRecognised) {
  std::string grid = "40000 39999\n", list = "900000 700000\n";
  for (int v = 1; v <= 40000; ++v)
    grid += (v > 1 ? std::to_string(v - 1) + " " : "") + (v < 40000 ? std::to_string(v + 1) : "") + "\n";
  for (int e = 0; e < 20000; ++e) list += std::to_string(30000 + e) + " " + std::to_string(500000 + e) + "\n";
  EXPECT_EQ(recognised(grid), Format::Metis);
  EXPECT_EQ(read(grid).at(0), path(40000));
  EXPECT_EQ(recognised(list), Format::EdgeList);
}

TEST(Recognition, NamedIfNotRead) {
  const std::pair<std::string, std::string> cases[]{
      {"<?xml version=\"1.0\"?>\n<gexf version=\"1.2\">", "GEXF"},
      {"*Vertices 3\n1 \"a\"\n", "Pajek"},
      {"LEDA.GRAPH\nstring\n", "LEDA"},
      {"\x80\x04\x95 rest", "a Python pickle"},
      {"PK\x03\x04 rest", "a zip archive (PyTorch .pt, .npz)"},
      {"#file\n# GMT Mon\n#\n0 1 2\n", "an adjacency list of networkx (networkx.write_edgelist helps)"},
      {"dl n=3\n", "UCINET DL"},
      {"\x89HDF\r\n", "HDF5"}};
  for (const auto& [text, name] : cases)
    EXPECT_EQ(error(text), "t: " + name +
                               " is not read; formats that are: graph6, sparse6, digraph6, edgelist, matrix, networkx, "
                               "dimacs, metis, matrixmarket, npy, json, dot, gml, graphml");
  EXPECT_TRUE(error("<html><p></html>").starts_with("t:1:1: XML whose root is <html> is not read; formats"));
  EXPECT_TRUE(error("{\"elements\": []}").find("Cytoscape's JSON is not read") != std::string::npos);
}

TEST(Colors, WholeNumbersAreThemselves) {
  const auto graph =
      read("graph { a [c=7]; b [c=0]; c; d [c=\"4294967295\"]; a -- b [w=2]; b -- c }", colors("c", "w")).at(0);
  EXPECT_EQ(graph, Graph({4, false, {{0, 1, 2}, {1, 2, 0}}, {7, 0, 0, 4294967295}}));
  EXPECT_EQ(read("graph { a [c=01]; b [c=1] }", colors("c", "")).at(0).node_colors(), (std::vector<Color>{2, 1}));
  EXPECT_FALSE(read("graph { a [c=7] }").at(0).node_colored());
}

// Numbers before texts, by value, whatever the order of nodes and graphs.
TEST(Colors, OtherValuesAreNumberedOverTheFile) {
  const std::string reason =
      "the node attribute \"c\" has values that are not whole numbers: colours 1..5 are its values in "
      "ascending order, in this file\n";
  const std::string one = "graph { a [c=red]; b [c=10]; c [c=9]; d; e [c=Red]; }\n",
                    two = "graph { x [c=0.5]; y [c=red]; }\n";
  EXPECT_EQ(note(one + two, colors("c", "")), "t: " + reason);
  const auto graphs = read(one + two, colors("c", "")), swapped = read(two + one, colors("c", ""));
  EXPECT_EQ(graphs[0].node_colors(), (std::vector<Color>{5, 3, 2, 0, 4}));
  EXPECT_EQ(graphs[1].node_colors(), (std::vector<Color>{1, 5}));
  EXPECT_EQ(swapped, (std::vector{graphs[1], graphs[0]}));
}

TEST(Colors, DifferentValuesAreDifferentColors) {
  const auto of = [](const std::string& values) {
    return read("{\"nodes\": [" + values + "], \"links\": []}", colors("c", "")).at(0).node_colors();
  };
  EXPECT_EQ(of(R"({"id":1,"c":9007199254740993},{"id":2,"c":9007199254740992})"), (std::vector<Color>{2, 1}));
  EXPECT_EQ(of(R"({"id":1,"c":"01"},{"id":2,"c":"1"},{"id":3,"c":1})"), (std::vector<Color>{2, 1, 1}));
  EXPECT_EQ(of(R"({"id":1,"c":1.0},{"id":2,"c":1},{"id":3,"c":null})"), (std::vector<Color>{1, 1, 0}));
  EXPECT_EQ(of(R"({"id":1,"c":[2, 1]},{"id":2,"c":[2,1]},{"id":3,"c":{"a": [1]}},{"id":4,"c":true})"),
            (std::vector<Color>{1, 1, 3, 2}));
  EXPECT_EQ(of(R"({"id":1,"c":-1},{"id":2,"c":4294967296})"), (std::vector<Color>{1, 2}));
}

TEST(Colors, WhatIsIgnoredOrMissingIsSaid) {
  const std::string text = "graph { a [color=3, size=1]; a -- b [color=4] }";
  EXPECT_EQ(note(text),
            "t: nodes have an attribute \"color\", which is ignored; --node-color color makes it their colour\n"
            "t: edges have an attribute \"color\", which is ignored; --edge-color color makes it their colour\n");
  EXPECT_EQ(note(text, colors("color", "color")), "");
  EXPECT_EQ(note(text, colors("sizes", "color")),
            "t: no node has an attribute \"sizes\" (did you mean \"size\"?); there are: color, size\n");
  EXPECT_EQ(note("DQc\n", colors("c", "")), "t: graph6 has no attributes: its graphs have no colours\n");
}

TEST(Ids, GapsAreSaidAndCompacted) {
  const std::string ones = "1 2\n2 3\n", sparse = "# SNAP\n900\t5\n5\t7\n", huge = "18446744073709551615 5\n";
  EXPECT_EQ(note(ones), "t: node 0 has no edge and ids start at 1: --relabel compacts ids\n");
  EXPECT_EQ(note(sparse), "t: only 3 of the 901 nodes up to the largest id have an edge: --relabel compacts ids\n");
  EXPECT_EQ(note("5 7 {}\n"), "t: only 2 of the 8 nodes up to the largest id have an edge: --relabel compacts ids\n");
  EXPECT_EQ(note("v 0 0\n1 2\n"), "") << "a node that is named is there";
  EXPECT_EQ(note("n 4\n1 2\n"), "") << "so is one that a header has counted";
  EXPECT_EQ(note("0 1\n1 2\n"), "");
  EXPECT_EQ(note(ones, relabelled()), "");
  EXPECT_EQ(read(ones).at(0).order(), 4u);
  EXPECT_EQ(read(ones, relabelled()).at(0), path(3));
  EXPECT_EQ(read(sparse, relabelled()).at(0), Graph({3, false, {{0, 2}, {0, 1}}, {}}));
  EXPECT_EQ(read(huge, relabelled()).at(0), path(2));
  EXPECT_EQ(read("7 18446744073709551615 {}\n", relabelled()).at(0), path(2));
  EXPECT_EQ(read("v 9 4\n7 9 2\n", relabelled()).at(0), Graph({2, false, {{0, 1, 2}}, {0, 4}}));
  EXPECT_EQ(error(huge),
            "t:1:1: 18446744073709551615 is out of range for a node (0..4294967293); --relabel compacts ids");
  EXPECT_EQ(error("0 18446744073709551616\n", relabelled()),
            "t:1:3: 18446744073709551616 is out of range for a node (0..18446744073709551615)");
  EXPECT_EQ(error("9 70\n70 9\n", relabelled()), "t:2: edge 70-9 is there twice (--simplify drops it)")
      << "names are the file's";
}

}  // namespace
}  // namespace leman::wl
