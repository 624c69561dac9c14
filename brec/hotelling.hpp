// Hotelling's T^2 for paired samples: is the mean of differences D_1, ..., D_n in
// R^p zero? T^2 = n mean' S^-1 mean with S the sample covariance. If the mean is
// zero and the differences are normal, (n - p) T^2 / (p (n - 1)) has Fisher's F
// distribution with p and n - p degrees of freedom.
//
// A covariance of rank r < p is inverted on its range, and r replaces p. If the mean
// has a part outside that range, it is not zero at any level, because in that
// direction all differences are equal. If the covariance is zero (the model gives
// relabelled graphs the same bits), equality decides.
#pragma once

#include <Eigen/Core>

namespace leman::brec {

struct Hotelling {
  double t2 = 0;             // infinite if the mean has a part outside the covariance's range
  double p_value = 1;        // probability of a T^2 at least this large if the mean is zero
  int rank = 0;              // of the covariance
  bool by_equality = false;  // the covariance is zero: t2 is 0 or infinite
};

// Rows are differences. A single one has no covariance; equality decides. With every dimension scaled to about 1,
// singular values of the centred differences below `tolerance` times the largest count as rounding.
Hotelling hotelling(const Eigen::MatrixXd& differences, double tolerance = 1e-13);

// The T^2 that is exceeded with probability `level` if the mean is zero.
double t2_threshold(int dimensions, int samples, double level);

}  // namespace leman::brec
