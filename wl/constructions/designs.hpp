// Symmetric designs and their incidence graphs.
//
// A symmetric 2-(v, k, lambda) design has v points and v blocks of k points;
// any two points lie in lambda common blocks, any two blocks share lambda
// points. Its incidence graph is distance-regular with intersection array
// {k, k-1, k-lambda; 1, lambda, k}, so 2-FWL cannot tell apart those with equal
// parameters. Incidence matrices are BitMatrix: row = block, column = point.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wl/bit_matrix.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

// True if N N^T = N^T N = (k - lambda) I + lambda J.
bool is_symmetric_design(const BitMatrix& design, std::uint32_t k, std::uint32_t lambda);

// Points 0..v-1, blocks v..2v-1.
Graph incidence_graph(const BitMatrix& design);
BitMatrix transpose(const BitMatrix& design);
BitMatrix complement_design(const BitMatrix& design);

// Translates of a difference set in Z_v: block i = set + i. Throws unless every
// non-zero difference occurs equally often.
BitMatrix difference_set_design(std::uint32_t v, const std::vector<std::uint32_t>& set);

// Points and planes of PG(3,2): i, j in 1..15, incident if popcount(i & j) is
// even; 2-(15,7,3).
BitMatrix pg32_design();

// Hadamard matrices (entries +-1, H H^T = n I): Paley I for a prime power
// q = 3 mod 4 (order q + 1), Paley II for q = 1 mod 4 (order 2q + 2), two
// circulants [A B; B^T -A^T] given by the signs of their first rows, and the
// Kronecker product.
using SignMatrix = std::vector<std::vector<int>>;
SignMatrix hadamard_paley1(std::uint32_t q);
SignMatrix hadamard_paley2(std::uint32_t q);
SignMatrix hadamard_two_circulant(std::string_view a, std::string_view b);
SignMatrix kronecker(const SignMatrix& a, const SignMatrix& b);
bool is_hadamard(const SignMatrix& matrix);

// Negates rows and columns until the given row and column are all +1 and deletes
// both. Then +1 marks incidence in a 2-(n-1, n/2-1, n/4-1) design.
BitMatrix hadamard_design(const SignMatrix& matrix, std::size_t row, std::size_t column);

// A 2-(25,9,3) design with a symmetry of order 3: point 0 and one block fixed,
// the other points and blocks in eight 3-cycles.
BitMatrix design_25_9_3();

// 4-row switching takes four rows in which every column has 0, 2 or 4 ones, and
// complements the four entries in the columns with 2. Row sums and products of
// rows are preserved, so the result is a design with the same parameters. In a
// sequence such as "r0.1.3.6 c1.2.9.10", r switches rows; c transposes first, and
// the matrix stays transposed.
BitMatrix switch_rows(const BitMatrix& design, const std::vector<Node>& rows);
BitMatrix switch_rows_sequence(BitMatrix design, std::string_view sequence);

}  // namespace leman::wl
