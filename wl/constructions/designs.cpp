#include "wl/constructions/designs.hpp"

#include <bit>
#include <string>

#include "wl/constructions/field.hpp"
#include "wl/constructions/recipe.hpp"

namespace leman::wl {

namespace {

bool rows_meet(const BitMatrix& design, std::uint32_t k, std::uint32_t lambda) {
  for (Node i = 0; i < design.order(); ++i) {
    if (design.row_count(i) != k) return false;
    for (Node j = 0; j < i; ++j)
      if (design.common(i, j) != lambda) return false;
  }
  return true;
}

// Q(a,b) = character of a - b.
SignMatrix jacobsthal(const Field& field) {
  std::uint32_t q = field.size();
  SignMatrix matrix(q, std::vector<int>(q));
  for (std::uint32_t a = 0; a < q; ++a)
    for (std::uint32_t b = 0; b < q; ++b) matrix[a][b] = field.character(field.add(a, field.negate(b)));
  return matrix;
}

// Borders Q with a row of ones and a column filled with `corner`. The result is a
// conference matrix: symmetric for q = 1 mod 4 and corner = 1, skew for q = 3 mod 4
// and corner = -1.
SignMatrix bordered(const SignMatrix& core, int corner) {
  std::size_t n = core.size() + 1;
  SignMatrix matrix(n, std::vector<int>(n));
  for (std::size_t i = 1; i < n; ++i) {
    matrix[0][i] = 1;
    matrix[i][0] = corner;
    for (std::size_t j = 1; j < n; ++j) matrix[i][j] = core[i - 1][j - 1];
  }
  return matrix;
}

std::vector<int> signs(std::string_view text) {
  std::vector<int> result;
  for (char c : text) result.push_back(c == '+' ? 1 : -1);
  return result;
}

}  // namespace

bool is_symmetric_design(const BitMatrix& design, std::uint32_t k, std::uint32_t lambda) {
  return rows_meet(design, k, lambda) && rows_meet(transpose(design), k, lambda);
}

Graph incidence_graph(const BitMatrix& design) {
  GraphData data{.order = 2 * design.order(), .directed = false, .edges = {}, .node_colors = {}};
  for (Node block = 0; block < design.order(); ++block)
    for (Node point = 0; point < design.order(); ++point)
      if (design.test(block, point)) data.edges.push_back({point, design.order() + block});
  return Graph(data);
}

BitMatrix transpose(const BitMatrix& design) {
  BitMatrix result(design.order());
  for (Node i = 0; i < design.order(); ++i)
    for (Node j = 0; j < design.order(); ++j)
      if (design.test(i, j)) result.set(j, i);
  return result;
}

BitMatrix complement_design(const BitMatrix& design) {
  BitMatrix result = design;
  for (Node i = 0; i < design.order(); ++i)
    for (Node j = 0; j < design.order(); ++j) result.flip(i, j);
  return result;
}

BitMatrix difference_set_design(std::uint32_t v, const std::vector<std::uint32_t>& set) {
  std::vector<std::uint32_t> count(v, 0);
  BitMatrix design(v);
  for (std::uint32_t x : set) {
    if (x >= v) throw UsageError("difference set: " + std::to_string(x) + " is not below " + std::to_string(v));
    for (std::uint32_t y : set) ++count[(x + v - y) % v];
    for (std::uint32_t shift = 0; shift < v; ++shift) design.set(shift, (x + shift) % v);
  }
  for (std::uint32_t d = 2; d < v; ++d)
    if (count[d] != count[1])
      throw UsageError("not a difference set: 1 is a difference " + std::to_string(count[1]) + " times, " +
                       std::to_string(d) + " " + std::to_string(count[d]) + " times");
  return design;
}

BitMatrix pg32_design() {
  BitMatrix design(15);
  for (Node i = 1; i <= 15; ++i)
    for (Node j = 1; j <= 15; ++j)
      if (std::popcount(i & j) % 2 == 0) design.set(i - 1, j - 1);
  return design;
}

SignMatrix hadamard_paley1(std::uint32_t q) {
  if (q % 4 != 3) throw UsageError("Paley I: q must be 3 mod 4, not " + std::to_string(q));
  SignMatrix matrix = bordered(jacobsthal(Field(q)), -1);
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i][i] += 1;
  return matrix;
}

