// `leman brec` with a model: protocols, run store, shards, models from elsewhere.
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/cli/cli_support.hpp"

namespace {

using leman::test::Cli;
using leman::test::Result;
using Json = nlohmann::json;

class BrecCli : public Cli {
 protected:
  Json json(const std::string& file) const { return Json::parse(contents(path(file))); }
  // Rows without what differs from run to run.
  Json rows(const std::string& file) const {
    Json result = json(file)["rows"];
    for (Json& row : result) row.erase("seconds"), row.erase("memory_bytes");
    return result;
  }
};

// BREC's published protocol; the rows must not depend on the number of threads.
TEST_F(BrecCli, PublishedProtocol) {
  const std::string words = "brec --model et --protocol published --builtin --pairs 60,61 --seed 3 ";
  Result one = leman(words + "--threads 1 --json one.json"), two = leman(words + "--threads 2 --json two.json");
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.out.find("ET, seed 3"), std::string::npos) << one.out;
  auto a = nlohmann::json::parse(contents(path("one.json"))), b = nlohmann::json::parse(contents(path("two.json")));
  for (auto* json : {&a, &b})
    for (auto& row : (*json)["rows"]) row.erase("seconds"), row.erase("memory_bytes");
  EXPECT_EQ(a["rows"], b["rows"]);
  EXPECT_EQ(a["summary"][0]["false_positives"], 0);
  const auto& rows = a["rows"];
  EXPECT_TRUE(rows[0]["distinguished"].get<bool>() && rows[0]["engines"]["2fwl"].get<bool>());
  // Batch norm makes two kinds of rows opposite: no loss, no gradient, one epoch.
  EXPECT_EQ(rows[0]["epochs"], 1);
  EXPECT_EQ(rows[0]["losses"], std::vector<double>{0});
  EXPECT_EQ(rows[0]["gradient_norms"], std::vector<double>{0});
  EXPECT_GT(rows[0]["test"]["t2"], 1e6);
  EXPECT_LT(rows[0]["reliability_test"]["t2"], 72.34);
  for (const char* wrong :
       {"brec --model et --engine 1wl", "brec --seed 3", "brec --model et --seed 9223372036854775807 --seeds 2",
        "brec --model gcn", "brec --model gin --protocol exact", "brec --store x", "brec --model et --torchscript x",
        "brec --model et --shard 3/2", "brec --model gin --config brec", "brec --model et --config brec", "brec merge",
        "brec show", "brec export", "brec --model et --protocol odd"})
    EXPECT_EQ(leman(wrong).code, 2) << wrong;
}

TEST_F(BrecCli, SeedsStartWhereSeedSays) {
  Result run = leman("brec --model et --protocol exact --builtin --pairs 60 --seed 7 --seeds 2 --json r.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json rows = json("r.json")["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["seed"], 7);
  EXPECT_EQ(rows[1]["seed"], 8);
}

TEST_F(BrecCli, SoundAndExact) {
  for (const std::string protocol : {"sound", "exact"}) {
    Result run =
        leman("brec --model et --protocol " + protocol + " --builtin --pairs 0,60,110 --seeds 2 --json r.json");
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out.find("5 % over 400 tests") != std::string::npos, protocol == "sound");
    EXPECT_NE(run.out.find("ET, 2 seeds"), std::string::npos);
    const Json result = json("r.json");
    EXPECT_EQ(result["settings"]["protocol"], protocol);
    EXPECT_TRUE(result["complete"].get<bool>());
    for (const Json& seed : result["summary"]) {
      EXPECT_EQ(seed["distinguished"], 2);
      EXPECT_EQ(seed["false_positives"], 0);
      EXPECT_EQ(seed["reliability_failures"], 0);
      EXPECT_EQ(seed["families"]["simple-regular"], 1);
      EXPECT_GT(seed["largest_gradient_norm"], 0);
    }
    for (const Json& row : result["rows"]) {
      EXPECT_EQ(row["distinguished"], row["engines"]["2fwl"]) << row["id"];
      EXPECT_EQ(row["test"]["by_equality"], protocol == "exact");
      EXPECT_EQ(row["losses"].size(), row["epochs"]);
    }
  }
}

