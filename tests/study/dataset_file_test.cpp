// Readers of labelled data sets: what they read, and what they say of files that are wrong.
#include "study/dataset_file.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/text.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/canon.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/formats.hpp"

namespace leman::study {
namespace {

using wl::Graph;
using wl::Node;
using Labels = DatasetOptions::Labels;

Dataset read_text(const std::string& text, const DatasetOptions& options = {}, bool csv = false) {
  wl::LineSource source = wl::LineSource::from_text("f", text);
  return csv ? read_csv_dataset(std::move(source), options) : read_json_lines(std::move(source), options);
}

// What is wrong with it; empty: nothing.
std::string wrong(const std::string& text, const DatasetOptions& options = {}, bool csv = false) {
  try {
    read_text(text, options, csv);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}
std::string wrong_csv(const std::string& text) { return wrong(text, {}, true); }

std::vector<std::string> labels_of(const Dataset& set, std::size_t column = 0) {
  std::vector<std::string> labels;
  for (const std::uint32_t label : set.columns[column].label) labels.push_back(set.columns[column].values[label]);
  return labels;
}

using Texts = std::vector<std::string>;

// ---- JSON lines

TEST(DatasetJson, GraphsColoursAndLabels) {
  const Dataset set = read_text(
      "{\"graph6\": \"Bw\", \"label\": 1, \"id\": \"first\"}\n\n"
      "{\"n\": 3, \"edges\": [[0,1],[2,1]], \"node_colors\": [5,0,5], \"edge_colors\": [0,7], \"label\": 2.50}\r\n"
      "{\"graph6\": \":BcN\", \"node_colors\": [1,1,0], \"label\": \"x\"}\n"
      "{\"graph6\": \"@\", \"label\": true}");
  ASSERT_EQ(set.graphs.size(), 4u);
  EXPECT_EQ(set.graphs[0], wl::cycle(3));
  EXPECT_EQ(set.graphs[1].edge_color(1, 2), 7u);
  EXPECT_EQ(set.graphs[1].node_color(2), 5u);
  EXPECT_EQ(set.graphs[2].order(), 3u);
  EXPECT_EQ(set.graphs[2].node_color(0), 1u);
  EXPECT_EQ(labels_of(set), (Texts{"1", "2.5", "x", "true"}));
  EXPECT_EQ(set.places, (std::vector<std::uint64_t>{1, 3, 4, 5}));
  EXPECT_EQ(set.columns[0].name, "label");
  EXPECT_FALSE(set.node_labels);
}

TEST(DatasetJson, SeveralTasks) {
  const Dataset set = read_text("{\"graph6\":\"@\",\"labels\":[1,0.5]}\n{\"graph6\":\"@\",\"labels\":[\"a\",-1]}\n");
  ASSERT_EQ(set.columns.size(), 2u);
  EXPECT_EQ(set.columns[1].name, "label 2");
  EXPECT_EQ(labels_of(set, 1), (Texts{"0.5", "-1"}));
}

TEST(DatasetJson, LabelsOfNodes) {
  const std::string text =
      "{\"n\":2,\"edges\":[[0,1]],\"node_labels\":[\"a\",\"b\"]}\n{\"graph6\":\"@\",\"node_labels\":[\"c\"]}\n";
  const Dataset set = read_text(text);
  EXPECT_TRUE(set.node_labels);
  EXPECT_EQ(labels_of(set), (Texts{"a", "b", "c"}));
  const std::string both = "{\"graph6\":\"@\",\"node_labels\":[\"c\"],\"label\":1}\n";
  EXPECT_FALSE(read_text(both).node_labels);
  EXPECT_TRUE(read_text(both, {.labels = Labels::Node}).node_labels);
}

TEST(DatasetJson, DirectedAndUndirectedTogether) {
  const Dataset set =
      read_text("{\"n\":2,\"edges\":[[0,1]],\"directed\":true,\"label\":1}\n{\"n\":2,\"edges\":[[0,1]],\"label\":1}\n");
  EXPECT_TRUE(set.directed());
  EXPECT_TRUE(set.graphs[1].has_edge(1, 0));
  EXPECT_FALSE(set.graphs[0].has_edge(1, 0));
  EXPECT_EQ(set.notes.size(), 1u);
  EXPECT_TRUE(read_text("{\"n\":2,\"edges\":[[0,1]],\"label\":1}", {.directed = true}).directed());
}

TEST(DatasetJson, SimplifyDropsLoopsAndRepeats) {
  const std::string text = "{\"n\":2,\"edges\":[[0,1],[1,0],[1,1]],\"label\":1}";
  EXPECT_EQ(wrong(text), "f:1: edge 1-1 is a self-loop");
  const Dataset set = read_text(text, {.simplify = true});
  EXPECT_EQ(set.graphs[0].size(), 1u);
  EXPECT_EQ(set.notes, Texts{"dropped 2 self-loops and repeated edges"});
}

TEST(DatasetJson, SaysWhatIsWrong) {
  EXPECT_EQ(wrong(""), "f: there is no graph");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1}\n{\"graph6\":\"Bw\",}"), "f:2:16: not valid JSON");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":NaN}").substr(0, 6), "f:1:24");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1e999}"), "f:1: has a number that is out of range");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1e200}"), "f:1: label \"1e+200\" is out of range");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":\"nan\"}"), "f:1: label is NaN");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":\"\"}"), "f:1: label is missing");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":null}"), "f:1: a label is null: leave out what has no label");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":{}}"), "f:1: a label is neither a number nor a text");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":[]}"), "f:1: has no label");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\"}"), "f:1: has no label");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"node_labels\":[1,2,3]}", {.labels = Labels::Graph}),
            "f:1: has node_labels, but no label (--labels node)");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1}", {.labels = Labels::Node}), "f:1: has no node_labels");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"node_labels\":[1,2]}"), "f:1: 2 node_labels for 3 nodes");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"node_colors\":[1,2],\"label\":1}"), "f:1: 2 node_colors for 3 nodes");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"edge_colors\":[1,2],\"label\":1}"),
            "f:1: edge_colors need edges, in the same order");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0,1]],\"edge_colors\":[],\"label\":1}"), "f:1: 0 edge_colors for 1 edges");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0,1]],\"edge_colors\":[-1],\"label\":1}"),
            "f:1: edge_colors: -1 is not a whole number from 0 on");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0,1]],\"edge_colors\":[4294967296],\"label\":1}"),
            "f:1: edge_colors: 4294967296 is too large");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0,2]],\"label\":1}"), "f:1: edges: there is no node 2 of 2, counted from 0");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0]],\"label\":1}"), "f:1: edges: [0] is not a pair of nodes");
  EXPECT_EQ(wrong("{\"n\":2,\"edges\":[[0,0]],\"label\":1}").substr(0, 4), "f:1:");
  EXPECT_EQ(wrong("{\"edges\":[[0,1]],\"label\":1}"), "f:1: has edges, but no n, the number of nodes");
  EXPECT_EQ(wrong("{\"n\":2,\"label\":1}"), "f:1: has no graph: neither graph6 nor edges");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"n\":3,\"label\":1}"), "f:1: n goes with edges; graph6 has it already");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"edges\":[],\"n\":3,\"label\":1}"), "f:1: has both graph6 and edges");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1,\"label\":2}"), "f:1: \"label\" is there twice");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":1,\"labels\":[2]}"), "f:1: has both label and labels");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"labl\":1}").substr(0, 51),
            "f:1: unknown key \"labl\" (did you mean \"label\"?); kn");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\",\"label\":[1,2]}\n{\"graph6\":\"Bw\",\"label\":1}"),
            "f:2: 1 labels, 2 in the items before");
  EXPECT_EQ(wrong("{\"graph6\":\"Bwww\",\"label\":1}").substr(0, 12), "f:1: graph6:");
  EXPECT_EQ(wrong("{\"graph6\":\"Bw\\nBw\",\"label\":1}"), "f:1: graph6: more than one line");
  EXPECT_EQ(wrong("{\"graph6\":\"\",\"label\":1}"), "f:1: graph6: no graph here");
  EXPECT_EQ(wrong("{\"n\":4000000000,\"edges\":[],\"label\":1}"),
            "f:1: 4000000000 nodes, but at most 38000 are accepted here (--max-nodes N)");
  EXPECT_EQ(wrong("[{\"graph6\":\"Bw\",\"label\":1}]").substr(0, 49),
            "f:1: a list, but one object per line is read here");
  EXPECT_EQ(wrong("{\"a\":" + std::string(100000, '[')).substr(0, 4), "f:1:");
  EXPECT_EQ(wrong("{\"graph6\":\"\xff\",\"label\":1}").substr(0, 4), "f:1:");
}

