// Two-graphs: graphs up to Seidel switching.
//
// Switching a graph on a node set X swaps edges and non-edges between X and the
// rest. The Seidel matrix S has 0 on the diagonal, -1 at edges, +1 elsewhere;
// switching negates the rows and columns of X. A two-graph is a switching
// class; it is regular if S has two eigenvalues. Then its descendants are
// strongly regular, and so are the regular members of the class.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wl/bit_matrix.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

Graph seidel_switch(const Graph& graph, const std::vector<Node>& set);

class TwoGraph {
 public:
  explicit TwoGraph(const Graph& member) : member_(member) {}

  Node order() const { return member_.order(); }
  const Graph& member() const { return member_; }
  int seidel(Node u, Node v) const { return u == v ? 0 : member_.has_edge(u, v) ? -1 : 1; }

  // S^2 = a S + b I for integers a, b.
  bool regular() const;

  // Switch so that v is isolated, then delete v.
  Graph descendant(Node v) const;

  // All regular members of the given valency, one per switching set that leaves out
  // the last point. They are the +-1 vectors x with S x = (n - 1 - 2 valency) x,
  // found by solving modulo a prime and checked in integers. The eigenspace may have
  // dimension at most 24.
  std::vector<Graph> regular_members(std::uint32_t valency) const;

  // 4-set switching at Q = {q0..q3} with signs e_i = -1 where bit i of `signs`
  // is set: Godsil-McKay switching of the Seidel matrix. Every point x outside Q
  // must have sum over i of e_i S(x, q_i) in {0, 4, -4}, and within Q the signed
  // row sums e_i * (sum over j of e_j S(q_i, q_j)) must be equal. Where the
  // outer sum is 0, the entries S(x, q_i) change sign. That is conjugation by the
  // orthogonal matrix (1/2) e e^T - I on Q, so a regular two-graph stays regular and
  // keeps its eigenvalues. Throws if a condition fails.
  TwoGraph switch_four(const std::vector<Node>& quad, unsigned signs) const;
  // A sequence of them, e.g. "0.1.2.35/1 0.1.3.6/0".
  TwoGraph switch_sequence(std::string_view sequence) const;

 private:
  Graph member_;
};

Graph with_isolated_point(const Graph& graph);  // the new point comes last

// The four regular two-graphs on 26 points: 'A' from the cyclic Latin square
// of order 5, 'B' from the other one, 'C' and 'D' from the complements of the
// block graphs of the two STS(13).
TwoGraph two_graph_26(char which);

// Five of the six regular two-graphs on 30 points (the sixth is Paley(29) and a
// point). 1, 2 and 5 are numbered solutions of a search for symmetric conference
// matrices with the symmetry Z3 x Z3. 6 and 7 are the other completions of 1 and 2
// after six points are taken out.
TwoGraph two_graph_30(int which);

// On 36 points: the 35 lines of PG(3,2), adjacent if they meet, and a point.
TwoGraph two_graph_36();

}  // namespace leman::wl
