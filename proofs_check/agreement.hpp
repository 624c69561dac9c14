// Does a model see what 2-FWL sees? The partition of node pairs by their tokens
// after layer t against the 2-FWL colouring after t rounds, and graphs by their
// pooled tokens against graphs by their colours.
//
// A model that is a function of the colouring gives pairs of one colour one
// token; in floating point, tokens that differ by rounding. So distances are
// compared with a tolerance that is measured: 16 times the largest difference
// between the tokens of a graph and of its relabellings, over a sample, layer by
// layer. All distances are maximum norms, relative to the largest entry of the
// layer on that graph.
//
//   coarser: two colours have tokens within the tolerance: the model sees less
//   finer:   two pairs of one colour have tokens further apart: in exact
//            arithmetic impossible, so a measure of rounding
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

// Graphs by pooled tokens: the sum over the diagonal, the maxima over diagonal
// and the rest, the means of x, x^2, x^3 over diagonal and the rest.
enum class Pooling { Sum, Maximum, Moments };
inline constexpr std::array<Pooling, 3> kPoolings{Pooling::Sum, Pooling::Maximum, Pooling::Moments};
std::string pooling_name(Pooling pooling);
std::vector<double> pooled(const std::vector<double>& rows, wl::Node order, int width, Pooling pooling);

// Rows with a class each: how far apart are members of one class, and classes?
struct Gap {
  double within = 0;                                         // largest distance to the first of the class
  double between = std::numeric_limits<double>::infinity();  // smallest of the first ones of two classes
};
Gap measure_gap(const std::vector<double>& rows, int width, std::span<const wl::Color> classes, double scale);

struct Tolerance {
  std::vector<double> tokens;                   // by layer
  std::array<std::vector<double>, 3> poolings;  // likewise
};
inline constexpr double kSafety = 16;
// From `relabellings` of every graph.
Tolerance measure_tolerance(const TokenSource& source, std::span<const wl::Graph* const> graphs, int relabellings,
                            Rng& rng);

// What is compared: the model, and what explains where it differs.
struct Tested {
  const TokenSource* source = nullptr;
  Tolerance tolerance;
  // The same weights in float64, if the model is in float32.
  const TokenSource* wide = nullptr;
  Tolerance wide_tolerance;
  // The same weights on the colour quotient in float64: one token a colour, without
  // noise among equals.
  const TokenSource* quotient = nullptr;
};

// Counts of graphs (tokens) or of pairs of graphs (poolings) at one depth.
struct Counts {
  std::uint64_t compared = 0, agree = 0, coarser = 0, finer = 0;  // one may be both coarser and finer
  Gap gap;                                                        // the extremes
  void add(const Gap& gap, double tolerance);
  void add(const Counts& more);
};

struct Disagreement {
  std::string what;    // "tokens", or the pooling
  std::string kind;    // "coarser", "finer"
  int layer = 0;       // -1: the last one, against the stable colouring
  std::string graphs;  // graph6, one or two
  std::string reason;  // "too few layers", "precision", "pooling", "transposed pairs",
                       // "undecided", "open"
  double distance = 0, tolerance = 0;
  std::string smaller;  // graph6 of a smaller graph with a disagreement of this kind; empty: not sought or none
};

struct Agreement {
  std::uint64_t graphs = 0;
  std::uint64_t agree = 0;                       // graphs whose tokens do after every layer
  std::vector<Counts> tokens;                    // by layer
  Counts stable;                                 // tokens of the last layer, stable colouring
  std::array<std::vector<Counts>, 3> poolings;   // by pooling and layer
  std::array<Counts, 3> stable_poolings;         // the last layer, 2-FWL in the end
  std::map<std::string, std::uint64_t> reasons;  // "tokens/round/coarser/precision" -> how many
  std::vector<Disagreement> examples;            // the first of every kind of reason
  int most_rounds = 0;                           // of 2-FWL
  void add(const Agreement& more);
};

// Graphs of one order are compared with each other.
Agreement agree(std::span<const wl::Graph> graphs, const Tested& tested, std::uint64_t seed);

// Deletes nodes while the tokens of what is left still are of this kind
// ("coarser", "finer") after some layer.
wl::Graph shrink(wl::Graph graph, const Tested& tested, const std::string& kind);

// Bounds of Clopper and Pearson: with this confidence the rate lies within.
struct Interval {
  double low, high;
};
Interval confidence_interval(std::uint64_t successes, std::uint64_t trials, double confidence = 0.95);

// graph6, with its node colours behind it if it has some.
std::string graph_text(const wl::Graph& graph);
wl::Graph graph_from_text(const std::string& text);  // without edge colours

}  // namespace leman::proofs
