// The sample and the statistic of BREC's test.
#include "brec/hotelling.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <set>

#include "brec/relabellings.hpp"
#include "brec/verdict.hpp"
#include "tests/support.hpp"
#include "wl/canon.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/formats.hpp"

namespace leman::brec {
namespace {

Eigen::MatrixXd normal(Eigen::Index rows, Eigen::Index columns, Rng& rng) {
  Eigen::MatrixXd m(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < columns; ++j)
      m(i, j) = std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * M_PI * rng.uniform());
  return m;
}

TEST(Hotelling, ThresholdOfBrec) {
  // 31 * 16 / 16 * F(16, 16; 0.95), with F from printed tables: 2.33348.
  EXPECT_NEAR(t2_threshold(16, 32, 0.05), 72.34, 0.005);
  EXPECT_THROW(t2_threshold(16, 16, 0.05), UsageError);
  EXPECT_THROW(t2_threshold(4, 16, 0), UsageError);
}

TEST(Hotelling, OneDimensionIsTheSquareOfStudentsT) {
  Eigen::MatrixXd d(5, 1);
  d << 1, 2, 3, 4, 6;  // mean 3.2, variance 3.7
  const Hotelling h = hotelling(d);
  EXPECT_NEAR(h.t2, 5 * 3.2 * 3.2 / 3.7, 1e-12);
  // Student's distribution with 4 degrees of freedom in closed form.
  const double x = std::sqrt(h.t2 / (1 + h.t2 / 4));
  EXPECT_NEAR(h.p_value, 1 - 0.75 * x * (1 - x * x / 12), 1e-12);
  EXPECT_EQ(h.rank, 1);
}

TEST(Hotelling, IsTheFormula) {
  Rng rng(3);
  for (int p : {2, 5, 16}) {
    const Eigen::MatrixXd d = normal(32, p, rng) * normal(p, p, rng) + Eigen::MatrixXd::Constant(32, p, 0.3);
    const Eigen::VectorXd mean = d.colwise().mean();
    const Eigen::MatrixXd centred = d.rowwise() - mean.transpose();
    const Eigen::MatrixXd covariance = centred.transpose() * centred / 31;
    const Hotelling h = hotelling(d);
    EXPECT_NEAR(h.t2 / (32 * mean.dot(covariance.inverse() * mean)), 1, 1e-6);
    EXPECT_EQ(h.rank, p);
  }
}

// A singular covariance: two of three dimensions carry everything.
TEST(Hotelling, SingularCovariance) {
  Rng rng(4);
  Eigen::MatrixXd d = normal(32, 3, rng);
  d.col(2) = d.col(0) - 2 * d.col(1);
  const Hotelling h = hotelling(d), plain = hotelling(d.leftCols(2));
  EXPECT_EQ(h.rank, 2);
  EXPECT_NEAR(h.t2, plain.t2, 1e-8 * plain.t2);
  EXPECT_NEAR(h.p_value, plain.p_value, 1e-8);
  d.col(2).array() += 1;  // now the mean leaves the plane of the differences
  EXPECT_TRUE(std::isinf(hotelling(d).t2));
  EXPECT_EQ(hotelling(d).p_value, 0);
}

TEST(Hotelling, NoCovarianceIsDecidedByEquality) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(32, 16);
  EXPECT_TRUE(hotelling(zero).by_equality);
  EXPECT_EQ(hotelling(zero).p_value, 1);
  const Eigen::MatrixXd tiny = Eigen::MatrixXd::Constant(32, 16, 1e-300);
  EXPECT_TRUE(hotelling(tiny).by_equality);
  EXPECT_EQ(hotelling(tiny).p_value, 0);
  EXPECT_THROW(hotelling(Eigen::MatrixXd::Constant(32, 16, NAN)), ValueError);
  EXPECT_TRUE(hotelling(Eigen::MatrixXd::Ones(1, 16)).by_equality);
  EXPECT_THROW(hotelling(Eigen::MatrixXd::Zero(0, 16)), UsageError);
}

