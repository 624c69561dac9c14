// What a report says: one typed document, made from run stores. The page, report.json
// (docs/report.schema.json), the CSV files and the LaTeX tables are made from it and from nothing
// else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "brec/models.hpp"
#include "brec/roster.hpp"
#include "brec/suites.hpp"
#include "reports/layout.hpp"
#include "study/records.hpp"
#include "wl/engine.hpp"

namespace leman::reports {

// Pairs of one group, over the seeds of a row.
struct Count {
  int run = 0;
  std::optional<double> distinguished;  // mean over seeds; none: no pair was run
  std::optional<double> deviation;      // standard deviation; none: fewer than two seeds, or no pair
};

// What a row says about one pair.
struct Cell {
  int distinguished = 0;        // seeds that say so; of an engine 0 or 1
  int seeds = 0;                // that ran it; of an engine 1
  std::optional<int> round;     // of an engine that distinguishes the pair
  bool false_positive = false;  // of a model, with some seed
  int unreliable = 0;           // seeds whose reliability test failed
};

// An engine or a model on all pairs.
struct Row {
  std::string id;                          // the engine's name, or model1, model2, ...
  std::string title;                       // no two rows have the same
  const wl::Engine* engine = nullptr;      // null: a model
  const brec::ModelInfo* model = nullptr;  // null: an engine
  std::vector<Count> counts;               // by group of the roster
  std::vector<std::optional<Cell>> cells;  // by pair; none: not run

  // Of a model: seeds that the counts are means over; pairs that it distinguishes and its bound does
  // not, controls among them, or on which the bound was not run (none: no bound is known, and there
  // are no controls); runs whose reliability test failed.
  std::size_t seeds = 0;
  std::optional<std::size_t> false_positives, unchecked;
  int unreliable = 0;

  double power() const { return engine ? engine->power : model->power; }
};

enum class Statistic { T2, Separation };

struct Measurement {
  int pair = 0;
  std::uint64_t seed = 0;
  double value = 0;                   // of the statistic
  std::optional<double> reliability;  // T2 of relabellings of one graph; none: there is no such test
  bool distinguished = false, reliable = false;
};

// The loss of a family's pairs by epoch; a pair that has stopped keeps its last loss.
struct LossCurve {
  std::string family;
  std::size_t pairs = 0;                  // pairs and seeds
  std::vector<double> median, low, high;  // low, high: a tenth, nine tenths
};

// What a model study measured.
struct Measurements {
  std::string row;    // id
  std::string title;  // of the row
  std::string settings, command;
  Statistic statistic = Statistic::T2;
  double threshold = 0;
  std::vector<Measurement> points;
  std::vector<LossCurve> losses;
  std::set<std::string> commits;
  std::set<std::uint64_t> seeds;
  double cpu_seconds = 0;
  int most_epochs = 0;
};

struct DrawnGraph {
  std::string graph6;  // or digraph6, without colours
  std::uint64_t edges = 0;
  std::string group_order;
  std::size_t orbits = 0;
  std::vector<Point> places;
  std::vector<int> colors;  // stable ones of the nodes in a joint run, numbered from 0
};
struct DrawnPair {
  int id = 0;
  wl::Node nodes = 0;  // of the larger graph
  std::string origin, truth;
  std::string engine;  // whose colours the nodes have
  std::array<DrawnGraph, 2> graphs;
};

// Two items of a data set that an engine cannot tell apart, with different labels.
struct DrawnExample {
  std::string engine;                             // title
  std::array<std::string, 2> captions, drawings;  // drawings: SVG; empty: too large
};
struct DrawnDataset {
  study::DatasetRecord record;
  std::string title;  // no two have the same
  std::vector<DrawnExample> examples;
};

struct StoreFacts {
  std::string name;  // of the file
  std::string command, source;
  std::size_t model_rows = 0, engine_rows = 0;
};

struct Document {
  std::string version, commit, command, machine;
  std::string title;                 // that the user gave; empty: none
  std::string source, pairs_digest;  // of the pairs
  brec::Roster roster;               // of the pairs
  bool own_pairs = false;            // these are the user's: the paper's claims and kernels are no part of it
  std::vector<Row> rows;             // in order of power
  std::vector<brec::PublishedRow> published;
  std::vector<Measurements> studies;
  std::vector<study::AgreementRecord> agreement;
  std::vector<study::ClaimRecord> claims;
  std::vector<study::KernelTime> kernels;
  std::vector<study::StepRecord> steps;
  std::vector<DrawnDataset> datasets;
  std::vector<StoreFacts> runs;
  std::vector<DrawnPair> pairs;      // empty: the graphs were not at hand
  std::vector<std::string> verdict;  // sentences
  std::vector<std::string> not_run;
};

struct Input {
  std::string command, title;
  study::Machine machine;
  std::vector<std::string> stores;            // files
  const brec::PairSet* pairs = nullptr;       // for drawings and facts; of the stores' studies
  std::vector<brec::PublishedRow> published;  // for comparison
  unsigned threads = 1;                       // for layouts
};

// Throws study::StoreError or InputError, which name the file: a store cannot be read, its rows make
// no sense, or two stores are on different pairs or contradict each other.
Document build_document(const Input& input);

}  // namespace leman::reports
