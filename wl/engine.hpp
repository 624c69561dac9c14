// The engines: one registry. Every list of engines elsewhere (help, completion, tables, reports,
// tests) is read from it; adding one takes a row in engine.cpp and a file with its rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wl/certificate.hpp"
#include "wl/coloring.hpp"
#include "wl/fingerprint.hpp"

namespace leman::wl {

struct Engine {
  std::string_view name;         // as on the command line
  std::string_view title;        // as in tables
  std::string_view description;  // one line
  double power = 0;              // place on the ladder of power: tables list engines and models by it
  int fwl = 0;                   // the k whose k-FWL has its power on undirected graphs; 0: none's
  bool standard = false;         // in tables of pairs, unless others are asked for
  bool ladder = false;           // 1-WL, 2-FWL, 3-FWL: what models are set beside
  bool directed = true;          // takes directed graphs
  bool edge_colors = true;       // sees edge colours
  int tuple = 1;                 // length of the tuples that are coloured

  RunResult (*run)(GraphSpan graphs, const RunOptions& options) = nullptr;
  std::uint64_t (*memory)(GraphSpan graphs) = nullptr;  // bytes at the peak, about
  Fingerprint (*fingerprint)(const Graph& graph) = nullptr;
  Certificate (*certificate)(const Graph& graph, const RunOptions& options) = nullptr;  // null: none
};

const std::vector<Engine>& engines();               // in ascending order of power
const Engine* find_engine(std::string_view name);   // null: there is none
const Engine& engine_named(std::string_view name);  // throws UsageError
std::vector<std::string> engine_names();
// "1wl,2fwl" -> both, each once. Throws UsageError.
std::vector<const Engine*> engine_list(std::string_view names);
std::vector<const Engine*> standard_engines();
std::vector<const Engine*> ladder_engines();

// The engines that theory speaks of.
const Engine& color_refinement();  // 1-WL
const Engine& oblivious(int k);    // k-WL, k = 2, 3, 4
const Engine& folklore(int k);     // k-FWL, k = 1, 2, 3, 4

// Refuses with the estimate (MemoryError) what would not fit, and graphs that the engine does not
// take (UsageError).
RunResult run_engine(const Engine& engine, GraphSpan graphs, const RunOptions& options = {});

// The verdict on two graphs: the first round at which they differ, if any, and what the run was
// like. Stops as soon as they differ.
struct PairVerdict {
  bool distinguished = false;
  int round = -1;  // first difference; -1: none
  int rounds = 0;  // refinements done
  Color colors = 0;
};
PairVerdict compare(const Engine& engine, const Graph& a, const Graph& b, const RunOptions& options = {});

// 128 bits that are equal for graphs that the engine does not distinguish. Different ones prove
// that it does; equal ones prove nothing: compare() or the certificate decides.
Fingerprint fingerprint(const Engine& engine, const Graph& graph);

// Equal if and only if the engine does not distinguish the graphs. Throws UsageError if the
// engine has none.
Certificate certificate(const Engine& engine, const Graph& graph, const RunOptions& options = {});

}  // namespace leman::wl