// Killed at random moments and started again until it is done: the same rows
// as in one go. LEMAN_TEST_DEPTH is the number of kills times three.
TEST_F(BrecCli, KilledAndResumed) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "takes minutes under a sanitizer, and is about files";
#endif
  const std::string words = "brec --model et --protocol exact --builtin --pairs 60-79 --seeds 2 ";
  ASSERT_EQ(leman(words + "--json whole.json").code, 0);
  const char* depth = std::getenv("LEMAN_TEST_DEPTH");
  std::mt19937 random(1);
  int kills = 0;
  for (const int want = 3 * (depth ? std::atoi(depth) : 1); kills < want;) {
    const double seconds = 0.3 + 0.001 * static_cast<double>(random() % 1500);
    const int code = leman(words + "--store s.sqlite", "timeout -s KILL " + std::to_string(seconds) + " ").code;
    kills += code == 137;
    if (code == 0) std::filesystem::remove(path("s.sqlite"));  // it was done: once more from the start
  }
  const Result last = leman(words + "--store s.sqlite --json resumed.json");
  ASSERT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(rows("whole.json"), rows("resumed.json"));
}

// Ctrl-C once the first row is there, however slow the machine is; twice at once, as timeout(1) does.
TEST_F(BrecCli, InterruptedInOrder) {
  std::ofstream(path("interrupt.sh")) << R"sh("$@" &
    for _ in $(seq 400); do
      sleep 0.1
      [ "$("$1" brec show s.sqlite --csv - 2>/dev/null | wc -l)" -gt 1 ] && break
    done
    kill -INT $!; kill -INT $!
    wait $!)sh";
  Result run = leman("brec --model et --protocol exact --builtin --pairs 0-3 --seeds 1000 --store s.sqlite --csv r.csv",
                     "bash interrupt.sh ");
  EXPECT_EQ(run.code, 130);
  EXPECT_NE(run.err.find("the same command resumes from s.sqlite"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("incomplete: "), std::string::npos);
  EXPECT_GT(leman::test::lines(contents(path("r.csv"))).size(), 1u);
}

// What would overwrite a store or another result is refused before the start; what cannot
// be written does not take the table with it.
TEST_F(BrecCli, OutputsAreKeptApart) {
  const std::string words = "brec --model et --protocol exact --builtin --pairs 60 ";
  ASSERT_EQ(leman(words + "--store s.sqlite").code, 0);
  for (const std::string& wrong :
       {words + "--store s.sqlite --json s.sqlite", words + "--store s.sqlite --csv ./s.sqlite",
        words + "--json r --csv r", std::string("brec show s.sqlite --csv s.sqlite"),
        std::string("brec --engine 1wl --pairs 0 --json - --csv -")})
    EXPECT_EQ(leman(wrong).code, 2) << wrong;
  EXPECT_EQ(leman("brec show s.sqlite").code, 0);
  std::filesystem::create_directory(path("d"));
  EXPECT_EQ(leman(words + "--csv d").err, "leman: d: cannot be written: Is a directory\n");
  Result full = leman(words + "--store s.sqlite --json /dev/full");
  EXPECT_EQ(full.code, 5);
  EXPECT_NE(full.out.find("ET, seed 1"), std::string::npos) << full.out;
}

