// Formats that are read as a whole.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include "base/npy.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "tests/wl/reading.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {
namespace {

using namespace std::string_literals;

const Format kDocuments[]{Format::NetworkX, Format::Metis, Format::MatrixMarket, Format::Npy,
                          Format::Json,     Format::Dot,   Format::Gml,          Format::GraphML};

const Graph kColored({3, false, {{0, 1, 4}, {1, 2, 0}}, {0, 2, 7}});
const Graph kArcs({3, true, {{0, 1}, {1, 0}, {1, 2}}, {}});

// Colours are read back with the options that the note names.
TEST(Documents, WhatIsWrittenIsRead) {
  Rng rng(11);
  for (const Format format : {Format::GraphML, Format::Dot, Format::Json}) {
    std::vector<Graph> graphs;
    for (Node n = 1; n <= 5; ++n)
      for_each_graph(n, {}, [&](const Graph& graph) {
        graphs.push_back(graph);
        return true;
      });
    graphs.emplace_back();
    for (int round = 0; round < 60 * test::depth(); ++round)
      for (const auto& kind : test::kKinds)
        graphs.push_back(test::random_graph(static_cast<Node>(rng.below(14)), 0.4, kind, rng));
    std::string all;
    GraphWriter writer(format);
    for (const Graph& graph : graphs) {
      writer.write(graph, all);
      std::string one;
      write_graph(graph, format, one);
      ASSERT_EQ(read(one, colors("color", "color")), std::vector{graph}) << one;
    }
    writer.finish(all);
    EXPECT_EQ(read(all, colors("color", "color")), graphs) << info(format).name;
  }
}

TEST(Documents, WhatIsWritten) {
  const auto written = [](const Graph& graph, Format format) {
    std::string text;
    write_graph(graph, format, text);
    return text;
  };
  EXPECT_EQ(written(kColored, Format::Dot),
            "graph {\n  0 [color=0];\n  1 [color=2];\n  2 [color=7];\n  0 -- 1 [color=4];\n  1 -- 2 [color=0];\n}\n");
  EXPECT_EQ(written(kArcs, Format::Json),
            "{\"directed\": true, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": 0}, {\"id\": 1}, {\"id\": "
            "2}], \"edges\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 0}, {\"source\": 1, "
            "\"target\": 2}]}\n");
  const std::string text = written(kColored, Format::GraphML);
  EXPECT_NE(text.find("<key id=\"node_color\" for=\"node\" attr.name=\"color\" attr.type=\"long\"/>"), text.npos);
  EXPECT_NE(text.find("<node id=\"1\"><data key=\"node_color\">2</data></node>"), text.npos);
  EXPECT_NE(text.find("<edge source=\"1\" target=\"2\"><data key=\"edge_color\">0</data></edge>"), text.npos);
  std::string none;
  GraphWriter(Format::GraphML).finish(none);
  EXPECT_TRUE(read(none).empty()) << "a file without graphs is a file";
}

TEST(GraphML, GraphsKeysAndDirections) {
  const std::string text = R"(<?xml version="1.0"?>
<g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns" xmlns:y="z">
<g:key id="d0" for="node" attr.name="kind" attr.type="string"><g:default>x</g:default></g:key>
<g:key id="d1" for="edge" attr.name="w" attr.type="double"/>
<g:graph edgedefault="directed">
  <g:edge source="a" target="b"><g:data key="d1"> 2.0 </g:data></g:edge>
  <g:node id="b"><g:data key="d0">y&amp;z</g:data></g:node>
  <g:node id="a"><g:data key="d1">7</g:data><y:Shape><g:data key="d0">no</g:data></y:Shape></g:node>
</g:graph>
<g:graph><g:node id="a"/><g:node id="c"/><g:edge source="a" target="c" directed="false"/></g:graph>
</g:graphml>)";
  const auto graphs = read(text, colors("kind", "w"));
  ASSERT_EQ(graphs.size(), 2u);
  EXPECT_EQ(graphs[0], Graph({2, true, {{1, 0, 2}}, {2, 1}}));
  EXPECT_EQ(graphs[1], Graph({2, false, {{0, 1}}, {1, 1}}));
}

