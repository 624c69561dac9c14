// The run store: rows survive, studies are kept apart, stores are merged.
#include "brec/store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

namespace leman::brec {
namespace {

class StoreTest : public testing::Test {
 protected:
  StoreTest() : directory_(testing::TempDir() + "leman_store." + std::to_string(getpid())) {
    std::filesystem::create_directories(directory_);
  }
  ~StoreTest() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  static Study study(double rate = 1e-4) {
    Settings settings = settings_for(Protocol::Sound, "et");
    settings.training.rate = rate;
    return {describe(settings), "some pairs", "digest", "the command"};
  }
  static StoredRun row(int pair, std::uint64_t seed, double t2 = 7.25) {
    StoredRun r;
    r.run.pair = pair, r.run.seed = seed;
    r.run.verdict.distinguished = r.run.verdict.reliable = true;
    r.run.verdict.pairs = {t2, 1e-300, 16, false};
    r.run.verdict.reliability = {1.5, 0.25, 15, true};
    r.run.verdict.separation = 1.0 / 3;
    r.run.epochs = 2, r.run.losses = {1, 0.1}, r.run.distances = {1e-300, 0.9}, r.run.gradients = {0, 1.0 / 7};
    r.run.couples = 32, r.run.seconds = 0.5;
    r.family = Family::Cfi, r.order = 40;
    r.commit = "abc", r.kernel = "portable", r.memory = 12345;
    return r;
  }
  static std::string message(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  }
  std::string directory_;
};

TEST_F(StoreTest, RowsComeBackToTheLastBit) {
  const StoredRun want = row(300, 9, std::numeric_limits<double>::infinity());
  {
    Store store(path("a"), study());
    store.add(want);
    store.add(row(300, 8));
    store.add(EngineRun{300, "2fwl", true, 4});
  }
  const Store store(path("a"));
  EXPECT_EQ(store.study().settings, study().settings);
  EXPECT_TRUE(store.has(300, 9));
  EXPECT_FALSE(store.has(299, 9));
  ASSERT_EQ(store.runs().size(), 2u);
  EXPECT_EQ(store.runs()[0].run.seed, 8u);
  const StoredRun got = store.runs()[1];
  EXPECT_EQ(got.run.verdict.pairs.t2, want.run.verdict.pairs.t2);
  EXPECT_EQ(got.run.verdict.pairs.p_value, 1e-300);
  EXPECT_EQ(got.run.verdict.pairs.rank, 16);
  EXPECT_TRUE(got.run.verdict.reliability.by_equality);
  EXPECT_EQ(got.run.verdict.separation, want.run.verdict.separation);
  EXPECT_EQ(got.run.losses, want.run.losses);
  EXPECT_EQ(got.run.distances, want.run.distances);
  EXPECT_EQ(got.run.gradients, want.run.gradients);
  EXPECT_EQ(got.family, Family::Cfi);
  EXPECT_EQ(got.memory, 12345u);
  ASSERT_EQ(store.engine_runs().size(), 1u);
  EXPECT_EQ(store.engine_runs()[0].round, 4);
}

TEST_F(StoreTest, TheFirstRowStays) {
  Store store(path("a"), study());
  store.add(row(1, 1, 5));
  store.add(row(1, 1, 6));
  ASSERT_EQ(store.runs().size(), 1u);
  EXPECT_EQ(store.runs()[0].run.verdict.pairs.t2, 5);
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
  EXPECT_EQ(message([&] { Store{directory_}; }), directory_ + ": is a directory");
  for (const char* damage :
       {"UPDATE study SET value = '[]' WHERE key = 'settings'", "UPDATE runs SET family = 'zzz'"}) {
    Store(path("damaged"), study()).add(row(1, 1));
    sqlite3_open(path("damaged").c_str(), &other);
    sqlite3_exec(other, damage, nullptr, nullptr, nullptr);
    sqlite3_close(other);
    EXPECT_NE(message([&] { Store{path("damaged")}.runs(); }).find(path("damaged") + ": "), std::string::npos)
        << damage;
    std::filesystem::remove(path("damaged"));
  }
  {
    Store store(path("a"), study());
    for (int k = 0; k < 400; ++k) store.add(row(k, 1));
  }
  std::filesystem::resize_file(path("a"), std::filesystem::file_size(path("a")) / 2);
  EXPECT_NE(message([&] { Store{path("a")}.runs(); }), "");
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
    } catch (const StoreWriteError&) {
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
  EXPECT_EQ(Store(path("a")).runs().size(), 33u);
}

TEST_F(StoreTest, ThreadsShareAStore) {
  Store store("", study());  // in memory
  std::vector<std::jthread> threads;
  for (int part = 0; part < 4; ++part)
    threads.emplace_back([&, part] {
      for (int k = 0; k < 50; ++k) store.add(row(4 * k + part, 1));
    });
  threads.clear();
  EXPECT_EQ(store.runs().size(), 200u);
}

TEST_F(StoreTest, Merge) {
  {
    Store a(path("a"), study()), b(path("b"), study());
    a.add(row(1, 1)), a.add(row(2, 1)), a.add(EngineRun{1, "2fwl", true, 1});
    b.add(row(2, 1)), b.add(row(3, 1));
  }
  merge_stores({path("a"), path("b")}, path("all"));
  EXPECT_EQ(Store(path("all")).runs().size(), 3u);
  EXPECT_EQ(Store(path("all")).engine_runs().size(), 1u);
  merge_stores({path("a"), path("b")}, path("all"));  // again: nothing changes
  EXPECT_EQ(Store(path("all")).runs().size(), 3u);
  {
    Store c(path("c"), study());
    c.add(row(3, 1, 99));
  }
  EXPECT_NE(message([&] {
              merge_stores({path("b"), path("c")}, path("new"));
            }).find("pair 3, seed 1"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("new")));
  // Every column counts, in either order; what is not a number equals itself.
  StoredRun other = row(2, 1);
  other.run.verdict.separation = 0.5;
  {
    Store e(path("e"), study()), f(path("f"), study()), g(path("g"), study());
    e.add(other), e.add(EngineRun{1, "2fwl", false, 0});
    other = row(9, 1);
    other.run.losses = {NAN}, other.run.verdict.pairs.t2 = INFINITY;
    f.add(other), g.add(EngineRun{1, "2fwl", false, 0});
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
}  // namespace leman::brec
