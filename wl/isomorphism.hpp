// Are two graphs isomorphic, and why (not)?
#pragma once

#include <string>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

struct IsomorphismVerdict {
  bool isomorphic = false;
  std::string reason;     // the cheapest invariant that differs
  std::vector<Node> map;  // node v of the first graph goes to map[v]; checked
};
IsomorphismVerdict decide_isomorphism(const Graph& a, const Graph& b);

}  // namespace leman::wl
