// The built program, run as a user runs it: output, messages and exit codes.

#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/cli/cli_support.hpp"

namespace {

using leman::test::Cli;
using leman::test::lines;
using leman::test::Result;

TEST_F(Cli, HelpEverywhere) {
  Result top = leman("--help");
  EXPECT_EQ(top.code, 0);
  // Every command that the overview lists.
  std::size_t commands = 0;
  for (const std::string& line : lines(top.out)) {
    if (line.rfind("  ", 0) != 0 || line.rfind("  leman ", 0) == 0) continue;
    const std::string command = line.substr(2, line.find("  ", 2) - 2);
    ++commands;
    Result help = leman(command + " --help");
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("Example"), std::string::npos) << command;
    EXPECT_NE(help.out.find("Usage: leman " + command), std::string::npos) << command;
    EXPECT_EQ(leman("help " + command).out, help.out);
  }
  EXPECT_GE(commands, 20u);
  EXPECT_EQ(leman("--version").out.rfind("leman 0.", 0), 0u);
}

TEST_F(Cli, WrongCallsExitWithTwoAndOneLine) {
  for (const std::string words : {"",
                                  "nonsense",
                                  "pairs --nonsense",
                                  "pairs --show 400",
                                  "pairs --show x",
                                  "pairs --pairs 5-",
                                  "pairs extra",
                                  "gen",
                                  "gen nothing",
                                  "gen rook 4",
                                  "gen rook 4 x",
                                  "gen cfi",
                                  "gen er 10 2",
                                  "gen paley 7",
                                  "gen rook 4 4 --count 2",
                                  "gen cfi --base K4 --straight --twisted",
                                  "convert --to pdf",
                                  "convert --format x",
                                  "iso K4",
                                  "iso - -",
                                  "completion tcsh",
                                  "pairs --json",
                                  "iso K3 K3 --map=yes",
                                  "gen er 10 0.5 --connected",
                                  "gen complete 4 --base C5",
                                  "pairs --show 5 --pairs 7",
                                  "pairs --builtin --brec x",
                                  "pairs --json - --csv -",
                                  "gen hadamard 92",
                                  "pairs --builtin --pairs \"\"",
                                  "wl --engine 5wl K4",
                                  "wl --certificate --engine m1 K4",

                                  "brec --engine 2fwl,x",
                                  "brec --engine ,",
                                  "brec --threads 0",
                                  "classes --engine y",
                                  "bench",
                                  "bench x"}) {
    Result r = leman(words);
    EXPECT_EQ(r.code, 2) << words;
    EXPECT_EQ(r.out, "") << words;
    EXPECT_EQ(lines(r.err).size(), 1u) << words << "\n" << r.err;
    EXPECT_EQ(r.err.rfind("leman: ", 0), 0u) << words;
  }
}

TEST_F(Cli, PairsTableListShow) {
  Result table = leman("pairs");
  EXPECT_EQ(table.code, 0);
  EXPECT_NE(table.err.find("using the built-in pairs"), std::string::npos);
  EXPECT_NE(table.out.find("strongly-regular  Regular"), std::string::npos);
  EXPECT_NE(table.out.find("leman pairs\n"), std::string::npos);  // the command is in the output
  EXPECT_EQ(lines(leman("pairs --builtin --list").out).size(), 401u);
  EXPECT_EQ(lines(leman("pairs --builtin --pairs 0-9,300").out).size(), 12u);
  EXPECT_EQ(lines(leman("pairs --builtin --graph6 --pairs 110-159").out).size(), 100u);
  Result show = leman("pairs --builtin --show 110");
  for (const char* fact : {"rook graph 4x4", "1152", "192", "srg(16,6,2,2)", "equal for 2-FWL"})
    EXPECT_NE(show.out.find(fact), std::string::npos) << fact;
}

TEST_F(Cli, PairsAsJsonAndCsv) {
  auto json = nlohmann::json::parse(leman("pairs --builtin --pairs 0,356 --json -").out);
  EXPECT_EQ(json["pairs"].size(), 2u);
  EXPECT_EQ(json["pairs"][1]["first"]["nodes"], 156);
  EXPECT_EQ(json["pairs"][1]["fwl_at_most"], 5);
  EXPECT_EQ(json["command"], "leman pairs --builtin --pairs 0,356 --json -");
  EXPECT_EQ(leman("pairs --builtin --csv list.csv").code, 0);
  auto csv = lines(contents(path("list.csv")));
  ASSERT_EQ(csv.size(), 401u);
  EXPECT_EQ(csv[0], "id,family,category,n,edges,brec,fwl_at_least,fwl_at_most,origin");
}