TEST(GraphML, TypesOfValues) {
  const auto colors_of = [](const std::string& type) {
    return read("<graphml><key id='k' for='node' attr.name='k' attr.type='" + type +
                    "'/><graph><node id='a'><data key='k'>2</data></node><node id='b'><data "
                    "key='k'>2.0</data></node></graph>"
                    "</graphml>",
                colors("k", ""))
        .at(0)
        .node_colors();
  };
  EXPECT_EQ(colors_of("double"), (std::vector<Color>{2, 2}));
  EXPECT_EQ(colors_of("string"), (std::vector<Color>{1, 2}));
}

TEST(GraphML, Errors) {
  const auto graph = [](const std::string& inside) {
    return "<graphml>\n<graph edgedefault=\"undirected\">\n" + inside + "</graph></graphml>";
  };
  EXPECT_EQ(error(graph("<node id=\"a\"/><edge source=\"a\" target=\"a\"/>\n")),
            "t:3: edge a-a is a self-loop (--simplify drops it)");
  EXPECT_EQ(error(graph("<node id=\"a\"/>\n <edge source=\"a\" target=\"b\"/>")),
            "t:4:2: an edge names node b, which is not there");
  EXPECT_EQ(error(graph("<node id=\"a\"/>\n<node id=\"a\"/>")), "t:4:1: node a is there twice");
  EXPECT_EQ(error(graph("<node/>")), "t:3:1: a <node> without id, or outside of a <graph>");
  EXPECT_EQ(error(graph("<node id=\"a\"><graph/></node>")), "t:3:14: a graph in a graph is not read");
  EXPECT_EQ(error(graph("<hyperedge/>")), "t:3:1: hyperedges are not read");
  EXPECT_EQ(error(graph("<node id='a'/><node id='b'/><node id='c'/><edge source='a' target='b'/>"
                        "<edge source='b' target='c' directed='true'/>")),
            "t:3:72: directed and undirected edges in one graph");
  EXPECT_EQ(error(graph("<node id=\"a\">")), "t:3:16: XML: mismatched tag");
  EXPECT_EQ(error("<graphml><graph edgedefault=\"both\"/></graphml>"), "t:1:10: edgedefault is directed or undirected");
  EXPECT_EQ(error("<graphml>"), "t:1:10: XML: no element found");
  EXPECT_EQ(error("<!DOCTYPE g [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]>\n<graphml>&b;</graphml>"),
            "t:1:25: declarations of entities are not read");
}

TEST(Gml, NodesEdgesAndErrors) {
  const std::string text =
      "Creator \"x [ y\"\ngraph\n[\n  directed 1\n  meta [ a [ b 1 ] ]\n  node\n  [ id 5 label \"a &#38; b\" ]\n"
      "  node [ id -3 label \"z\" w 2.5 ]\n  edge [ source -3 target 5 value 3 ]\n]\n# end\n";
  EXPECT_EQ(read(text).at(0), Graph({2, true, {{1, 0}}, {}}));
  EXPECT_EQ(read(text, colors("label", "value")).at(0), Graph({2, true, {{1, 0, 3}}, {1, 2}}));
  EXPECT_EQ(
      read("graph [ node [ id 0 c \"&#228;&lt;\" ] node [ id 1 c \"\xC3\xA4<\" ] directed 0 ]", colors("c", "")).at(0),
      Graph({2, false, {}, {1, 1}}));
  EXPECT_EQ(read("graph [ ] graph [ node [ id 0 ] ]").size(), 2u);
  EXPECT_EQ(error("graph [ node [ id 0 ]\n node [ id 0 ] ]"), "t:2:2: node 0 is there twice");
  EXPECT_EQ(error("graph [ node [ label \"a\" ] ]"), "t:1:9: a node without id");
  EXPECT_EQ(error("graph [ edge [ source 0 ] ]"), "t:1:9: an edge without source or target");
  EXPECT_EQ(error("graph [\n node [ id ] ]"),
            "t:2:12: expected the value of id: a number, a text in quotes, or a list in brackets");
  EXPECT_EQ(error("graph [\n node [ id 1"), "t:2:2: this list is not closed");
  EXPECT_EQ(error("graph [ label \"a ]"), "t:1:15: a text without its second quote");
  EXPECT_EQ(error("graph [ ] 5 6"), "t:1:11: expected a key, such as graph, node or edge");
  const std::string twice =
      "graph [ node [ id 1 ] node [ id 2 ]\nedge [ source 1 target 2 ]\nedge [ source 2 target 1 ] ]";
  EXPECT_EQ(error(twice), "t:3: edge 2-1 is there twice (--simplify drops it)");
  EXPECT_EQ(read(twice, lenient()).at(0), path(2));
}

