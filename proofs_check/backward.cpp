#include "proofs_check/backward.hpp"

#include <map>

#include "et/model.hpp"
#include "proofs_check/parametrization.hpp"
#include "wl/constructions/random.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {

using torch::Tensor;

BackwardCheck check_backward(int graphs, std::uint64_t seed) {
  torch::NoGradGuard no_grad;
  Rng rng(seed);
  BackwardCheck result;
  for (; result.graphs < graphs; ++result.graphs) {
    const auto n = static_cast<wl::Node>(4 + rng.below(6));
    const wl::Graph graph = wl::erdos_renyi(n, 0.2 + 0.6 * rng.uniform(), rng);
    const wl::Graph* g = &graph;
    const auto colors = round_colorings({&g, 1});
    et::Config config;
    config.layers = static_cast<int>(colors.size()) - 1;
    config.dtype = et::Dtype::Float64;
    et::EdgeTransformer model(config, seed + static_cast<std::uint64_t>(result.graphs));
    model.eval();
    const auto layers = model.forward(et::Domain::dense({&graph}), {"", 1, true}).layers;
    for (std::size_t t = 0; t < layers.size(); ++t) {
      std::map<wl::Color, std::int64_t> first;
      const double size = layers[t].abs().max().item<double>();
      for (std::size_t at = 0; at < colors[t][0].size(); ++at) {
        const auto row = static_cast<std::int64_t>(at);
        const auto [same, fresh] = first.try_emplace(colors[t][0][at], row);
        if (fresh) continue;
        const double off = (layers[t][row] - layers[t][same->second]).abs().max().item<double>() / size;
        if (off > result.deviation) result.deviation = off, result.worst = wl::to_graph6(graph);
      }
    }
    const wl::Graph other = wl::relabel(graph, rng.permutation(n));
    result.same_bits &= torch::equal(model.forward(et::Domain::colors({&graph}), {}).graphs,
                                     model.forward(et::Domain::colors({&other}), {}).graphs);
  }
  return result;
}

}  // namespace leman::proofs