TEST_F(Cli, BrecDirectoryMustBeWhole) {
  EXPECT_EQ(leman("pairs --brec nowhere").err, "leman: nowhere: no such file or directory\n");
  std::filesystem::create_directory(path("brec"));
  Result missing = leman("pairs --brec brec");
  EXPECT_EQ(missing.code, 3);
  EXPECT_EQ(missing.err, "leman: brec/basic.g6: cannot open: No such file or directory\n");
  std::ofstream(path("brec/basic.g6")) << "I?????????\n";
  EXPECT_EQ(leman("pairs --brec brec").err,
            "leman: brec/basic.g6:1:10: graph6: 10 nodes need 8 bytes behind the header, the line has 9\n");
  std::ofstream(path("brec/basic.g6")) << "I????????\n";
  EXPECT_EQ(leman("pairs --brec brec").err, "leman: brec/basic.g6: has 1 graphs, needs 120\n");
  EXPECT_EQ(leman("pairs", "LEMAN_BREC=gone ").err, "leman: gone: no such file or directory ($LEMAN_BREC)\n");
}

TEST_F(Cli, GenerateConvertAndBack) {
  Result cfi = leman("gen cfi --base K4");
  ASSERT_EQ(lines(cfi.out).size(), 2u);
  std::ofstream(path("cfi.g6")) << cfi.out;
  for (const std::string format : {"sparse6", "digraph6", "edgelist", "dimacs"}) {
    EXPECT_EQ(leman("convert --to " + format + " --out x." + format + " cfi.g6").code, 0);
    if (format == "digraph6") continue;  // comes back directed
    EXPECT_EQ(leman("convert x." + format).out, cfi.out) << format;
  }
  EXPECT_EQ(leman("convert", "cat cfi.g6 | ").out, cfi.out);
  EXPECT_EQ(leman("convert -", "gzip -c cfi.g6 | ").out, cfi.out);
  EXPECT_EQ(lines(leman("gen all 7").out).size(), 1044u);
  EXPECT_EQ(lines(leman("gen all 8 --connected --degree 3").out).size(), 5u);
}

TEST_F(Cli, EveryFamilyOfGenWrites) {
  for (const std::string family : {"complete 4",
                                   "cycle 5",
                                   "path 3",
                                   "grid 2 3",
                                   "petersen",
                                   "csl 41 5",
                                   "cone --base C5",
                                   "cfi --base K3",
                                   "lifts --base K4",
                                   "rook 3 3",
                                   "shrikhande",
                                   "triangular 5",
                                   "chang 1",
                                   "paley 13",
                                   "latin 4",
                                   "latin-rows 01/10",
                                   "sts13 1",
                                   "projective-lines 3",
                                   "two-graph-members 26C 10",
                                   "switch 0,2 --base C5",
                                   "gm-switch 0-3 --base K4,4",
                                   "two-graph 26A",
                                   "symplectic 2",
                                   "hexagon",
                                   "difference-set 7 1,2,4",
                                   "pg32",
                                   "hadamard 20",
                                   "er 10 0.5",
                                   "regular 10 3",
                                   "tree 9",
                                   "pa 9 2",
                                   "all 4",
                                   "regular-list 8 3"}) {
    Result r = leman("gen " + family);
    EXPECT_EQ(r.code, 0) << family << r.err;
    EXPECT_GE(lines(r.out).size(), 1u) << family;
  }
}

TEST_F(Cli, RandomGraphsStateTheSeedAndRepeat) {
  Result a = leman("gen er 30 0.2 --count 5 --seed 7"), b = leman("gen er 30 0.2 --count 5 --seed 7");
  EXPECT_EQ(a.out, b.out);
  EXPECT_EQ(lines(a.out).size(), 5u);
  EXPECT_NE(a.err.find("seed 7: leman gen er 30 0.2 --count 5 --seed 7"), std::string::npos);
  EXPECT_NE(leman("gen er 30 0.2 --seed 8").out, leman("gen er 30 0.2 --seed 7").out);
}