TEST(Dot, StatementsOfTheLanguage) {
  const auto one = [](const std::string& text, ReadOptions options = {}) {
    return read(text, std::move(options)).at(0);
  };
  EXPECT_EQ(one("graph { a -- b -- c }"), path(3));
  EXPECT_EQ(one("digraph g { a -> \"b\" ; b -> a:port:ne }"), Graph({2, true, {{0, 1}, {1, 0}}, {}}));
  EXPECT_EQ(one("graph { 1 -- { 2 3 4 } }"), complete_bipartite(1, 3));
  EXPECT_EQ(one("graph { subgraph x { a; b } -- subgraph { c d a1 } }").size(), 6u);
  EXPECT_EQ(one("graph { \"a\" + \"b\" -- ab; }", lenient()).order(), 1u);
  EXPECT_EQ(one("graph { <<b>x</b>> -- \"a\\\"b\"; x=y; graph [z=1] }").order(), 2u);
  EXPECT_EQ(one("graph { -1.5 -- .5 }").order(), 2u);
  EXPECT_EQ(one("#line\ngraph { // a\n a /* b\n */ -- b }"), path(2));
  EXPECT_EQ(read("graph {} digraph { a } strict graph { a -- b b -- a }").size(), 3u);
}

TEST(Dot, AttributesAndTheirScope) {
  const std::string text =
      "graph { a; node [c=1]; edge [w=2] b; { node [c=2]; edge [w=3]; c -- d } e [c=5]; a -- b; b [c=9];"
      " b -- {c e} [w=4] }";
  EXPECT_EQ(read(text, colors("c", "w")).at(0),
            Graph({5, false, {{2, 3, 3}, {0, 1, 2}, {1, 2, 4}, {1, 4, 4}}, {0, 9, 2, 2, 5}}));
  EXPECT_EQ(read("strict graph { a -- b [w=1]; b -- a [w=2] }", colors("", "w")).at(0),
            Graph({2, false, {{0, 1, 2}}, {}}));
  EXPECT_EQ(read("strict digraph { a -> b [w=1]; b -> a [w=2] }", colors("", "w")).at(0).size(), 2u);
}

TEST(Dot, Errors) {
  EXPECT_EQ(error("graph {\n a -> b }"), "t:2:4: -> in an undirected graph, which has --");
  EXPECT_EQ(error("digraph { a -- b }"), "t:1:13: -- in a directed graph, which has ->");
  EXPECT_EQ(error("graph {\na -- a\n}"), "t:2: edge a-a is a self-loop (--simplify drops it)");
  EXPECT_EQ(error("graph { a -- b\nb -- a }"), "t:2: edge b-a is there twice (--simplify drops it)");
  EXPECT_EQ(error("graph { a -- }"), "t:1:14: expected a node or a subgraph, not \"}\"");
  EXPECT_EQ(error("graph { a [b=] }"), "t:1:14: expected a value, not \"]\"");
  EXPECT_EQ(error("graph { a"), "t:1:10: expected a node, an edge, a subgraph or }, the file ends");
  EXPECT_EQ(error("graph { \"a }"), "t:1:9: a text without its second quote");
  EXPECT_EQ(error("graph { /* }"), "t:1:9: a comment that is not closed");
  EXPECT_EQ(error("graph { a ! b }"), "t:1:11: this begins no word of DOT");
  EXPECT_EQ(error("graph { subgraph x -- y }"),
            "t:1:20: expected { (a subgraph is not read by its name alone), not \"--\"");
  EXPECT_EQ(error("graph { } a"), "t:1:11: expected graph or digraph, not \"a\"");
}