TEST(Hotelling, DoesNotDependOnScale) {
  Rng rng(12);
  const Eigen::MatrixXd rows = normal(32, 16, rng);
  const double t2 = hotelling(rows).t2;
  for (double scale : {1e-200, 1e-290, 1e200, 1e300}) {
    EXPECT_NEAR(hotelling(rows * scale).t2, t2, 1e-9 * t2) << scale;
    Eigen::MatrixXd part = rows;
    part.rightCols(7) *= scale;
    EXPECT_NEAR(hotelling(part).t2, t2, 1e-9 * t2) << scale;
  }
}

// If the mean is zero, a test at level 5% rejects in 5% of the cases, even if most
// dimensions vary little, alone or mixed with others.
TEST(Hotelling, LevelIsKept) {
  Rng rng(5);
  const int trials = 1000 * test::depth();
  for (const double small : {1.0, 2e-6, 1e-9, 3e-13, 1e-14})
    for (const bool mixed : {false, true}) {
      const Eigen::MatrixXd map = mixed ? normal(16, 16, rng) : Eigen::MatrixXd::Identity(16, 16);
      int rejected = 0, infinite = 0;
      for (int k = 0; k < trials; ++k) {
        Eigen::MatrixXd d = normal(32, 16, rng);
        d.rightCols(15) *= small;
        const Hotelling h = hotelling(d * map);
        rejected += h.p_value < 0.05;
        infinite += std::isinf(h.t2);
      }
      EXPECT_NEAR(rejected, 0.05 * trials, 4 * std::sqrt(0.05 * 0.95 * trials)) << small << ' ' << mixed;
      EXPECT_EQ(infinite, 0) << small << ' ' << mixed;
    }
}

// The published T^2 lacks the factor: 32 times it is Hotelling's, up to float32 rounding.
TEST(Verdict, PublishedIsHotellingWithoutItsFactor) {
  Rng rng(8);
  const Eigen::MatrixXd rows = normal(128, 16, rng);
  const Verdict published = judge_published(rows.cast<float>()), sound = judge_sound(rows, 0.01, 32, 32);
  EXPECT_NEAR(32 * published.pairs.t2, sound.pairs.t2, 1e-3 * sound.pairs.t2);
  EXPECT_NEAR(32 * published.reliability.t2, sound.reliability.t2, 1e-3 * sound.reliability.t2);
  EXPECT_FALSE(published.distinguished || sound.distinguished);
  EXPECT_TRUE(published.reliable && sound.reliable);
}

// 32 couples in one dimension with differences c +- 1: every step of T^2 is exact enough in float32.
Eigen::MatrixXf couples_around(float pairs, float reliability) {
  Eigen::MatrixXf rows = Eigen::MatrixXf::Zero(128, 1);
  for (Eigen::Index k = 0; k < 128; k += 2) rows(k, 0) = (k < 64 ? pairs : reliability) + (k % 4 ? 1.f : -1.f);
  return rows;
}

// BREC's isclose has a relative tolerance of 1e-5 besides the absolute one of 1e-6. T^2 is about 9700
// here and its relative change is twice that of c: 4.9e-6 and 2.0e-5.
TEST(Verdict, PublishedComparesWithARelativeToleranceToo) {
  const Verdict close = judge_published(couples_around(100, 100 + 0x1p-12f));
  EXPECT_GT(std::abs(close.pairs.t2 - close.reliability.t2), 1e-2);
  EXPECT_FALSE(close.distinguished);
  EXPECT_FALSE(judge_published(couples_around(100 + 0x1p-12f, 100)).distinguished);
  EXPECT_TRUE(judge_published(couples_around(100, 100 + 0x1p-10f)).distinguished);
  EXPECT_TRUE(judge_published(couples_around(100, 1)).distinguished);
}

