// `leman classes`, run as a user runs it.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/csv.hpp"
#include "tests/cli/cli_support.hpp"
#include "wl/canon.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

namespace {

using leman::test::Cli;
using leman::test::lines;
using leman::test::Result;
using Json = nlohmann::json;
namespace wl = leman::wl;

class ClassesCli : public Cli {
 protected:
  std::string generate(const std::string& family) const { return program() + " gen " + family + " | "; }
};

TEST_F(ClassesCli, CountsOfAStream) {
  Result r = leman("classes --engine 1wl,2wl,2fwl", generate("all 7"));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(lines(r.out)[1], "1-WL      1044     1022                        44        2");
  EXPECT_EQ(lines(r.out)[2], "2-WL      1044     1022                        44        2");
  EXPECT_EQ(lines(r.out)[3], "2-FWL     1044     1044                         0        1");
  EXPECT_NE(leman("classes --shared --engine 2fwl,1wl", generate("all 7"))
                .out.find("\n44 of 1044 graphs share a class with another under some engine\n"),
            std::string::npos);
}

// The question that took a script: every pair of connected graphs of order 8 that 1-WL confuses
// and 2-FWL separates.
TEST_F(ClassesCli, ConfusedPairsOfOrderEight) {
  Result r = leman("classes --confused 1wl --separated 2fwl --pairs-out pairs.csv", generate("all 8 --connected"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("\n312 pairs of graphs that 1-WL confuses and 2-FWL separates\n"), std::string::npos) << r.out;
  const auto rows = leman::parse_csv(contents(path("pairs.csv")), "pairs.csv");
  ASSERT_EQ(rows.size(), 313u);
  EXPECT_EQ(rows[0].cells, (leman::CsvRow{"id", "family", "category", "first", "second"}));
  std::set<std::string> ids;
  std::pair<int, int> last;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const leman::CsvRow& cells = rows[k].cells;
    ids.insert(cells[0]);
    EXPECT_EQ(cells[1], "order 8");
    EXPECT_EQ(cells[2], "order 8");
    const std::pair now{std::stoi(cells[0]), std::stoi(cells[0].substr(cells[0].find('-') + 1))};
    EXPECT_LT(last, now);
    EXPECT_LT(now.first, now.second);
    last = now;
    const wl::Graph a = wl::graph_from_graph6(cells[3]), b = wl::graph_from_graph6(cells[4]);
    EXPECT_FALSE(wl::compare(wl::color_refinement(), a, b).distinguished);
    EXPECT_TRUE(wl::compare(wl::folklore(2), a, b).distinguished);
  }
  EXPECT_EQ(ids.size(), 312u);
}

TEST_F(ClassesCli, RowsAsCsvAndJsonLines) {
  write("g.g6", "Bw\nE?bw\n@\nBw\nBW\n");
  Result csv = leman("classes --engine 1wl,2fwl --groups - g.g6");
  EXPECT_EQ(csv.code, 0) << csv.err;
  EXPECT_EQ(csv.out, "graph,1wl,2fwl\n1,1,1\n2,2,2\n3,3,3\n4,1,1\n5,4,4\n");
  Result both = leman("classes --engine 1wl,2fwl --shared --groups rows.jsonl g.g6");
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(contents(path("rows.jsonl")), "{\"graph\":1,\"1wl\":1,\"2fwl\":1}\n{\"graph\":4,\"1wl\":1,\"2fwl\":1}\n");
  EXPECT_NE(both.out.find("2 of 5 graphs share"), std::string::npos);
  EXPECT_EQ(leman("classes --engine 1wl --shared --groups - g.g6").out, "graph,1wl\n1,1\n4,1\n");
  // The number is that of FILE#4, and the class of graph 4 that of graph 1.
  EXPECT_EQ(leman("iso g.g6#1 g.g6#4").code, 0);
}

// The same file twice, and standard input between files: numbers run on.
TEST_F(ClassesCli, SeveralInputs) {
  write("g.g6", "Bw\nBW\n");
  Result r = leman("classes --engine 1wl --groups - g.g6 - g.g6", "printf \"Bw\\n\" | ");
  EXPECT_EQ(r.out, "graph,1wl\n1,1\n2,2\n3,1\n4,1\n5,2\n");
  EXPECT_EQ(leman("classes --confused 1wl --pairs-out p.g6 g.g6 g.g6").code, 0);
  EXPECT_EQ(contents(path("p.g6")), "Bw\nBw\nBW\nBW\n");
  EXPECT_EQ(leman("classes --confused 1wl --pairs-out p.s6 g.g6 g.g6").code, 0);
  EXPECT_EQ(lines(contents(path("p.s6")))[0][0], ':');
  EXPECT_EQ(leman("classes g.g6 - -").code, 2);
}

TEST_F(ClassesCli, OutputDoesNotDependOnThreads) {
  ASSERT_EQ(leman("gen all 7 --out a.g6").code, 0);
  std::vector<std::string> outputs;
  for (const std::string threads : {"1", "2", "5"}) {
    Result r = leman(
        "classes --engine 2fwl,1wl,spd --confused 1wl --separated spd --groups r.csv --pairs-out p.csv "
        "--threads " +
        threads + " --json a.g6");
    ASSERT_EQ(r.code, 0) << r.err;
    Json json = Json::parse(r.out);
    json.erase("command");
    outputs.push_back(json.dump() + contents(path("r.csv")) + contents(path("p.csv")));
  }
  EXPECT_EQ(outputs[0], outputs[1]);
  EXPECT_EQ(outputs[0], outputs[2]);
  EXPECT_GT(lines(contents(path("p.csv"))).size(), 5u);
}

TEST_F(ClassesCli, JsonHasTheSameFacts) {
  Result r = leman("classes --shared --engine 2fwl --confused 1wl --separated 2fwl --pairs-out p.csv --limit 5 --json",
                   generate("all 7"));
  ASSERT_EQ(r.code, 0) << r.err;
  const Json json = Json::parse(r.out);
  EXPECT_EQ(json["graphs"], 1044);
  EXPECT_EQ(json["skipped"], 0);
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["sharing"], 44);
  ASSERT_EQ(json["engines"].size(), 2u);  // that of --confused was added
  EXPECT_EQ(json["engines"][0]["engine"], "2fwl");
  EXPECT_EQ(json["engines"][1]["engine"], "1wl");
  EXPECT_EQ(json["engines"][1]["classes"], 1022);
  EXPECT_EQ(json["engines"][1]["in_shared_classes"], 44);
  EXPECT_EQ(json["pairs"]["confused"], "1wl");
  EXPECT_EQ(json["pairs"]["separated"], "2fwl");
  EXPECT_EQ(json["pairs"]["count"], 22);
  EXPECT_EQ(json["pairs"]["written"], 5);
  EXPECT_EQ(lines(contents(path("p.csv"))).size(), 6u);
  ASSERT_EQ(json["pairs"]["examples"].size(), 10u);
  ASSERT_EQ(leman("gen all 7 --out a.g6").code, 0);
  const auto all = lines(contents(path("a.g6")));
  for (const Json& example : json["pairs"]["examples"]) {
    EXPECT_EQ(example["graphs"][0], all[example["first"].get<std::size_t>() - 1]);
    EXPECT_EQ(example["graphs"][1], all[example["second"].get<std::size_t>() - 1]);
  }
  const Json counted = Json::parse(leman("classes --confused 1wl --json a.g6").out);
  EXPECT_EQ(counted["pairs"]["separated"], nullptr);
  EXPECT_EQ(counted["pairs"]["written"], nullptr);
  EXPECT_EQ(counted["pairs"]["count"], 22);
}

