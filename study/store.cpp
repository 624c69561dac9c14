#include "study/store.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>

#include "base/digest.hpp"
#include "base/json.hpp"
#include "brec/suites.hpp"
#include "study/json.hpp"
#include "wl/formats.hpp"

namespace leman::study {

namespace {

constexpr int kFormat = 2;         // 1: 64-bit digests, no names; read, and resumed, all the same
constexpr int kLongest = 1 << 27;  // bytes of a row; far more than any has
constexpr const char* kSchema = R"(
CREATE TABLE IF NOT EXISTS study(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs(
  pair INTEGER, seed INTEGER, family TEXT, n INTEGER,
  distinguished INTEGER, reliable INTEGER,
  t2 REAL, p_value REAL, rank INTEGER, by_equality INTEGER,
  reliability_t2 REAL, reliability_p_value REAL, reliability_rank INTEGER, reliability_by_equality INTEGER,
  separation REAL, epochs INTEGER, losses TEXT, distances TEXT, gradient_norms TEXT, couples INTEGER,
  kernel TEXT, commit_id TEXT, seconds REAL, memory INTEGER,
  PRIMARY KEY(seed, pair)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engines(
  pair INTEGER, engine TEXT, distinguished INTEGER, round INTEGER,
  PRIMARY KEY(pair, engine)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records(
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE(kind, key));
)";
// In the order in which rows are bound and read.
constexpr const char* kRunColumns =
    "pair, seed, family, n, distinguished, reliable, t2, p_value, rank, by_equality, reliability_t2, "
    "reliability_p_value, reliability_rank, reliability_by_equality, separation, epochs, losses, distances, "
    "gradient_norms, couples, kernel, commit_id, seconds, memory";

}  // namespace

struct Store::Connection {
  std::string path;
  sqlite3* db = nullptr;
  Study study;
  mutable std::mutex guard;  // one statement at a time

  explicit Connection(std::string file) : path(std::move(file)) {}
  ~Connection() { sqlite3_close(db); }

  void open(int flags) {
    const std::string name = path.empty() ? ":memory:" : path;
    if (sqlite3_open_v2(name.c_str(), &db, flags, nullptr) != SQLITE_OK) {
      const int error = sqlite3_system_errno(db);
      const std::string why = std::string("cannot be opened: ") + (error ? std::strerror(error) : sqlite3_errmsg(db));
      if (flags & SQLITE_OPEN_CREATE) throw OutputError(path + ": " + why);
      throw StoreError(path, why);
    }
    sqlite3_busy_timeout(db, 120'000);  // another process may be writing
    // A store has neither views nor triggers: those of a file that only looks like one could run for ever.
    for (const int feature :
         {SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
      sqlite3_db_config(db, feature, 0, nullptr);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongest);
  }
  [[noreturn]] void fail(int code) const {
    const std::string why = sqlite3_errmsg(db);
    const int kind = code & 0xff;
    if (kind == SQLITE_FULL || kind == SQLITE_READONLY || kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN)
      throw OutputError(path + ": " + why);
    if (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT) throw StoreError(path, why + " (not a run store, or damaged)");
    throw StoreError(path, why);
  }
  void execute(const char* sql) const {
    if (const int code = sqlite3_exec(db, sql, nullptr, nullptr, nullptr); code != SQLITE_OK) fail(code);
  }
};

namespace {

// A prepared statement; values are bound and read in order.
class Statement {
 public:
  template <class Connection>
  Statement(const Connection& connection, const char* sql)
      : db_(connection.db), fail_([&connection](int code) { connection.fail(code); }) {
    if (const int code = sqlite3_prepare_v2(db_, sql, -1, &statement_, nullptr); code != SQLITE_OK) fail_(code);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value) { return checked(sqlite3_bind_int64(statement_, ++bound_, value)); }
  Statement& bind(double value) { return checked(sqlite3_bind_double(statement_, ++bound_, value)); }
  Statement& bind(const std::string& text) {
    return checked(
        sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
  }
  bool step() {  // true: there is a row
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail_(code);
    column_ = 0;
    return code == SQLITE_ROW;
  }
  std::int64_t integer() { return sqlite3_column_int64(statement_, column_++); }
  double real() { return sqlite3_column_double(statement_, column_++); }
  std::string text() {
    const auto* value = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column_++));
    return value ? value : "";
  }

 private:
  Statement& checked(int code) {
    if (code != SQLITE_OK) fail_(code);
    return *this;
  }
  sqlite3* db_;
  std::function<void(int)> fail_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0, column_ = 0;
};

template <class Connection>
std::string value_of(const Connection& connection, const std::string& key) {
  Statement query(connection, "SELECT value FROM study WHERE key = ?");
  return query.bind(key).step() ? query.text() : "";
}

template <class Connection>
std::int64_t tables(const Connection& connection, const std::string& which) {
  Statement count(connection, ("SELECT count(*) FROM sqlite_master WHERE " + which).c_str());
  count.step();
  return count.integer();
}

template <class Connection>
void read_study(Connection& connection) {
  const std::string format = value_of(connection, "format");
  if (format != "1" && format != std::to_string(kFormat))
    throw StoreError(connection.path, "not a run store of format 1 to " + std::to_string(kFormat) +
                                          (format.empty() ? "" : " (but " + format + ")"));
  auto value = [&](const char* key) { return value_of(connection, key); };
  const bool first = format == "1";
  Study& study = connection.study;
  study.settings = value("settings"), study.source = value("source");
  study.pairs = first ? "" : value("pairs"), study.legacy_pairs = first ? value("pairs") : value("pairs_format_1");
  study.command = value("command"), study.name = value("name"), study.path = value("path");
  if (const std::string roster = value("roster"); !roster.empty())
    from_json(json_or_discarded(roster), connection.path + ": roster", study.roster);
  if (!json_or_discarded(study.settings).is_object()) throw StoreError(connection.path, "its settings are damaged");
}

// Empty: that of BREC, which older stores do not have either.
std::string roster_text(const Study& study) {
  return study.roster == brec::brec_roster() ? "" : to_json(study.roster).dump();
}

// The first setting in which two studies differ.
std::string difference(const Study& have, const Study& want) {
  const bool same =
      have.pairs.empty() || want.pairs.empty() ? have.legacy_pairs == want.legacy_pairs : have.pairs == want.pairs;
  if (!same) return "has other pairs (" + have.source + ", not " + want.source + ")";
  const Json a = Json::parse(have.settings).flatten(), b = Json::parse(want.settings).flatten();
  for (const auto& [key, value] : a.items())
    if (!b.contains(key) || b[key] != value)
      return "has " + key.substr(1) + " " + value.dump() + ", not " + (b.contains(key) ? b[key].dump() : "none");
  for (const auto& [key, value] : b.items())
    if (!a.contains(key)) return "has no " + key.substr(1) + ", not " + value.dump();
  return "";
}

void check_same(const std::string& path, const Study& have, const Study& want) {
  const std::string differs = difference(have, want);
  if (!differs.empty()) throw StoreError(path, "belongs to another study: it " + differs);
}

}  // namespace

Store::Store(const std::string& path, const Study& study) : db_(std::make_unique<Connection>(path)) {
  db_->open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  // Either all of the set-up is there or nothing, whoever comes second.
  db_->execute("BEGIN IMMEDIATE");
  if (tables(*db_, "1") != 0 && tables(*db_, "name = 'study'") == 0)
    throw StoreError(path, "a database of something else, not a run store");
  db_->execute(kSchema);
  {
    Statement any(*db_, "SELECT count(*) FROM study");
    any.step();
    if (any.integer() == 0)
      for (const auto& [key, value] : {std::pair<std::string, std::string>{"format", std::to_string(kFormat)},
                                       {"settings", study.settings},
                                       {"source", study.source},
                                       {"pairs", study.pairs},
                                       {"pairs_format_1", study.legacy_pairs},
                                       {"command", study.command},
                                       {"name", study.name},
                                       {"roster", roster_text(study)},
                                       {"path", study.path}})
        if (!value.empty()) Statement(*db_, "INSERT INTO study VALUES(?, ?)").bind(key).bind(value).step();
  }
  db_->execute("COMMIT");
  read_study(*db_);
  check_same(path, db_->study, study);
  if (study.name.empty() || study.name == db_->study.name) return;
  Statement(*db_, "INSERT OR REPLACE INTO study VALUES('name', ?)").bind(study.name).step();
  db_->study.name = study.name;
}

Store::Store(const std::string& path) : db_(std::make_unique<Connection>(path)) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw StoreError(path, "is a directory");
  if (!std::filesystem::exists(path, error)) throw StoreError(path, "no such file");
  db_->open(SQLITE_OPEN_READWRITE);  // a journal that a killed run left is rolled back
  if (tables(*db_, "name IN ('study', 'runs', 'engines')") != 3) throw StoreError(path, "not a run store");
  read_study(*db_);
}

Store::Store(Store&&) noexcept = default;
Store::~Store() = default;

const Study& Store::study() const { return db_->study; }
std::string Store::name() const { return db_->path.empty() ? "the store in memory" : db_->path; }

bool Store::has(int pair, std::uint64_t seed) const {
  std::lock_guard lock(db_->guard);
  Statement query(*db_, "SELECT 1 FROM runs WHERE seed = ? AND pair = ?");
  return query.bind(static_cast<std::int64_t>(seed)).bind(std::int64_t{pair}).step();
}

void Store::add(const ModelRow& row) {
  std::lock_guard lock(db_->guard);
  const brec::PairRun& r = row.run;
  const brec::Verdict& v = r.verdict;
  Statement insert(*db_, (std::string("INSERT OR IGNORE INTO runs(") + kRunColumns +
                          ") VALUES(?,?,?,?, ?,?, ?,?,?,?, ?,?,?,?, ?,?,?,?,?,?, ?,?,?,?)")
                             .c_str());
  auto whole = [](auto x) { return static_cast<std::int64_t>(x); };
  insert.bind(whole(r.pair)).bind(whole(r.seed)).bind(row.family).bind(whole(row.order));
  insert.bind(whole(v.distinguished)).bind(whole(v.reliable));
  for (const brec::Hotelling& t : {v.pairs, v.reliability})
    insert.bind(t.t2).bind(t.p_value).bind(whole(t.rank)).bind(whole(t.by_equality));
  insert.bind(v.separation).bind(whole(r.epochs)).bind(Json(r.losses).dump());
  insert.bind(Json(r.distances).dump()).bind(Json(r.gradients).dump());
  insert.bind(whole(r.couples)).bind(row.kernel).bind(row.commit).bind(r.seconds).bind(whole(row.memory));
  insert.step();
}

void Store::add(const EngineRow& row) {
  std::lock_guard lock(db_->guard);
  Statement insert(*db_, "INSERT OR IGNORE INTO engines(pair, engine, distinguished, round) VALUES(?,?,?,?)");
  insert.bind(std::int64_t{row.pair}).bind(row.engine).bind(std::int64_t{row.distinguished});
  insert.bind(std::int64_t{row.round}).step();
}

void Store::put(const Text& record) {
  std::lock_guard lock(db_->guard);
  Statement insert(*db_, "INSERT OR REPLACE INTO records(kind, key, value) VALUES(?,?,?)");
  insert.bind(record.kind).bind(record.key).bind(record.value).step();
}

std::vector<Store::Text> Store::records(const std::string& kind) const {
  std::lock_guard lock(db_->guard);
  std::vector<Text> all;
  if (tables(*db_, "name = 'records'") == 0) return all;  // a store from before there were any
  Statement query(*db_, "SELECT kind, key, value FROM records WHERE kind = ?1 OR ?1 = '' ORDER BY id");
  query.bind(kind);
  while (query.step()) {
    Text record;
    record.kind = query.text(), record.key = query.text(), record.value = query.text();
    all.push_back(std::move(record));
  }
  return all;
}

namespace {

std::string key_of(const AgreementChunk& chunk) { return chunk.key; }
template <class Record>
std::string key_of(const Record& record) {
  return record.key();
}
void set_key(AgreementChunk& chunk, const std::string& key) { chunk.key = key; }
template <class Record>
void set_key(Record&, const std::string&) {}  // it is part of the record

}  // namespace

template <class Record>
void Store::put(const Record& record) {
  put(Text{Record::kKind, key_of(record), to_json(record).dump()});
}

template <class Record>
std::vector<Record> Store::all() const {
  std::vector<Record> result;
  for (const Text& text : records(Record::kKind)) {
    const std::string where = db_->path + ": the record " + text.kind + " " + text.key;
    const Json json = json_or_discarded(text.value);
    if (json.is_discarded()) throw InputError(where, "is damaged");
    set_key(result.emplace_back(), text.key);
    from_json(json, where, result.back());
  }
  return result;
}

#define LEMAN_INSTANTIATE(Record)                  \
  template void Store::put<Record>(const Record&); \
  template std::vector<Record> Store::all<Record>() const;
LEMAN_INSTANTIATE(AgreementChunk)
LEMAN_INSTANTIATE(AgreementRecord)
LEMAN_INSTANTIATE(ClaimRecord)
LEMAN_INSTANTIATE(KernelTime)
LEMAN_INSTANTIATE(StepRecord)
LEMAN_INSTANTIATE(DatasetRecord)
#undef LEMAN_INSTANTIATE

std::vector<ModelRow> Store::model_rows() const {
  std::lock_guard lock(db_->guard);
  Statement query(*db_, (std::string("SELECT ") + kRunColumns + " FROM runs ORDER BY seed, pair").c_str());
  std::vector<ModelRow> rows;
  while (query.step()) {
    ModelRow row;
    brec::PairRun& r = row.run;
    brec::Verdict& v = r.verdict;
    r.pair = static_cast<int>(query.integer());
    r.seed = static_cast<std::uint64_t>(query.integer());
    row.family = query.text();
    if (!db_->study.roster.contains(r.pair)) throw StoreError(db_->path, "there is no pair " + std::to_string(r.pair));
    if (row.family != db_->study.roster.family_of(r.pair).name)
      throw StoreError(db_->path, "pair " + std::to_string(r.pair) + " is not of the family " +
                                      Json(row.family).dump(-1, ' ', true, Json::error_handler_t::replace));
    row.order = static_cast<int>(query.integer());
    v.distinguished = query.integer();
    v.reliable = query.integer();
    for (brec::Hotelling* t : {&v.pairs, &v.reliability}) {
      t->t2 = query.real(), t->p_value = query.real();
      t->rank = static_cast<int>(query.integer()), t->by_equality = query.integer();
    }
    v.separation = query.real();
    r.epochs = static_cast<int>(query.integer());
    for (std::vector<double>* curve : {&r.losses, &r.distances, &r.gradients}) {
      const Json values = json_or_discarded(query.text());
      if (!values.is_array())
        throw StoreError(db_->path, "pair " + std::to_string(r.pair) + ": the loss curve is damaged");
      for (const Json& value : values) curve->push_back(value.is_number() ? value.get<double>() : NAN);
    }
    r.couples = static_cast<std::size_t>(query.integer());
    row.kernel = query.text();
    row.commit = query.text();
    r.seconds = query.real();
    row.memory = static_cast<std::uint64_t>(query.integer());
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<EngineRow> Store::engine_rows() const {
  std::lock_guard lock(db_->guard);
  Statement query(*db_, "SELECT pair, engine, distinguished, round FROM engines ORDER BY pair, engine");
  std::vector<EngineRow> rows;
  while (query.step()) {
    EngineRow row;
    row.pair = static_cast<int>(query.integer());
    row.engine = query.text();
    row.distinguished = query.integer();
    row.round = static_cast<int>(query.integer());
    rows.push_back(std::move(row));
  }
  return rows;
}

void set_pairs(Study& study, const brec::PairSet& set) {
  const std::string graphs = brec::graphs_text(set);
  study.pairs = digest(graphs), study.legacy_pairs = legacy_digest(graphs);
  study.source = set.source, study.roster = set.roster;
  study.path = set.kind == brec::PairSet::Kind::Own ? set.path : "";
}

bool same_pairs(const Study& study, const brec::PairSet& set) {
  const std::string graphs = brec::graphs_text(set);
  return study.pairs.empty() ? study.legacy_pairs == legacy_digest(graphs) : study.pairs == digest(graphs);
}

namespace {

// All but what differs from run to run, as text: NaN equals itself there.
std::string contents(const ModelRow& row) {
  const brec::PairRun& r = row.run;
  const brec::Verdict& v = r.verdict;
  auto test = [](const brec::Hotelling& h) { return Json{h.t2, std::isinf(h.t2), h.p_value, h.rank, h.by_equality}; };
  return row.kernel + '\n' +  // which need not be text that JSON takes
         Json{row.family,   row.order, v.distinguished, v.reliable,  test(v.pairs), test(v.reliability),
              v.separation, r.epochs,  r.losses,        r.distances, r.gradients,   r.couples}
             .dump();
}

[[noreturn]] void another(const std::string& part, int pair, const std::string& what) {
  throw StoreError(part, "pair " + std::to_string(pair) + ", " + what + ": another part has another row");
}

}  // namespace

void merge_stores(const std::vector<std::string>& parts, const std::string& path) {
  std::map<std::pair<std::uint64_t, int>, ModelRow> all;
  std::map<std::pair<int, std::string>, EngineRow> engines;
  std::vector<Store::Text> records;
  std::optional<Study> study;
  auto take = [&](const std::string& part) {
    const Store store(part);
    if (!study || study->pairs.empty()) study = store.study();  // the longer digest, where there is one
    check_same(part, store.study(), *study);
    for (ModelRow& row : store.model_rows()) {
      const auto [at, fresh] = all.try_emplace({row.run.seed, row.run.pair}, row);
      if (!fresh && contents(at->second) != contents(row))
        another(part, row.run.pair, "seed " + std::to_string(row.run.seed));
    }
    for (const EngineRow& row : store.engine_rows()) {
      const auto [at, fresh] = engines.try_emplace({row.pair, row.engine}, row);
      if (!fresh && (at->second.distinguished != row.distinguished || at->second.round != row.round))
        another(part, row.pair, row.engine);
    }
    for (Store::Text& record : store.records("")) records.push_back(std::move(record));
  };
  for (const std::string& part : parts) take(part);
  std::error_code error;
  if (std::filesystem::exists(path, error)) take(path);
  Store target(path, *study);
  for (const auto& [key, row] : all) target.add(row);
  for (const auto& [key, row] : engines) target.add(row);
  for (const Store::Text& record : records) target.put(record);
}

}  // namespace leman::study
