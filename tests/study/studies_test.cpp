// Studies as library functions: what until now only the program showed.
#include <gtest/gtest.h>

#include "brec/suites.hpp"
#include "study/engine_sweep.hpp"
#include "study/json.hpp"
#include "study/model_study.hpp"
#include "study/model_summary.hpp"
#include "study/records.hpp"
#include "tests/study/rows.hpp"
#include "tests/temporary.hpp"

namespace leman::study {
namespace {

const brec::PairSet& builtin() {
  static const brec::PairSet set = brec::load_suite({"", "", true});
  return set;
}

using test::agreement_record;

std::vector<const brec::Pair*> pairs(std::initializer_list<int> ids) {
  std::vector<const brec::Pair*> list;
  for (int id : ids) list.push_back(&builtin().pairs[static_cast<std::size_t>(id)]);
  return list;
}

// Counts what it is told, and stops a study after some items.
class Counter : public Observer {
 public:
  void start(const std::string&, std::uint64_t total, std::uint64_t, std::uint64_t) override { total_ = total; }
  void begin(const std::string&) override {}
  void done(std::uint64_t items, const std::string&, std::uint64_t) override {
    done_ += items;
    if (done_ >= limit) stop = true;
  }
  void finish() override { ++finished; }
  void note(const std::string&) override {}
  std::uint64_t limit = UINT64_MAX;
  std::atomic<std::uint64_t> total_{0}, done_{0};
  int finished = 0;
  std::atomic<bool> stop{false};
};

TEST(Sweep, TheSameForAnyThreads) {
  const auto items = sweep_items(pairs({0, 60, 110, 160, 260}), wl::standard_engines());
  Counter one, two;
  const auto a = sweep(items, 1, 0, {one, one.stop}), b = sweep(items, 3, 0, {two, two.stop});
  ASSERT_EQ(a.size(), items.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_TRUE(a[k].run);
    EXPECT_EQ(a[k].verdict.distinguished, b[k].verdict.distinguished);
    EXPECT_EQ(a[k].verdict.round, b[k].verdict.round);
  }
  EXPECT_TRUE(contradictions(a).empty());
  EXPECT_EQ(one.done_, items.size());
  EXPECT_EQ(one.finished, 1);
}

TEST(Sweep, WhatIsRefusedIsNotRun) {
  Counter counter;
  const auto rows = sweep(sweep_items(pairs({345}), {&wl::folklore(3)}), 1, 1 << 20, {counter, counter.stop});
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].run);
  EXPECT_NE(rows[0].refused.find("3-FWL needs about"), std::string::npos);
}

TEST(Sweep, StopsWhenTold) {
  Counter counter;
  counter.limit = 3;
  const auto rows =
      sweep(sweep_items(pairs({0, 1, 2, 3, 4, 5, 6, 7}), {&wl::color_refinement()}), 1, 0, {counter, counter.stop});
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), [](const SweepRow& row) { return row.run; }), 3);
}

TEST(Sweep, AWrongVerdictIsNoticed) {
  Counter counter;
  auto rows = sweep(sweep_items(pairs({110}), {&wl::folklore(2)}), 1, 0, {counter, counter.stop});
  rows[0].verdict.distinguished = true;  // equal parameters: 2-FWL cannot
  EXPECT_EQ(contradictions(rows).size(), 1u);
}

Store store_with_rows(const std::string& name) {
  ModelStudy study;
  study.settings = brec::settings_for(brec::Protocol::Sound, brec::ModelKind::Et);
  Store store("", describe(study, builtin(), "the command", name));
  for (const std::uint64_t seed : {1u, 2u}) {
    store.add(test::model_row(270, seed));
    store.add(test::model_row(300, seed));
  }
  store.add(test::model_row(320, 2));  // only one seed ran it
  store.add(EngineRow{270, std::string(wl::folklore(2).name), true, 2});
  store.add(EngineRow{300, std::string(wl::folklore(2).name), false, 0});
  return store;
}

TEST(Summary, CountsBoundsAndSeeds) {
  const ModelResult result = read_result(store_with_rows("my model"));
  const ModelSummary summary(result);
  EXPECT_EQ(summary.title(), "my model");
  EXPECT_EQ(summary.pair_count(), 3u);
  ASSERT_EQ(summary.seeds().size(), 2u);
  EXPECT_EQ(summary.seeds()[0].counts[test::group_named(summary.roster(), "cfi")], 2);
  EXPECT_EQ(summary.seeds()[0].counts[test::group_named(summary.roster(), "basic")], 0);
  EXPECT_EQ(summary.seeds()[0].false_positives, 1) << "pair 300 is equal for 2-FWL";
  EXPECT_EQ(summary.seeds()[1].unchecked, 1) << "2-FWL was not run on pair 320";
  EXPECT_EQ(summary.whole_seeds().size(), 1u);
  EXPECT_EQ(summary.false_positive(result.rows[0]), false);
  EXPECT_EQ(summary.false_positive(result.rows[1]), true);
  EXPECT_EQ(summary.false_positive(result.rows.back()), std::nullopt);
  int not_run = 0;
  EXPECT_EQ(summary.counts(wl::folklore(2), not_run)[summary.roster().all()], 1);
  EXPECT_EQ(not_run, 1);
  EXPECT_EQ(impossible(summary), "") << "only the protocol exact cannot err";
}

