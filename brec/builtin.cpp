#include "brec/builtin.hpp"

#include "brec/truth.hpp"

namespace leman::brec {

Pair make_pair(int id, bool is_brec, Made first, Made second) {
  Pair pair;
  pair.id = id;
  pair.is_brec = is_brec;
  pair.origin = first.how + " | " + second.how;
  pair.first = std::move(first.graph);
  pair.second = std::move(second.graph);
  pair.truth = prove(pair.first, pair.second);
  return pair;
}

PairSet builtin_pairs() {
  PairSet set{PairSet::Kind::Builtin, "built-in pairs", "", {}, brec_roster()};
  for (auto build : {builtin_basic, builtin_simple_regular, builtin_strongly_regular, builtin_extension, builtin_cfi,
                     builtin_four_vertex, builtin_distance_regular})
    for (Pair& pair : build()) set.pairs.push_back(std::move(pair));
  return set;
}

}  // namespace leman::brec
