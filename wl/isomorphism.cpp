#include "wl/isomorphism.hpp"

#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

IsomorphismVerdict decide_isomorphism(const Graph& a, const Graph& b) {
  if (a.directed() != b.directed()) return {false, "one graph is directed, the other is not", {}};
  if (a.order() != b.order()) return {false, "they have different numbers of nodes", {}};
  if (a.size() != b.size()) return {false, "they have different numbers of edges", {}};
  if (degree_sequence(a) != degree_sequence(b)) return {false, "their degrees differ", {}};
  const Canon x = canonical(a), y = canonical(b);
  if (!(x.form == y.form)) return {false, "their canonical forms differ", {}};
  std::vector<Node> back(b.order()), map(a.order());
  for (Node v = 0; v < b.order(); ++v) back[y.image[v]] = v;
  for (Node v = 0; v < a.order(); ++v) map[v] = back[x.image[v]];
  if (!(relabel(a, map) == b)) throw BugError("the isomorphism found does not map one graph to the other");
  return {true, "a relabelling maps one to the other", map};
}

}  // namespace leman::wl
