// A joint run of an engine on named graphs, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "wl/engine.hpp"

namespace leman::reports {

struct NamedGraph {
  std::string name;
  wl::Graph graph;
};

struct RefinementRequest {
  const wl::Engine* engine = nullptr;
  bool rounds = false;       // the histogram of every graph after every round
  bool colors = false;       // the last colouring
  bool colorings = false;    // the colouring of every graph after every round; part of the memory estimate
  bool certificate = false;  // of every graph
  wl::RunOptions options;
};

// Verdicts on pairs of graphs; of more graphs than this only the classes are listed.
inline constexpr std::size_t kMostPairs = 16;

struct Refinement {
  struct Round {
    int round = 0;
    wl::Color colors = 0;
    std::vector<wl::Histogram> histograms;          // of every graph, if rounds were asked for
    std::vector<std::vector<wl::Color>> colorings;  // likewise, tuples in row-major order
  };
  wl::RunResult run;
  std::vector<Round> rounds;                      // if histograms or colourings were asked for
  std::vector<wl::Certificate> certificates;      // likewise
  std::vector<std::vector<std::size_t>> classes;  // of graphs that are not told apart, in order of the first
  bool distinguished() const { return classes.size() > 1; }
};
// Throws UsageError, MemoryError.
Refinement refine(const RefinementRequest& request, const std::vector<NamedGraph>& graphs);

std::string refinement_text(const Refinement& refinement, const RefinementRequest& request,
                            const std::vector<NamedGraph>& graphs);
nlohmann::ordered_json refinement_json(const Refinement& refinement, const RefinementRequest& request,
                                       const std::vector<NamedGraph>& graphs);

}  // namespace leman::reports
