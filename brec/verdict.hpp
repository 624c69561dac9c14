// From embeddings to a verdict. Rows are in the order of a sample
// (brec/sample.hpp): 64 alternating between G and H, then 64 of one graph.
#pragma once

#include <Eigen/Core>

#include "brec/hotelling.hpp"

namespace leman::brec {

// The probability that any of the tests of a study finds a difference where there
// is none is at most this. By Bonferroni, each test has level kFamilyLevel over the number of pairs.
inline constexpr double kFamilyLevel = 0.05;
// The T^2 that the published protocol compares with.
inline constexpr double kPublishedThreshold = 72.34;

struct Verdict {
  bool distinguished = false;    // as the protocol counts it
  bool reliable = false;         // the reliability test found nothing
  Hotelling pairs, reliability;  // of 32 couples (G, H), and of 32 couples of one graph
  double separation = 0;         // largest |f(G) - f(H)| of the first couple over the largest |f|
};

// T^2 = mean' pinv(cov) mean, without the factor 32 and in float32. Reliability does not
// affect the verdict. Ranks and p-values are not set.
Verdict judge_published(const Eigen::MatrixXf& rows);
// Distinguished if the test rejects at `level` and the reliability test does not.
// Only the first couples, those of different graphs, count; see brec/sample.hpp.
Verdict judge_sound(const Eigen::MatrixXd& rows, double level, std::size_t couples, std::size_t reliability_couples);
// For two graphs: equal bits or not. reliable: relabelled copies had the same bits.
Verdict judge_exact(const Eigen::VectorXd& first, const Eigen::VectorXd& second, bool reliable);

}  // namespace leman::brec