TEST_F(BrecCli, ShardsMakeTheWhole) {
  const std::string words = "brec --model et --protocol exact --builtin --pairs 60-69 --seeds 2 ";
  ASSERT_EQ(leman(words + "--store whole.sqlite --json whole.json").code, 0);
  for (const std::string part : {"1", "2", "3"})
    ASSERT_EQ(leman(words + "--shard " + part + "/3 --threads 1 --store part" + part + ".sqlite").code, 0);
  Result merge = leman("brec merge part1.sqlite part2.sqlite part3.sqlite --out all.sqlite");
  EXPECT_EQ(merge.out, "20 rows in all.sqlite\n") << merge.err;
  ASSERT_EQ(leman("brec show all.sqlite --json all.json").code, 0);
  EXPECT_EQ(rows("whole.json"), rows("all.json"));
  EXPECT_EQ(json("whole.json")["complete"], true);
  EXPECT_TRUE(json("all.json")["complete"].is_null()) << "a store does not know what was asked for";
  EXPECT_EQ(leman("brec show all.sqlite").out.find("published:"), std::string::npos) << "those are of other pairs";
  EXPECT_EQ(leman(words + "--rate 0.1 --store all.sqlite").code, 3);
  EXPECT_EQ(leman("brec show nothing.sqlite").err, "leman: nothing.sqlite: no such file\n");
}

void write_npy(const std::string& file, const std::vector<double>& values, std::size_t rows) {
  std::string header = "{\'descr\': \'<f8\', \'fortran_order\': False, \'shape\': (" + std::to_string(rows) + ", " +
                       std::to_string(values.size() / rows) + "), }";
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  std::ofstream out(file, std::ios::binary);
  out << "\x93NUMPY" << '\x01' << '\0' << static_cast<char>(header.size() & 0xff)
      << static_cast<char>(header.size() >> 8) << header;
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(8 * values.size()));
}

// An "embedding" that knows its graph: whether it is G's or H's by position.
TEST_F(BrecCli, EmbeddingsFromElsewhere) {
  ASSERT_EQ(leman("brec export --builtin --pairs 0,110 --seed 7 --out graphs").code, 0);
  EXPECT_EQ(leman::test::lines(contents(path("graphs/pair_110.g6"))).size(), 128u);
  EXPECT_EQ(leman("brec --embeddings graphs --builtin --threads 1").err,
            "leman: pair 110 seed 7: graphs/pair_110.npy: no such file\n"
            "leman: pair 0 seed 7: graphs/pair_000.npy: no such file\n");
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> apart, equal;
  for (int k = 0; k < 128; ++k)
    for (int c = 0; c < 20; ++c) {
      apart.push_back(normal(random) + (k < 64 && k % 2 ? 5 : 0));
      equal.push_back(normal(random));
    }
  write_npy(path("graphs/pair_000.npy"), apart, 128);
  write_npy(path("graphs/pair_110.npy"), equal, 128);
  Result run = leman("brec --embeddings graphs --builtin --json r.json");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json result = json("r.json");
  EXPECT_EQ(result["rows"][0]["seed"], 7);
  EXPECT_TRUE(result["rows"][0]["distinguished"].get<bool>());
  EXPECT_FALSE(result["rows"][1]["distinguished"].get<bool>());
  EXPECT_TRUE(result["summary"][0]["false_positives"].is_null());
  EXPECT_TRUE(result["rows"][0]["false_positive"].is_null());
  EXPECT_TRUE(result["summary"][0]["last_loss"].is_null()) << "nothing was trained";
  EXPECT_EQ(leman("brec export --builtin --pairs 0,110 --seed 7 --out graphs").code, 0) << "the same again";
  EXPECT_EQ(leman("brec export --builtin --pairs 0,110 --seed 8 --out graphs").err,
            "leman: graphs/pair_000.npy: belongs to another export; remove the arrays, or take another directory\n");
  apart[200] = NAN;
  write_npy(path("graphs/pair_000.npy"), apart, 128);
  // One bad file does not take the others with it.
  Result some = leman("brec --embeddings graphs --builtin --json s.json");
  EXPECT_EQ(some.code, 3);
  EXPECT_NE(some.out.find("incomplete: 1 rows are missing"), std::string::npos) << some.out;
  EXPECT_EQ(json("s.json")["rows"].size(), 1u);
  EXPECT_EQ(leman("brec --embeddings graphs --builtin --pairs 0").err,
            "leman: pair 0 seed 7: graphs/pair_000.npy: row 10 has a value that is not finite\n");
  // A store knows what is in the files, not only their names.
  write_npy(path("graphs/pair_000.npy"), equal, 128);
  ASSERT_EQ(leman("brec --embeddings graphs --builtin --store e.sqlite").code, 0);
  write_npy(path("graphs/pair_110.npy"), equal, 128);
  ASSERT_EQ(leman("brec --embeddings graphs --builtin --store e.sqlite").code, 0);
  equal[5] += 1;
  write_npy(path("graphs/pair_110.npy"), equal, 128);
  EXPECT_NE(leman("brec --embeddings graphs --builtin --store e.sqlite").err.find("another study"), std::string::npos);
  write_npy(path("graphs/pair_000.npy"), equal, 64);
  EXPECT_EQ(leman("brec --embeddings graphs --builtin --pairs 0").code, 3);
  EXPECT_EQ(leman("brec --embeddings nowhere --builtin").err, "leman: nowhere/manifest.json: no such file\n");
  EXPECT_EQ(leman("brec --torchscript nowhere.pt --builtin --pairs 0").err, "leman: nowhere.pt: no such file\n");
  std::ofstream(path("graphs/manifest.json")) << R"({"seed": -1, "pairs": "x", "graphs_per_pair": 128, "ids": [0]})";
  EXPECT_EQ(leman("brec --embeddings graphs --builtin").err,
            "leman: graphs/manifest.json: seed is not a number from 0 on\n");
  std::ofstream(path("graphs/manifest.json")) << R"({"seed": 1, "pairs": "x", "ids": [100000]})";
  EXPECT_EQ(leman("brec --embeddings graphs --builtin").code, 3);
}