TEST_F(ClassesCli, DirectedAndColoredGraphs) {
  write("arcs.edgelist", "n 2 directed\n0 1\nn 2 directed\n1 0\n");
  EXPECT_EQ(leman("classes --confused 1wl --pairs-out - arcs.edgelist").out,
            "id,family,category,first,second\n1-2,order 2,order 2,&AO,&AG\n");
  Result sparse = leman("classes --confused 1wl --pairs-out p.s6 arcs.edgelist");
  EXPECT_EQ(sparse.code, 3);
  EXPECT_EQ(sparse.err,
            "leman: arcs.edgelist:1: a file of pairs holds graphs in sparse6, which cannot hold a directed graph\n");
  write("colored.edgelist", "n 2\n0 1\nn 2\nv 0 1\n0 1\nn 2\n0 1\n");
  EXPECT_EQ(leman("classes --engine 1wl --groups - colored.edgelist").out, "graph,1wl\n1,1\n2,2\n3,1\n");
  Result refused = leman("classes --confused 1wl --pairs-out p.csv colored.edgelist");
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.err,
            "leman: colored.edgelist:3: a file of pairs holds graphs in graph6, which cannot hold colours\n");
  EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
  Result going = leman("classes --confused 1wl --pairs-out p.csv --keep-going colored.edgelist");
  EXPECT_EQ(going.code, 3);
  EXPECT_EQ(contents(path("p.csv")), "id,family,category,first,second\n1-3,order 2,order 2,A_,A_\n");
}