// ---- CSV

TEST(DatasetCsv, ColumnsByName) {
  const Dataset set = read_text("\xEF\xBB\xBFid,label, graph6\r\n7,a,Bw\r\n8,\"b,c\",@\r\n", {}, true);
  EXPECT_EQ(set.graphs[0], wl::cycle(3));
  EXPECT_EQ(labels_of(set), (Texts{"a", "b,c"}));
  EXPECT_EQ(set.places, (std::vector<std::uint64_t>{2, 3}));
  const Dataset tasks = read_text("name,graph6,mu,alpha\nx,Bw,1.5,2\ny,@,0, 3\n", {}, true);
  ASSERT_EQ(tasks.columns.size(), 2u);
  EXPECT_EQ(tasks.columns[1].name, "alpha");
  EXPECT_EQ(labels_of(tasks, 1), (Texts{"2", "3"}));
  EXPECT_EQ(read_text("graph6,label,mu\nBw,1,2\n", {}, true).columns.size(), 1u);  // "label" is meant
}

TEST(DatasetCsv, SaysWhatIsWrong) {
  EXPECT_EQ(wrong_csv(""), "f: there is no graph");
  EXPECT_EQ(
      wrong_csv("Bw\nBw\n"),
      "f:1: neither JSON lines nor CSV with a column graph6 (first line: Bw): labels are needed, see docs/dataset.md");
  EXPECT_EQ(wrong_csv("graph6\nBw\n"), "f:1: no column of labels");
  EXPECT_EQ(wrong_csv("graph6,label\n"), "f: there is no graph");
  EXPECT_EQ(wrong_csv("graph6,label\nBw\n"), "f:2: 1 cells, but 2 in the first row");
  EXPECT_EQ(wrong_csv("graph6,label\nBw,1,2\n"), "f:2: 3 cells, but 2 in the first row");
  EXPECT_EQ(wrong_csv("graph6,label\nBw,\n"), "f:2: label is missing");
  EXPECT_EQ(wrong_csv("graph6,mu\nBw,-inf\n"), "f:2: label \"mu\" \"-inf\" is out of range");
  EXPECT_EQ(wrong_csv("graph6,label\nBw,NaN\n"), "f:2: label is NaN");
  EXPECT_EQ(wrong_csv("graph6,label,label\nBw,1,1\n"), "f:1: two columns \"label\"");
  EXPECT_EQ(wrong_csv("graph6,g6,label\nBw,Bw,1\n"), "f:1: two columns graph6");
  EXPECT_EQ(wrong_csv("graph6,label\n\"Bw,1\n"), "f:2: a quoted cell is not closed");
  EXPECT_EQ(wrong_csv("graph6,label\n0 1,1\n").substr(0, 12), "f:2: graph6:");
}

