#include "wl/formats.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "tests/reference/graph_reference.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "tests/wl/reading.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {
namespace {

ReadOptions options_for(Format format) {
  ReadOptions options;
  options.format = format;
  return options;
}

std::string written(const Graph& graph, Format format) {
  std::string text;
  write_graph(graph, format, text);
  return text;
}

// The worked examples of nauty's formats.txt.
TEST(NautyFormats, ExamplesOfTheDefinition) {
  Graph g({5, false, {{0, 2}, {0, 4}, {1, 3}, {3, 4}}, {}});
  EXPECT_EQ(to_graph6(g), "DQc");
  EXPECT_EQ(graph_from_graph6("DQc"), g);
  Graph s({7, false, {{0, 1}, {0, 2}, {1, 2}, {5, 6}}, {}});
  EXPECT_EQ(written(s, Format::Sparse6), ":Fa@x^\n");
  EXPECT_EQ(graph_from_graph6(":Fa@x^"), s);
  Graph d({5, true, {{0, 2}, {0, 4}, {3, 1}, {3, 4}}, {}});
  EXPECT_EQ(to_graph6(d), "&DI?AO?");
  EXPECT_EQ(graph_from_graph6("&DI?AO?"), d);
}

TEST(NautyFormats, LargeOrders) {
  ReadOptions any;
  any.max_nodes = 1u << 30;
  for (Node n : {62u, 63u, 64u, 12345u, 258047u, 258048u, 300000u}) {
    Graph graph = make_graph(n, std::vector<std::pair<Node, Node>>{{0, n - 1}, {1, n / 2}});
    std::string text = written(graph, Format::Sparse6);
    EXPECT_EQ(text, reference::sparse6(graph) + "\n") << n;
    EXPECT_EQ(read(text, any).at(0), graph) << n;
  }
  EXPECT_EQ(written(make_graph(12345, {}), Format::Sparse6).substr(0, 5), ":~B?x");  // 126 66 63 120
}

TEST(NautyFormats, WrittenAsTheReferenceWritesThem) {
  Rng rng(5);
  for (int round = 0; round < 400 * test::depth(); ++round) {
    Node n = static_cast<Node>(rng.below(40));
    Graph graph = erdos_renyi(n, rng.uniform() * rng.uniform(), rng);
    Graph directed = test::random_graph(n, 0.3, {true, 1, 1}, rng);
    ASSERT_EQ(written(graph, Format::Graph6), reference::graph6(graph) + "\n");
    ASSERT_EQ(written(graph, Format::Sparse6), reference::sparse6(graph) + "\n");
    ASSERT_EQ(written(graph, Format::Digraph6), reference::digraph6(graph) + "\n");
    ASSERT_EQ(written(directed, Format::Digraph6), reference::digraph6(directed) + "\n");
  }
}

// Padding is the delicate part of sparse6: every graph on up to 5 nodes, and the orders
// 2, 4, 8, 16 with their special rule.
TEST(NautyFormats, SparsePaddingOnPowersOfTwo) {
  for (Node n = 1; n <= 5; ++n)
    for_each_graph(n, {}, [](const Graph& graph) {
      EXPECT_EQ(written(graph, Format::Sparse6), reference::sparse6(graph) + "\n");
      EXPECT_EQ(read(written(graph, Format::Sparse6)).at(0), graph);
      return true;
    });
  Rng rng(6);
  for (Node n : {2u, 4u, 8u, 16u, 32u})
    for (int round = 0; round < 300; ++round) {
      Graph graph = erdos_renyi(n - 1, 2.0 / n, rng);
      GraphData data = graph.data();
      data.order = n;  // the last node stays isolated
      Graph padded(data);
      ASSERT_EQ(written(padded, Format::Sparse6), reference::sparse6(padded) + "\n");
      ASSERT_EQ(read(written(padded, Format::Sparse6)).at(0), padded);
    }
}

TEST(NautyFormats, ReadsWhatEveryWriterWrites) {
  Rng rng(7);
  for (int round = 0; round < 200 * test::depth(); ++round)
    for (const auto& kind : test::kKinds) {
      Graph graph = test::random_graph(static_cast<Node>(rng.below(14)), 0.4, kind, rng);
      bool colored = graph.node_colored() || graph.edge_colored();
      for (Format format : {Format::Graph6, Format::Sparse6, Format::Digraph6, Format::EdgeList, Format::Dimacs}) {
        bool nauty = format != Format::EdgeList && format != Format::Dimacs;
        if (nauty && (colored || graph.directed() != (format == Format::Digraph6))) continue;
        std::string text = written(graph, format);
        for (Format by : {format, Format::Auto}) {
          auto back = read(text, options_for(by));
          ASSERT_EQ(back.size(), 1u) << text;
          ASSERT_EQ(back[0], graph) << text;
        }
      }
    }
}

TEST(NautyFormats, HeadersMixedLinesAndIncremental) {
  auto graphs = read(">>graph6<<DQc\n\n:Fa@x^\r\n&DI?AO?\n>>sparse6<<:Fa@x^\n");
  ASSERT_EQ(graphs.size(), 4u);
  EXPECT_TRUE(graphs[2].directed());
  EXPECT_EQ(graphs[1], graphs[3]);
  // ; lists the edges that change: here all of them are removed.
  auto change = read(":Fa@x^\n;a@x^\n;a@x^\n");
  ASSERT_EQ(change.size(), 3u);
  EXPECT_EQ(change[1].size(), 0u);
  EXPECT_EQ(change[1].order(), 7u);
  EXPECT_EQ(change[2], change[0]);
  std::string reason = "incremental sparse6 (;) must follow a good line with an undirected graph";
  EXPECT_EQ(error(";a@x^\n"), "t:1:1: " + reason);
  EXPECT_EQ(error("&DI?AO?\n;a@x^\n"), "t:2:1: " + reason);
  EXPECT_EQ(to_graph6(read("DQc\n;oR\n").at(1)), "DQo");  // after graph6 too, as nauty reads it
  ReadOptions on;
  on.keep_going = true;
  EXPECT_EQ(read(":DgH_~\n:E!\n;oR\n", on).size(), 1u);  // a bad line is not a base
  EXPECT_EQ(read(":DgH_~\n:AN\n;oR\n", on).size(), 1u);  // nor is one with a loop
}

TEST(NautyFormats, ErrorsNameLineColumnAndReason) {
  EXPECT_EQ(error("DQc\nDQ\n"), "t:2:3: graph6: 5 nodes need 2 bytes behind the header, the line has 1");
  EXPECT_EQ(error("DQcc"), "t:1:4: graph6: 5 nodes need 2 bytes behind the header, the line has 3");
  EXPECT_EQ(error("DQ\x7f\n"), "t:1:3: graph6: byte 127 is outside 63..126");
  EXPECT_EQ(error("DQ\x80", options_for(Format::Graph6)), "t:1:3: graph6: byte 128 is outside 63..126");
  EXPECT_EQ(error("DQd"), "t:1:3: graph6: the unused bits of the last byte are not zero");
  EXPECT_EQ(error("~~"), "t:1:3: graph6: the line ends within the number of nodes");
  EXPECT_EQ(error("&DQ"), "t:1:4: digraph6: 5 nodes need 5 bytes behind the header, the line has 1");
  EXPECT_EQ(error("~~~~~~~~"), "t:1:1: graph6: 68719476735 nodes are too many (limit 4294967294)");
  EXPECT_EQ(error(":Fa@x^", options_for(Format::Graph6)), "t:1:1: this is sparse6, not graph6");
  EXPECT_EQ(error(":AN"), "t:1: edge 0-0 is a self-loop (--simplify drops it)");
  EXPECT_EQ(error("&AO\n"), "accepted");
  EXPECT_EQ(error("&A_\n"), "t:1: edge 0-0 is a self-loop (--simplify drops it)");
}

TEST(NautyFormats, HugeOrderInFewBytesIsRefused) {
  EXPECT_EQ(
      error(":~~?~????"),
      "t:1:2: sparse6: 1056964608 nodes are over the limit of 10000 for 9 bytes of input (--max-nodes raises it)");
}

TEST(EdgeList, GraphsWithAndWithoutHeader) {
  auto g = read("# a comment\n0 1\n1,2\n\n2\t3\n").at(0);
  EXPECT_EQ(g, path(4));
  auto many = read("n 3\n0 1\nn 4 directed\nv 2 9\n1 0 5\n0 1 4\n");
  ASSERT_EQ(many.size(), 2u);
  EXPECT_EQ(many[0], Graph({3, false, {{0, 1}}, {}}));
  EXPECT_EQ(many[1], Graph({4, true, {{1, 0, 5}, {0, 1, 4}}, {0, 0, 9, 0}}));
}

TEST(EdgeList, Errors) {
  EXPECT_EQ(error("0 1\n1 x\n"), "t:2:3: \"x\" is not a node (a whole number)");
  EXPECT_EQ(error("0 1\n1 -2\n"), "t:2:3: \"-2\" is not a node (a whole number)");
  EXPECT_EQ(error("0 1\n2 2\n"), "t:2:3: node 2 joined to itself: a self-loop (--simplify drops it)");
  EXPECT_EQ(error("v 0 1\nv 0 2\n"), "t:1: node 0 is given two colours");
  EXPECT_EQ(error("0 1\n1 2\n\n1 0\n"), "t:4: edge 1-0 is there twice (--simplify drops it)");
  EXPECT_EQ(error("n 3\n0 3\n"), "t:2:3: 3 is out of range for a node (0..2)");
  EXPECT_EQ(error("n 0\n0 0\n"), "t:2:1: an edge in a graph without nodes");
  EXPECT_EQ(error("0 1\n0 4000000000\n"),
            "t:2: 4000000001 nodes are over the limit of 18000 for 17 bytes of input (--max-nodes raises it); "
            "--relabel compacts ids");
  EXPECT_EQ(error("n 3 both\n"), "t:1:5: expected directed or undirected");
  EXPECT_EQ(error("0 1 2 3 4\n", options_for(Format::EdgeList)),
            "t:1:1: an edge is two nodes and an optional colour, this line has 5 fields");
  EXPECT_EQ(error("0 99999999999999999999\n", options_for(Format::EdgeList)),
            "t:1:3: 99999999999999999999 is out of range for a node (0..4294967293)");
}

TEST(EdgeList, SimplifyDropsLoopsAndDuplicates) {
  ReadOptions lenient;
  lenient.simplify = true;
  GraphReader reader(LineSource::from_text("t", "0 1\n1 0\n1 1\n1 2\n"), lenient);
  Graph graph;
  ASSERT_TRUE(reader.next(graph));
  EXPECT_EQ(graph, path(3));
  EXPECT_EQ(reader.dropped(), 2u);
  EXPECT_EQ(error("0 1 4\n1 0 5\n", lenient), "t:1: edge 0-1 is there twice with colours 4 and 5");
}

TEST(Dimacs, GraphsColoursAndErrors) {
  auto g = read("c hello\np edge 4 2\nn 2 7\ne 1 2\ne 4 3 6\np sp 2 1\na 2 1\n");
  ASSERT_EQ(g.size(), 2u);
  EXPECT_EQ(g[0], Graph({4, false, {{0, 1, 0}, {3, 2, 6}}, {0, 7, 0, 0}}));
  EXPECT_EQ(g[1], Graph({2, true, {{1, 0}}, {}}));
  EXPECT_EQ(error("p edge 4 2\ne 1 2\n"), "t:1: the problem line says 2 edges, the graph has 1");
  EXPECT_EQ(error("p edge 4 1\ne 0 2\n"), "t:2:3: 0 is out of range for a node (1..4)");
  EXPECT_EQ(error("p edge 4 1\ne 1 2\nx\n"), "t:3:1: \"x\" does not start a line of this graph (c, n or e)");
  EXPECT_EQ(error("c\ne 1 2\n", options_for(Format::Dimacs)),
            "t:2:1: expected a problem line first: p edge NODES EDGES");
  EXPECT_EQ(error("p edge 4 1\ne 2 2\n"), "t:2:5: node 2 joined to itself: a self-loop (--simplify drops it)");
  EXPECT_EQ(error("p edge 4 2\ne 1 2\ne 2 1\n"), "t:3: edge 2-1 is there twice (--simplify drops it)");
  EXPECT_EQ(error("p tree 4 1\n"), "t:1:3: \"tree\" is not edge, col or sp");
  EXPECT_EQ(error("p edge 4\n"),
            "t:1:1: a problem line is: p edge NODES EDGES, or p sp NODES ARCS for a directed graph");
}

TEST(Matrix, ShapesColoursAndErrors) {
  for (const char* text : {"0 1 0\n1 0 1\n0 1 0\n", "010\n101\n010\n", "# c\n0,1,0\n1,0,1\n0,1,0"})
    EXPECT_EQ(read(text).at(0), path(3)) << text;
  EXPECT_EQ(read("0\n").at(0).order(), 1u);
  EXPECT_EQ(read("0 1\n1 0\n").at(0), path(2));
  EXPECT_EQ(read("0 3\n3 0\n").at(0), Graph({2, false, {{0, 1, 2}}, {}}));
  EXPECT_EQ(read("01\n10\n\n0 1 1\n1 0 1\n1 1 0\n").size(), 2u);
  ReadOptions directed;
  directed.directed = true;
  directed.format = Format::Matrix;
  EXPECT_EQ(read("0 1\n0 0\n", directed).at(0), Graph({2, true, {{0, 1}}, {}}));
  EXPECT_EQ(error("0 1 0 0\n1 0 0 0\n0 0 0 0\n"), "t:3: the matrix ends after 3 of 4 rows");
  EXPECT_EQ(error("0 1 0 0\n1 0 0 0\n0 0 0 0\n\n0 0 0 0\n"), "t:3: the matrix ends after 3 of 4 rows");
  ReadOptions lenient;
  lenient.format = Format::Matrix;
  lenient.simplify = true;
  GraphReader loops(LineSource::from_text("t", "111\n111\n111\n"), lenient);
  Graph graph;
  EXPECT_TRUE(loops.next(graph));
  EXPECT_EQ(loops.dropped(), 3u);
  EXPECT_EQ(error("0100\n1000\n000\n0000\n"), "t:3: row 3 has 3 entries, the first has 4");
  EXPECT_EQ(error("0100\n1000\n0010\n0000\n"),
            "t:3:3: the diagonal entry of node 2 is not 0 (a self-loop; --simplify drops it)");
  EXPECT_EQ(error("0 1 0 0\n0 0 0 0\n"),
            "t:2:1: entries (1,0) and (0,1) differ: not symmetric (--directed reads arcs)");
}

TEST(Reader, RecognisesByContent) {
  auto format = [](const std::string& text) {
    GraphReader reader(LineSource::from_text("t", text));
    Graph graph;
    reader.next(graph);
    return reader.format();
  };
  EXPECT_EQ(format("DQc\n"), Format::Graph6);
  EXPECT_EQ(format("\n\nDQc\n"), Format::Graph6);
  EXPECT_EQ(format("c comment\np edge 1 0\n"), Format::Dimacs);
  EXPECT_EQ(format("c\nc\np col 1 0\n"), Format::Dimacs);
  EXPECT_EQ(format("# x\n0 1\n1 2\n"), Format::EdgeList);
  EXPECT_EQ(format("0 1 5\n1 2 0\n2 3 0\n"), Format::EdgeList);
  EXPECT_EQ(format("0 1 1\n1 0 1\n1 1 0\n"), Format::Matrix);
  EXPECT_EQ(format("0 1\n"), Format::EdgeList);
  EXPECT_EQ(format("n 0\n"), Format::EdgeList);
  EXPECT_EQ(read("# c\n  \nDQc\n").size(), 1u);
  ReadOptions directed;
  directed.directed = true;
  EXPECT_EQ(read("0 1 2\n1 0 3\n2 3 0\n", directed).at(0).order(), 4u);  // three coloured arcs
  EXPECT_TRUE(read("").empty());
  EXPECT_TRUE(read("\n\n").empty());
  EXPECT_TRUE(read("# only a comment\n").empty());
}

TEST(Reader, KeepGoingSkipsAndCounts) {
  struct Case {
    std::string text;
    std::size_t good, bad;
  };
  for (const Case& c :
       {Case{"DQc\nD\nDQ\x01\nDQc\n", 2, 2}, Case{"n 2\n0 1\nn 2\n0 0\n0 1\nn 2\nx y\n0 1\nn 1\n", 2, 2},
        Case{"p edge 2 1\ne 1 2\np edge 2 1\np edge 2 x\ne 1 2\np edge 1 0\n", 2, 2},
        Case{"01\n10\n\n01\n00\n\n0\n", 2, 1}, Case{"0120\n5010\n# note\n2100\n0000\n\n011\n101\n110\n", 1, 1}}) {
    std::size_t told = 0;
    ReadOptions options;
    options.keep_going = true;
    options.on_skip = [&](const InputError&) { ++told; };
    GraphReader reader(LineSource::from_text("t", c.text), options);
    std::size_t good = 0;
    for (Graph graph; reader.next(graph);) ++good;
    EXPECT_EQ(good, c.good) << c.text;
    EXPECT_EQ(reader.skipped(), c.bad) << c.text;
    EXPECT_EQ(told, c.bad) << c.text;
  }
}

class Files : public test::WithFiles {
 protected:
  static void save(const std::string& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }
  static void save_gzip(const std::string& file, const std::string& text) {
    gzFile out = gzopen(file.c_str(), "wb");
    ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(out);
  }
};

TEST_F(Files, GzipIsReadLikePlain) {
  std::string text;
  Rng rng(8);
  for (int i = 0; i < 5000; ++i)
    write_graph(erdos_renyi(static_cast<Node>(rng.below(60)), 0.3, rng), Format::Graph6, text);
  save(path("a.g6"), text);
  save_gzip(path("a.g6.gz"), text);
  auto plain = read_all(LineSource::open(path("a.g6")));
  EXPECT_EQ(plain.size(), 5000u);
  EXPECT_EQ(read_all(LineSource::open(path("a.g6.gz"))), plain);
}

TEST_F(Files, WhatCannotBeReadIsSaid) {
  auto error_of = [](const std::string& file, bool keep_going = false) -> std::string {
    ReadOptions options;
    options.keep_going = keep_going;
    try {
      read_all(LineSource::open(file), options);
    } catch (const ReadError& e) {
      return e.reason();
    }
    return "accepted";
  };
  EXPECT_EQ(error_of(path("none")), "cannot open: No such file or directory");
  EXPECT_EQ(error_of(directory_.path().string()), "read error: Is a directory");
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "DQc\n";
  save_gzip(path("cut.gz"), text);
  std::filesystem::resize_file(path("cut.gz"), std::filesystem::file_size(path("cut.gz")) / 2);
  EXPECT_EQ(error_of(path("cut.gz")), "the gzip stream is cut short");
  EXPECT_EQ(error_of(path("cut.gz"), true), "the gzip stream is cut short");  // and no endless loop
}

// Leading comments are skipped, not stored.
TEST_F(Files, CommentsCostNoMemory) {
  std::string text;
  for (int i = 0; i < 2000000; ++i) text += "# x\n";
  save(path("c"), text + "DQc\n");
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(read_all(LineSource::open(path("c"))).size(), 1u);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 4 * 1024) << "kilobytes";
}