TEST_F(Cli, BadInputExitsWithThreeAndKeepsWhatCameBefore) {
  std::ofstream(path("bad.g6")) << "DQc\nDQ\nDQc\n";
  Result stop = leman("convert bad.g6");
  EXPECT_EQ(stop.code, 3);
  EXPECT_EQ(stop.out, "DQc\n");
  EXPECT_EQ(stop.err, "leman: bad.g6:2:3: graph6: 5 nodes need 2 bytes behind the header, the line has 1\n");
  Result on = leman("convert --keep-going bad.g6");
  EXPECT_EQ(on.code, 3);
  EXPECT_EQ(on.out, "DQc\nDQc\n");
  EXPECT_EQ(lines(on.err).back(), "leman: skipped 1 of 3 graphs");
  EXPECT_EQ(leman("convert --out bad.g6 bad.g6").code, 3);
  EXPECT_EQ(contents(path("bad.g6")), "DQc\nDQ\nDQc\n");  // the input survives
  std::ofstream(path("good.g6")) << "DQc\n";
  Result half = leman("convert good.g6 gone.g6");
  EXPECT_EQ(half.code, 3);
  EXPECT_EQ(half.out, "DQc\n");
  EXPECT_EQ(leman("convert gone.g6").err, "leman: gone.g6: cannot open: No such file or directory\n");
  std::ofstream(path("c.txt")) << "n 2\n0 1 5\n";
  EXPECT_EQ(leman("convert c.txt").err, "leman: c.txt:1: graph6 cannot hold colours\n");
  EXPECT_EQ(leman("convert --drop-colours c.txt").out, "A_\n");
  std::ofstream(path("c.txt")) << "n 2\n0 1 5\nn 2\n0 1\n";
  EXPECT_EQ(leman("convert --keep-going c.txt").out, "A_\n");
}

TEST_F(Cli, AttributesIdsAndDocuments) {
  std::ofstream(path("c.el")) << "n 3\nv 1 2\n0 1 4\nn 2 directed\n1 0\n";
  const std::string colors = " --node-color color --edge-colour color --to edgelist ";
  for (const std::string format : {"graphml", "dot", "json"}) {
    EXPECT_EQ(leman("convert --to " + format + " --out c." + format + " c.el").code, 0);
    Result back = leman("convert" + colors + "c." + format);
    EXPECT_EQ(back.out, contents(path("c.el"))) << format;
    EXPECT_EQ(back.err, "");
    Result plain = leman("convert --to edgelist c." + format);
    EXPECT_EQ(plain.out, "n 3\n0 1\nn 2 directed\n1 0\n");
    EXPECT_EQ(lines(plain.err).at(0), "leman: c." + format +
                                          ": nodes have an attribute \"color\", which is ignored; --node-color color "
                                          "makes it their colour");
  }
  EXPECT_EQ(leman("convert", program() + " gen cycle 4 --to graphml | ").out, leman("gen cycle 4").out);
  std::ofstream(path("ids.txt")) << "7 9000000000\n";
  EXPECT_EQ(leman("convert ids.txt").err,
            "leman: ids.txt:1:3: 9000000000 is out of range for a node (0..4294967293); --relabel compacts ids\n");
  EXPECT_EQ(leman("convert --relabel ids.txt").out, "A_\n");
  std::ofstream(path("x.gexf")) << "<gexf/>\n";
  Result refused = leman("wl --engine 1wl x.gexf");
  EXPECT_EQ(refused.code, 3);
  EXPECT_EQ(refused.err.substr(0, 40), "leman: x.gexf: GEXF is not read; formats");
  EXPECT_EQ(leman("wl --engine 1wl --node-color color c.dot#1").code, 0);
}