// Pairs of the user's own: two that 2-FWL tells apart, one that it does not, and a control.
class OwnPairs : public BrecCli {
 protected:
  void SetUp() override {
    ASSERT_EQ(leman("pairs --builtin --graph6 --pairs 0,60,110").code, 0);
    const std::vector<std::string> g = leman::test::lines(contents(path("out")));
    std::ofstream(path("mine.csv")) << "id,family,category,first,second\n"
                                    << "lift,small,easy," << g[0] << "," << g[1] << "\n"
                                    << "rook,srg,hard," << g[4] << "," << g[5] << "\n"
                                    << "same,small,easy," << g[2] << "," << g[2] << "\n"
                                    << "cubic,small,easy," << g[2] << "," << g[3] << "\n";
  }
};

TEST_F(OwnPairs, CountInTheirOwnFamilies) {
  const Result list = leman("pairs --pairs mine.csv --csv -");
  EXPECT_NE(list.out.find("1,small,easy,10,20,no,,,yes,same,mine.csv line 4"), std::string::npos) << list.out;
  const Result engines = leman("brec --pairs mine.csv --engine 1wl,2fwl,3fwl --json r.json");
  ASSERT_EQ(engines.code, 0) << engines.err;
  EXPECT_NE(engines.out.find("2-FWL      2     0    2         0"), std::string::npos) << engines.out;
  EXPECT_NE(engines.out.find("3-FWL      2     1    3         0"), std::string::npos) << engines.out;
  EXPECT_EQ(json("r.json")["rows"][0]["name"], "lift");
  EXPECT_NE(leman("brec --pairs mine.csv --pairs 3 --engine 2fwl --csv -").out.find("\n3,srg,hard,16,2fwl,0,,0,3"),
            std::string::npos);
  EXPECT_EQ(leman("prove --pairs mine.csv --as onehot").code, 0);
  EXPECT_EQ(leman("agree --pairs mine.csv --dtype float64").code, 0);
}

