// Hotelling's T^2 for paired samples: is the mean of differences D_1 ... D_n in
// R^p zero? T^2 = n mean' S^-1 mean with S the sample covariance; if the mean is
// zero and the differences are normal, (n - p) T^2 / (p (n - 1)) has Fisher's F
// distribution with p and n - p degrees of freedom.
//
// A covariance of rank r < p is inverted where it has rank, and r takes the place
// of p. A mean outside of the covariance's range is not zero, whatever the level:
// no difference ever left that direction's value. A covariance of zero (a model
// that gives relabelled graphs the same bits) is decided by equality.
#pragma once

#include <Eigen/Core>

namespace leman::brec {

struct Hotelling {
  double t2 = 0;             // infinite if the mean has a part outside of the covariance's range
  double p_value = 1;        // probability of a T^2 at least this large if the mean is zero
  int rank = 0;              // of the covariance
  bool by_equality = false;  // the covariance is zero: t2 is 0 or infinite
};

// Rows are differences; one alone has no covariance, and is decided by equality. With every dimension scaled to
// about 1, singular values of the centred differences below `tolerance` times the largest count as rounding.
Hotelling hotelling(const Eigen::MatrixXd& differences, double tolerance = 1e-13);

// The T^2 that is exceeded with probability `level` if the mean is zero.
double t2_threshold(int dimensions, int samples, double level);

}  // namespace leman::brec