TEST(Json, NodesLinksAndErrors) {
  const std::string head = R"({"directed": true, "graph": {"nodes": [7]}, "nodes": [{"id": "b"}, {"id": 2, "c": 3}], )";
  EXPECT_EQ(read(head + R"("links": [{"source": 2, "target": "b", "w": 5}]})", colors("c", "w")).at(0),
            Graph({2, true, {{1, 0, 5}}, {0, 3}}));
  EXPECT_EQ(read(head + R"("edges": []})").at(0).order(), 2u);
  EXPECT_EQ(read(R"({"links": [{"source": 1, "target": 0}], "nodes": [{"name": "a"}, {"name": "b"}]})").at(0), path(2));
  EXPECT_EQ(read(R"({"nodes": [[0, 1], [0,2]], "links": []})", {}).at(0).order(), 0u) << "not ids";
  EXPECT_EQ(read(R"({"nodes": [{"id": [0, 1]}, {"id": [0,2]}], "links": [{"source": [0,1], "target": [0, 2]}]})").at(0),
            path(2));
  EXPECT_EQ(read(R"({"nodes": [{"id": ["\"  "]}, {"id": ["\" "]}], "links": []})").at(0).order(), 2u);
  EXPECT_EQ(read(R"({"nodes": ["a", 5], "links": [{"source": "5", "target": "a"}]})").at(0), path(2));
  const std::string one = R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})";
  EXPECT_EQ(read("[" + one + ", " + one + "]").size(), 2u);
  EXPECT_EQ(read(one + "\n" + one + "\n\n" + one).size(), 3u);
  EXPECT_EQ(read(one, directed()).at(0), Graph({2, true, {{0, 1}}, {}}));
  EXPECT_EQ(error(R"({"nodes": [{"id": 0},
  {"id": 0}], "links": []})"),
            "t:2:3: node 0 is there twice");
  EXPECT_EQ(error(R"({"nodes": [{"id": 0}], "links": [{"source": 0}]})"), "t:1:46: an edge without source or target");
  EXPECT_EQ(error(R"({"nodes": [{"id": 0}], "links": [{"source": 0, "target": 4}]})"),
            "t:1:34: an edge names node 4, which is not there");
  EXPECT_EQ(error(R"({"nodes": [], "links": [], "edges": []})"), "t:1:37: a graph with both links and edges");
  EXPECT_EQ(error(R"({"nodes": []})"), "t:1:13: a graph without links or edges");
  EXPECT_EQ(error("[1]"), "t:1:3: a graph is an object in braces");
  EXPECT_EQ(error("[[1]]"), "t:1:2: a graph is an object in braces");
  EXPECT_EQ(error(R"({"nodes": [],
 "links": [3]})"),
            "t:2:13: an edge is an object with source and target");
  EXPECT_EQ(error(R"({"nodes": [], "links": [})"),
            "t:1:25: JSON: syntax error while parsing value - unexpected '}'; expected '[', '{', or a literal");
  EXPECT_EQ(
      error(R"({"multigraph": true, "nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1, "key": 0},
  {"source": 0, "target": 1, "key": 1}]})"),
      "t:2: edge 0-1 is there twice (--simplify drops it)");
}

