// What a report says, as one JSON document (docs/report.schema.json), made from run
// stores. The page, the CSV files and the LaTeX tables are made from the document
// and from nothing else.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "brec/store.hpp"

namespace leman::reports {

using Json = nlohmann::ordered_json;

struct PublishedRow {
  std::string model;                // with its source
  std::vector<std::string> counts;  // Basic, Regular, Extension, CFI, all
};

struct Input {
  std::string version, commit, command, machine;
  std::vector<std::string> stores;       // files
  const brec::PairSet* pairs = nullptr;  // for drawings and facts; of the stores' studies
  std::vector<PublishedRow> published;   // for comparison
  unsigned threads = 1;                  // for layouts
};

// Throws brec::StoreError if a store cannot be read, or if two of them are on
// different pairs.
Json build_document(const Input& input);

// The files of a report, by name: index.html, report.json, *.csv, *.tex.
struct File {
  std::string name, text;
};
std::vector<File> render(const Json& document);

}  // namespace leman::reports
