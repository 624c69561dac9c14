// The built-in pairs: 400 pairs in BREC's families and counts. wl/constructions makes
// every graph from its mathematical definition, without a data file.
//
// 250 are BREC's own up to isomorphism, under BREC's ids: all CFI, strongly
// regular, distance-regular, 4-vertex and simple regular pairs and the ten
// extension pairs 250-259. The other 150 (ids 0-59 and 160-249) stand in for
// pairs without a known rule: 2-lifts of small graphs, and cones.
#pragma once

#include <string>
#include <vector>

#include "brec/brec_files.hpp"

namespace leman::brec {

struct Made {
  wl::Graph graph;
  std::string how;
};

// Each returns the pairs of one family, ids ascending.
std::vector<Pair> builtin_basic();
std::vector<Pair> builtin_simple_regular();
std::vector<Pair> builtin_strongly_regular();
std::vector<Pair> builtin_extension();
std::vector<Pair> builtin_cfi();
std::vector<Pair> builtin_four_vertex();
std::vector<Pair> builtin_distance_regular();

// Base graph of CFI pair `id` (260..359).
wl::Graph cfi_base(int id);
std::string cfi_origin(int id);

Pair make_pair(int id, bool is_brec, Made first, Made second);

}  // namespace leman::brec
