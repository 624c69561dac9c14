// Pairs of graphs to tell apart: BREC's 400 from its files, 400 that the program builds itself, or
// the user's own.
//
// A pair records its origin and what is proved about it: an interval for the smallest
// k such that k-FWL tells its graphs apart (1-FWL is 1-WL, 2-FWL has the power of
// 3-WL).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "brec/roster.hpp"
#include "wl/graph.hpp"

namespace leman::brec {

struct Truth {
  static constexpr int kNever = std::numeric_limits<int>::max();

  int fwl_at_least = 1;  // proved: no k-FWL with a smaller k tells the graphs apart; kNever: they are isomorphic
  std::optional<int> fwl_at_most;  // proved: k-FWL with this k does; no value: nothing is proved
  std::string reason;
};

struct Pair {
  int id = 0;
  wl::Graph first, second;
  std::string origin;    // how the graphs were made, or the file and lines
  bool is_brec = false;  // isomorphic to BREC's pair of this id
  Truth truth;
  // Relabellings to test a model with, as graph6, if the file brings its own (brec/sample.hpp has their
  // order); empty: they are drawn.
  std::vector<std::string> sample = {};
};

struct PairSet {
  enum class Kind { Builtin, Brec, Own };
  Kind kind = Kind::Builtin;
  std::string source;       // in words: "BREC files in DIR"
  std::string path;         // of the file or directory; empty: built in
  std::vector<Pair> pairs;  // pairs[i].id == i
  Roster roster;            // of these pairs

  const Pair& at(int id) const { return pairs.at(static_cast<std::size_t>(id)); }
};

// The built-in pairs, see brec/builtin.hpp.
PairSet builtin_pairs();

// Ids of pairs whose two graphs are isomorphic. In sets other than the user's there must be none.
std::vector<int> isomorphic_pairs(const std::vector<Pair>& pairs);

}  // namespace leman::brec