TEST(Verdict, CountsOnlyIfReliable) {
  Rng rng(9);
  Eigen::MatrixXd rows = normal(128, 16, rng);
  for (Eigen::Index k = 0; k < 64; k += 2) rows.row(k).array() += 9;
  EXPECT_TRUE(judge_sound(rows, 1e-4, 32, 32).distinguished);
  for (Eigen::Index k = 64; k < 128; k += 2) rows.row(k).array() += 9;
  EXPECT_FALSE(judge_sound(rows, 1e-4, 32, 32).distinguished);
  EXPECT_FALSE(judge_sound(rows, 1e-4, 32, 32).reliable);
  const Verdict published = judge_published(rows.cast<float>());
  EXPECT_TRUE(!published.reliable && published.distinguished) << "without regard to reliability";
}

// With more dimensions than couples the mean is never in the covariance's range.
// Without the map to fewer dimensions, every test would reject.
TEST(Verdict, LevelIsKeptInManyDimensionsAndWithFewCouples) {
  Rng rng(10);
  int wide = 0, few = 0;
  const int trials = 400 * test::depth();
  for (int k = 0; k < trials; ++k) {
    wide += judge_sound(normal(128, 64, rng), 0.05, 32, 32).pairs.p_value < 0.05;
    few += judge_sound(normal(128, 16, rng), 0.05, 5, 5).pairs.p_value < 0.05;
  }
  const double slack = 4 * std::sqrt(0.05 * 0.95 * trials);
  EXPECT_NEAR(wide, 0.05 * trials, slack);
  EXPECT_NEAR(few, 0.05 * trials, slack);
}

TEST(Verdict, ExactIsEquality) {
  Eigen::VectorXd a = Eigen::VectorXd::Constant(16, 1.0), b = a;
  EXPECT_FALSE(judge_exact(a, b, true).distinguished);
  b[3] = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(judge_exact(a, b, true).distinguished);
  EXPECT_FALSE(judge_exact(a, b, false).distinguished);
  EXPECT_NEAR(judge_exact(a, b, true).separation, 2.2e-16, 1e-17);
  b[3] = NAN;
  EXPECT_THROW(judge_exact(a, b, true), ValueError);
}

TEST(Relabellings, AreDistinctAndIsomorphic) {
  Rng rng(6);
  for (const wl::Graph& graph : {wl::petersen(), wl::erdos_renyi(12, 0.4, rng), wl::path(7)}) {
    const Relabellings r = relabellings(graph, 64, rng);
    ASSERT_EQ(r.graphs.size(), 64u);
    EXPECT_EQ(r.distinct, 64u);
    EXPECT_EQ(r.graphs[0], graph);
    std::set<std::string> texts;
    for (const wl::Graph& other : r.graphs) {
      texts.insert(wl::to_graph6(other));
      EXPECT_TRUE(wl::isomorphic(graph, other));
    }
    EXPECT_EQ(texts.size(), 64u);
  }
}

TEST(Relabellings, AllOfThemIfThereAreFew) {
  Rng rng(7);
  const Relabellings square = relabellings(wl::cycle(4), 32, rng);  // 4! / 8 = 3
  EXPECT_EQ(square.distinct, 3u);
  ASSERT_EQ(square.graphs.size(), 32u);
  std::set<std::string> texts;
  for (const wl::Graph& other : square.graphs) texts.insert(wl::to_graph6(other));
  EXPECT_EQ(texts.size(), 3u);
  EXPECT_EQ(relabellings(wl::complete(5), 8, rng).distinct, 1u);
}

TEST(Relabellings, SeedDecides) {
  Rng one(9), again(9), two(10);
  const auto a = relabellings(wl::petersen(), 8, one), b = relabellings(wl::petersen(), 8, again),
             c = relabellings(wl::petersen(), 8, two);
  EXPECT_TRUE(a.graphs == b.graphs);
  EXPECT_FALSE(a.graphs == c.graphs);
}

}  // namespace
}  // namespace leman::brec
