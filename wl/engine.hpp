// The engines: one registry. Every list of engines elsewhere (help, completion, tables, reports,
// tests) is read from it. A new engine needs a row in engine.cpp and a file with its rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wl/certificate.hpp"
#include "wl/coloring.hpp"
#include "wl/fingerprint.hpp"
#include "wl/terms.hpp"

namespace leman::wl {

struct Engine {
  std::string_view name;         // as on the command line
  std::string_view title;        // as in tables
  std::string_view description;  // one line
  double power = 0;              // position on the ladder of power; tables sort engines and models by it
  int fwl = 0;                   // the k for which k-FWL has the same power on undirected graphs; 0: none
  bool standard = false;         // in tables of pairs by default
  bool ladder = false;           // 1-WL, 2-FWL, 3-FWL: the engines that models are compared with
  bool directed = true;          // takes directed graphs
  bool edge_colors = true;       // sees edge colours
  int tuple = 1;                 // length of the coloured tuples

  RunResult (*run)(GraphSpan graphs, const RunOptions& options) = nullptr;
  std::uint64_t (*memory)(GraphSpan graphs) = nullptr;  // approximate peak in bytes
  Fingerprint (*fingerprint)(const Graph& graph) = nullptr;
  Certificate (*certificate)(const Graph& graph, const RunOptions& options) = nullptr;  // null: none
  Terms terms = nullptr;  // of a signature, for explanations in words; null: not at hand
};

const std::vector<Engine>& engines();               // in ascending order of power
const Engine* find_engine(std::string_view name);   // null if there is none
const Engine& engine_named(std::string_view name);  // throws UsageError
std::vector<std::string> engine_names();
// "1wl,2fwl" -> both, each once. Throws UsageError.
std::vector<const Engine*> engine_list(std::string_view names);
std::vector<const Engine*> standard_engines();
std::vector<const Engine*> ladder_engines();

// The engines named in theorems.
const Engine& color_refinement();  // 1-WL
const Engine& oblivious(int k);    // k-WL, k = 2, 3, 4
const Engine& folklore(int k);     // k-FWL, k = 1, 2, 3, 4

// Throws MemoryError, with the estimate, if the run would not fit into memory, and UsageError if the
// engine does not take such graphs.
RunResult run_engine(const Engine& engine, GraphSpan graphs, const RunOptions& options = {});

// The verdict on two graphs: the first round at which they differ, if any, and facts about the run,
// which stops as soon as they differ.
struct PairVerdict {
  bool distinguished = false;
  int round = -1;  // first difference; -1: none
  int rounds = 0;  // refinements done
  Color colors = 0;
};
PairVerdict compare(const Engine& engine, const Graph& a, const Graph& b, const RunOptions& options = {});

// A 128-bit fingerprint, equal for graphs that the engine does not distinguish. Different
// fingerprints prove that it does; equal ones prove nothing: compare() or the certificate decides.
Fingerprint fingerprint(const Engine& engine, const Graph& graph);

// Equal if and only if the engine does not distinguish the graphs. Throws UsageError if the
// engine has none.
Certificate certificate(const Engine& engine, const Graph& graph, const RunOptions& options = {});

}  // namespace leman::wl
