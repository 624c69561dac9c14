// The parametrization of the proof that the Edge Transformer has 3-WL power,
// built as weights and run in exact arithmetic.
//
// A token is [T, T^K] with T = n^-f(colour) and K = n^2. For several graphs run
// jointly, K is n^2 times their number, so that there are exponents for all colours.
// A layer has one head. W^Q = W^K = 0, so attention is 1/n. The fused value is
// (X_jl W^V1) * (X_lm W^V2), entry by entry. The value before the FFN is
// X_jm + (sum over l of fused values / n) W^O; with beta = n^(1-K) in W^V1 this is
//
//   [ T_jm + sum_l n^-(K + f(jl) + K f(lm)),  T_jm^K ]
//
// The FFN is the finite map from these values to the tokens of the next round.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proofs_check/mary.hpp"
#include "wl/graph.hpp"

namespace leman::proofs {

// An entry k stands for base^-k; no value stands for zero.
using Entry = std::optional<std::int64_t>;
using Matrix = std::array<std::array<Entry, 2>, 2>;  // acts on a row from the right

struct Construction {
  std::uint32_t base = 2;     // n
  std::int64_t exponent = 4;  // K
  Matrix v1, v2, o;
  // Attention reads LayerNorm(X), without gain and shift. With epsilon = 0 the result
  // says only which of the two numbers is larger: (1, -1) for every token. With
  // epsilon > 0 (floating point only) it is (y, -y): colours stay apart, but the fused
  // value -y_jl y_lm no longer shows which of the two came first.
  bool layer_norm = false;
  double epsilon = 0;
};

const std::vector<std::string>&
construction_names();  // "printed", "mended"; "layernorm", "layernorm-epsilon": mended, with LayerNorm
// For `count` graphs of order n >= 2, run jointly. Throws UsageError.
Construction construction(const std::string& name, wl::Node n, std::size_t count);

// colors[t][g]: the 2-FWL colouring of graph g after t rounds, row-major; the last
// round changes nothing. Throws UsageError unless the graphs have one order.
using Colorings = std::vector<std::vector<std::vector<wl::Color>>>;
Colorings round_colorings(std::span<const wl::Graph* const> graphs);

std::vector<wl::Color> count_colors(const Colorings& colors);  // of every round

// What failed first: a pair of tuples and why.
struct Failure {
  std::string check;
  int round = 0;
  std::string graphs;  // graph6, separated by spaces
  std::string detail;
};

// The size of a model that carries a construction (proofs_check/onehot.hpp); width 0: none.
struct NetworkSize {
  int width = 0, hidden = 0;
  std::uint64_t largest = 0;
  double deviation = 0;
};

struct Proof {
  int rounds = 0;                       // number of rounds run; the last one changes nothing
  std::vector<wl::Color> round_colors;  // number of colours of each round, over all graphs
  wl::Color colors = 0;                 // of the last
  std::int64_t positions = 0;           // digits needed after the point; times log2(n): bits
  std::vector<std::string> held;        // checks that held in every round
  std::optional<Failure> failure;
  NetworkSize network;
};

// The checks, each in every round t, for all tuples of all graphs:
//   token      X^(t-1) = [n^-f, n^-(K f)], with one f per colour (the induction's invariant)
//   injective  equal values before the FFN have equal C_t: the FFN is a function
//   defined    equal C_t have equal values before the FFN
//   disjoint   digits of T_jm come before all digits of the sum
//   network    a ReLU network with one hidden layer gives the tokens of C_t (rational numbers only)
// The next tokens are the outputs of the FFN (the network, if there is one). So token,
// injective and defined together say that X^(t) and C_t refine each other. In exact
// arithmetic `token` follows from the others; it is checked all the same.
const std::vector<std::string>& check_names();

// Sparse digits, rational numbers, or floating point with its limited precision.
enum class Arithmetic { Digits, Rationals, Float32, Float64, LongDouble };
// Takes graphs of one order n >= 2. Throws UsageError.
Proof prove(std::span<const wl::Graph* const> graphs, const Construction& construction, Arithmetic arithmetic);

// Checks against these colourings instead of 2-FWL's: with wrong ones a check must fail.
Proof prove_against(const Colorings& colorings, std::span<const wl::Graph* const> graphs,
                    const Construction& construction, Arithmetic arithmetic);

}  // namespace leman::proofs