// ---- TU

class DatasetTu : public test::WithFiles {
 protected:
  // A triangle and a path of three nodes, with colours.
  void write_all() const {
    write("DS_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n6, 5\n5, 6\n");
    write("DS_graph_indicator.txt", "1\n1\n1\n2\n2\n2\n");
    write("DS_graph_labels.txt", "-1\n1\n");
    write("DS_node_labels.txt", "7\n-2\n7\n7\n7\n7\n");
    write("DS_edge_labels.txt", "3\n3\n3\n3\n3\n3\n9\n9\n3\n3\n");
  }
  Dataset read(const DatasetOptions& options = {}) const { return read_dataset(path("DS"), options); }
  // The error without the directory.
  std::string wrong(const DatasetOptions& options = {}) const {
    try {
      read(options);
    } catch (const InputError& e) {
      std::string text = e.what();
      const std::string folder = path("");
      if (const std::size_t at = text.find(folder); at != text.npos) text.erase(at, folder.size());
      return text;
    }
    return "";
  }
};

TEST_F(DatasetTu, GraphsColoursAndLabels) {
  write_all();
  for (const std::string& name : {path("DS"), path(""), path("DS_A.txt")}) {
    const Dataset set = read_dataset(name);
    EXPECT_EQ(set.name, "DS");
    ASSERT_EQ(set.graphs.size(), 2u);
    EXPECT_EQ(set.graphs[0].size(), 3u);
    EXPECT_EQ(set.graphs[0].node_color(0), 1u);
    EXPECT_EQ(set.graphs[0].node_color(1), 0u);
    EXPECT_EQ(set.graphs[1].edge_color(0, 1), 1u);
    EXPECT_EQ(set.graphs[1].edge_color(1, 2), 0u);
    EXPECT_FALSE(set.directed());
    EXPECT_EQ(labels_of(set), (Texts{"-1", "1"}));
  }
}

