#include "brec/sample.hpp"

#include "brec/relabellings.hpp"

namespace leman::brec {

Sample draw_sample(const Pair& pair, std::uint64_t seed) {
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

}  // namespace leman::brec