TEST(Metis, WeightsAndErrors) {
  // Two weights of a node are one text.
  EXPECT_EQ(read("4 2 11 2\n5 6 2 9\n5 6 1 9\n1 1 4 3\n2 2 3 3\n", colors("weight", "weight")).at(0),
            Graph({4, false, {{0, 1, 9}, {2, 3, 3}}, {3, 3, 1, 2}}));
  EXPECT_EQ(read("2 1 100\n7 2\n8 1\n", colors("size", "")).at(0), Graph({2, false, {{0, 1}}, {7, 8}}));
  ReadOptions metis;
  metis.format = Format::Metis;
  EXPECT_EQ(read("% c\n3 1\n2\n1\n\n", metis).at(0), Graph({3, false, {{0, 1}}, {}}));
  EXPECT_EQ(read("3 1\n2\n1\n", metis).at(0).order(), 3u);  // the last node has no neighbour and no line
  EXPECT_EQ(error("3 1\n2\n3\n2\n", metis),
            "t:1:1: the first line says 1 edges, the lines of nodes have 3 ends, not twice as many");
  EXPECT_EQ(error("3 2\n2 3\n1\n2\n", metis),
            "t:1:1: node 1 and node 3 are not neighbours of each other, with the same weight");
  EXPECT_EQ(error("2 1 1\n2 5\n1 6\n", colors("", "weight")),
            "t:1:1: node 1 and node 2 are not neighbours of each other, with the same weight");
  EXPECT_EQ(error("2 1\n2\n3\n", metis), "t:3:1: 3 is out of range for a node (1..2)");
  EXPECT_EQ(error("2 1 1\n2 5\n1\n", metis), "t:3:1: a neighbour without a weight");
  EXPECT_EQ(error("2 1 7\n2\n1\n", metis),
            "t:1:5: \"7\" is not three digits 0 or 1: sizes, node weights, edge weights");
  EXPECT_EQ(error("2 1\n2\n1\n1\n", metis), "t:4:1: a line behind those of the 2 nodes");
  EXPECT_EQ(error("1 1\n1 1\n", metis), "t:2: edge 1-1 is a self-loop (--simplify drops it)");
  EXPECT_EQ(error("4000000000 0\n", metis),
            "t:1:1: 4000000000 nodes are over the limit of 14000 for 13 bytes of input (--max-nodes raises it)");
}

TEST(MatrixMarket, KindsAndErrors) {
  const auto market = [](const std::string& kind, const std::string& rest) {
    return "%%MatrixMarket matrix " + kind + "\n% c\n" + rest;
  };
  const auto symmetric = market("coordinate pattern symmetric", "3 3 2\n2 1\n3 2\n");
  EXPECT_EQ(read(symmetric).at(0), path(3)) << "the line with the size is no edge";
  EXPECT_EQ(read(symmetric, directed()).at(0), Graph({3, true, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}, {}}));
  EXPECT_EQ(read(market("Coordinate Real General", "2 2 1\n1 2 -0.5\n")).at(0), Graph({2, true, {{0, 1}}, {}}));
  const auto both = market("coordinate integer general", "2 2 2\n1 2 3\n2 1 3\n");
  EXPECT_EQ(read(both, colors("", "weight")).at(0), Graph({2, false, {{0, 1, 3}}, {}}));
  EXPECT_EQ(read(both, directed()).at(0).size(), 2u);
  EXPECT_EQ(read(market("coordinate integer general", "2 2 2\n1 2 3\n2 1 4\n"), colors("", "weight")).at(0),
            Graph({2, true, {{0, 1, 3}, {1, 0, 4}}, {}}))
      << "values that are not symmetric";
  EXPECT_EQ(read(market("array real general", "2 2\n0\n0.0\n1\n0\n")).at(0), Graph({2, true, {{0, 1}}, {}}));
  EXPECT_EQ(read(market("array integer symmetric", "3 3\n0\n1\n0\n0\n1\n0\n")).at(0), path(3));
  EXPECT_EQ(error(market("coordinate pattern general", "2 3 1\n1 2\n")),
            "t:3:3: the matrix of a graph has as many columns as rows");
  EXPECT_EQ(error(market("coordinate complex general", "2 2 0\n")),
            "t:1:34: \"complex\" is not read, only pattern, integer, real");
  EXPECT_EQ(error(market("coordinate real hermitian", "2 2 0\n")),
            "t:1:39: \"hermitian\" is not read, only general, symmetric");
  EXPECT_EQ(error(market("coordinate pattern general", "2 2 2\n1 2\n")),
            "t:4:1: the size line says 2 entries, the file has 1");
  EXPECT_EQ(error(market("coordinate pattern general", "2 2 1\n1 2\n2 1\n")), "t:5:1: a line behind the last entry");
  EXPECT_EQ(error(market("coordinate pattern general", "2 2 1\n1 2 5\n")), "t:4:1: an entry is: ROW COLUMN");
  EXPECT_EQ(error(market("coordinate real general", "2 2 1\n1 2 x\n")), "t:4:5: \"x\" is not a number");
  EXPECT_EQ(error(market("coordinate pattern general", "2 2 1\n3 1\n")), "t:4:1: 3 is out of range for a row (1..2)");
  EXPECT_EQ(error(market("coordinate pattern symmetric", "2 2 1\n2 2\n")),
            "t:4: edge 2-2 is a self-loop (--simplify drops it)");
  EXPECT_EQ(error(market("coordinate pattern symmetric", "2 2 2\n2 1\n1 2\n")),
            "t:5: edge 1-2 is there twice (--simplify drops it)");
  EXPECT_EQ(error(market("array real general", "2 2\n0\n1\n")), "t:5:1: the file ends within column 2");
  EXPECT_TRUE(error(market("coordinate pattern general", "4000000000 4000000000 0\n")).find("over the limit") !=
              std::string::npos);
}

