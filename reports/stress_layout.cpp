#include "reports/stress_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace leman::reports {

namespace {

constexpr int kSweeps = 600, kPowerSteps = 120;
constexpr double kSettled = 1e-6;  // longest move of a sweep after which nothing is to be seen
constexpr double kRound = 1.1;     // axes whose variances differ by less are alike

using Spots = std::vector<Spot>;
using Vector = std::vector<double>;

// Distances of all pairs, row-major.
Vector all_distances(const wl::Graph& graph) {
  const std::size_t n = graph.order();
  Vector distance(n * n, -1);
  for (wl::Node from = 0; from < n; ++from) {
    double* row = distance.data() + from * n;
    std::vector<wl::Node> queue{from};
    row[from] = 0;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (const auto next : {graph.neighbors(queue[k]), graph.in_neighbors(queue[k])})
        for (const wl::Node w : next)
          if (row[w] < 0) row[w] = row[queue[k]] + 1, queue.push_back(w);
  }
  return distance;
}

double length(const Vector& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

// The matrix of classical scaling: -d²/2 with all rows and columns summing to 0.
Vector scaling_matrix(const Vector& distance, std::size_t n) {
  Vector b(n * n), mean(n, 0);
  double all = 0;
  for (std::size_t k = 0; k < n * n; ++k) {
    b[k] = -distance[k] * distance[k] / 2;
    mean[k / n] += b[k] / static_cast<double>(n);
  }
  for (const double m : mean) all += m / static_cast<double>(n);
  for (std::size_t k = 0; k < n * n; ++k) b[k] += all - mean[k / n] - mean[k % n];
  return b;
}

// About the eigenvector of the largest eigenvalue, orthogonal to `other` (empty: none), by power
// iteration, shifted since there are negative eigenvalues too.
Vector direction(const Vector& b, std::size_t n, double shift, const Vector& other) {
  Vector v(n), next(n);
  for (std::size_t k = 0; k < n; ++k) v[k] = std::sin(1.0 + 2.0 * static_cast<double>(k * (other.empty() ? 1 : k)));
  for (int step = 0; step < kPowerSteps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      next[i] = shift * v[i];
      for (std::size_t j = 0; j < n; ++j) next[i] += b[i * n + j] * v[j];
    }
    double along = 0;
    for (std::size_t k = 0; k < other.size(); ++k) along += next[k] * other[k];
    for (std::size_t k = 0; k < other.size(); ++k) next[k] -= along * other[k];
    const double size = length(next);
    for (std::size_t k = 0; k < n; ++k) v[k] = size > 0 ? next[k] / size : 0;
  }
  return v;
}

// The square root of the eigenvalue, 0 if it is negative.
double extent(const Vector& b, const Vector& v) {
  double value = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) value += v[i] * b[i * v.size() + j] * v[j];
  return std::sqrt(std::max(value, 0.0));
}

Spots scaling_layout(const Vector& distance, std::size_t n) {
  const Vector b = scaling_matrix(distance, n);
  double shift = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n; ++j) row += std::abs(b[i * n + j]);
    shift = std::max(shift, row / 4);
  }
  const Vector x = direction(b, n, shift, {}), y = direction(b, n, shift, x);
  const double width = extent(b, x), height = extent(b, y);
  Spots spots;
  for (std::size_t v = 0; v < n; ++v) spots.push_back({width * x[v], height * y[v]});
  return spots;
}

double stress(const Spots& spots, const Vector& distance) {
  const std::size_t n = spots.size();
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double d = distance[i * n + j];
      const double error = std::hypot(spots[i].x - spots[j].x, spots[i].y - spots[j].y) / d - 1;
      sum += error * error;
    }
  return sum;
}

// Moves all nodes half of the way to where the others want them; returns the longest move.
double sweep(Spots& spots, const Vector& distance) {
  const std::size_t n = spots.size();
  const Spots before = spots;
  double longest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double x = 0, y = 0, weights = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double d = distance[i * n + j], weight = 1 / (d * d);
      const double dx = before[j].x - before[i].x, dy = before[j].y - before[i].y;
      const double share = 1 - d / std::max(std::hypot(dx, dy), 1e-9);
      x += weight * share * dx, y += weight * share * dy, weights += weight;
    }
    x /= 2 * weights, y /= 2 * weights;
    longest = std::max(longest, std::hypot(x, y));
    spots[i] = {before[i].x + x, before[i].y + y};
  }
  return longest;
}

void settle(Spots& spots, const Vector& distance) {
  for (int k = 0; k < kSweeps; ++k)
    if (sweep(spots, distance) < kSettled) return;
}

// The longer axis becomes horizontal; round drawings stay as they are.
void lay_flat(Spots& spots) {
  double xx = 0, xy = 0, yy = 0, x = 0, y = 0;
  for (const Spot& s : spots)
    x += s.x / static_cast<double>(spots.size()), y += s.y / static_cast<double>(spots.size());
  for (Spot& s : spots) {
    s.x -= x, s.y -= y;
    xx += s.x * s.x, xy += s.x * s.y, yy += s.y * s.y;
  }
  const double middle = (xx + yy) / 2, spread = std::hypot((xx - yy) / 2, xy);
  if (middle + spread < kRound * (middle - spread)) return;
  const double angle = std::atan2(2 * xy, xx - yy) / 2, c = std::cos(angle), s = std::sin(angle);
  for (Spot& p : spots) p = {c * p.x + s * p.y, c * p.y - s * p.x};
}

}  // namespace

std::vector<Spot> stress_layout(const wl::Graph& graph) {
  const std::size_t n = graph.order();
  if (n < 3) return circle_layout(n);
  const Vector distance = all_distances(graph);
  Spots round = circle_layout(n), scaled = scaling_layout(distance, n);
  settle(round, distance), settle(scaled, distance);
  Spots& best = stress(scaled, distance) < 0.999 * stress(round, distance) - 1e-6 ? scaled : round;
  lay_flat(best);
  return best;
}

std::vector<Spot> circle_layout(std::size_t nodes) {
  const auto n = static_cast<double>(nodes);
  const double radius = nodes < 2 ? 0 : 0.5 / std::sin(std::numbers::pi / n);
  Spots spots;
  for (std::size_t v = 0; v < nodes; ++v) {
    const double turn = static_cast<double>(v) + (nodes % 2 == 0 ? 0.5 : 0);  // the lowest edge lies flat
    const double angle = 2 * std::numbers::pi * turn / n - std::numbers::pi / 2;
    spots.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return spots;
}

}  // namespace leman::reports