TEST_F(Cli, OutputFollowsLinksAndKeepsModes) {
  std::ofstream(path("target")) << "old\n";
  std::filesystem::permissions(path("target"),
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink(path("target"), path("link"));
  EXPECT_EQ(leman("gen complete 3 --out link").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(contents(path("target")), "Bw\n");
  EXPECT_EQ(std::filesystem::status(path("target")).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(Cli, FullDiskIsAnError) {
  Result r = leman("gen all 7 --out /dev/full");
  EXPECT_EQ(r.code, 5);
  EXPECT_EQ(r.err, "leman: /dev/full: cannot write: No space left on device\n");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));  // a device is not replaced by a file
  EXPECT_EQ(leman("gen all 4 --out /nowhere/x").code, 5);
}

TEST_F(Cli, Isomorphism) {
  EXPECT_EQ(leman("iso K3,3 C6").code, 1);
  EXPECT_EQ(leman("iso K3,3 C6").out, "not isomorphic: they have different numbers of edges\n");
  EXPECT_EQ(leman("iso C6 EhEG").code, 0);
  EXPECT_EQ(lines(leman("iso --map C6 EhEG").out).size(), 7u);
  EXPECT_EQ(leman("gen cfi --base K3 --out cfi.g6").code, 0);
  EXPECT_EQ(leman("iso cfi.g6#1 cfi.g6#2").out, "not isomorphic: their canonical forms differ\n");
  EXPECT_EQ(leman("iso cfi.g6#1 cfi.g6#1").code, 0);
  EXPECT_EQ(leman("iso cfi.g6 K4").err, "leman: cfi.g6: 2 graphs: choose one, e.g. cfi.g6#1\n");
  EXPECT_EQ(leman("iso cfi.g6#3 K4").err, "leman: cfi.g6: has only 2 graphs\n");
  EXPECT_EQ(leman("iso missing.txt K4").err, "leman: missing.txt: no such file, and not graph6\n");
  EXPECT_EQ(leman("iso . K4").err, "leman: .: is a directory\n");
  EXPECT_EQ(leman("iso K4 C~").code, 0);
  EXPECT_EQ(leman("gen cone --base C5 --out cone.g6").code, 0);
  EXPECT_EQ(leman("iso --map - Ehfw", "cat cone.g6 | ").code, 0);  // the example of --help
  auto json = nlohmann::json::parse(leman("iso --json K4 K4").out);
  EXPECT_EQ(json["isomorphic"], true);
  EXPECT_EQ(json["map"].size(), 4u);
}

TEST_F(Cli, EnginesOnGraphs) {
  Result same = leman("wl --engine 1wl C6 EwCW");
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(lines(same.out).back(), "verdict: C6 and EwCW not distinguished");
  Result different = leman("wl --engine 2fwl C6 EwCW");
  EXPECT_EQ(different.code, 1);
  EXPECT_EQ(lines(different.out).back(), "verdict: C6 and EwCW distinguished at round 1");
  EXPECT_EQ(leman("wl --engine 2fwl --max-rounds 0 C6 EwCW").out,
            "2-FWL: 0 rounds, 3 colours, stopped before stability\nverdict: C6 and EwCW not distinguished so far\n");
  auto json = nlohmann::json::parse(leman("wl --json --rounds --colours --engine 1wl P4 C4").out);
  EXPECT_EQ(json["distinguished"], true);
  EXPECT_EQ(json["pairs"][0]["round"], 1);
  EXPECT_EQ(json["history"].size(), 3u);
  EXPECT_EQ(json["graphs"][0]["coloring"].size(), 4u);
  EXPECT_EQ(json["history"][1]["histograms"][1].size(), 1u);
  Result cfi = leman("wl --engine 2fwl --certificate -", program() + " gen cfi --base K4 | ");
  EXPECT_EQ(cfi.code, 0);
  auto text = lines(cfi.out);
  EXPECT_EQ(text.back(), "verdict: -#1 and -#2 not distinguished");
  EXPECT_EQ(text[1].substr(text[1].find("fingerprint")), text[2].substr(text[2].find("fingerprint")));
  EXPECT_EQ(leman("wl --engine 3fwl --memory 1 -", program() + " gen path 3000 --to sparse6 | ").code, 4);
}

TEST_F(Cli, DrawsRounds) {
  Result r = leman("wl --engine 2fwl C6 EwCW --svg pics/deep --html page.html");
  EXPECT_EQ(r.code, 1);
  EXPECT_EQ(lines(r.out)[1], "verdict: C6 and EwCW distinguished at round 1");
  EXPECT_EQ(lines(r.out)[2], "drawn: pics/deep/all.svg, round-0.svg to round-2.svg beside it");
  EXPECT_EQ(lines(r.out)[3], "drawn: page.html");
  for (const char* name : {"pics/deep/all.svg", "pics/deep/round-0.svg", "pics/deep/round-2.svg"})
    EXPECT_EQ(contents(path(name)).substr(0, 5), "<svg ") << name;
  EXPECT_FALSE(std::filesystem::exists(path("pics/deep/round-3.svg")));
  EXPECT_NE(contents(path("page.html")).find("12 pairs of C6 with no walk C·C become E."), std::string::npos);
  // Beside JSON, and the run itself is the same.
  r = leman("wl --json P7 --html page.html");
  EXPECT_EQ(nlohmann::json::parse(r.out)["rounds"], 3);
  EXPECT_FALSE(nlohmann::json::parse(r.out).contains("history"));
  EXPECT_EQ(lines(leman("wl --rounds C6 --svg pics").out)[0], "round 0: 1 colours");
}

TEST_F(Cli, RefusesDrawings) {
  Result r = leman("wl --engine 3fwl C6 --svg pics");
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("only engines on nodes and pairs are drawn"), std::string::npos) << r.err;
  EXPECT_EQ(leman("wl --svg pics C3 C4 C5 C6 C7").code, 2);
  r = leman("wl --engine 2fwl P61 --html x.html");
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.err.find("P61 has 61 nodes, and at most 60 are drawn"), std::string::npos) << r.err;
  EXPECT_FALSE(std::filesystem::exists(path("pics")));  // nothing is made before all is checked
  EXPECT_EQ(leman("wl C6 --html -").code, 2);
  EXPECT_EQ(leman("wl C6 --svg \"\"").code, 2);
  write("file", "");
  EXPECT_EQ(leman("wl C6 --svg file").code, 5);
  EXPECT_EQ(leman("wl C6 --svg file/below").code, 5);
  EXPECT_EQ(leman("wl C6 --html none/page.html").code, 5);
  EXPECT_EQ(leman("wl C6 --html .").code, 5);
  EXPECT_EQ(leman("wl C6 --html /dev/full").code, 5);
}

