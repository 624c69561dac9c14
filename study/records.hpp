// What studies find, as typed records. Their JSON, in the run store and in every output, is
// written and read in records.cpp and nowhere else.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "brec/protocol.hpp"
#include "et/config.hpp"
#include "proofs_check/agreement.hpp"
#include "wl/graph.hpp"

namespace leman::study {

using Json = nlohmann::ordered_json;

// What the rows of a store have in common.
struct Study {
  std::string settings;                       // JSON: brec::describe, or that of an agreement study
  std::string source;                         // of the pairs or graphs, in words
  std::string pairs;                          // digest of all pairs; empty: a study without pairs
  std::string legacy_pairs;                   // the same as stores of format 1 have it
  std::string command;                        // that made the store; differs between shards
  std::string name;                           // that the user gave the model; empty: none
  brec::Roster roster = brec::brec_roster();  // of the pairs
  std::string path = {};                      // where the user's own pairs come from; empty: other pairs
};

// An exact engine on a pair.
struct EngineRow {
  int pair = 0;
  std::string engine;
  bool distinguished = false;
  int round = 0;  // that distinguished it
};

// A model on a pair with a seed.
struct ModelRow {
  brec::PairRun run;
  std::string family;
  int order = 0;
  std::string commit, kernel;
  std::uint64_t memory = 0;  // most that the process had used by then, in bytes
};

// A chunk of graphs in an agreement study; the key names model and graphs.
struct AgreementChunk {
  static constexpr const char* kKind = "agreement-chunk";
  std::string key;
  proofs::Agreement result;
};

// An Edge Transformer against 2-FWL, on all graphs of a study.
struct AgreementRecord {
  static constexpr const char* kKind = "agreement";
  struct Row {
    std::string family;
    bool colored = false;
    proofs::Agreement result;
  };
  std::string model;   // in words
  std::string source;  // of the graphs, in words
  et::Config config;
  std::uint64_t seed = 0;
  int steps = 0;        // of training
  std::string weights;  // file; empty: fresh ones
  std::optional<std::pair<double, double>> training_loss;
  proofs::Tolerance tolerance;
  std::vector<Row> rows;
  proofs::Agreement all;
  const std::string& key() const { return model; }
};

struct ClaimRecord {
  static constexpr const char* kKind = "claim";
  std::string id, where, statement, command, verdict, evidence;
  bool as_expected = true;
  std::string commit;  // that ran it; empty: not kept
  const std::string& key() const { return id; }
};

// Triangular attention, forward pass, on a graph of n nodes.
struct KernelTime {
  static constexpr const char* kKind = "kernel";
  std::uint32_t n = 0;
  std::string kernel;
  double seconds = 0;                         // median
  std::optional<double> plain_seconds;        // of plain LibTorch; none where it was left out
  double megabytes = 0, plain_megabytes = 0;  // by counting
  std::string key() const { return std::to_string(n); }
};

// A step of a report: what it ran and how long it took.
struct StepRecord {
  static constexpr const char* kKind = "step";
  std::string name, command;
  double seconds = 0;
  const std::string& key() const { return name; }
};

// A labelled data set: what no model of an engine's power can fit, however it is trained.
struct DatasetRecord {
  static constexpr const char* kKind = "dataset";
  static constexpr std::uint64_t kKept = 10000;  // nodes and edges of a graph in an example, at most

  // The best answers that are constant on the classes; always_same: on all items.
  struct Score {
    std::uint64_t differ = 0;         // pairs in a class with different labels
    std::uint64_t correct = 0;        // classification
    std::string absolute_error{"0"};  // regression: sum of |y - median|, exact, in decimals
    double squared_error = 0;         // regression: sum of (y - mean)^2, rounded
  };
  struct Task {
    std::string name;
    bool regression = false;
    std::uint64_t labels = 0;                                        // distinct
    std::vector<std::pair<std::string, std::uint64_t>> most_common;  // classification: the ten largest classes
    std::string lowest, highest;                                     // regression
    Score always_same;
  };
  struct Depth {
    std::optional<int> round;                          // none: up to isomorphism
    std::uint64_t classes = 0, alike = 0, differ = 0;  // alike: pairs in one class; differ: in some task
    std::vector<Score> scores;                         // by task
  };
  struct Item {
    std::uint64_t place = 0;       // line of the graph, or its number in a TU data set
    std::optional<wl::Node> node;  // node labels
    std::vector<std::string> labels;
    wl::Node nodes = 0;              // of its graph
    std::optional<wl::Graph> graph;  // none: too large to keep
  };
  using Example = std::array<Item, 2>;  // alike, with different labels
  // The last depth holds for every deeper one, too.
  struct Row {
    std::string engine;   // name in the registry, or kIsomorphism
    std::string refused;  // for lack of memory: the estimate; empty: it was run
    double seconds = 0;   // CPU time
    std::vector<Depth> depths;
    std::vector<Example> examples;
  };
  static constexpr const char* kIsomorphism = "isomorphism";

  std::string name, source, format;
  bool node_labels = false, directed = false;
  std::uint64_t graphs = 0, items = 0, smallest = 0, largest = 0;  // orders
  std::uint64_t node_colors = 0, edge_colors = 0;                  // how many; 1: none
  std::vector<std::string> notes;
  std::vector<Task> tasks;
  std::vector<Row> rows;  // engines as asked for, then isomorphism
  const std::string& key() const { return name; }
};

// The sum divided by the number of items: exact but for the last rounding of each.
double mean_absolute_error(const DatasetRecord::Score& score, std::uint64_t items);

struct Machine {
  std::string processor;
  unsigned processors = 1, threads = 1;
  std::string text() const;  // "AMD EPYC, 2 processors, 2 threads, g++ 12.2.0"
};
Machine this_machine(unsigned threads);

// JSON. Reading throws InputError with `where` and what is missing or of the wrong type.
Json to_json(const proofs::Counts& counts, bool independent = true);
Json to_json(const proofs::Agreement& agreement);
Json to_json(const AgreementChunk& record);
Json to_json(const AgreementRecord& record);
Json to_json(const ClaimRecord& record);
Json to_json(const KernelTime& record);
Json to_json(const StepRecord& record);
Json to_json(const brec::Roster& roster);
Json to_json(const DatasetRecord& record);
void from_json(const Json& json, const std::string& where, AgreementChunk& record);
void from_json(const Json& json, const std::string& where, AgreementRecord& record);
void from_json(const Json& json, const std::string& where, ClaimRecord& record);
void from_json(const Json& json, const std::string& where, KernelTime& record);
void from_json(const Json& json, const std::string& where, StepRecord& record);
void from_json(const Json& json, const std::string& where, brec::Roster& roster);
void from_json(const Json& json, const std::string& where, DatasetRecord& record);

Json number_or_null(double x);  // null: infinite or NaN

}  // namespace leman::study