TEST_F(DatasetTu, AttributesAreForRegression) {
  write_all();
  write("DS_graph_attributes.txt", "0.5, 1\n0.25, 2e0\n");
  EXPECT_EQ(labels_of(read()), (Texts{"-1", "1"}));
  const Dataset set = read({.attributes = true});
  ASSERT_EQ(set.columns.size(), 2u);
  EXPECT_EQ(labels_of(set), (Texts{"0.5", "0.25"}));
  std::filesystem::remove(path("DS_graph_labels.txt"));
  EXPECT_EQ(read().columns.size(), 2u);
}

TEST_F(DatasetTu, LabelsOfNodesAndDirections) {
  write_all();
  const Dataset nodes = read({.labels = Labels::Node});
  EXPECT_EQ(labels_of(nodes), (Texts{"7", "-2", "7", "7", "7", "7"}));
  EXPECT_FALSE(nodes.graphs[0].node_colored());
  EXPECT_TRUE(read({.directed = true}).directed());
  write("DS_A.txt", "1, 2\n2, 3\n1, 3\n4, 5\n5, 6\n");
  for (const char* colors : {"DS_edge_labels.txt", "DS_node_labels.txt"}) std::filesystem::remove(path(colors));
  EXPECT_EQ(
      wrong(),
      "DS_A.txt:1: this edge has no reverse: --undirected if every edge stands here once, --directed if it is an arc");
  EXPECT_EQ(read({.undirected = true}).graphs[0], wl::cycle(3));
  EXPECT_EQ(read({.directed = true}).graphs[0].size(), 3u);
}

TEST_F(DatasetTu, NodesNeedNotBeSorted) {
  write("DS_A.txt", "1,3\n3,1\n2,4\n4,2\n");
  write("DS_graph_indicator.txt", "1\n2\n1\n2\n");
  write("DS_graph_labels.txt", "0\n1\n\n");
  EXPECT_EQ(read().graphs[1], wl::complete(2));
}

// Random data sets come back, whatever the order of their lines.
TEST_F(DatasetTu, RoundTrip) {
  Rng rng(3);
  for (int round = 0; round < 20 * test::depth(); ++round) {
    std::vector<Graph> graphs;
    std::vector<std::string> edges, edge_labels;
    std::string indicator, labels, node_labels, a, e;
    Node first = 1;
    for (int g = 1; g <= 5; ++g) {
      graphs.push_back(test::random_graph(static_cast<Node>(1 + rng.below(6)), 0.5, {false, 3, 2}, rng));
      for (const wl::Edge& edge : graphs.back().edges())
        for (const auto& [u, v] : {std::pair(edge.u, edge.v), std::pair(edge.v, edge.u)})
          edges.push_back(std::to_string(first + u) + ", " + std::to_string(first + v)),
              edge_labels.push_back(std::to_string(edge.color));
      for (Node v = 0; v < graphs.back().order(); ++v)
        indicator += std::to_string(g) + "\n", node_labels += std::to_string(graphs.back().node_color(v)) + "\n";
      labels += std::to_string(g % 2) + "\n", first += graphs.back().order();
    }
    for (const std::uint32_t k : rng.permutation(static_cast<std::uint32_t>(edges.size())))
      a += edges[k] + "\n", e += edge_labels[k] + "\n";
    write("DS_A.txt", a), write("DS_graph_indicator.txt", indicator), write("DS_graph_labels.txt", labels);
    write("DS_node_labels.txt", node_labels), write("DS_edge_labels.txt", e);
    const Dataset set = read();
    // Colours are ranks: what is equal stays equal.
    ASSERT_EQ(set.graphs.size(), graphs.size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      ASSERT_EQ(set.graphs[g].edges().size(), graphs[g].edges().size());
      for (const wl::Edge& x : graphs[g].edges())
        for (const wl::Edge& y : graphs[g].edges())
          EXPECT_EQ(x.color == y.color, set.graphs[g].edge_color(x.u, x.v) == set.graphs[g].edge_color(y.u, y.v));
      for (Node v = 0; v < graphs[g].order(); ++v)
        for (Node w = 0; w < v; ++w)
          EXPECT_EQ(graphs[g].node_color(v) == graphs[g].node_color(w),
                    set.graphs[g].node_color(v) == set.graphs[g].node_color(w));
    }
  }
}