// Ten thousand damaged files give errors or graphs, never a crash, and memory stays
// bounded.
TEST_F(Files, TenThousandMutatedFiles) {
  const std::vector<std::string> seeds{"DQc\nEEh_\nF?`~w\n",
                                       ">>graph6<<DQc\n",
                                       ":Fa@x^\n;a@x^\n:~?@?Aaa\n",
                                       "&DI?AO?\n",
                                       "n 4\nv 1 3\n0 1\n1 2 7\nn 3 directed\n0 1\n1 0\n",
                                       "0 1\n1 2\n2 3\n",
                                       "c x\np edge 4 2\nn 1 5\ne 1 2\ne 2 3 9\np sp 2 1\na 1 2\n",
                                       "0 1 1\n1 0 2\n1 2 0\n\n01\n10\n"};
  Rng rng(9);
  std::size_t graphs = 0, errors = 0;
  for (int i = 0; i < 10000 * test::depth(); ++i) {
    std::string text = seeds[rng.below(seeds.size())];
    bool zip = rng.below(4) == 0;
    std::string file = path(zip ? "m.gz" : "m");
    if (zip) {
      save_gzip(file, text);
      text = contents(file);
    }
    for (std::uint64_t changes = 1 + rng.below(6); changes > 0; --changes) {
      std::size_t at = rng.below(text.size() + 1);
      switch (rng.below(5)) {
        case 0: text.insert(at, 1, static_cast<char>(rng.below(256))); break;
        case 1: text.erase(std::min(at, text.size()), 1 + rng.below(4)); break;
        case 2:
          if (at < text.size()) text[at] = static_cast<char>(rng.below(256));
          break;
        case 3:
          if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
          break;
        default: text.insert(at, text.substr(rng.below(text.size() + 1), rng.below(20))); break;
      }
      if (text.empty()) text = "\n";
    }
    save(file, text);
    ReadOptions options;
    options.keep_going = rng.below(2);
    options.simplify = rng.below(2);
    options.directed = rng.below(2);
    try {
      GraphReader reader(LineSource::open(file), options);
      for (Graph graph; reader.next(graph); ++graphs) graph.check();
    } catch (const InputError& e) {
      ++errors;
      EXPECT_NE(std::string(e.what()).find(file), std::string::npos);
    }
  }
  EXPECT_GT(graphs, 1000u);
  EXPECT_GT(errors, 1000u);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 800 * 1024) << "kilobytes";
}

TEST(Writers, RefuseWhatTheyCannotHold) {
  Graph colored({2, false, {{0, 1, 3}}, {}}), directed({2, true, {{0, 1}}, {}});
  std::string out;
  EXPECT_THROW(write_graph(colored, Format::Graph6, out), GraphError);
  EXPECT_THROW(write_graph(directed, Format::Graph6, out), GraphError);
  EXPECT_THROW(write_graph(directed, Format::Sparse6, out), GraphError);
  EXPECT_EQ(out, "");
  EXPECT_THROW(write_graph(make_graph(1000000, {}), Format::Graph6, out), GraphError);  // 83 GB
}

}  // namespace
}  // namespace leman::wl
