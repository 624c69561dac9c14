#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/cpu.hpp"
#include "base/csv.hpp"
#include "base/digest.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "base/memory.hpp"
#include "base/npy.hpp"
#include "base/numbers.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "base/zip.hpp"
#include "tests/temporary.hpp"

namespace leman {
namespace {

std::string message(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Parallel, EveryIndexOnce) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    std::vector<std::atomic<int>> seen(1000);
    parallel_for(seen.size(), threads, [&](std::size_t i) { ++seen[i]; });
    for (const auto& count : seen) ASSERT_EQ(count, 1);
  }
}

TEST(Parallel, FirstFailingIndexDecides) {
  for (int repeat = 0; repeat < 200; ++repeat)
    for (const unsigned threads : {2u, 4u}) {
      const std::string said = message([&] {
        parallel_for(50, threads, [](std::size_t i) {
          if (i >= 7) throw UsageError(std::to_string(i));
        });
      });
      ASSERT_EQ(said, "7");
    }
}

// No matter which thread is faster.
TEST(Parallel, ASlowFirstFailureStillDecides) {
  for (unsigned threads : {1u, 2u, 4u})
    for (int repeat = 0; repeat < 20; ++repeat) try {
        parallel_for(8, threads, [&](std::size_t k) {
          if (k == 1) std::this_thread::sleep_for(std::chrono::milliseconds(2));
          if (k > 0) throw UsageError(std::to_string(k));
        });
        ADD_FAILURE() << "nothing thrown";
      } catch (const UsageError& e) {
        EXPECT_STREQ(e.what(), "1") << threads << " threads";
      }
}

TEST(Parallel, LoopsNest) {
  std::atomic<int> count{0};
  parallel_for(8, 4, [&](std::size_t) {
    parallel_for(8, 4, [&](std::size_t) { parallel_for(4, 2, [&](std::size_t) { ++count; }); });
  });
  EXPECT_EQ(count, 256);
}

TEST(Parallel, ThreadsLive) {
  std::set<std::thread::id> ids;
  std::mutex guard;
  for (int repeat = 0; repeat < 50; ++repeat)
    parallel_for(4, 2, [&](std::size_t) {
      std::lock_guard lock(guard);
      ids.insert(std::this_thread::get_id());
    });
  EXPECT_LE(ids.size(), 1 + 4u) << "the caller and the helpers of the widest loop so far, again and again";
}

TEST(Parallel, ManyCallersAtOnce) {
  std::atomic<int> count{0};
  std::vector<std::thread> callers;
  for (int k = 0; k < 6; ++k)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 50; ++repeat) parallel_for(16, 3, [&](std::size_t) { ++count; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count, 6 * 50 * 16);
}

TEST(Random, IsFixedAndUniform) {
  Rng rng(1);
  EXPECT_EQ(rng.below(1000), Rng(1).below(1000));
  std::vector<int> count(5);
  for (int k = 0; k < 50000; ++k) ++count[rng.below(5)];
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
  auto image = rng.permutation(100);
  std::sort(image.begin(), image.end());
  for (std::uint32_t k = 0; k < 100; ++k) EXPECT_EQ(image[k], k);
}

TEST(Digest, KnownValues) {
  EXPECT_EQ(legacy_digest(""), "cbf29ce484222325");
  EXPECT_EQ(legacy_digest("a"), "af63dc4c8601ec8c");          // FNV-1a's published test vector
  EXPECT_EQ(digest(""), "99aa06d3014798d86001c324468d497f");  // XXH3-128 of nothing, seed 0
  EXPECT_EQ(digest("a").size(), 32u);
  EXPECT_NE(digest("a"), digest("b"));
}

TEST(Text, NumbersForPeople) {
  EXPECT_EQ(fixed(2.0 / 3, 2), "0.67");
  EXPECT_EQ(brief(1234567, 3), "1.23e+06");
  EXPECT_EQ(scientific(0.00012, 1), "1.2e-04");
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(gigabytes(std::uint64_t{3} << 29), "1.5 GB");
  EXPECT_EQ(duration(7200), "2.0 h");
  EXPECT_EQ(hexadecimal(255), "00000000000000ff");
}

TEST(Text, DidYouMean) {
  EXPECT_EQ(closest("2fvl", {"1wl", "2fwl", "3fwl"}), "2fwl");
  EXPECT_EQ(closest("banana", {"1wl", "2fwl"}), "");
  EXPECT_EQ(did_you_mean("repot", {"report", "brec"}), " (did you mean \"report\"?)");
}

TEST(Text, QuotedForAShell) {
  EXPECT_EQ(shell_quoted("a-b_c./=@"), "a-b_c./=@");
  EXPECT_EQ(shell_quoted("two words"), "'two words'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(Numbers, InRangeOrAnError) {
  EXPECT_EQ(parse_number<int>("7", 0, 9), 7);
  for (const char* bad : {"", "x", "7x", " 7", "10", "-1"})
    EXPECT_THROW(parse_number<int>(bad, 0, 9), UsageError) << bad;
  EXPECT_THROW(parse_number<double>("nan", 0, 1), UsageError);
  EXPECT_EQ(number_list("3,0-1", 4), (std::vector<std::uint32_t>{0, 1, 3}));
  for (const char* bad : {"", ",", "1,", "4", "2-1", "a", "1-"}) EXPECT_THROW(number_list(bad, 4), UsageError) << bad;
}

TEST(Csv, RoundTrip) {
  const std::vector<CsvRow> rows{{"a", "b,c", "d\"e", "f\ng"}, {"", "x", "y\r", "z"}};
  const auto back = parse_csv(to_csv(rows), "file");
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].cells, rows[0]);
  EXPECT_EQ(back[1].cells, rows[1]);
  EXPECT_EQ(back[1].line, 3u);
  EXPECT_EQ(message([] { parse_csv("a\n\"b", "t.csv"); }), "t.csv:2: a quoted cell is not closed");
  EXPECT_TRUE(parse_csv("\n\n", "t").empty());
  EXPECT_EQ(parse_csv(to_csv({{""}}), "t").size(), 1u) << "one empty cell is a row";
}