TEST(Summary, AStoreOfSomethingElse) {
  ModelResult result;
  result.file = "store.sqlite";
  const auto message = [&](const char* settings) -> std::string {
    result.study.settings = settings;
    try {
      const ModelSummary summary(result);
    } catch (const StoreError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(message(R"({"kind": "agreement"})"), "store.sqlite: is one of agreement, not of `leman brec`");
  EXPECT_EQ(message(R"({"kind": 5})"), "store.sqlite: is one of something else, not of `leman brec`");
  EXPECT_EQ(message(R"({"model": "et", "protocol": "later"})").find("store.sqlite: no protocol \"later\""), 0u);
  EXPECT_EQ(message(R"({"model": "et", "protocol": "sound", "level": 2})"),
            "store.sqlite: its level is not between 0 and 1");
  EXPECT_EQ(message(R"({"model": "et", "protocol": "sound", "level": 0.5})"), "");
}

// Every record comes back from its JSON as it was: the JSON is the same again.
template <class Record>
void expect_round_trip(const Record& record) {
  Record back{};
  from_json(to_json(record), "record", back);
  EXPECT_EQ(to_json(back).dump(), to_json(record).dump());
}

TEST(Records, RoundTrip) {
  expect_round_trip(agreement_record());
  expect_round_trip(AgreementChunk{"key", agreement_record().all});
  expect_round_trip(ClaimRecord{"id", "where", "statement", "command", "holds", "evidence", false, "abc"});
  expect_round_trip(KernelTime{40, "avx2", 0.5, std::nullopt, 1.5, 2.5});
  expect_round_trip(KernelTime{40, "avx2", 0.5, 0.75, 1.5, 2.5});
  expect_round_trip(StepRecord{"name", "command", 3});
  expect_round_trip(test::dataset_record());
}

// Whatever single value is missing or of another type: an InputError, never a crash.
TEST(Records, DamageIsNamed) {
  const Json good = to_json(agreement_record());
  std::size_t tried = 0;
  const Json values = good.flatten();
  for (const auto& [path, value] : values.items())
    for (const Json& wrong :
         {Json(nullptr), Json("text"), Json(-1.5), Json(UINT64_MAX), Json::array(), Json::object()}) {
      Json damaged = good;
      damaged[Json::json_pointer(path)] = wrong;
      AgreementRecord back;
      try {
        from_json(damaged, "record", back);
        to_json(back);
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Input);
      }
      ++tried;
    }
  EXPECT_GT(tried, 100u);
  AgreementRecord back;
  EXPECT_THROW(from_json(Json::array(), "record", back), InputError);
}

// A few bytes must not ask for gigabytes.
TEST(Records, ARosterHasABoundedNumberOfPairs) {
  const auto roster = [](int pairs) -> Json {
    return {{"families",
             {{{"name", "a"}, {"category", "b"}, {"pairs", pairs}}, {{"name", "c"}, {"category", "b"}, {"pairs", 1}}}},
            {"controls", Json::array()},
            {"names", Json::object()}};
  };
  brec::Roster read;
  from_json(roster(brec::kMostPairs - 1), "here", read);
  EXPECT_EQ(read.pairs(), brec::kMostPairs);
  EXPECT_THROW(from_json(roster(brec::kMostPairs), "here", read), InputError);
}

class ModelStudies : public test::WithFiles {};

// Embeddings need no LibTorch: a study from beginning to end.
TEST_F(ModelStudies, FailuresDoNotTakeTheOthersAlong) {
  ModelStudy study;
  study.settings = brec::settings_for(brec::Protocol::Sound, brec::ModelKind::Embeddings);
  study.settings.file = path("nothing");
  study.ids = {0, 60};
  study.engines = {&wl::color_refinement()};
  Store store("", describe(study, builtin(), "command"));
  Counter counter;
  const Filled filled = fill_store(study, builtin(), store, {counter, counter.stop});
  EXPECT_EQ(filled.missing, 2u);
  ASSERT_EQ(filled.failed.size(), 2u);
  EXPECT_NE(filled.failed[0].find("pair_0"), std::string::npos);
  EXPECT_EQ(store.engine_rows().size(), 2u) << "what the engines found is kept";
}

}  // namespace
}  // namespace leman::study