TEST_F(Cli, EnginesOnPairs) {
  EXPECT_EQ(leman("brec --builtin --engine 1wl,2fwl --pairs 0-5,110-112,265 --csv one.csv --threads 1").code, 0);
  Result two = leman("brec --builtin --engine 1wl,2fwl --pairs 0-5,110-112,265 --csv two.csv --threads 2");
  EXPECT_NE(two.out.find("2-FWL       6 "), std::string::npos) << two.out;
  auto without_seconds = [](const std::string& csv) {
    std::string text;
    for (const auto& line : lines(csv)) {  // seconds stand before the name
      const std::size_t name = line.rfind(',');
      text += line.substr(0, line.rfind(',', name - 1)) + line.substr(name) + "\n";
    }
    return text;
  };
  EXPECT_EQ(without_seconds(contents(path("one.csv"))), without_seconds(contents(path("two.csv"))));
  EXPECT_EQ(lines(contents(path("one.csv"))).size(), 21u);
  EXPECT_EQ(lines(contents(path("one.csv")))[0],
            "id,family,category,n,engine,distinguished,round,rounds,colours,seconds,name");
  auto json = nlohmann::json::parse(leman("brec --builtin --engine 3fwl --pairs 110,356 --memory 1 --json -").out);
  EXPECT_EQ(json["rows"][0]["distinguished"], true);
  EXPECT_EQ(json["summary"]["3fwl"]["run"], 2);
  auto refused = nlohmann::json::parse(leman("brec --builtin --engine 4fwl --pairs 356 --memory 1 --json -").out);
  EXPECT_EQ(refused["summary"]["4fwl"]["refused"], 1);  // said, not counted as a miss
}

// A hexagon and two triangles: 1-WL must be wrong once.
TEST_F(Cli, DatasetBounds) {
  write("a.csv", "graph6,label\nEhEG,0\nEwCW,1\n");
  Result r = leman("dataset a.csv --store a.sqlite");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(lines(r.out)[3], "engine        t  classes  pairs alike  labels differ  right       %");
  EXPECT_EQ(lines(r.out)[4], "1-WL         0+        1            1              1      1   50.00");
  EXPECT_EQ(lines(r.out)[5], "2-FWL         0        1            1              1      1   50.00");
  EXPECT_EQ(lines(r.out)[6], "             1+        2            0              0      2  100.00");
  EXPECT_NE(r.out.find("1-WL: line 2, EhEG, label 0\n      line 3, EwCW, label 1\n"), std::string::npos);
  EXPECT_EQ(leman("report a.sqlite --out page").code, 0);
  EXPECT_NE(contents(path("page/index.html")).find("id=\"datasets\""), std::string::npos);
  r = leman("dataset a.csv --engine 1wl --json - --name mine");
  EXPECT_NE(r.out.find("\"name\": \"mine\""), std::string::npos);
  EXPECT_EQ(r.out.find("engine        t"), std::string::npos);
  r = leman("dataset - --engine 1wl --csv -", "cat a.csv | ");
  EXPECT_EQ(lines(r.out).size(), 3u);
  EXPECT_EQ(lines(r.out)[1], "<stdin>,1wl,0,true,1,1,1,label,classification,2,1,1,,,,");
  r = leman("dataset a.csv --task regression --csv -");
  EXPECT_EQ(lines(r.out)[1], "a,1wl,0,true,1,1,1,label,regression,2,1,,1,0.5,0.5,0.5");
}