TEST(NetworkX, NamesWeightsAndAttributes) {
  EXPECT_EQ(read("a b\nb c\n").at(0), path(3));
  EXPECT_EQ(read("0 2 {}\n2 1 {'weight': 3, 'x': [1, {'}': ')'}], \"y\": 'it\\'s'}\n", colors("", "weight")).at(0),
            Graph({3, false, {{0, 2, 0}, {1, 2, 3}}, {}}))
      << "whole numbers are the nodes";
  EXPECT_EQ(read("1 a {'w': np.float64(2.0)}\na 0 {'w': None}\n", colors("", "w")).at(0),
            Graph({3, false, {{0, 1, 2}, {1, 2}}, {}}));
  EXPECT_EQ(read("a b 0.5\nb c 0.25\n").at(0), path(3)) << "weights are ignored";
  EXPECT_EQ(read("a b 0.5\nb c 0.25\n", colors("", "weight")).at(0), Graph({3, false, {{0, 1, 2}, {1, 2, 1}}, {}}));
  EXPECT_EQ(read("01 1 2.5\n").at(0).order(), 2u);
  EXPECT_EQ(read("a b\n", directed()).at(0), Graph({2, true, {{0, 1}}, {}}));
  EXPECT_EQ(read("Source,Target,Kind\n\"a, b\",c,x\n1,c,\n", colors("", "Kind")).at(0),
            Graph({3, false, {{0, 1, 1}, {1, 2, 0}}, {}}));
  EXPECT_EQ(read("from\tto\tw\nx\ty\t4\n", colors("", "w")).at(0), Graph({2, false, {{0, 1, 4}}, {}}));
}

TEST(NetworkX, Errors) {
  EXPECT_EQ(error("a b\nb b\n"), "t:2: edge b-b is a self-loop (--simplify drops it)");
  EXPECT_EQ(error("a b\nc\n"), "t:2:1: an edge is two nodes, this line has one field");
  EXPECT_EQ(error("a b\na c d\n"),
            "t:2:5: behind an edge's nodes there may be a weight or attributes {'name': value}, not this");
  EXPECT_EQ(error("a b {'w' 3}\n"), "t:1:10: expected : in the attributes");
  EXPECT_EQ(error("a b {'w': [3}\n"), "t:1:14: expected } in the attributes");
  EXPECT_EQ(error("a b {'w': 3} 4\n"), "t:1:14: something stands behind the attributes");
  EXPECT_EQ(error("source,target,w\na,b,1,2\n"), "t:2:1: a row of 4 cells under a header of 3");
  EXPECT_EQ(error("0 1 {}\n0 99999999999 {}\n"),
            "t:2:1: 99999999999 is out of range for a node (0..4294967293); --relabel compacts ids");
}

std::string npy(const std::string& type, std::vector<std::int64_t> shape, const std::string& bytes) {
  return to_npy({"", type, std::move(shape), bytes});
}

