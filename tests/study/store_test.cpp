// The run store: rows survive, studies are kept apart, stores are merged.
#include "study/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/study/rows.hpp"
#include "tests/temporary.hpp"

namespace leman::study {
namespace {

using test::model_row;

class StoreTest : public test::WithFiles {
 protected:
  static Study study(double rate = 1e-4) {
    brec::Settings settings = brec::settings_for(brec::Protocol::Sound, brec::ModelKind::Et);
    settings.training.rate = rate;
    return {brec::describe(settings), "some pairs", "digest", "old digest", "the command", ""};
  }
  static ModelRow row(int pair, std::uint64_t seed, double t2 = 7.25) { return model_row(pair, seed, t2); }
  static std::string message(const std::function<void()>& work) {
    try {
      work();
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
};

TEST_F(StoreTest, RowsComeBackToTheLastBit) {
  const ModelRow want = row(300, 9, std::numeric_limits<double>::infinity());
  {
    Store store(path("a"), study());
    store.add(want);
    store.add(row(300, 8));
    store.add(EngineRow{300, "2fwl", true, 4});
  }
  const Store store(path("a"));
  EXPECT_EQ(store.study().settings, study().settings);
  EXPECT_TRUE(store.has(300, 9));
  EXPECT_FALSE(store.has(299, 9));
  ASSERT_EQ(store.model_rows().size(), 2u);
  EXPECT_EQ(store.model_rows()[0].run.seed, 8u);
  const ModelRow got = store.model_rows()[1];
  EXPECT_EQ(got.run.verdict.pairs.t2, want.run.verdict.pairs.t2);
  EXPECT_EQ(got.run.verdict.pairs.p_value, 1e-300);
  EXPECT_EQ(got.run.verdict.pairs.rank, 16);
  EXPECT_TRUE(got.run.verdict.reliability.by_equality);
  EXPECT_EQ(got.run.verdict.separation, want.run.verdict.separation);
  EXPECT_EQ(got.run.losses, want.run.losses);
  EXPECT_EQ(got.run.distances, want.run.distances);
  EXPECT_EQ(got.run.gradients, want.run.gradients);
  EXPECT_EQ(got.family, want.family);
  EXPECT_EQ(got.memory, 12345u);
  ASSERT_EQ(store.engine_rows().size(), 1u);
  EXPECT_EQ(store.engine_rows()[0].round, 4);
}

TEST_F(StoreTest, TheFirstRowStays) {
  Store store(path("a"), study());
  store.add(row(1, 1, 5));
  store.add(row(1, 1, 6));
  ASSERT_EQ(store.model_rows().size(), 1u);
  EXPECT_EQ(store.model_rows()[0].run.verdict.pairs.t2, 5);
}

TEST_F(StoreTest, StudiesAreKeptApart) {
  { Store store(path("a"), study(1e-4)); }
  EXPECT_NE(message([&] { Store(path("a"), study(1e-3)); }).find("training/rate 0.0001, not 0.001"), std::string::npos);
  Study other = study();
  other.pairs = "another digest";
  EXPECT_NE(message([&] { Store(path("a"), other); }).find("other pairs"), std::string::npos);
}

TEST_F(StoreTest, BadFilesAreNamed) {
  EXPECT_EQ(message([&] { Store{path("none")}; }), path("none") + ": no such file");
  std::ofstream(path("text")) << std::string(5000, 'x');
  EXPECT_NE(message([&] { Store{path("text")}; }).find(path("text") + ": "), std::string::npos);
  EXPECT_NE(message([&] { Store(path("text"), study()); }).find(path("text") + ": "), std::string::npos);
  std::ofstream(path("empty"));
  sqlite3* other = nullptr;
  sqlite3_open(path("other").c_str(), &other);
  sqlite3_exec(other, "CREATE TABLE runs(a)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_NE(message([&] { Store(path("other"), study()); }).find("a database of something else"), std::string::npos);
  EXPECT_NE(message([&] { Store{path("empty")}; }).find("not a run store"), std::string::npos);
  EXPECT_NE(
      message([&] { Store(path("no/such/directory"), study()); }).find("cannot be opened: No such file or directory"),
      std::string::npos);
  EXPECT_EQ(message([&] { Store{directory_.path().string()}; }), directory_.path().string() + ": is a directory");
  const std::string deep = "UPDATE study SET value = '{\"a\":" + std::string(200'000, '[') + std::string(200'000, ']') +
                           "}' WHERE key = 'settings'";
  for (const char* damage :
       {"UPDATE study SET value = '[]' WHERE key = 'settings'", deep.c_str(), "UPDATE runs SET family = 'zzz'",
        "UPDATE runs SET family = CAST(x'ff' AS TEXT)", "UPDATE runs SET losses = '[1e400]'",
        "ALTER TABLE runs RENAME TO old; CREATE VIEW runs AS WITH RECURSIVE endless(pair) AS"
        "(VALUES(1) UNION ALL SELECT pair + 1 FROM endless) SELECT * FROM endless"}) {
    Store(path("damaged"), study()).add(row(1, 1));
    sqlite3_open(path("damaged").c_str(), &other);
    sqlite3_exec(other, damage, nullptr, nullptr, nullptr);
    sqlite3_close(other);
    EXPECT_NE(message([&] { Store{path("damaged")}.model_rows(); }).find(path("damaged") + ": "), std::string::npos)
        << damage;
    std::filesystem::remove(path("damaged"));
  }
  {
    Store store(path("a"), study());
    for (int k = 0; k < 400; ++k) store.add(row(k, 1));
  }
  std::filesystem::resize_file(path("a"), std::filesystem::file_size(path("a")) / 2);
  EXPECT_NE(message([&] { Store{path("a")}.model_rows(); }), "");
}

// A limit on the size of files stands in for a full disk: what was written
// before stays.
TEST_F(StoreTest, FullDisk) {
  {
    Store store(path("a"), study());
    store.add(row(0, 1));
  }
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlim_t size = std::filesystem::file_size(path("a"));
    const rlimit limit{size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Store store(path("a"), study());
      for (int k = 1; k < 400; ++k) store.add(row(k, 1));
    } catch (const OutputError&) {
      _exit(7);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(Store(path("a")).has(0, 1));
}

TEST_F(StoreTest, SeveralProcessesWriteToOneStore) {
  std::vector<pid_t> children;
  for (int part = 0; part < 4; ++part) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        Store store(path("a"), study());  // they race for the set-up, too
        for (int k = 0; k < 40; ++k) store.add(row(k % 30 + part, 1));
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Store(path("a")).model_rows().size(), 33u);
}

TEST_F(StoreTest, ThreadsShareAStore) {
  Store store("", study());  // in memory
  std::vector<std::jthread> threads;
  for (int part = 0; part < 4; ++part)
    threads.emplace_back([&, part] {
      for (int k = 0; k < 50; ++k) store.add(row(4 * k + part, 1));
    });
  threads.clear();
  EXPECT_EQ(store.model_rows().size(), 200u);
}

TEST_F(StoreTest, NamesAreKeptAndChanged) {
  Study named = study();
  named.name = "my model";
  { Store store(path("a"), named); }
  EXPECT_EQ(Store(path("a")).study().name, "my model");
  { Store store(path("a"), study()); }
  EXPECT_EQ(Store(path("a")).study().name, "my model") << "no name is no wish";
  named.name = "another";
  { Store store(path("a"), named); }
  EXPECT_EQ(Store(path("a")).study().name, "another");
}

// A store of format 1 has another digest of the pairs and no name; it is read, resumed and merged.
TEST_F(StoreTest, FormatOneIsStillRead) {
  { Store(path("old"), study()).add(row(1, 1)); }
  sqlite3* db = nullptr;
  sqlite3_open(path("old").c_str(), &db);
  for (const char* sql : {"UPDATE study SET value = '1' WHERE key = 'format'",
                          "UPDATE study SET value = 'old digest' WHERE key = 'pairs'",
                          "DELETE FROM study WHERE key IN ('pairs_format_1', 'name')"})
    ASSERT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
  EXPECT_EQ(Store(path("old")).model_rows().size(), 1u);
  { Store(path("old"), study()).add(row(2, 1)); }
  Study other = study();
  other.legacy_pairs = "other pairs";
  EXPECT_NE(message([&] { Store(path("old"), other); }).find("other pairs"), std::string::npos);
  { Store(path("new"), study()).add(row(3, 1)); }
  for (const auto& parts : {std::vector{path("old"), path("new")}, {path("new"), path("old")}}) {
    merge_stores(parts, path("all"));
    EXPECT_EQ(Store(path("all")).model_rows().size(), 3u);
    EXPECT_EQ(Store(path("all")).study().pairs, "digest");
    std::filesystem::remove(path("all"));
  }
}

TEST_F(StoreTest, Merge) {
  {
    Store a(path("a"), study()), b(path("b"), study());
    a.add(row(1, 1)), a.add(row(2, 1)), a.add(EngineRow{1, "2fwl", true, 1});
    b.add(row(2, 1)), b.add(row(3, 1));
  }
  merge_stores({path("a"), path("b")}, path("all"));
  EXPECT_EQ(Store(path("all")).model_rows().size(), 3u);
  EXPECT_EQ(Store(path("all")).engine_rows().size(), 1u);
  merge_stores({path("a"), path("b")}, path("all"));  // again: nothing changes
  EXPECT_EQ(Store(path("all")).model_rows().size(), 3u);
  {
    Store c(path("c"), study());
    c.add(row(3, 1, 99));
  }
  EXPECT_NE(message([&] {
              merge_stores({path("b"), path("c")}, path("new"));
            }).find("pair 3, seed 1"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("new")));
  // Every column counts, in either order; NaN equals itself.
  ModelRow other = row(2, 1);
  other.run.verdict.separation = 0.5;
  {
    Store e(path("e"), study()), f(path("f"), study()), g(path("g"), study());
    e.add(other), e.add(EngineRow{1, "2fwl", false, 0});
    other = row(9, 1);
    other.run.losses = {NAN}, other.run.verdict.pairs.t2 = INFINITY, other.kernel = "\xff";
    f.add(other), g.add(EngineRow{1, "2fwl", false, 0});
  }
  for (const auto& parts : {std::vector{path("a"), path("e")}, {path("e"), path("a")}})
    EXPECT_NE(message([&] { merge_stores(parts, path("new")); }).find("pair 2, seed 1"), std::string::npos);
  EXPECT_NE(message([&] {
              merge_stores({path("a"), path("g")}, path("new"));
            }).find("pair 1, 2fwl"),
            std::string::npos);
  EXPECT_EQ(message([&] { merge_stores({path("f"), path("f")}, path("h")); }), "");
  EXPECT_EQ(message([&] { merge_stores({path("f")}, path("h")); }), "");
  { Store d(path("d"), study(0.5)); }
  EXPECT_NE(message([&] {
              merge_stores({path("a"), path("d")}, path("new"));
            }).find("another study"),
            std::string::npos);
}

}  // namespace
}  // namespace leman::study