TEST_F(Cli, DatasetErrors) {
  EXPECT_EQ(leman("dataset").code, 2);
  write("a.jsonl", "{\"graph6\":\"EhEG\",\"label\":1}\n{\"graph6\":\"EhEG\"}\n");
  Result r = leman("dataset a.jsonl");
  EXPECT_EQ(r.code, 3);
  EXPECT_EQ(r.err, "leman: a.jsonl:2: has no label\n");
  EXPECT_EQ(leman("dataset none").code, 3);
  EXPECT_EQ(leman("dataset a.jsonl --engine 9wl").code, 2);
  EXPECT_EQ(leman("dataset a.jsonl --task both").code, 2);
  EXPECT_EQ(leman("dataset a.jsonl --directed --undirected").code, 2);
  write("text.csv", "graph6,label\nEhEG,a\n");
  EXPECT_EQ(leman("dataset text.csv --task regression").code, 3);
  std::string edges;
  for (int v = 0; v < 400; ++v)
    edges += (v ? ",[" : "[") + std::to_string(v) + "," + std::to_string((v + 1) % 400) + "]";
  const std::string cycle = "{\"n\":400,\"edges\":[" + edges + "],\"label\":1}\n";
  write("big.jsonl", cycle + cycle);
  r = leman("dataset big.jsonl --engine 1wl,3fwl --memory 1");
  EXPECT_EQ(r.code, 4);
  EXPECT_NE(r.out.find("3-FWL            refused"), std::string::npos) << r.out;
  EXPECT_NE(r.err.find("3-FWL on 2 graphs of order 400 jointly needs about"), std::string::npos);
}

TEST_F(Cli, CompletionIsValidShell) {
  EXPECT_EQ(leman("completion bash > c.sh && bash -n c.sh").code, 0);
  std::string ask =
      "completion bash > c.sh && source c.sh && COMP_WORDS=(leman pairs --sh) COMP_CWORD=2 && _leman && echo "
      "${COMPREPLY[0]}";
  EXPECT_EQ(leman(ask).out, "--show\n");
  EXPECT_NE(leman("completion fish").out.find("complete -c leman"), std::string::npos);
}

// A .npy array of float32 inside a stored (not compressed) .npz.
std::vector<float> npz_floats(const std::string& npz, const std::string& name) {
  const std::size_t at = npz.find(name + ".npy\x93NUMPY");
  if (at == npz.npos) return {};
  const std::size_t start = at + name.size() + 4;
  auto byte = [&](std::size_t k) { return static_cast<unsigned char>(npz[k]); };
  const std::size_t header = byte(start + 8) + 256u * byte(start + 9), data = start + 10 + header;
  EXPECT_EQ((10 + header) % 64, 0u);
  const std::uint32_t size = byte(at - 12) | byte(at - 11) << 8 | byte(at - 10) << 16 | byte(at - 9) << 24;
  std::vector<float> values((size - 10 - header) / 4);
  std::memcpy(values.data(), npz.data() + data, values.size() * 4);
  return values;
}

TEST_F(Cli, EdgeTransformerForward) {
  Result npz = leman("et forward C6 --config brec --seed 4 --save-weights w.pt --out a.npz");
  ASSERT_EQ(npz.code, 0) << npz.err;
  EXPECT_NE(npz.out.find("seed 4"), std::string::npos);
  Result json = leman("et forward C6 --weights w.pt --kernel reference --layers --out a.json");
  ASSERT_EQ(json.code, 0) << json.err;
  const auto about = nlohmann::json::parse(contents(path("a.json")));
  EXPECT_EQ(about["seed"], 4);
  EXPECT_EQ(about["kernel"], "reference");
  EXPECT_EQ(about["config"]["layer"], "brec");
  EXPECT_EQ(about["arrays"]["layer5"]["shape"], (std::vector<int>{6, 6, 32}));
  for (const char* name : {"pairs", "nodes", "graph", "edge_embeddings"}) {
    const auto found = npz_floats(contents(path("a.npz")), name);
    const std::vector<float> expected = about["arrays"][name]["data"];
    ASSERT_EQ(found.size(), expected.size()) << name;
    ASSERT_FALSE(found.empty());
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-4) << name << k;
  }
}

