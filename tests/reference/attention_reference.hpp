// Triangular attention by plain loops in double: the formula of
// et/kernels/triangle.hpp and nothing else. Graphs may be padded; rows and columns from
// n on are masked out.
#pragma once

#include <cmath>
#include <vector>

namespace leman::reference {

struct AttentionInput {
  std::size_t n = 0, padded = 0;  // padded >= n: side of the arrays below
  std::size_t in = 0, heads = 0, dh = 0, out = 0;
  bool qk_norm = false, value_norm = false;
  double epsilon = 1e-5;
  std::vector<double> x;                     // [padded, padded, in]
  std::vector<double> in_weight, in_bias;    // [4, heads * dh, in], [4, heads * dh]
  std::vector<double> gain, shift;           // [2, dh]
  std::vector<double> out_weight, out_bias;  // [out, heads * dh], [out]
};

inline void layer_norm(std::vector<double>& v, double epsilon) {
  double mean = 0, variance = 0;
  for (double each : v) mean += each / static_cast<double>(v.size());
  for (double each : v) variance += (each - mean) * (each - mean) / static_cast<double>(v.size());
  for (double& each : v) each = (each - mean) / std::sqrt(variance + epsilon);
}

// Slot 0..3 (q, k, v1, v2) of the pair (i,j), head h.
inline std::vector<double> projected(const AttentionInput& a, std::size_t slot, std::size_t i, std::size_t j,
                                     std::size_t h) {
  std::vector<double> v(a.dh);
  for (std::size_t c = 0; c < a.dh; ++c) {
    const std::size_t row = slot * a.heads * a.dh + h * a.dh + c;
    v[c] = a.in_bias[row];
    for (std::size_t e = 0; e < a.in; ++e) v[c] += a.in_weight[row * a.in + e] * a.x[(i * a.padded + j) * a.in + e];
  }
  if (a.qk_norm && slot < 2) {
    layer_norm(v, a.epsilon);
    for (std::size_t c = 0; c < a.dh; ++c) v[c] = v[c] * a.gain[slot * a.dh + c] + a.shift[slot * a.dh + c];
  }
  return v;
}

// [padded, padded, out], zero where masked.
inline std::vector<double> triangle_attention(const AttentionInput& a) {
  std::vector<double> y(a.padded * a.padded * a.out, 0);
  for (std::size_t i = 0; i < a.n; ++i)
    for (std::size_t j = 0; j < a.n; ++j) {
      std::vector<double> context;
      for (std::size_t h = 0; h < a.heads; ++h) {
        std::vector<double> weight(a.padded, 0), o(a.dh, 0);
        double total = 0;
        for (std::size_t l = 0; l < a.padded; ++l) {
          if (l >= a.n) continue;  // masked
          const auto q = projected(a, 0, i, l, h), k = projected(a, 1, l, j, h);
          double score = 0;
          for (std::size_t c = 0; c < a.dh; ++c) score += q[c] * k[c];
          total += weight[l] = std::exp(score / std::sqrt(static_cast<double>(a.dh)));
        }
        for (std::size_t l = 0; l < a.n; ++l) {
          auto fused = projected(a, 2, i, l, h);
          const auto v2 = projected(a, 3, l, j, h);
          for (std::size_t c = 0; c < a.dh; ++c) fused[c] *= v2[c];
          if (a.value_norm) layer_norm(fused, a.epsilon);
          for (std::size_t c = 0; c < a.dh; ++c) o[c] += weight[l] / total * fused[c];
        }
        context.insert(context.end(), o.begin(), o.end());
      }
      for (std::size_t e = 0; e < a.out; ++e) {
        double& target = y[(i * a.padded + j) * a.out + e];
        target = a.out_bias[e];
        for (std::size_t c = 0; c < context.size(); ++c) target += a.out_weight[e * context.size() + c] * context[c];
      }
    }
  return y;
}

}  // namespace leman::reference
