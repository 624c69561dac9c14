// Every engine by name, one way to run them.
//
//   1wl                     colour refinement               wl/node_refinement.hpp
//   2wl 3wl 4wl             oblivious k-WL                  wl/tuple_refinement.hpp
//   1fwl                    colour refinement over neighbours and non-neighbours:
//                           the folklore rule at k = 1, whose printed formula names
//                           no edges, with the atomic type of (v, w) added
//   2fwl 3fwl 4fwl          folklore k-FWL                  wl/tuple_refinement.hpp
//   d2lwl                   local delta-2-WL                wl/tuple_refinement.hpp
//   s3 s4 n1 n2 m1 spd rd   tests that the field quotes     wl/derived_engines.hpp
//
// 1-WL, 2-WL and 1-FWL have one power, and so have 3-WL and 2-FWL, 4-WL and
// 3-FWL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wl/coloring.hpp"

namespace leman::wl {

struct EngineInfo {
  std::string_view name;         // as on the command line
  std::string_view title;        // as in tables
  std::string_view description;  // one line
  int tuple;                     // length of the tuples that are coloured
};
const std::vector<EngineInfo>& engines();
const EngineInfo* find_engine(std::string_view name);

// Throws std::invalid_argument for an unknown name, MemoryError.
RunResult run_engine(std::string_view name, std::span<const Graph* const> graphs, const RunOptions& options = {});

// The verdict on two graphs: the first round at which they differ, if any, and
// what the run was like. Stops as soon as they differ.
struct PairVerdict {
  bool distinguished = false;
  int round = -1;  // first difference; -1: none
  int rounds = 0;  // refinements done
  Color colors = 0;
};
PairVerdict compare(std::string_view engine, const Graph& a, const Graph& b, const RunOptions& options = {});

// 128 bits that are equal for graphs that the engine does not distinguish.
// Different ones prove that it does; equal ones prove nothing: compare() or the
// certificate decides.
struct Fingerprint {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(std::string_view engine, const Graph& graph);

}  // namespace leman::wl
