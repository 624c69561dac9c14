#include "brec/hotelling.hpp"

#include <Eigen/SVD>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace leman::brec {

Hotelling hotelling(const Eigen::MatrixXd& given, double tolerance) {
  const auto n = given.rows();
  if (n < 1) throw UsageError("hotelling: no differences");
  if (!given.allFinite()) throw ValueError("a difference of embeddings is not finite");
  // T^2 does not depend on the scale of a dimension. But squares must not overflow or
  // vanish, and small dimensions must not get lost. Scaling by a power of two is exact.
  Eigen::MatrixXd differences = given;
  for (auto column : differences.colwise())
    column *= std::ldexp(1.0, -std::ilogb(std::max(column.cwiseAbs().maxCoeff(), 1e-300)));
  const Eigen::VectorXd mean = differences.colwise().mean();
  // Equal rows are compared directly: their mean may differ from them by rounding.
  const bool constant = (differences.rowwise() - differences.row(0)).isZero(0);
  Hotelling result;
  if (constant) {
    result.by_equality = true;
    const bool zero = differences.row(0).isZero(0);
    result.t2 = zero ? 0 : std::numeric_limits<double>::infinity();
    result.p_value = zero ? 1 : 0;
    return result;
  }
  // The covariance is V diag(s^2 / (n - 1)) V'; forming it would lose half of the digits.
  const Eigen::MatrixXd centred = differences.rowwise() - mean.transpose();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinV);
  const Eigen::VectorXd& s = svd.singularValues();
  const double samples = static_cast<double>(n);
  Eigen::VectorXd outside = mean;
  for (; result.rank < s.size() && s[result.rank] > tolerance * s[0]; ++result.rank) {
    const auto direction = svd.matrixV().col(result.rank);
    const double along = direction.dot(mean) / s[result.rank];
    result.t2 += samples * (samples - 1) * along * along;
    outside -= direction.dot(mean) * direction;
  }
  // The mean along directions that vary by no more than `tolerance` stays far below this bound.
  if (outside.norm() > tolerance * std::max(s[0], mean.norm())) {
    result.t2 = std::numeric_limits<double>::infinity();
    result.p_value = 0;
    return result;
  }
  const double r = result.rank;
  if (r >= samples) throw UsageError("hotelling: more dimensions than differences");
  const boost::math::fisher_f f(r, samples - r);
  result.p_value = boost::math::cdf(boost::math::complement(f, result.t2 * (samples - r) / (r * (samples - 1))));
  return result;
}

double t2_threshold(int dimensions, int samples, double level) {
  if (dimensions < 1 || samples <= dimensions || !(level > 0 && level < 1))
    throw UsageError("t2_threshold: arguments out of range");
  const double p = dimensions, n = samples;
  const boost::math::fisher_f f(p, n - p);
  return p * (n - 1) / (n - p) * boost::math::quantile(boost::math::complement(f, level));
}

}  // namespace leman::brec