// One relabelling of a path: the quotient gives the same bits, graph embedding and all.
TEST_F(Cli, EdgeTransformerQuotientForward) {
  std::ofstream(path("a.txt")) << "0 1\n1 2\n2 3\n3 4\n";
  std::ofstream(path("b.txt")) << "3 1\n1 4\n4 0\n0 2\n";
  std::vector<nlohmann::json> graphs;
  for (const char* name : {"a.txt", "b.txt"}) {
    Result run = leman(std::string("et forward --quotient --dtype float64 --format edgelist ") + name);
    ASSERT_EQ(run.code, 0) << run.err;
    graphs.push_back(nlohmann::json::parse(run.out)["arrays"]["graph"]["data"]);
  }
  EXPECT_EQ(graphs[0], graphs[1]);
}

TEST_F(Cli, EdgeTransformerInfo) {
  Result info = leman("et info --config brec --json");
  ASSERT_EQ(info.code, 0) << info.err;
  const auto json = nlohmann::json::parse(info.out);
  EXPECT_EQ(json["kernels"].back(), "reference");
  EXPECT_EQ(json["parameters"], 19296);  // counted by hand in docs/edge-transformer.md
  EXPECT_LT(json["orders"][3]["forward_bytes"], 200 << 20);
  EXPECT_EQ(leman("et info --n 50").code, 0);
  // Any core type that every x86-64 can run; only Debian's BLAS has them.
  if (json.contains("blas")) {
    const std::string forced = leman("et info", "OPENBLAS_CORETYPE=Prescott ").out;
    EXPECT_NE(forced.find("core type Prescott (by $OPENBLAS_CORETYPE)"), std::string::npos) << forced;
  }
}

TEST_F(Cli, EdgeTransformerErrors) {
  std::ofstream(path("bad.json")) << "{\n\"layers\": 5,\n!\n}";
  std::ofstream(path("odd.json")) << "{\"heads\": 5}";
  std::ofstream(path("w.pt")) << "no weights";
  std::ofstream big(path("big.txt"));
  for (int v = 1; v < 30000; ++v) big << v - 1 << " " << v << "\n";
  big.close();
  struct {
    const char* words;
    int code;
    const char* message;
  } cases[] = {{"et forward", 2, "GRAPH is missing"},
               {"et backward C6", 2, "backward"},
               {"et forward C6 --out a.txt", 2, "--out"},
               {"et forward C6 --weights w.pt --seed 2", 2, "--seed"},
               {"et forward C6 --weights w.pt --config brec", 2, "--config"},
               {"et forward C6 --kernel abacus", 2, "there is no kernel \"abacus\""},
               {"et forward C6 --config bad.json", 3, "bad.json:3: not valid JSON"},
               {"et forward C6 --config odd.json", 3, "odd.json: \"heads\": 5 does not divide the width 32"},
               {"et forward C6 --config none", 3, "none: no such file"},
               {"et forward C6 --weights none.pt", 3, "none.pt: no such file"},
               {"et forward C6 --weights w.pt", 3, "w.pt: not a LibTorch archive"},
               {"et forward none.g6", 3, "none.g6"},
               {"et forward C6 --out /no/such/place/a.npz", 5, "/no/such/place/a.npz"},
               {"et forward C6 --out /dev/full", 2, "--out"},
               {"et forward C6 --out a.npz --save-weights /no/such/place/w.pt", 5, "/no/such/place/w.pt"},
               {"et forward C6 --n 5", 2, "--n"},
               {"et info --weights w.pt", 2, "et info"},
               {"et forward C6 --config .", 3, ".: is a directory"},
               {"et forward --format edgelist big.txt --out a.npz", 4, "GB may be used"}};
  for (const auto& c : cases) {
    Result result = leman(c.words);
    EXPECT_EQ(result.code, c.code) << c.words << ": " << result.err;
    EXPECT_EQ(lines(result.err).size(), 1u) << c.words << ": " << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << c.words << ": " << result.err;
  }
  EXPECT_EQ(leman("et forward C6", "LEMAN_KERNEL=none ").code, 2);
}

TEST_F(Cli, Prove) {
  Result holds = leman("prove C6 --rounds");
  EXPECT_EQ(holds.code, 0) << holds.err;
  EXPECT_NE(holds.out.find("round 0: 3 colours\n"), std::string::npos) << holds.out;
  EXPECT_NE(holds.out.find("holds    network\n"), std::string::npos) << holds.out;
  Result fails = leman("prove --as printed --all-graphs 3 --json");
  EXPECT_EQ(fails.code, 1);
  const auto json = nlohmann::json::parse(fails.out);
  EXPECT_EQ(json["failed"], 2);
  EXPECT_EQ(json["smallest_failure"]["check"], "injective");
  EXPECT_EQ(leman("prove --as onehot C6 " + std::string("EEh_")).code, 0);
  EXPECT_EQ(leman("prove --pairs 60,110").code, 0);
  for (const char* wrong : {"prove", "prove C6 --all-graphs 3", "prove C6 C5", "prove --as onehot C6 --numbers digits"})
    EXPECT_EQ(leman(wrong).code, 2) << wrong;
  EXPECT_EQ(leman("prove nothing.g6").code, 3);
}

