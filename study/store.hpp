// The run store: one SQLite file per study. A row is a pair and a seed, written in a transaction
// of its own, so that a run that is killed at any moment loses the pairs in work and nothing
// else; rows do not depend on what ran before, so that it ends with the same rows when it is
// started again. Several processes may write to one store; the first row of a pair and seed stays.
//
// Tables (docs/brec.md): study(key, value), runs, engines, records(kind, key, value).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "study/records.hpp"

namespace leman::study {

// A file that cannot be opened, is no run store, or belongs to another study. OutputError: a row
// could not be written.
class StoreError : public InputError {
 public:
  using InputError::InputError;
};

class Store {
 public:
  // Creates the file or opens it and checks that it is of this study; an empty path is a store in
  // memory.
  Store(const std::string& path, const Study& study);
  explicit Store(const std::string& path);  // opens one that is there, to read
  Store(Store&&) noexcept;
  ~Store();

  const Study& study() const;
  std::string name() const;  // for messages
  bool has(int pair, std::uint64_t seed) const;
  void add(const ModelRow& row);
  void add(const EngineRow& row);
  std::vector<ModelRow> model_rows() const;    // by seed, then pair
  std::vector<EngineRow> engine_rows() const;  // by pair

  // Records of records.hpp by type. put() replaces one of the same key; all() gives them in the
  // order in which they came.
  template <class Record>
  void put(const Record& record);
  template <class Record>
  std::vector<Record> all() const;

 private:
  friend void merge_stores(const std::vector<std::string>& parts, const std::string& path);
  struct Text {
    std::string kind, key, value;
  };
  void put(const Text& record);
  std::vector<Text> records(const std::string& kind) const;  // "": all kinds

  struct Connection;
  std::unique_ptr<Connection> db_;
};

// All that a Study says about its pairs.
void set_pairs(Study& study, const brec::PairSet& set);
// Whether a store is about these pairs.
bool same_pairs(const Study& study, const brec::PairSet& set);

// All rows of the parts into one store, which must be new or of the same study. Throws StoreError
// if two parts have different rows for a pair and seed.
void merge_stores(const std::vector<std::string>& parts, const std::string& path);

}  // namespace leman::study
