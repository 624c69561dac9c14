#include "brec/hotelling.hpp"

#include <Eigen/Eigenvalues>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace leman::brec {

Hotelling hotelling(const Eigen::MatrixXd& given, double tolerance) {
  const auto n = given.rows();
  if (n < 1) throw std::invalid_argument("hotelling: no differences");
  if (!given.allFinite()) throw std::runtime_error("a difference of embeddings is not finite");
  // T^2 does not depend on scale, but squares must not overflow or vanish; a power
  // of two changes no digit.
  const double scale = std::ldexp(1.0, -std::ilogb(std::max(given.cwiseAbs().maxCoeff(), 1e-300)));
  const Eigen::MatrixXd differences = given * scale;
  const Eigen::VectorXd mean = differences.colwise().mean();
  // Equal rows are compared as they are: their mean may differ from them by rounding.
  const bool constant = (differences.rowwise() - differences.row(0)).isZero(0);
  Hotelling result;
  if (constant) {
    result.by_equality = true;
    const bool zero = differences.row(0).isZero(0);
    result.t2 = zero ? 0 : std::numeric_limits<double>::infinity();
    result.p_value = zero ? 1 : 0;
    return result;
  }
  const Eigen::MatrixXd centred = differences.rowwise() - mean.transpose();
  const Eigen::MatrixXd covariance = centred.transpose() * centred / static_cast<double>(n - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  const double top = solver.eigenvalues().maxCoeff();
  double outside = 0;
  for (Eigen::Index k = 0; k < solver.eigenvalues().size(); ++k) {
    const double value = solver.eigenvalues()[k], along = solver.eigenvectors().col(k).dot(mean);
    if (value <= tolerance * top) {
      outside += along * along;
    } else {
      ++result.rank;
      result.t2 += static_cast<double>(n) * along * along / value;
    }
  }
  // What the largest eigenvalue's own rounding could put there.
  if (outside > tolerance * std::max(top, mean.squaredNorm())) {
    result.t2 = std::numeric_limits<double>::infinity();
    result.p_value = 0;
    return result;
  }
  const double r = result.rank, samples = static_cast<double>(n);
  if (r >= samples) throw std::invalid_argument("hotelling: more dimensions than differences");
  const boost::math::fisher_f f(r, samples - r);
  result.p_value = boost::math::cdf(boost::math::complement(f, result.t2 * (samples - r) / (r * (samples - 1))));
  return result;
}

double t2_threshold(int dimensions, int samples, double level) {
  if (dimensions < 1 || samples <= dimensions || !(level > 0 && level < 1))
    throw std::invalid_argument("t2_threshold: arguments out of range");
  const double p = dimensions, n = samples;
  const boost::math::fisher_f f(p, n - p);
  return p * (n - 1) / (n - p) * boost::math::quantile(boost::math::complement(f, level));
}

}  // namespace leman::brec