TEST_F(Cli, Claims) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "what it runs is tested elsewhere, and takes a minute under a sanitizer";
#endif
  Result all = leman("claims --builtin --json");
  EXPECT_EQ(all.code, 0) << all.err;
  const auto json = nlohmann::json::parse(all.out);
  EXPECT_GE(json["claims"].size(), 15u);
  for (const auto& claim : json["claims"]) {
    EXPECT_TRUE(claim["as_expected"].get<bool>()) << claim["id"];
    EXPECT_FALSE(claim["evidence"].get<std::string>().empty());
  }
  EXPECT_NE(leman("claims brec-3wl --builtin").out.find("brec-3wl: holds on the built-in pairs"), std::string::npos);
  EXPECT_NE(leman("claims non-overlap-lemma").out.find("0.3 + 0.2 = 0.4 + 0.1"), std::string::npos);
  EXPECT_EQ(leman("claims nonsense").code, 2);
}

TEST_F(Cli, BenchOfTheEdgeTransformer) {
  Result bench = leman("bench et --n 9");
  EXPECT_EQ(bench.code, 0) << bench.err;
  int cases = 0;
  for (const std::string& line : lines(bench.out))
    if (line[0] != '#') {
      ++cases;
      EXPECT_EQ(line.back(), 'x') << line;
      EXPECT_NE(line.find("n=9 "), std::string::npos) << line;
    }
  EXPECT_GE(cases, 2);
  EXPECT_EQ(leman("bench wl --n 9").code, 2);
}

TEST_F(Cli, AgreeIsTheSameForAnyThreadsAndResumes) {
  const std::string call = "agree --graphs 28 --n 5-7 --config paper --layers 2 --width 8 --seed 3 --json ";
  auto results = [&](const std::string& file) {
    auto json = contents(path(file));
    return json.substr(json.find("\"models\""), json.rfind("\"seconds\"") - json.find("\"models\""));
  };
  ASSERT_EQ(leman(call + "a.json --threads 1 --store s.sqlite").code, 0);
  ASSERT_EQ(leman(call + "b.json --threads 2").code, 0);
  EXPECT_EQ(results("a.json"), results("b.json"));
  EXPECT_NE(results("a.json").find("\"float64, 2 layers, width 8\""), std::string::npos);
  ASSERT_EQ(leman(call + "c.json --store s.sqlite").code, 0);
  EXPECT_EQ(results("a.json"), results("c.json"));
  const Result other = leman("brec show s.sqlite");
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("not of `leman brec`"), std::string::npos) << other.err;
  EXPECT_NE(leman("agree --graphs 29 --n 5-7 --layers 2 --width 8 --seed 3 --store s.sqlite").err.find("another study"),
            std::string::npos);
}

TEST_F(Cli, AgreeOnAllSmallGraphs) {
  const Result r = leman("agree --all 4 --dtype float64 --csv rows.csv");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_NE(r.out.find("11 of 11 graphs agree with 2-FWL after every layer"), std::string::npos) << r.out;
  EXPECT_EQ(lines(contents(path("rows.csv"))).size(), 1u + 4 * 7);
  EXPECT_EQ(leman("agree - --dtype float64 --train 3 --width 8", "printf \"Cr\\nC~\\n\" | ").code, 0);
  for (const char* config : {"brec", "sound"})
    // One number a token: after the first layer (i,j) and (j,i) are the same to the model.
    EXPECT_NE(leman(std::string("agree --all 3 --dtype float64 --config ") + config).out.find("transposed pairs"),
              std::string::npos);
  EXPECT_EQ(leman("agree --config zinc").code, 2);  // random walks see further than a layer
  EXPECT_EQ(leman("agree C4 --graphs 5").code, 2);
  EXPECT_EQ(leman("agree --weights w.pt --dtype float64").code, 2);
  EXPECT_EQ(leman("agree --families nothing").code, 2);
  EXPECT_EQ(leman("agree --width 9").code, 3);
  EXPECT_EQ(leman("agree --n 9-5").code, 2);
  EXPECT_EQ(leman("agree missing.g6").code, 3);
}

}  // namespace