TEST(Npy, ArraysOfGraph6) {
  const std::string bytes("DQc\0\0\0:Fa@x^&AG\n\0\0", 18);
  const auto graphs = read(npy("|S6", {3}, bytes));
  ASSERT_EQ(graphs.size(), 3u);
  EXPECT_EQ(graphs[0], graph_from_graph6("DQc"));
  EXPECT_EQ(graphs[1], graph_from_graph6(":Fa@x^"));
  EXPECT_EQ(graphs[2], graph_from_graph6("&AG"));
  std::string wide;
  for (const char c : std::string("A_A?")) wide += {c, '\0', '\0', '\0'};
  EXPECT_EQ(read(npy("<U2", {1, 2}, wide)), (std::vector{path(2), make_graph(2, {})}));
  EXPECT_TRUE(read(npy("|S6", {0}, "")).empty());
  EXPECT_EQ(error(npy("|S3", {2}, "DQcDQd")), "t[1]: byte 3: graph6: the unused bits of the last byte are not zero");
  EXPECT_EQ(error(npy("|S3", {2}, "DQc:AN")), "t[1]: edge 0-0 is a self-loop (--simplify drops it)");
  EXPECT_EQ(error(npy("|S3", {1}, std::string(3, '\0'))), "t[0]: byte 1: not a graph in graph6, sparse6 or digraph6");
  EXPECT_EQ(error(npy("<f8", {1}, std::string(8, '\0'))),
            "t: an array of type <f8; one of graph6 strings is wanted (|S.. or <U..)");
  EXPECT_EQ(error(npy("<U1", {1}, "\x01\x01\x00\x00"s)), "t[0]: byte 1: graph6: byte 128 is outside 63..126");
  EXPECT_TRUE(error(npy("|O", {1}, "x")).find("Python objects (pickled)") != std::string::npos);
  ReadOptions on;
  on.keep_going = true;
  EXPECT_EQ(read(npy("|S3", {3}, "DQcDQdDQc"), on).size(), 2u);
}

TEST(Documents, KeepGoingSkipsBadGraphs) {
  struct Case {
    std::string text;
    std::size_t good, bad;
  };
  const std::string one = R"({"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}]})";
  for (const Case& c :
       {Case{"graph { a -- b } graph { a -- a } graph { c }", 2, 1},
        Case{"graph { a -- b } graph { a -- } graph { c }", 1, 1},
        Case{one + "\n{\"graph\": {\"a\": [}\n" + one + "\n{\"nodes\": \n" + one + "\n" + one, 4, 2},
        Case{"[" + one + ", {}, " + one + "]", 1, 1}, Case{"graph [ node [ id 0 ] node [ id 0 ] ] graph [ ]", 1, 1},
        Case{"<graphml><graph><node id='a'/><edge source='a' target='z'/></graph><graph/></graphml>", 1, 1}}) {
    ReadOptions options;
    options.keep_going = true;
    GraphReader reader(LineSource::from_text("t", c.text), options);
    std::size_t good = 0;
    for (Graph graph; reader.next(graph);) ++good;
    EXPECT_EQ(good, c.good) << c.text;
    EXPECT_EQ(reader.skipped(), c.bad) << c.text;
  }
}

// Graphs before what is wrong are read, as in a stream of lines.
TEST(Documents, ErrorsComeInTheirPlace) {
  GraphReader reader(LineSource::from_text("t", "graph { a -- b }\ngraph { a - }"));
  Graph graph;
  EXPECT_TRUE(reader.next(graph));
  EXPECT_THROW(reader.next(graph), InputError);
  EXPECT_FALSE(reader.next(graph));
}

// Neither the stack nor memory follows what a hostile file claims.
TEST(Documents, NestingAndProductsAreBounded) {
  const auto times = [](int n, const std::string& text) {
    std::string out;
    for (int i = 0; i < n; ++i) out += text;
    return out;
  };
  const int deep = 200000;
  EXPECT_TRUE(error(times(deep, "[") + "1").find("a graph is an object in braces") != std::string::npos);
  EXPECT_EQ(read("{\"nodes\": [{\"id\": " + times(deep, "[") + times(deep, "]") + "}], \"links\": []}").at(0).order(),
            1u);
  EXPECT_TRUE(error("{\"a\":" + times(deep, "{\"a\":")).find("JSON: ") != std::string::npos);
  EXPECT_EQ(error("graph " + times(deep, "[ a ") + "1"), "t:1:11: this list is not closed");
  EXPECT_EQ(error("graph " + times(deep, "{")), "t:1:108: subgraphs are more than 100 deep");
  EXPECT_EQ(error("<graphml>" + times(deep, "<a>")), "t:1:3007: elements are more than 1000 deep");
  EXPECT_TRUE(error("a b " + times(deep, "{")).find("expected : in the attributes") != std::string::npos);
  std::string many;
  for (int i = 0; i < 30000; ++i) many += "n" + std::to_string(i) + " ";
  EXPECT_TRUE(error("graph { {" + many + "} -- {" + many + "} }").find("edges are too many for 3") !=
              std::string::npos);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 400 * 1024) << "kilobytes";
}

