// A model as BREC's protocols see it: graphs in, embeddings out, weights to train.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "brec/protocol.hpp"
#include "et/domain.hpp"
#include "et/torch.hpp"

namespace leman::brec {

class Model {
 public:
  virtual ~Model() = default;
  // [graphs, dimensions]. The graphs have one order. Quotients are for models that
  // are functions of the 2-FWL colouring and can run on it.
  virtual torch::Tensor embed(const et::Domain& batch) = 0;
  virtual std::vector<torch::Tensor> parameters() = 0;
  virtual std::vector<torch::Tensor> buffers() = 0;  // what else training changes: statistics of batch norms
  virtual void train(bool on) = 0;                   // else: evaluation
};

// A model with fresh weights from the seed or, for torchscript, those of the file; in
// float32 for the published protocol, otherwise in float64.
std::unique_ptr<Model> make_model(const Settings& settings, std::uint64_t seed, unsigned threads);

// Baselines with the sizes published with BREC; see baselines.cpp.
std::unique_ptr<Model> make_ppgn(std::uint64_t seed, bool batch_norm, torch::Dtype dtype);
std::unique_ptr<Model> make_gin(std::uint64_t seed, bool batch_norm, torch::Dtype dtype);

// Adjacency matrices [graphs, n, n].
torch::Tensor adjacency(const et::Domain& batch, torch::Dtype dtype);

}  // namespace leman::brec
