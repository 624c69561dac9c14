// A joint run round by round, as it is told in a lecture: classes with names and colours that stay,
// what splits a class, and where two graphs begin to differ. Drawn by reports/rounds_svg.hpp and
// reports/rounds_page.hpp.
//
// Labels: the classes of round 0 are A, B, C, ... in the order of the engine's colours. When a class
// splits, the largest part keeps its label; of equally large ones, that of the smallest colour. The
// others get new labels in the order of their colours. A label is never given away. The engine's
// colours are canonical and sizes count all graphs together, so labels and sentences do not depend
// on the numbering of the nodes.
#pragma once

#include <string>
#include <vector>

#include "reports/layout.hpp"
#include "reports/refinement_table.hpp"
#include "wl/terms.hpp"

namespace leman::reports {

using Label = std::uint32_t;

std::string label_text(Label label);  // A ... Z, AA, AB, ...

struct RoundClass {
  Label label = 0;
  std::uint64_t size = 0;
  std::vector<std::uint64_t> sizes;  // in every graph
  bool differ() const;               // are these not all equal?
};

// A class before this round and what became of it.
struct Split {
  struct Part {
    Label label = 0;
    std::uint64_t size = 0;
    std::vector<std::uint64_t> sizes;   // in every graph
    std::vector<std::uint64_t> counts;  // of `terms` in the signature of every member
  };
  Label label = 0;
  std::uint64_t size = 0;
  // Members of signatures whose numbers tell all of `parts` apart; `first` and `second` are labels
  // of the round before. Empty if the engine's signatures are not at hand.
  std::vector<wl::Term> terms;
  std::vector<Part> parts;  // the one that keeps the label, then by size; at most kMostParts
  std::size_t more_parts = 0;
  std::uint64_t more_size = 0;  // of these together
  std::string sentence;
};
inline constexpr std::size_t kMostParts = 8;

struct Round {
  int number = 0;
  std::vector<std::vector<Label>> labels;  // by graph and tuple, row-major
  std::vector<RoundClass> classes;         // ascending by label
  std::vector<Split> splits;               // ascending by label
  std::vector<std::string> differences;    // two graphs that differ from this round on
};

// Where a label comes from.
struct Origin {
  int round = 0;
  Label parent = 0;  // of round > 0
  std::string text;  // "joined", "from B in round 2"
};

struct Rounds {
  const wl::Engine* engine = nullptr;
  std::vector<NamedGraph> graphs;          // under names that differ and can be shown
  std::vector<std::vector<Point>> places;  // of the nodes of every graph, the same in all rounds
  std::vector<Round> rounds;
  std::vector<Origin> origins;       // by label
  std::vector<std::string> summary;  // verdicts on pairs of graphs; stability
  bool pairs() const { return engine->tuple == 2; }
  const char* noun(std::uint64_t count) const;  // "node", "pairs"
};

inline constexpr std::size_t kMostDrawnGraphs = 4;
inline constexpr wl::Node kMostDrawnNodes = 200;  // where nodes are coloured
inline constexpr wl::Node kMostMatrixNodes = 60;  // where pairs are

// Throws UsageError: the engine colours longer tuples, or there are too many graphs or nodes.
void demand_drawable(const wl::Engine& engine, const std::vector<NamedGraph>& graphs);

// From a run with request.colorings. Throws UsageError as demand_drawable does, and MemoryError.
Rounds follow_rounds(const Refinement& refinement, const RefinementRequest& request,
                     const std::vector<NamedGraph>& graphs);

}  // namespace leman::reports
