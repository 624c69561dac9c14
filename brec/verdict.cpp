#include "brec/verdict.hpp"

#include <Eigen/SVD>
#include <limits>

#include "wl/constructions/random.hpp"

namespace leman::brec {

namespace {

constexpr Eigen::Index kHalf = 64;

void check(const auto& rows) {
  if (rows.rows() != 2 * kHalf) throw UsageError("embeddings: not 128 rows");
  if (!rows.allFinite()) throw ValueError("an embedding is not finite");
}

// Differences of the first `couples` couples of consecutive rows from `from` on. With
// more dimensions than half of the couples there is no room for a test. Then a random
// but fixed map to that many dimensions is applied, so that it cannot favour anything.
template <class Matrix>
Matrix differences(const Matrix& rows, Eigen::Index from, std::size_t couples) {
  const auto count = static_cast<Eigen::Index>(couples), most = std::max<Eigen::Index>(1, count / 2);
  Matrix d(count, rows.cols());
  for (Eigen::Index k = 0; k < count; ++k) d.row(k) = rows.row(from + 2 * k) - rows.row(from + 2 * k + 1);
  if (rows.cols() <= most) return d;
  Rng rng(static_cast<std::uint64_t>(rows.cols()));
  Matrix map(rows.cols(), most);
  for (Eigen::Index k = 0; k < map.size(); ++k)
    map.data()[k] = static_cast<typename Matrix::Scalar>(2 * rng.uniform() - 1);
  return d * map;
}

double separation(const Eigen::VectorXd& first, const Eigen::VectorXd& second) {
  const double size = std::max(first.cwiseAbs().maxCoeff(), second.cwiseAbs().maxCoeff());
  return size > 0 ? (first - second).cwiseAbs().maxCoeff() / size : 0;
}

// Singular values below max(rows, columns) * epsilon times the largest count as
// zero, as in PyTorch's pseudo-inverse.
float published_t2(const Eigen::MatrixXf& d) {
  const Eigen::VectorXf mean = d.colwise().mean();
  const Eigen::MatrixXf centred = d.rowwise() - mean.transpose();
  const Eigen::MatrixXf covariance = centred.transpose() * centred / static_cast<float>(d.rows() - 1);
  const Eigen::JacobiSVD<Eigen::MatrixXf> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const float least = svd.singularValues()[0] * static_cast<float>(d.cols()) * std::numeric_limits<float>::epsilon();
  float t2 = 0;
  for (Eigen::Index k = 0; k < d.cols(); ++k)
    if (svd.singularValues()[k] > least)
      t2 += svd.matrixV().col(k).dot(mean) * svd.matrixU().col(k).dot(mean) / svd.singularValues()[k];
  return t2;
}

// torch.isclose(t2, reliability, atol=1e-6). Its default relative tolerance of 1e-5, times the
// second argument, applies too. All in the precision of the arguments.
bool published_close(float t2, float reliability) {
  return std::abs(t2 - reliability) <= 1e-6f + std::abs(1e-5f * reliability);
}

}  // namespace

Verdict judge_published(const Eigen::MatrixXf& rows) {
  check(rows);
  Verdict v;
  const float pairs = published_t2(differences(rows, 0, kHalf / 2));
  const float reliability = published_t2(differences(rows, kHalf, kHalf / 2));
  v.pairs.t2 = pairs;
  v.reliability.t2 = reliability;
  v.distinguished = v.pairs.t2 > kPublishedThreshold && !published_close(pairs, reliability);
  v.reliable = v.reliability.t2 < kPublishedThreshold;
  v.separation = separation(rows.row(0).cast<double>(), rows.row(1).cast<double>());
  return v;
}

Verdict judge_sound(const Eigen::MatrixXd& rows, double level, std::size_t couples, std::size_t reliability_couples) {
  check(rows);
  Verdict v;
  v.pairs = hotelling(differences(rows, 0, couples));
  v.reliability = hotelling(differences(rows, kHalf, reliability_couples));
  v.reliable = v.reliability.p_value >= level;
  v.distinguished = v.pairs.p_value < level && v.reliable;
  v.separation = separation(rows.row(0), rows.row(1));
  return v;
}

Verdict judge_exact(const Eigen::VectorXd& first, const Eigen::VectorXd& second, bool reliable) {
  if (!first.allFinite() || !second.allFinite()) throw ValueError("an embedding is not finite");
  Verdict v;
  const bool equal = first == second;
  v.pairs = {equal ? 0 : std::numeric_limits<double>::infinity(), equal ? 1.0 : 0.0, 0, true};
  v.reliability = {reliable ? 0 : std::numeric_limits<double>::infinity(), reliable ? 1.0 : 0.0, 0, true};
  v.reliable = reliable;
  v.distinguished = !equal && reliable;
  v.separation = separation(first, second);
  return v;
}

}  // namespace leman::brec