TEST_F(ClassesCli, BadGraphs) {
  write("bad.g6", "Bw\n!!\nBw\n");
  Result stop = leman("classes --engine 1wl --groups rows.csv bad.g6");
  EXPECT_EQ(stop.code, 3);
  EXPECT_EQ(lines(stop.err).size(), 1u);
  EXPECT_NE(stop.err.find("bad.g6:2"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("rows.csv")));
  Result going = leman("classes --engine 1wl --groups - --keep-going bad.g6");
  EXPECT_EQ(going.code, 3);
  EXPECT_EQ(going.out, "graph,1wl\n1,1\n3,1\n");
  EXPECT_EQ(lines(going.err).back(), "leman: skipped 1 graphs");
}

TEST_F(ClassesCli, AnEmptyStream) {
  Result r = leman("classes --engine 1wl --confused 1wl --groups r.csv --pairs-out p.csv", "printf \"\" | ");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(contents(path("r.csv")), "graph,1wl\n");
  EXPECT_EQ(contents(path("p.csv")), "id,family,category,first,second\n");
  EXPECT_NE(r.out.find("0 pairs of graphs that 1-WL confuses\n"), std::string::npos);
}

TEST_F(ClassesCli, TooManyPairsAreRefusedWithAnEstimate) {
  std::string text;
  for (int i = 0; i < 4473; ++i) text += "Bw\n";  // 4473 * 4472 / 2 = 10 001 628 pairs
  write("same.g6", text);
  Result r = leman("classes --confused 1wl --pairs-out p.csv --groups r.csv same.g6");
  EXPECT_EQ(r.code, 4);
  EXPECT_NE(r.out.find("10001628 pairs of graphs that 1-WL confuses; none of them written"), std::string::npos)
      << r.out;
  EXPECT_EQ(r.err, "leman: --pairs-out: 10001628 pairs would take about 0.4 GB; --limit N writes the first N\n");
  EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
  EXPECT_EQ(lines(contents(path("r.csv"))).size(), 4474u);
  EXPECT_EQ(leman("classes --confused 1wl --pairs-out p.csv --limit 3 same.g6").code, 0);
  EXPECT_EQ(contents(path("p.csv")),
            "id,family,category,first,second\n1-2,order 3,order 3,Bw,Bw\n"
            "1-3,order 3,order 3,Bw,Bw\n1-4,order 3,order 3,Bw,Bw\n");
  Result counted = leman("classes --confused 1wl same.g6");  // counting is no trouble
  EXPECT_EQ(counted.code, 0);
}

TEST_F(ClassesCli, WrongCalls) {
  write("g.g6", "Bw\n");
  for (const std::string words :
       {"--separated 1wl", "--pairs-out p.csv", "--limit 3", "--confused 1wl --limit 3",
        "--confused 1wl --separated 1wl", "--confused 1wl,2fwl", "--groups - --json",
        "--groups - --confused 1wl --pairs-out -", "--groups g.g6", "--groups r.csv --confused 1wl --pairs-out r.csv",
        "--confused 1wl --pairs-out p.csv --limit 0"}) {
    Result r = leman("classes " + words + " g.g6");
    EXPECT_EQ(r.code, 2) << words;
    EXPECT_EQ(lines(r.err).size(), 1u) << words << r.err;
  }
  EXPECT_EQ(contents(path("g.g6")), "Bw\n");
  EXPECT_EQ(leman("classes --groups nowhere/r.csv g.g6").code, 5);
}

// Ctrl-C: what was counted is printed, files are not written, and nothing is left of them.
TEST_F(ClassesCli, InterruptedInOrder) {
  ASSERT_EQ(leman("gen er 14 0.5 --count 2000 --out a.g6").code, 0);
  Result r = leman("classes --engine 4fwl --groups r.csv a.g6", "timeout --preserve-status -s INT 1 ");
  EXPECT_EQ(r.code, 130);
  EXPECT_NE(r.out.find("4-FWL"), std::string::npos);
  EXPECT_NE(r.err.find(" graphs; no file was written"), std::string::npos) << r.err;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
    EXPECT_EQ(entry.path().filename().string().find("r.csv"), std::string::npos);
}

}  // namespace