TEST(Json, DamageIsNamed) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_json(text, "f");
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(message("{\"a\": [1, null]}"), "");
  EXPECT_EQ(message("{\n\"a\"\n: ,}"), "f:3: not valid JSON");
  EXPECT_EQ(message("[1e400]"), "f: has a number that is out of range");
  EXPECT_EQ(message(nested(100)), "");
  EXPECT_EQ(message(nested(1'000'000)), "f: is nested too deeply");
  EXPECT_TRUE(json_or_discarded("[1").is_discarded());
  EXPECT_EQ(json_or_discarded("[1]").size(), 1u);
}

TEST(Tables, AlignByCharactersNotBytes) {
  Table table({"name", ">n"});
  table.row({"±x", "5"});
  table.row({"plain", "10"});
  EXPECT_EQ(table.text(), "name    n\n±x      5\nplain  10\n");
  EXPECT_EQ(table.csv(), "name,n\n±x,5\nplain,10\n");
  EXPECT_EQ(table.width(), 9u);
}

Array sample_array() {
  const double values[] = {1.5, -2, 1e300, 0, 0.1, -0.0};
  return {"x", "<f8", {2, 3}, {reinterpret_cast<const char*>(values), sizeof values}};
}

TEST(Npy, RoundTrip) {
  const Array array = sample_array(), back = from_npy(to_npy(array), "f.npy");
  EXPECT_EQ(back.type, array.type);
  EXPECT_EQ(back.shape, array.shape);
  EXPECT_EQ(back.bytes, array.bytes);
}

TEST(Npy, DamageIsNamed) {
  const std::string good = to_npy(sample_array());
  EXPECT_EQ(message([] { from_npy("nothing", "f"); }), "f: not a .npy file");
  EXPECT_EQ(message([&] { from_npy(good.substr(0, 40), "f"); }), "f: ends within its header");
  EXPECT_EQ(message([&] { from_npy(good.substr(0, good.size() - 1), "f"); }),
            "f: has 47 bytes of data, which does not fit its shape");
  std::string version = good;
  version[6] = 9;
  EXPECT_EQ(message([&] { from_npy(version, "f"); }), "f: a .npy file of version 9; 1 to 3 can be read");
  std::string shape = good;
  shape.replace(shape.find("(2,3"), 4, "(9,9");
  EXPECT_NE(message([&] { from_npy(shape, "f"); }).find("does not fit its shape"), std::string::npos);
  std::string order = good;
  order.replace(order.find("False"), 5, "True ");
  EXPECT_NE(message([&] { from_npy(order, "f"); }).find("Fortran order"), std::string::npos);
}

TEST(Zip, SameBytesAndBack) {
  const std::vector<ZipEntry> entries{{"a.txt", "hello"}, {"b/c", std::string(100000, 'x')}, {"empty", ""}};
  const std::string zip = to_zip(entries);
  EXPECT_EQ(zip, to_zip(entries)) << "no time of day in it";
  const auto back = from_zip(zip, "z", 1 << 20);
  ASSERT_EQ(back.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(back[k].name, entries[k].name);
    EXPECT_EQ(back[k].bytes, entries[k].bytes);
  }
  EXPECT_THROW(from_zip(zip, "z", 1000), InputError) << "more than the limit";
  EXPECT_THROW(from_zip("PK", "z", 1000), InputError);
  std::string flipped = zip;
  flipped[zip.find("hello") + 1] = 'X';
  EXPECT_THROW(from_zip(flipped, "z", 1 << 20), InputError) << "the checksum must not fit";
}

TEST(Memory, RefusedWithTheEstimate) {
  EXPECT_EQ(message([] { demand_memory(std::uint64_t{3} << 30, std::uint64_t{1} << 30, "this"); }),
            "this needs about 3.0 GB, 1.0 GB may be used");
  EXPECT_NO_THROW(demand_memory(1000, 2000, "this"));
  EXPECT_THROW(demand_memory(UINT64_MAX, 0, "this"), MemoryError);
  EXPECT_GT(peak_memory(), 1000u);
}

TEST(Cpu, PortableIsAlwaysThere) {
  EXPECT_TRUE(has(Isa::Portable));
  EXPECT_LE(has(Isa::Avx512), has(Isa::Avx2));
}

class Files : public test::WithFiles {};

TEST_F(Files, AppearWholeOrNotAtAll) {
  {
    OutputFile file(path("a"));
    file.write("half");
  }
  EXPECT_FALSE(std::filesystem::exists(path("a")));
  write_file(path("a"), "whole");
  EXPECT_EQ(read_file(path("a")), "whole");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_.path()), {}), 1) << "nothing else is left";
}

TEST_F(Files, ErrorsSayWhy) {
  EXPECT_EQ(message([&] { read_file(path("none")); }), path("none") + ": no such file");
  EXPECT_EQ(message([&] { read_file(directory_.path().string()); }), directory_.path().string() + ": is a directory");
  EXPECT_EQ(message([&] { write_file(path("none/x"), ""); }),
            path("none/x") + ": cannot create: No such file or directory");
  EXPECT_EQ(message([&] { write_file("/dev/full", std::string(1 << 20, 'x')); }).find("/dev/full: cannot write"), 0u);
}

}  // namespace
}  // namespace leman