TEST_F(DatasetTu, SaysWhatIsWrong) {
  auto with = [&](const std::string& file, const std::string& text) {
    write_all();
    write("DS_" + file + ".txt", text);
    return wrong();
  };
  EXPECT_EQ(with("graph_labels", "1\n"), "DS_graph_labels.txt: 1 lines for 2 graphs");
  EXPECT_EQ(with("graph_labels", "1\n2\n3\n"), "DS_graph_labels.txt:3: more lines than graphs (2)");
  EXPECT_EQ(with("graph_labels", "1\n\n2\n"), "DS_graph_labels.txt:2: an empty line");
  EXPECT_EQ(with("graph_labels", "1\nnan\n"), "DS_graph_labels.txt:2: label is NaN");
  EXPECT_EQ(with("graph_labels", "1, 2\n3\n"), "DS_graph_labels.txt:2: 1 labels, 2 in the items before");
  EXPECT_EQ(with("node_labels", "1\n2\n"), "DS_node_labels.txt: 2 lines for 6 nodes");
  EXPECT_EQ(with("node_labels", "1\n2\n1.5\n4\n5\n6\n"), "DS_node_labels.txt:3: \"1.5\" is not a whole number");
  EXPECT_EQ(with("edge_labels", "1\n"), "DS_edge_labels.txt: 1 lines for 10 edges");
  EXPECT_EQ(with("edge_labels", "1\n1\n1\n1\n1\n1\n1\n1\n1\n2\n"),
            "DS_A.txt:9: this edge has another label than on line 10");
  EXPECT_EQ(with("A", "1, 4\n4, 1\n"), "DS_A.txt:1: an edge from graph 1 to graph 2");
  EXPECT_EQ(with("A", "1, 7\n"), "DS_A.txt:1: \"7\" is not a node in 1..6");
  EXPECT_EQ(with("A", "0, 1\n"), "DS_A.txt:1: \"0\" is not a node in 1..6");
  EXPECT_EQ(with("A", "1 2\n"), "DS_A.txt:1: not two nodes with a comma between");
  std::filesystem::remove(path("DS_edge_labels.txt"));
  write("DS_A.txt", "1, 1\n");
  EXPECT_EQ(wrong().substr(0, 11), "DS_A.txt:1:");
  write("DS_A.txt", "1, 2\n2, 1\n1, 2\n2, 1\n");
  EXPECT_EQ(wrong(), "DS_A.txt:3: edge 0-1 is there twice");
  EXPECT_EQ(read({.simplify = true}).graphs[0].size(), 1u);
  write_all();
  EXPECT_EQ(with("graph_indicator", "1\n1\n1\n3\n3\n3\n"),
            "DS_graph_indicator.txt:4: graph 3, but only 2 graphs have nodes");
  EXPECT_EQ(with("graph_indicator", ""), "DS_graph_indicator.txt: there is no node");
  std::filesystem::remove(path("DS_graph_indicator.txt"));
  EXPECT_EQ(wrong(), "DS_graph_indicator.txt: no such file");
}

// ---- files

using DatasetFile = DatasetTu;

TEST_F(DatasetFile, RecognisedByContent) {
  const std::string json = write("a.txt", "\n  {\"graph6\":\"Bw\",\"label\":1}\n");
  EXPECT_EQ(read_dataset(json).format, "JSON lines");
  EXPECT_EQ(read_dataset(write("ZINC.v2.csv", "graph6,label\nBw,1\n")).name, "ZINC.v2");
  EXPECT_EQ(read_dataset(json, {.name = "mine"}).name, "mine");
  EXPECT_THROW(read_dataset(json, {.undirected = true}), UsageError);
  EXPECT_THROW(read_dataset(path("none")), InputError);
  EXPECT_THROW(read_dataset(path("")), InputError);  // no DS_A.txt
}

TEST_F(DatasetFile, GzipAndWhatIsCutShort) {
  std::string text;
  for (int k = 0; k < 500; ++k) text += "{\"graph6\":\"Bw\",\"label\":" + std::to_string(k * 7919 % 500) + "}\n";
  gzFile out = gzopen(path("a.jsonl.gz").c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  EXPECT_EQ(read_dataset(path("a.jsonl.gz")).graphs.size(), 500u);
  EXPECT_EQ(read_dataset(path("a.jsonl.gz")).name, "a");
  const std::string bytes = contents(path("a.jsonl.gz"));
  write("cut.jsonl.gz", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(read_dataset(path("cut.jsonl.gz")), ReadError);
  write("cut.csv", bytes.substr(0, 12));
  EXPECT_THROW(read_dataset(path("cut.csv")), ReadError);
}

}  // namespace
}  // namespace leman::study
