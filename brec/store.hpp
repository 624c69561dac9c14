// The run store: one SQLite file a study. A row is a pair and a seed, written in
// a transaction of its own, so that a run that is killed at any moment loses the
// pairs in work and nothing else; rows do not depend on what ran before, so that
// it ends with the same rows when it is started again. Several processes may
// write to one store; the first row of a pair and seed stays.
//
// Tables (docs/brec.md): study(key, value), runs, engines, records(kind, key, value).
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "brec/protocol.hpp"

namespace leman::brec {

// A file that cannot be opened, is no run store, or belongs to another study;
// the message starts with its name.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
// A row could not be written: full disk, read-only file.
class StoreWriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What the rows of a store have in common.
struct Study {
  std::string settings;  // describe(Settings)
  std::string source;    // of the pairs
  std::string pairs;     // digest of all 400 pairs
  std::string command;   // that made the store; differs between shards
};

struct StoredRun {
  PairRun run;
  Family family = Family::Basic;
  int order = 0;
  std::string commit, kernel;
  std::uint64_t memory = 0;  // most that the process had used by then, in bytes
};

// An exact engine on a pair.
struct EngineRun {
  int pair = 0;
  std::string engine;
  bool distinguished = false;
  int round = 0;  // that distinguished it
};

// Anything else, as JSON text: a chunk of an agreement study, a claim, a measurement.
struct Record {
  std::string kind, key, value;
};

class Store {
 public:
  // Creates the file or opens it and checks that it is of this study; an empty
  // path is a store in memory.
  Store(const std::string& path, const Study& study);
  explicit Store(const std::string& path);  // opens one that is there, to read
  Store(Store&&) noexcept;
  ~Store();

  const Study& study() const;
  bool has(int pair, std::uint64_t seed) const;
  void add(const StoredRun& row);
  void add(const EngineRun& row);
  void put(const Record& record);                              // replaces one of the same kind and key
  std::vector<StoredRun> runs() const;                         // by seed, then pair
  std::vector<EngineRun> engine_runs() const;                  // by pair
  std::vector<Record> records(const std::string& kind) const;  // in the order in which they came; "": all kinds

 private:
  struct Connection;
  std::unique_ptr<Connection> db_;
};

std::string digest(const std::string& bytes);  // FNV-1a, as 16 hexadecimal digits
// Digest of the pairs' graphs, for Study::pairs.
std::string pair_digest(const PairSet& set);

// All rows of the parts into one store, which must be new or of the same study.
// Throws StoreError if two parts have different rows for a pair and seed.
void merge_stores(const std::vector<std::string>& parts, const std::string& path);

}  // namespace leman::brec
