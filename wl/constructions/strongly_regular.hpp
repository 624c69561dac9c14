// Strongly regular graphs by name: srg(n, k, lambda, mu) is k-regular on n
// nodes, adjacent nodes have lambda common neighbours, others mu. 2-FWL cannot tell
// apart two with equal parameters: the three relations (equal, adjacent, neither)
// are already a coherent configuration with the same constants.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "wl/graph.hpp"

namespace leman::wl {

// Rook's graph: cells of an a x b board, adjacent if in one row or column.
// rook(m, m) is srg(m^2, 2m-2, m-2, 2); 4x4 has 1152 automorphisms.
Graph rook(Node a, Node b);

// Shrikhande: Cayley graph of Z4 x Z4 for +-(1,0), +-(0,1), +-(1,1);
// srg(16,6,2,2) like rook(4,4), with 192 automorphisms.
Graph shrikhande();

// T(m), line graph of K_m: 2-subsets of m points (lexicographic), adjacent if
// they meet; srg(m(m-1)/2, 2m-4, m-2, 4).
Graph triangular(Node m);

// Chang graphs: T(8) Seidel-switched on the edges, in K_8, of 4K2 (which = 1),
// of C8 (2), of C3 + C5 (3); all srg(28,12,6,4), not isomorphic to T(8).
Graph chang(int which);

// Paley: elements of GF(q), q = 1 mod 4, adjacent if they differ by a
// square; srg(q, (q-1)/2, (q-5)/4, (q-1)/4).
Graph paley(std::uint32_t q);

// L_3(m): cells (i,j) = node m*i + j of a Latin square of order m, adjacent if they
// share row, column or symbol; srg(m^2, 3m-3, m, 6). Rows are digit strings.
using LatinSquare = std::vector<std::vector<std::uint32_t>>;
LatinSquare latin_square(std::string_view rows);  // "012/120/201"; checked
LatinSquare cyclic_latin_square(std::uint32_t m);
Graph latin_square_graph(const LatinSquare& square);

// Steiner triple systems STS(v): every two of v points lie in exactly one
// block of three. Block graph: blocks in lexicographic order, adjacent if they
// meet; srg(v(v-1)/6, 3(v-3)/2, (v+3)/2, 9).
using Blocks = std::vector<std::array<Node, 3>>;
Blocks sts13(int which);       // 1: cyclic, base blocks 014 and 027; 2: after the trade
                               // 014 027 179 249 -> 017 024 149 279
Blocks projective_sts(int d);  // lines of PG(d-1, 2) on the points 1..2^d - 1
bool is_steiner_triple_system(const Blocks& blocks, Node first_point, Node points);
Graph block_graph(const Blocks& blocks);

// Collinearity graph of Sp(2d, 2): non-zero vectors of F_2^(2d) (vector x is
// node x - 1), adjacent if x != y are orthogonal for
// f(x,y) = sum over i of x(2i) y(2i+1) + x(2i+1) y(2i). For d = 3 it is
// srg(63,30,13,15) and has the 4-vertex condition.
Graph symplectic(int d);

// Godsil-McKay switching on a set Q: Q induces a regular graph, and every node
// outside is adjacent to none, half or all of Q. Those adjacent to half swap it for
// the other half. The result has the same spectrum, so srg parameters are preserved.
Graph godsil_mckay_switch(const Graph& graph, const std::vector<Node>& set);

// 4-vertex condition: strongly regular, and the number of edges among the common
// neighbours of u and v depends only on whether u and v are adjacent.
bool four_vertex_condition(const Graph& graph);

// The two generalized hexagons GH(2,2) as collinearity graphs, both with
// intersection array {6,4,4;1,1,3}, 63 points and 12096 automorphisms. Points:
// the 63 points of PG(2,9) that are not isotropic for the Hermitian form
// x0 y0^3 + x1 y1^3 + x2 y2^3. Lines: the 63 sets of three mutually orthogonal
// points. The dual takes lines as points.
Graph generalized_hexagon(bool dual);

}  // namespace leman::wl
