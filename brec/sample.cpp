#include "brec/sample.hpp"

#include <algorithm>

#include "brec/relabellings.hpp"
#include "wl/canon.hpp"
#include "wl/formats.hpp"

namespace leman::brec {

namespace {

using Graphs = std::vector<wl::Graph>;

// Couples of neighbours from `from` to `to`, up to the first that has a graph of an earlier one.
std::size_t distinct_couples(const Graphs& graphs, std::size_t from, std::size_t to) {
  for (std::size_t k = from; k < to; ++k)
    if (std::find(graphs.begin() + static_cast<std::ptrdiff_t>(from), graphs.begin() + static_cast<std::ptrdiff_t>(k),
                  graphs[k]) != graphs.begin() + static_cast<std::ptrdiff_t>(k))
      return std::max<std::size_t>(1, (k - from) / 2);
  return (to - from) / 2;
}

Sample own_sample(const Pair& pair) {
  Sample sample{{}, 0, 0};
  for (const std::string& text : pair.sample) sample.graphs.push_back(wl::graph_from_graph6(text));
  sample.couples = distinct_couples(sample.graphs, 0, 2 * kCouples);
  sample.reliability_couples = distinct_couples(sample.graphs, 2 * kCouples, kSampleGraphs);
  return sample;
}

}  // namespace

Sample draw_sample(const Pair& pair, std::uint64_t seed) {
  if (!pair.sample.empty()) return own_sample(pair);
  Rng rng(seed * 1'000'003 + static_cast<std::uint64_t>(pair.id));
  Relabellings first = relabellings(pair.first, kCouples, rng), second = relabellings(pair.second, kCouples, rng);
  Sample sample{{}, std::min(first.distinct, second.distinct), 0};
  for (std::size_t k = 0; k < kCouples; ++k) {
    sample.graphs.push_back(std::move(first.graphs[k]));
    sample.graphs.push_back(std::move(second.graphs[k]));
  }
  Relabellings one = relabellings(rng.below(2) ? pair.second : pair.first, 2 * kCouples, rng);
  sample.reliability_couples = std::max<std::size_t>(1, one.distinct / 2);
  for (wl::Graph& graph : one.graphs) sample.graphs.push_back(std::move(graph));
  return sample;
}

void check_sample(const Pair& pair, const std::string& file) {
  const wl::Graph first = wl::canonical(pair.first).form, second = wl::canonical(pair.second).form;
  const auto form = [&](std::size_t k) { return wl::canonical(wl::graph_from_graph6(pair.sample.at(k))).form; };
  const auto fail = [&](std::size_t k) {
    throw InputError(file, "pair " + std::to_string(pair.id) + ": graph " + std::to_string(k) +
                               " of its relabellings is not isomorphic to the graph it stands for");
  };
  for (std::size_t k = 0; k < 2 * kCouples; ++k)
    if (!(form(k) == (k % 2 ? second : first))) fail(k);
  const wl::Graph one = form(2 * kCouples);
  if (!(one == first) && !(one == second)) fail(2 * kCouples);
  for (std::size_t k = 2 * kCouples + 1; k < kSampleGraphs; ++k)
    if (!(form(k) == one)) fail(k);
}

}  // namespace leman::brec