class DocumentFiles : public test::WithFiles {};

TEST_F(DocumentFiles, GzipIsReadLikePlain) {
  std::string text;
  write_graph(kColored, Format::GraphML, text);
  gzFile out = gzopen(path("a.gz").c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(out);
  EXPECT_EQ(read_all(LineSource::open(path("a.gz")), colors("color", "color")), std::vector{kColored});
}

// A line or a document that a small compressed file blows up is refused; many short lines are not.
TEST_F(DocumentFiles, CompressedBombsAreRefused) {
  const auto error_of = [this](const std::string& begin, const std::string& block) -> std::string {
    gzFile out = gzopen(path("bomb.gz").c_str(), "wb1");
    gzwrite(out, begin.data(), static_cast<unsigned>(begin.size()));
    std::string piece;
    while (piece.size() < 1 << 20) piece += block;
    for (int i = 0; i < 80; ++i) gzwrite(out, piece.data(), static_cast<unsigned>(piece.size()));
    gzclose(out);
    try {
      GraphReader reader(LineSource::open(path("bomb.gz")));
      for (Graph graph; reader.next(graph);) {
      }
    } catch (const InputError& e) {
      return e.reason();
    }
    return "accepted";
  };
  const std::string bomb =
      "unpacks to more than 200 times its size before it can be read; gunzip it first if that is meant";
  EXPECT_EQ(error_of("<graphml>", " "), bomb);
  EXPECT_EQ(error_of("", "?"), bomb);
  EXPECT_EQ(error_of("", "B?\n"), "accepted");
}

// Files like those above, damaged: errors or graphs, never a crash.
TEST(Documents, MutatedFiles) {
  std::vector<std::string> seeds{
      "a b {'w': 3, 'x': 'y'}\nb c {}\n",
      "source,target,w\n\"a\",b,1\n",
      "3 2 11\n1 2 5\n1 1 5 3 6\n1 2 6\n",
      "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 1\n",
      "graph [ directed 1 node [ id 0 label \"a&#38;\" ] node [ id 1 ] edge [ source 0 target 1 w 2.5 ] ]",
      "strict digraph { a -> {b c} [w=1]; node [c=2]; subgraph x { d:p } /* x */ }\ngraph { a -- \"b\" }",
      npy("|S4", {2, 2}, "DQc\0A_\0\0:An\0DQc\0"s)};
  for (const Format format : {Format::GraphML, Format::Dot, Format::Json})
    write_graph(kColored, format, seeds.emplace_back());
  Rng rng(10);
  std::size_t graphs = 0, errors = 0;
  for (int i = 0; i < 20000 * test::depth(); ++i) {
    std::string text = seeds[rng.below(seeds.size())];
    for (std::uint64_t changes = 1 + rng.below(5); changes > 0; --changes) {
      const std::size_t at = rng.below(text.size() + 1);
      switch (rng.below(4)) {
        case 0: text.insert(at, 1, static_cast<char>(rng.below(256))); break;
        case 1: text.erase(at, 1 + rng.below(5)); break;
        case 2: text.insert(at, text.substr(rng.below(text.size() + 1), rng.below(30))); break;
        default: text.insert(at, std::string("{}[]\"<>=,;&0 \n").substr(rng.below(14), 1)); break;
      }
    }
    ReadOptions options = rng.below(2) ? colors("color", "w") : colors("w", "color");
    options.keep_going = rng.below(2);
    options.simplify = rng.below(2);
    options.relabel = rng.below(2);
    if (rng.below(2)) options.format = kDocuments[rng.below(std::size(kDocuments))];
    try {
      GraphReader reader(LineSource::from_text("t", text), options);
      for (Graph graph; reader.next(graph); ++graphs) graph.check();
    } catch (const InputError& e) {
      ++errors;
    }
  }
  EXPECT_GT(graphs, 1000u);
  EXPECT_GT(errors, 2000u);
}

}  // namespace
}  // namespace leman::wl