TEST_F(OwnPairs, ModelsAreStoredShownAndReported) {
  const std::string words = "brec --pairs mine.csv --model et --protocol exact --store own.sqlite ";
  ASSERT_EQ(leman(words + "--pairs 0-1").code, 0);
  const Result whole = leman(words + "--json r.json");
  ASSERT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.err.find("2 of 4 rows are in the store already"), std::string::npos) << whole.err;
  const Json summary = json("r.json")["summary"][0];
  EXPECT_EQ(summary["distinguished"], 2);
  EXPECT_EQ(summary["false_positives"], 0);
  EXPECT_EQ(summary["controls"]["controls"], 0);
  const Result sound = leman("brec --pairs mine.csv --model et --pairs 0");
  EXPECT_NE(sound.out.find("each test at level 0.0125 (5 % over 4 tests)"), std::string::npos) << sound.out;
  std::filesystem::rename(path("mine.csv"), path("elsewhere.csv"));  // the store knows families and controls
  const Result shown = leman("brec show own.sqlite --wide");
  EXPECT_NE(shown.out.find("small  srg  easy  hard  all  controls"), std::string::npos) << shown.out;
  EXPECT_NE(leman("report own.sqlite --out a").err.find("not at hand"), std::string::npos);
  const Result report = leman("report own.sqlite --pairs elsewhere.csv --title \"my pairs\" --out b");
  ASSERT_EQ(report.code, 0) << report.err;
  const Json document = json("b/report.json");
  EXPECT_EQ(document["title"], "my pairs");
  EXPECT_EQ(document["controls"].dump(), "[1]");
  EXPECT_EQ(document["pairs"][1]["name"], "same");
  EXPECT_EQ(document["rows"][0]["counts"]["all"]["run"], 3);
  EXPECT_NE(
      leman("brec --model et --protocol exact --builtin --pairs 0 --store own.sqlite").err.find("has other pairs"),
      std::string::npos);
}

// A model that tells a control apart has a false positive, whatever its power.
TEST_F(OwnPairs, ControlsCatchFalsePositives) {
  const Result exported = leman("brec export --pairs mine.csv --out graphs");
  ASSERT_EQ(exported.code, 0) << exported.err;
  EXPECT_NE(exported.out.find("leman brec --embeddings graphs --pairs mine.csv"), std::string::npos) << exported.out;
  std::vector<double> alternate(128);  // says that first and second graph differ, whatever they are
  for (std::size_t k = 0; k < 64; k += 2) alternate[k] = 1;
  for (int pair = 0; pair < 4; ++pair)
    write_npy(path("graphs/pair_00" + std::to_string(pair) + ".npy"), alternate, 128);
  const Result run = leman("brec --embeddings graphs --pairs mine.csv --name claimant --json r.json --csv r.csv");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(json("r.json")["summary"][0]["false_positives"], 1);
  EXPECT_EQ(json("r.json")["summary"][0]["distinguished"], 3);
  EXPECT_NE(run.out.find("claimant, seed 1"), std::string::npos) << run.out;
  EXPECT_NE(contents(path("r.csv")).find(",claimant,same\n"), std::string::npos);
  EXPECT_NE(leman("brec --embeddings graphs --builtin").err.find("exported for other pairs"), std::string::npos);
}

TEST_F(OwnPairs, WhatModelsCannotTakeIsLeftOut) {
  std::ofstream(path("odd.g6")) << "EwCW\nDqK\n&BP_\n&BP_\nEwCW\nEhEG\n";
  const Result run = leman("brec --pairs odd.g6 --model et --protocol exact --json r.json");
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("2 of 3 pairs are for engines only, e.g. pair 0"), std::string::npos) << run.err;
  EXPECT_EQ(json("r.json")["rows"].size(), 1u);
  EXPECT_EQ(leman("brec --pairs odd.g6 --pairs 0-1 --model et").code, 3);
  for (const char* wrong : {"brec --pairs mine.csv --pairs 0-9", "brec --pairs mine.csv --builtin",
                            "pairs --pairs mine.csv --show 4", "brec --pairs 400 --builtin"})
    EXPECT_EQ(leman(wrong).code, 2) << wrong;
  EXPECT_EQ(leman("brec --pairs nowhere.csv").code, 3);
}

}  // namespace