SignMatrix hadamard_paley2(std::uint32_t q) {
  if (q % 4 != 1) throw UsageError("Paley II: q must be 1 mod 4, not " + std::to_string(q));
  SignMatrix conference = bordered(jacobsthal(Field(q)), 1);
  SignMatrix matrix = kronecker(conference, {{1, 1}, {1, -1}});
  for (std::size_t i = 0; i < conference.size(); ++i) {  // + I (x) [[1,-1],[-1,-1]]
    matrix[2 * i][2 * i] += 1;
    matrix[2 * i][2 * i + 1] -= 1;
    matrix[2 * i + 1][2 * i] -= 1;
    matrix[2 * i + 1][2 * i + 1] -= 1;
  }
  return matrix;
}

SignMatrix hadamard_two_circulant(std::string_view a_row, std::string_view b_row) {
  auto a = signs(a_row), b = signs(b_row);
  std::size_t n = a.size();
  SignMatrix matrix(2 * n, std::vector<int>(2 * n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      std::size_t d = (j + n - i) % n, back = (i + n - j) % n;
      matrix[i][j] = a[d];
      matrix[i][n + j] = b[d];
      matrix[n + i][j] = b[back];
      matrix[n + i][n + j] = -a[back];
    }
  return matrix;
}

SignMatrix kronecker(const SignMatrix& a, const SignMatrix& b) {
  std::size_t n = a.size(), m = b.size();
  SignMatrix result(n * m, std::vector<int>(n * m));
  for (std::size_t i = 0; i < n * m; ++i)
    for (std::size_t j = 0; j < n * m; ++j) result[i][j] = a[i / m][j / m] * b[i % m][j % m];
  return result;
}

bool is_hadamard(const SignMatrix& matrix) {
  int n = static_cast<int>(matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      int sum = 0;
      for (std::size_t k = 0; k < matrix.size(); ++k) {
        if (matrix[i][k] != 1 && matrix[i][k] != -1) return false;
        sum += matrix[i][k] * matrix[j][k];
      }
      if (sum != (i == j ? n : 0)) return false;
    }
  return true;
}

BitMatrix hadamard_design(const SignMatrix& matrix, std::size_t row, std::size_t column) {
  std::size_t n = matrix.size();
  BitMatrix design(static_cast<Node>(n - 1));
  for (std::size_t i = 0, at_row = 0; i < n; ++i) {
    if (i == row) continue;
    for (std::size_t j = 0, at_column = 0; j < n; ++j) {
      if (j == column) continue;
      // The corner makes the chosen row and column agree on their crossing.
      int value = matrix[i][j] * matrix[row][j] * matrix[i][column] * matrix[row][column];
      if (value == 1) design.set(static_cast<Node>(at_row), static_cast<Node>(at_column));
      ++at_column;
    }
    ++at_row;
  }
  return design;
}

BitMatrix design_25_9_3() {
  auto shift = [](std::uint32_t x) {  // bit 0 stays; 3k+1 -> 3k+2 -> 3k+3 -> 3k+1
    std::uint32_t result = x & 1;
    for (unsigned bit = 1; bit < 25; ++bit)
      if (x >> bit & 1) result |= 1u << (bit % 3 == 0 ? bit - 2 : bit + 1);
    return result;
  };
  std::vector<std::uint32_t> rows{0x3fe};  // points 1..9
  for (std::uint32_t x :
       {0x0016c93u, 0x059101du, 0x0ca21c1u, 0x01bc242u, 0x04e0e30u, 0x0703b02u, 0x0c58506u, 0x0e0c858u})
    for (int i = 0; i < 3; ++i, x = shift(x)) rows.push_back(x);
  BitMatrix design(25);
  for (Node i = 0; i < 25; ++i)
    for (Node j = 0; j < 25; ++j)
      if (rows[i] >> j & 1) design.set(i, j);
  return design;
}

BitMatrix switch_rows(const BitMatrix& design, const std::vector<Node>& rows) {
  if (rows.size() != 4) throw UsageError("switch_rows: four rows are needed");
  BitMatrix result = design;
  for (Node column = 0; column < design.order(); ++column) {
    int ones = 0;
    for (Node r : rows) ones += design.test(r, column);
    if (ones % 2 != 0)
      throw UsageError("switch_rows: column " + std::to_string(column) + " has " + std::to_string(ones) +
                       " ones in the four rows");
    for (Node r : rows)
      if (ones == 2) result.flip(r, column);
  }
  return result;
}

BitMatrix switch_rows_sequence(BitMatrix design, std::string_view sequence) {
  for (const Step& step : parse_steps(sequence)) {
    if (step.kind == 'c') design = transpose(design);
    design = switch_rows(design, step.numbers);
  }
  return design;
}

}  // namespace leman::wl
