// m-ary numbers, and the parametrization of the proof run on them.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "proofs_check/parametrization.hpp"
#include "tests/support.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/random.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {
namespace {

Sparse random_number(std::uint32_t base, Rng& rng) {
  Sparse sum;
  for (std::uint64_t k = rng.below(12); k > 0; --k)
    sum += Sparse::power(base, static_cast<std::int64_t>(rng.below(9)) - 2);
  return sum;
}

// Compares every operation with rational numbers.
TEST(Mary, SparseAgainstExact) {
  Rng rng(1);
  for (int k = 0; k < 300 * test::depth(); ++k) {
    const auto base = static_cast<std::uint32_t>(2 + rng.below(6));
    const Sparse a = random_number(base, rng), b = random_number(base, rng);
    const Exact x = to_exact(a, base), y = to_exact(b, base);
    EXPECT_EQ(to_exact(a + b, base), x + y) << a.text() << " + " << b.text();
    EXPECT_EQ(to_exact(a * b, base), x * y) << a.text() << " * " << b.text();
    EXPECT_EQ(a < b, x < y) << a.text() << " < " << b.text();
    EXPECT_EQ(a == b, x == y);
    EXPECT_EQ(to_sparse(x, base), a);
    for (const auto& [position, digit] : a.digits()) EXPECT_TRUE(digit > 0 && digit < base);
  }
  EXPECT_THROW(to_sparse(Exact(1, 3), 10), UsageError);
  EXPECT_THROW(to_sparse(Exact(-1, 2), 2), UsageError);
  EXPECT_THROW(Sparse::power(1, 1), UsageError);
  EXPECT_THROW(Sparse::power(2, 1) + Sparse::power(3, 1), UsageError);
}

TEST(Mary, FarDigits) {
  const Sparse far = Sparse::power(60, 12'960'000);  // 60^4
  EXPECT_LT(far, Sparse::power(60, 12'959'999));
  Sparse sum;
  for (int k = 0; k < 60; ++k) sum += far;
  EXPECT_EQ(sum, Sparse::power(60, 12'959'999));  // a carry
}

// Calls visit(counts) for all multisets of `order` out of `kinds`.
void multisets(int order, std::vector<int>& counts, std::size_t kind, const std::function<void()>& visit) {
  if (kind + 1 == counts.size()) {
    counts[kind] = order;
    return visit();
  }
  for (counts[kind] = 0; counts[kind] <= order; ++counts[kind]) {
    const int own = counts[kind];
    multisets(order - own, counts, kind + 1, visit);
    counts[kind] = own;
  }
}

// The number of pairs of multisets of this order with equal sums in base m.
int collisions(std::uint32_t m, int order, std::size_t kinds) {
  std::map<Sparse, int> sums;
  std::vector<int> counts(kinds);
  multisets(order, counts, 0, [&] {
    Sparse sum;
    for (std::size_t i = 0; i < kinds; ++i)
      for (int k = 0; k < counts[i]; ++k) sum += Sparse::power(m, static_cast<std::int64_t>(i) + 1);
    ++sums[sum];
  });
  int found = 0;
  for (const auto& [sum, count] : sums) found += count - 1;
  return found;
}

// The lemma takes order m - 1; the proof uses order m. That is safe as well: a carry can
// only come from m equal elements and leaves a single digit 1, while the digits of any
// other multiset of order m sum to m. At m + 1 it breaks: (m + 1) m^-2 = m^-1 + m m^-3.
TEST(Lemmas, MultisetsOfOrderM) {
  for (std::uint32_t m = 2; m <= 5; ++m) {
    const int order = static_cast<int>(m);
    EXPECT_EQ(collisions(m, order - 1, 5), 0) << m;
    EXPECT_EQ(collisions(m, order, 5), 0) << m;
    EXPECT_GT(collisions(m, order + 1, 3), 0) << m;
  }
}

// All numbers with one or two digits after the point.
std::vector<Sparse> short_numbers(std::uint32_t m, std::int64_t first, std::int64_t last) {
  std::vector<Sparse> numbers{Sparse()};
  for (std::int64_t position = first; position <= last; ++position) {
    std::vector<Sparse> more;
    for (const Sparse& number : numbers) {
      Sparse sum = number;
      for (std::uint32_t digit = 0; digit < m; ++digit, sum += Sparse::power(m, position)) more.push_back(sum);
    }
    numbers = std::move(more);
  }
  return numbers;
}

// As printed (min A > max B) the lemma on sums is false; with disjoint ranges of
// digits it holds.
TEST(Lemmas, SumsOfNumbersThatDoNotOverlap) {
  const Sparse a[] = {Sparse::power(10, 1) * to_sparse(3, 10), Sparse::power(10, 1) * to_sparse(4, 10)};
  const Sparse b[] = {Sparse::power(10, 1) * to_sparse(2, 10), Sparse::power(10, 1)};
  EXPECT_GT(std::min(a[0], a[1]), std::max(b[0], b[1]));
  EXPECT_EQ(a[0] + b[0], a[1] + b[1]);  // 0.3 + 0.2 = 0.4 + 0.1
  for (std::uint32_t m = 2; m <= 4; ++m) {
    std::map<Sparse, int> sums;
    for (const Sparse& x : short_numbers(m, 1, 2))
      for (const Sparse& y : short_numbers(m, 3, 4)) EXPECT_EQ(++sums[x + y], 1) << m;
  }
}

TEST(Parametrization, MendedHoldsOnAllSmallGraphs) {
  for (wl::Node n = 2; n <= 5; ++n)
    for (const wl::Graph& graph : wl::all_graphs(n))
      for (Arithmetic a : {Arithmetic::Digits, Arithmetic::Rationals}) {
        const wl::Graph* g = &graph;
        const Proof proof = prove({&g, 1}, construction("mended", n, 1), a);
        EXPECT_FALSE(proof.failure) << wl::to_graph6(graph) << ' ' << proof.failure->check << proof.failure->detail;
        EXPECT_EQ(proof.held.size(), a == Arithmetic::Digits ? 4u : 5u);
      }
}

TEST(Parametrization, PrintedFailsOnThreeNodes) {
  int failed = 0;
  for (const wl::Graph& graph : wl::all_graphs(3)) {
    const wl::Graph* g = &graph;
    const Proof proof = prove({&g, 1}, construction("printed", 3, 1), Arithmetic::Digits);
    if (!proof.failure) continue;
    ++failed;
    EXPECT_EQ(proof.failure->check, "injective");
    EXPECT_EQ(proof.failure->graphs, wl::to_graph6(graph));
  }
  EXPECT_EQ(failed, 2);  // an edge and a node, and its complement
}

int failures(const std::string& name, wl::Node n, Arithmetic arithmetic) {
  int failed = 0;
  for (const wl::Graph& graph : wl::all_graphs(n)) {
    const wl::Graph* g = &graph;
    failed += prove({&g, 1}, construction(name, n, 1), arithmetic).failure.has_value();
  }
  return failed;
}

// LayerNorm turns every token into (1, -1): no multiset gets through.
TEST(Parametrization, LayerNormDestroysIt) {
  EXPECT_EQ(failures("layernorm", 2, Arithmetic::Rationals), 0);
  EXPECT_EQ(failures("layernorm", 3, Arithmetic::Rationals), failures("printed", 3, Arithmetic::Rationals));
}

// With epsilon, tokens are (y, -y): colours stay apart, but the fused value is the
// same for (j,l),(l,m) and (m,l),(l,j).
TEST(Parametrization, LayerNormWithEpsilonLosesTheOrder) {
  EXPECT_EQ(failures("mended", 3, Arithmetic::LongDouble), 0);
  for (const wl::Graph& graph : wl::all_graphs(3)) {
    const wl::Graph* g = &graph;
    const Proof proof = prove({&g, 1}, construction("layernorm-epsilon", 3, 1), Arithmetic::LongDouble);
    const bool printed = prove({&g, 1}, construction("printed", 3, 1), Arithmetic::Digits).failure.has_value();
    EXPECT_EQ(proof.failure.has_value(), printed) << wl::to_graph6(graph);
    if (proof.failure) {
      EXPECT_EQ(proof.failure->check, "injective");
      const std::string& pairs = proof.failure->detail;  // "(0,2) and (2,0) ...": a pair and its transpose
      EXPECT_EQ(pairs.substr(1, 1) + pairs.substr(3, 1), pairs.substr(13, 1) + pairs.substr(11, 1)) << pairs;
    }
  }
  EXPECT_THROW(failures("layernorm-epsilon", 3, Arithmetic::Rationals), UsageError);
}

// With colourings that are not 2-FWL's, the check responsible for the difference fails.
TEST(Parametrization, WrongColouringsAreNoticed) {
  const wl::Graph graph = wl::path(5);
  const wl::Graph* g = &graph;
  const Colorings right = round_colorings({&g, 1});
  ASSERT_GE(right.size(), 4u);
  const Construction c = construction("mended", 5, 1);
  auto check = [&](const Colorings& colors) {
    const Proof proof = prove_against(colors, {&g, 1}, c, Arithmetic::Digits);
    return proof.failure ? proof.failure->check : "none";
  };
  EXPECT_EQ(check(right), "none");
  Colorings hasty = right;  // one round too early
  hasty[1] = right[2];
  EXPECT_EQ(check(hasty), "injective");
  Colorings lazy = right;  // one round too late
  lazy[1] = right[0];
  EXPECT_EQ(check(lazy), "defined");
}

// A check that did not run is not listed as held.
TEST(Parametrization, OnlyChecksThatRanAreListed) {
  const wl::Graph edge = wl::complete(2);
  const wl::Graph* g = &edge;
  auto held = [&](const char* name, Arithmetic a) { return prove({&g, 1}, construction(name, 2, 1), a).held; };
  const std::vector<std::string> three{"token", "injective", "defined"},
      four{"token", "injective", "defined", "network"};
  EXPECT_EQ(held("printed", Arithmetic::Digits), three);      // the sum is zero: there are no digits to compare
  EXPECT_EQ(held("layernorm", Arithmetic::Rationals), four);  // numbers may be negative
}

// Precision runs out: float32 on three nodes, float64 and long double on four.
TEST(Parametrization, FloatingPointIsTooShort) {
  EXPECT_EQ(failures("mended", 2, Arithmetic::Float32), 0);
  EXPECT_GT(failures("mended", 3, Arithmetic::Float32), 0);
  EXPECT_EQ(failures("mended", 3, Arithmetic::Float64), 0);
  EXPECT_GT(failures("mended", 4, Arithmetic::Float64), 0);
  EXPECT_GT(failures("mended", 4, Arithmetic::LongDouble), 0);
}

TEST(Parametrization, PairsRunJointly) {
  const wl::Graph hexagon = wl::cycle(6), triangles = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  const wl::Graph* pair[] = {&hexagon, &triangles};
  const Proof proof = prove(pair, construction("mended", 6, 2), Arithmetic::Digits);
  EXPECT_FALSE(proof.failure);
  EXPECT_GT(proof.positions, 2 * 72);  // K = 72: exponents for the colours of both
  const wl::Graph small = wl::cycle(5);
  const wl::Graph* wrong[] = {&hexagon, &small};
  EXPECT_THROW(prove(wrong, construction("mended", 6, 2), Arithmetic::Digits), UsageError);
  EXPECT_THROW(construction("mended", 1, 1), UsageError);
  EXPECT_THROW(construction("odd", 4, 1), UsageError);
}

// If one weight, exponent or base is changed, a check must fail on some small graph.
TEST(Parametrization, EveryPartIsNeeded) {
  const std::map<std::string, std::function<void(Construction&)>> changes{
      {"beta = n^K", [](Construction& c) { c.v1[0][0] = -c.exponent; }},
      {"W^V1 is zero", [](Construction& c) { c.v1[0][0].reset(); }},
      {"W^V2 takes T, not its power", [](Construction& c) { c.v2[0][0] = 0, c.v2[1][0].reset(); }},
      {"W^O is zero", [](Construction& c) { c.o[0][0].reset(); }},
      {"W^O swaps the entries", [](Construction& c) { std::swap(c.o[0], c.o[1]); }},
      {"second exponent 1", [](Construction& c) { c.exponent = 1; }}};
  for (const auto& [what, change] : changes) {
    std::string noticed;
    for (wl::Node n = 3; n <= 5 && noticed.empty(); ++n)
      for (const wl::Graph& graph : wl::all_graphs(n)) {
        const wl::Graph* g = &graph;
        Construction c = construction("mended", n, 1);
        change(c);
        const Proof proof = prove({&g, 1}, c, Arithmetic::Rationals);
        if (proof.failure) noticed = proof.failure->check;
        if (!noticed.empty()) break;
      }
    EXPECT_NE(noticed, "") << what;
  }
}

// The power n^2 alone moves the sum past all digits of T, so beta = 1 would do.
TEST(Parametrization, BetaIsNotNeeded) {
  for (wl::Node n = 2; n <= 5; ++n)
    for (const wl::Graph& graph : wl::all_graphs(n)) {
      const wl::Graph* g = &graph;
      Construction c = construction("mended", n, 1);
      c.v1[0][0] = 0;
      EXPECT_FALSE(prove({&g, 1}, c, Arithmetic::Digits).failure) << wl::to_graph6(graph);
    }
}

TEST(Parametrization, RelabellingChangesNothing) {
  Rng rng(3);
  for (int k = 0; k < 10 * test::depth(); ++k) {
    const wl::Graph graph = wl::erdos_renyi(8, 0.4, rng), other = wl::relabel(graph, rng.permutation(8));
    const wl::Graph *a = &graph, *b = &other;
    const Proof x = prove({&a, 1}, construction("mended", 8, 1), Arithmetic::Digits);
    const Proof y = prove({&b, 1}, construction("mended", 8, 1), Arithmetic::Digits);
    EXPECT_FALSE(x.failure || y.failure);
    EXPECT_EQ(x.positions, y.positions);
    EXPECT_EQ(x.colors, y.colors);
  }
}

}  // namespace
}  // namespace leman::proofs
