// libFuzzer target for run stores: whatever is changed in the cells or the bytes of a valid one, all
// that `brec show`, `brec merge` and `report` read of it is read or refused with an Error.
#include <sqlite3.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/file.hpp"
#include "reports/model_table.hpp"
#include "reports/render.hpp"
#include "reports/stores.hpp"
#include "tests/fuzz/edits.hpp"
#include "tests/fuzz/scratch.hpp"
#include "tests/study/rows.hpp"

namespace {

using namespace leman;
using study::Json;

const std::string kStore = fuzz::scratch() + "/store";

// A small study of a model, with records of every kind; `settings` is JSON.
std::string valid_store(const std::string& settings, const brec::Roster& roster = brec::brec_roster()) {
  std::filesystem::remove(kStore);
  {
    study::Store store(kStore, {settings, "some pairs", "digest", "old digest", "leman brec", "a name", roster});
    for (const int pair : {260, 300, 320})
      for (const std::uint64_t seed : {1, 2}) {
        study::ModelRow row = test::model_row(pair, seed);
        row.family = roster.family_of(pair).name;
        store.add(row);
      }
    for (const auto& engine : {"1wl", "2fwl", "3fwl"}) store.add(study::EngineRow{300, engine, engine[0] != '1', 2});
    store.put(test::agreement_record());
    store.put(study::AgreementChunk{"key", test::agreement_record().all});
    store.put(study::ClaimRecord{"id", "where", "statement", "command", "holds", "evidence", false, "abc"});
    store.put(study::KernelTime{40, "avx2", 0.5, 0.75, 1.5, 2.5});
    store.put(study::StepRecord{"name", "command", 3});
    store.put(test::dataset_record());
  }
  return read_file(kStore);
}

const std::vector<std::string>& valid_stores() {
  static const std::vector<std::string> stores = [] {
    const brec::Roster own({{"mine", "some", 0, 290}, {"yours", "some", 290, 40}}, {300, 301}, {{260, "a pair"}});
    std::vector<std::string> list{valid_store(R"({"kind": "agreement"})"),
                                  valid_store(R"({"model": "et", "protocol": "exact"})", own)};
    for (const brec::ProtocolInfo& protocol : brec::protocols())
      list.push_back(valid_store(brec::describe(brec::settings_for(protocol.protocol, brec::ModelKind::Et))));
    return list;
  }();
  return stores;
}

// Cells that may be changed; those with true are JSON.
struct Column {
  const char *table, *name;
  bool json = false;
};
constexpr Column kColumns[] = {
    {"study", "key"},
    {"study", "value", true},
    {"runs", "pair"},
    {"runs", "seed"},
    {"runs", "family"},
    {"runs", "n"},
    {"runs", "distinguished"},
    {"runs", "reliable"},
    {"runs", "t2"},
    {"runs", "p_value"},
    {"runs", "rank"},
    {"runs", "reliability_t2"},
    {"runs", "separation"},
    {"runs", "epochs"},
    {"runs", "losses", true},
    {"runs", "distances", true},
    {"runs", "gradient_norms", true},
    {"runs", "couples"},
    {"runs", "kernel"},
    {"runs", "commit_id"},
    {"runs", "seconds"},
    {"runs", "memory"},
    {"engines", "pair"},
    {"engines", "engine"},
    {"engines", "round"},
    {"engines", "distinguished"},
    {"records", "kind"},
    {"records", "key"},
    {"records", "value", true},
};
constexpr const char* kWords[] = {
    "basic",           "cfi",       "regular", "1wl",      "4fwl",  "et", "exact", "ppgn",
    "agreement-chunk", "agreement", "claim",   "settings", "pairs", "1",  "[]",    "name"};

// One cell of the table, or all of them. A change that SQLite refuses is none.
class Editor {
 public:
  Editor() {
    sqlite3_open(kStore.c_str(), &db_);
    sqlite3_exec(db_, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN", nullptr, nullptr, nullptr);
  }
  ~Editor() {
    sqlite3_exec(db_, "COMMIT", nullptr, nullptr, nullptr);
    sqlite3_close(db_);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  void change(FuzzedDataProvider& in) {
    const Column& column = in.PickValueInArray(kColumns);
    const std::string table = column.table, name = column.name;
    const auto row = in.ConsumeIntegralInRange(0, 9);  // 0: every row
    const std::string old = cell(table, name, row);
    std::string which =
        name + " IN (SELECT " + name + " FROM " + table + " LIMIT 1 OFFSET " + std::to_string(row - 1) + ")";
    if (row == 0) which = "1";
    if (in.ConsumeIntegralInRange(0, 15) == 0) return run("DELETE FROM " + table + " WHERE " + which);
    sqlite3_stmt* update = nullptr;
    const std::string sql = "UPDATE OR IGNORE " + table + " SET " + name + " = ? WHERE " + which;
    sqlite3_prepare_v2(db_, sql.c_str(), -1, &update, nullptr);
    bind(update, old, column.json, in);
    sqlite3_step(update);
    sqlite3_finalize(update);
  }

 private:
  void run(const std::string& sql) { sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr); }
  std::string cell(const std::string& table, const std::string& name, int row) {
    sqlite3_stmt* query = nullptr;
    const std::string sql = "SELECT " + name + " FROM " + table + " LIMIT 1 OFFSET " + std::to_string(row - 1);
    sqlite3_prepare_v2(db_, sql.c_str(), -1, &query, nullptr);
    const bool found = sqlite3_step(query) == SQLITE_ROW && sqlite3_column_text(query, 0);
    std::string value = found ? reinterpret_cast<const char*>(sqlite3_column_text(query, 0)) : "";
    sqlite3_finalize(query);
    return value;
  }
  static void bind(sqlite3_stmt* statement, const std::string& old, bool json, FuzzedDataProvider& in) {
    auto bind_text = [&](const std::string& text) {
      sqlite3_bind_text(statement, 1, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    };
    if (json && in.ConsumeBool())
      if (const Json value = json_or_discarded(old); !value.is_discarded()) return bind_text(fuzz::edited(value, in));
    switch (in.ConsumeIntegralInRange(0, 5)) {
      case 0: sqlite3_bind_null(statement, 1); break;
      case 1: sqlite3_bind_int64(statement, 1, fuzz::whole(in)); break;
      case 2: sqlite3_bind_double(statement, 1, fuzz::real(in)); break;
      case 3: bind_text(in.PickValueInArray(kWords)); break;
      case 4: sqlite3_bind_zeroblob(statement, 1, in.ConsumeIntegralInRange(0, 100)); break;
      default: bind_text(fuzz::text(in));
    }
  }
  sqlite3* db_ = nullptr;
};

void show() {
  const study::Store store(kStore);
  fuzz::attempt([&] { store.all<study::AgreementChunk>(); });
  const study::ModelResult result = study::read_result(store);
  const study::ModelSummary summary(result);
  for (const bool wide : {false, true}) reports::model_text(summary, wide);
  reports::model_json(summary, "fuzz");
  reports::model_csv(summary);
  study::impossible(summary);
}

void report() {
  reports::Input input;
  input.stores = {kStore};
  const reports::Document document = reports::build_document(input);
  reports::render(document);
  reports::summary_text(document);
}

void merge(const std::string& valid) {
  const std::string merged = fuzz::scratch() + "/merged";
  std::filesystem::remove(merged);
  study::merge_stores({kStore, fuzz::put("valid", valid)}, merged);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  const std::string& valid = valid_stores()[in.ConsumeIntegralInRange<std::size_t>(0, valid_stores().size() - 1)];
  fuzz::put("store", valid);
  const int what = in.ConsumeIntegralInRange(0, 3), edits = in.ConsumeIntegralInRange(0, 4);
  if (in.ConsumeIntegralInRange(0, 15) == 0) {  // a damaged file
    std::string bytes = valid;
    for (int k = 0; k < edits; ++k)
      bytes[in.ConsumeIntegralInRange<std::size_t>(0, bytes.size() - 1)] = in.ConsumeIntegral<char>();
    fuzz::put("store", bytes);
  } else {
    Editor editor;
    for (int k = 0; k < edits; ++k) editor.change(in);
  }
  switch (what) {
    case 0: fuzz::attempt(report); break;
    case 1: fuzz::attempt([&] { merge(valid); }); break;
    default: fuzz::attempt(show);
  }
  return 0;
}
