// The theorem as a running model: a LibTorch Edge Transformer, LayerNorm included,
// whose layers are the rounds of 2-FWL.
#include "proofs_check/onehot.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "et/model.hpp"
#include "tests/support.hpp"
#include "tests/temporary.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/random.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {
namespace {

void holds(std::vector<const wl::Graph*> graphs, et::Dtype dtype) {
  const OneHotProof proof = prove_onehot(graphs, dtype);
  EXPECT_FALSE(proof.failure) << proof.failure->graphs << ' ' << proof.failure->detail;
  EXPECT_LT(proof.deviation, dtype == et::Dtype::Float32 ? 1e-2 : 1e-9);
  EXPECT_FALSE(proof.weights.empty());
}

TEST(OneHot, AllSmallGraphs) {
  for (wl::Node n = 1; n <= 5; ++n)
    for (const wl::Graph& graph : wl::all_graphs(n))
      for (const et::Dtype dtype : {et::Dtype::Float32, et::Dtype::Float64}) holds({&graph}, dtype);
}

// The weights file works on its own; with one weight changed it does not.
TEST(OneHot, EveryWeightCounts) {
  torch::NoGradGuard no_grad;
  const wl::Graph graph = wl::path(6);
  const wl::Graph* g = &graph;
  const OneHotProof proof = prove_onehot({&g, 1}, et::Dtype::Float64);
  const test::TemporaryDirectory directory;
  const std::string file = (directory.path() / "onehot.pt").string();
  std::ofstream(file, std::ios::binary) << proof.weights;
  const auto colors = round_colorings({&g, 1});
  auto deviation = [&](et::EdgeTransformer& model) {
    const auto layers = model.forward(et::Domain::dense({&graph}), {"", 1, true}).layers;
    double off = 0;
    for (std::size_t t = 0; t < layers.size(); ++t)
      for (std::size_t at = 0; at < colors[t][0].size(); ++at) {
        torch::Tensor want = torch::zeros({proof.width}, torch::kFloat64);
        want[colors[t][0][at]] = 1;
        off = std::max(off, (layers[t][static_cast<std::int64_t>(at)] - want).abs().max().item<double>());
      }
    return off;
  };
  const auto model = et::load_model(file);
  EXPECT_LT(deviation(*model), 1e-9);
  for (const char* name : {"layer0_input_gain", "layer0_input_shift", "layer1_projection_weight",
                           "layer0_output_weight", "layer0_ffn_0_bias", "layer1_ffn_1_weight", "token_0_weight"}) {
    const auto other = et::load_model(file);
    torch::Tensor weight = other->named_parameters()[name];
    weight.view({-1}).index_put_({weight.view({-1}).abs().argmax()}, weight.abs().max() * 1.5 + 1);
    EXPECT_GT(deviation(*other), 0.25) << name;
  }
}

TEST(OneHot, Pairs) {
  const wl::Graph hexagon = wl::cycle(6), triangles = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  holds({&hexagon, &triangles}, et::Dtype::Float32);
  const wl::Graph untwisted = wl::cfi(wl::cycle(4)), twisted = wl::cfi(wl::cycle(4), 0);
  holds({&untwisted, &twisted}, et::Dtype::Float32);
  Rng rng(1);
  const wl::Graph a = wl::erdos_renyi(11, 0.3, rng), b = wl::erdos_renyi(11, 0.3, rng);
  holds({&a, &b}, et::Dtype::Float64);
}

}  // namespace
}  // namespace leman::proofs
