#include "wl/quotient.hpp"

#include <algorithm>
#include <cmath>

#include "base/invariants.hpp"
#include "wl/tuple_refinement.hpp"

namespace leman::wl {

namespace {

std::vector<Triple> triples_of(const std::vector<Color>& coloring, std::size_t n, std::size_t i, std::size_t j) {
  std::vector<std::pair<Color, Color>> all;
  for (std::size_t l = 0; l < n; ++l) all.emplace_back(coloring[i * n + l], coloring[l * n + j]);
  std::sort(all.begin(), all.end());
  std::vector<Triple> triples;
  for (auto [left, right] : all) {
    if (triples.empty() || triples.back().left != left || triples.back().right != right)
      triples.push_back({left, right, 0});
    ++triples.back().multiplicity;
  }
  return triples;
}

std::size_t order_of(const std::vector<Color>& coloring) {
  auto n = static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(coloring.size()))));
  if (n * n != coloring.size()) throw BugError("Quotient: a colouring of pairs has n^2 entries");
  return n;
}

}  // namespace

Quotient color_quotient(GraphSpan graphs, const RunOptions& options) {
  RunOptions all = options;
  all.keep_coloring = true;
  all.until_distinguished = false;
  all.max_rounds.reset();
  RunResult run = refine_tuples(graphs, TupleRule::Folklore, 2, all);
  Quotient q;
  q.colors = run.colors;
  q.coloring = std::move(run.coloring);
  q.diagonal.resize(q.colors);
  q.transpose.resize(q.colors);
  std::vector<bool> seen(q.colors);
  q.sample.resize(q.colors);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    std::size_t n = graphs[g]->order();
    q.sizes.emplace_back(q.colors, 0);
    for (std::size_t t = 0; t < n * n; ++t) {
      Color c = q.coloring[g][t];
      ++q.sizes[g][c];
      if (seen[c]) continue;
      seen[c] = true;
      q.sample[c] = {static_cast<Node>(t / n), static_cast<Node>(t % n), static_cast<Color>(g)};
      q.diagonal[c] = t / n == t % n;
      q.transpose[c] = q.coloring[g][t % n * n + t / n];
    }
  }
  // A colour has up to n triples. Their memory is demanded before they are made, and
  // again whenever their number has doubled.
  std::uint64_t most = 0;
  for (const Edge& s : q.sample) most += graphs[s.color]->order();
  std::size_t room = 0;
  q.first.push_back(0);
  for (Color c = 0; c < q.colors; ++c) {
    const Edge& s = q.sample[c];
    auto triples = triples_of(q.coloring[s.color], graphs[s.color]->order(), s.u, s.v);
    if (q.triples.size() + triples.size() > room) {
      room = std::min<std::uint64_t>(most, std::max<std::size_t>(1 << 16, 2 * (q.triples.size() + triples.size())));
      demand_memory((room + q.triples.size()) * sizeof(Triple), options.memory_limit,
                    "the quotient of " + std::to_string(q.colors) + " colours (with all triples up to " +
                        std::to_string(most * sizeof(Triple) >> 20) + " MB)");
      q.triples.reserve(room);
    }
    q.triples.insert(q.triples.end(), triples.begin(), triples.end());
    q.first.push_back(q.triples.size());
  }
  if constexpr (kCheckInvariants) q.verify();
  return q;
}

void Quotient::verify() const {
  auto demand = [](bool ok, const char* what) {
    if (!ok) throw BugError(std::string("Quotient::verify: ") + what);
  };
  for (const auto& colors_of : coloring) {
    std::size_t n = order_of(colors_of);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        Color c = colors_of[i * n + j];
        demand(c < colors, "a colour out of range");
        demand(diagonal[c] == (i == j), "a colour is on and off the diagonal");
        demand(transpose[c] == colors_of[j * n + i], "a colour has two transposes");
        auto expected = of(c);
        auto found = triples_of(colors_of, n, i, j);
        demand(std::equal(found.begin(), found.end(), expected.begin(), expected.end()),
               "a pair has other triples than its colour");
      }
  }
}

}  // namespace leman::wl
