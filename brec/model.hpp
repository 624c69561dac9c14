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
  // [graphs, dimensions]. The graphs have one order; a quotient is for models
  // that are functions of the 2-FWL colouring and know how to use it.
  virtual torch::Tensor embed(const et::Domain& batch) = 0;
  virtual std::vector<torch::Tensor> parameters() = 0;
  virtual std::vector<torch::Tensor> buffers() = 0;  // what training changes besides: statistics of batch norms
  virtual void train(bool on) = 0;                   // else: evaluation
};

// Fresh weights from the seed, or (torchscript) those of the file; in float32 for
// the published protocol, else in float64.
std::unique_ptr<Model> make_model(const Settings& settings, std::uint64_t seed, unsigned threads);

// Baselines with the sizes that BREC was published with; baselines.cpp.
std::unique_ptr<Model> make_ppgn(std::uint64_t seed, bool batch_norm, torch::Dtype dtype);
std::unique_ptr<Model> make_gin(std::uint64_t seed, bool batch_norm, torch::Dtype dtype);

// Adjacency matrices [graphs, n, n].
torch::Tensor adjacency(const et::Domain& batch, torch::Dtype dtype);

}  // namespace leman::brec
