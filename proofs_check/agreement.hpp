// Does a model see what 2-FWL sees? Node pairs, partitioned by their tokens after
// layer t, are compared with the 2-FWL colouring after t rounds. Graphs, told apart by
// their pooled tokens, are compared with graphs told apart by their colours.
//
// A model that is a function of the colouring gives pairs of one colour the same
// token. In floating point, these tokens differ by rounding. So distances are compared
// with a measured tolerance: 16 times the largest difference between the tokens of a
// graph and of its relabellings, over a sample, layer by layer. All distances are
// maximum norms, relative to the largest entry of the layer on that graph.
//
//   coarser: two colours have tokens within the tolerance: the model sees less
//   finer:   two pairs of one colour have tokens further apart than the tolerance:
//            impossible in exact arithmetic, so a measure of rounding
//
// No LibTorch here: a model is a source of tokens.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wl/constructions/random.hpp"
#include "wl/graph.hpp"

namespace leman::proofs {

// tokens[g][t]: the n*n rows of graph g after layer t, row-major; t = 0 .. layers
using Tokens = std::vector<std::vector<std::vector<double>>>;

class TokenSource {
 public:
  virtual ~TokenSource() = default;
  virtual int width() const = 0;
  virtual int layers() const = 0;
  virtual Tokens tokens(std::span<const wl::Graph* const> graphs) const = 0;  // from any thread
};

// How the tokens of a graph are pooled: the sum over the diagonal; maxima over
// diagonal and off-diagonal; means of x, x^2, x^3 over diagonal and off-diagonal.
enum class Pooling { Sum, Maximum, Moments };
inline constexpr std::array<Pooling, 3> kPoolings{Pooling::Sum, Pooling::Maximum, Pooling::Moments};
std::string pooling_name(Pooling pooling);
std::vector<double> pooled(const std::vector<double>& rows, wl::Node order, int width, Pooling pooling);

// For rows in classes: how far apart are members of one class, and how far are classes?
struct Gap {
  double within = 0;                                         // largest distance to the first of the class
  double between = std::numeric_limits<double>::infinity();  // smallest distance between the first rows of two classes
};
Gap measure_gap(const std::vector<double>& rows, int width, std::span<const wl::Color> classes, double scale);

struct Tolerance {
  std::vector<double> tokens;                   // by layer
  std::array<std::vector<double>, 3> poolings;  // by pooling and layer
};
inline constexpr double kSafety = 16;
// Measured on `relabellings` relabellings of every graph.
Tolerance measure_tolerance(const TokenSource& source, std::span<const wl::Graph* const> graphs, int relabellings,
                            Rng& rng);

// The model to compare, and others that explain where it differs.
struct Tested {
  const TokenSource* source = nullptr;
  Tolerance tolerance;
  // The same weights in float64, if the model is in float32.
  const TokenSource* wide = nullptr;
  Tolerance wide_tolerance;
  // The same weights on the colour quotient in float64: one token per colour, so that
  // equal pairs have no noise.
  const TokenSource* quotient = nullptr;
};

// Counts of graphs (tokens) or of pairs of graphs (poolings) at one depth.
struct Counts {
  std::uint64_t compared = 0, agree = 0, coarser = 0, finer = 0;  // a graph may be both coarser and finer
  Gap gap;                                                        // the extremes
  void add(const Gap& gap, double tolerance);
  void add(const Counts& more);
};

struct Disagreement {
  std::string what;    // "tokens", or the pooling
  std::string kind;    // "coarser", "finer"
  int layer = 0;       // -1: the last one, compared with the stable colouring
  std::string graphs;  // graph6, one or two
  std::string reason;  // "too few layers", "precision", "pooling", "transposed pairs",
                       // "undecided", "open"
  double distance = 0, tolerance = 0;
  std::string smaller;  // graph6 of a smaller graph with a disagreement of this kind; empty: not sought or not found
};

struct Agreement {
  std::uint64_t graphs = 0;
  std::uint64_t agree = 0;                       // graphs whose tokens agree after every layer
  std::vector<Counts> tokens;                    // by layer
  Counts stable;                                 // tokens of the last layer against the stable colouring
  std::array<std::vector<Counts>, 3> poolings;   // by pooling and layer
  std::array<Counts, 3> stable_poolings;         // the last layer against stable 2-FWL
  std::map<std::string, std::uint64_t> reasons;  // "tokens/round/coarser/precision" -> count
  std::vector<Disagreement> examples;            // the first of every kind of reason
  int most_rounds = 0;                           // of 2-FWL
  void add(const Agreement& more);
};

// Graphs of one order are compared with each other.
Agreement agree(std::span<const wl::Graph> graphs, const Tested& tested, std::uint64_t seed);

// Deletes nodes as long as the remaining graph still has a disagreement of this kind
// ("coarser", "finer") after some layer.
wl::Graph shrink(wl::Graph graph, const Tested& tested, const std::string& kind);

// Clopper-Pearson interval: with this confidence the rate lies within.
struct Interval {
  double low, high;
};
Interval confidence_interval(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);

// graph6, followed by the node colours if there are any.
std::string graph_text(const wl::Graph& graph);
wl::Graph graph_from_text(const std::string& text);  // without edge colours

}  // namespace leman::proofs
