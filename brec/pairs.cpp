#include "brec/pairs.hpp"

#include "wl/canon.hpp"

namespace leman::brec {

std::vector<int> isomorphic_pairs(const std::vector<Pair>& pairs) {
  std::vector<int> ids;
  for (const Pair& pair : pairs)
    if (pair.first.directed() == pair.second.directed() && wl::isomorphic(pair.first, pair.second))
      ids.push_back(pair.id);
  return ids;
}

}  // namespace leman::brec
