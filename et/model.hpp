// The Edge Transformer of "Towards Principled Graph Transformers", in the form
// of the paper and in the form published for BREC; see et/config.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "et/attention.hpp"
#include "et/config.hpp"
#include "et/domain.hpp"
#include "et/tokens.hpp"
#include "et/torch.hpp"

namespace leman::et {

struct RunSettings {
  std::string kernel;  // empty: default_kernel(); not used on a quotient
  unsigned threads = 1;
  bool keep_layers = false;  // return the tokens after every layer
  bool graphs_only = false;  // return neither pairs nor nodes; then few graphs at a time, in the cache
};

struct ModelOutput {
  torch::Tensor pairs;                // [rows, width], or pair_outputs
  torch::Tensor nodes;                // [nodes of all graphs, ...], or on a quotient [diagonal colours, ...]
  torch::Tensor graphs;               // [graphs, graph_outputs], or the width of a node if there is no head
  std::vector<torch::Tensor> layers;  // [rows, width]: tokens, then after every layer
};

class Mlp;  // linear maps with an activation in between

class EdgeTransformer : public torch::nn::Module {
 public:
  // Equal configurations and seeds give equal weights. Those in float32 are those in
  // float64, rounded.
  EdgeTransformer(Config config, std::uint64_t seed);
  ~EdgeTransformer() override;

  ModelOutput forward(const Domain& domain, const RunSettings& settings);

  const Config& config() const { return config_; }
  std::uint64_t seed() const { return seed_; }

 private:
  struct Layer;
  struct Readouts;
  class Initializer;

  torch::Tensor tokens(const TokenFeatures& features) const;
  bool drops() const;  // dropout is on
  bool symmetric(const Domain& domain) const;
  torch::Tensor dropped(const torch::Tensor& x);  // dropout of the FFN
  torch::Tensor attention(const torch::Tensor& x, const Domain& domain, const Layer& layer, std::size_t depth,
                          const RunSettings& settings) const;
  torch::Tensor layer_output(const torch::Tensor& x, const Domain& domain, std::size_t depth,
                             const RunSettings& settings);
  ModelOutput pass(const Domain& domain, const TokenFeatures& features, const RunSettings& settings);
  torch::Tensor read_nodes(const torch::Tensor& x, const Domain& domain) const;
  torch::Tensor pool_nodes(const torch::Tensor& nodes, const Domain& domain) const;
  torch::Tensor read_layer(const torch::Tensor& x, const Domain& domain, const Layer& layer) const;

  Config config_;
  std::uint64_t seed_;
  std::uint64_t steps_ = 0;  // training passes so far: each drops different weights
  at::Generator generator_;  // of the FFN's dropout
  torch::Dtype dtype_;
  torch::Tensor edge_tokens_, diagonal_token_;  // [edge_colors, token_width], [token_width]
  std::unique_ptr<Mlp> token_mlp_;
  std::vector<Layer> layers_;
  std::unique_ptr<Readouts> readouts_;
};

// The contents of a weights file: weights, configuration and seed.
std::string to_archive(const EdgeTransformer& model);
// Reads a weights file; a ConfigError names the file if it is damaged or does not fit.
std::shared_ptr<EdgeTransformer> load_model(const std::string& path);
// The same weights in another type; the model itself if it already has that type.
std::shared_ptr<EdgeTransformer> with_dtype(std::shared_ptr<EdgeTransformer> model, Dtype dtype);

}  // namespace leman::et
