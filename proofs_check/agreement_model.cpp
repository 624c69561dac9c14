#include "proofs_check/agreement_model.hpp"

#include <torch/optim.h>

#include "et/model.hpp"

namespace leman::proofs {

using torch::Tensor;

namespace {

class ModelTokens : public TokenSource {
 public:
  ModelTokens(std::shared_ptr<et::EdgeTransformer> model, bool quotient, std::string kernel, std::mutex* lock)
      : model_(std::move(model)), quotient_(quotient), kernel_(std::move(kernel)), lock_(lock) {}

  int width() const override { return model_->config().width; }
  int layers() const override { return model_->config().layers; }

  Tokens tokens(std::span<const wl::Graph* const> graphs) const override {
    torch::NoGradGuard no_grad;
    std::unique_lock<std::mutex> guard;
    if (lock_) guard = std::unique_lock(*lock_);
    const std::vector<const wl::Graph*> list(graphs.begin(), graphs.end());
    const et::Domain domain = quotient_ ? et::Domain::colors(list) : et::Domain::dense(list);
    const et::ModelOutput out = model_->forward(domain, {kernel_, 1, true});
    Tokens tokens(graphs.size());
    for (const Tensor& layer : out.layers) {
      // [rows, width]; before the first layer a "brec" token is a single number.
      const Tensor rows = torch::constant_pad_nd(layer.to(torch::kFloat64), {0, width() - layer.size(1)}).contiguous();
      const double* data = rows.data_ptr<double>();
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        auto& own = tokens[g].emplace_back();
        const std::size_t count = std::size_t{graphs[g]->order()} * graphs[g]->order();
        own.reserve(count * width());
        for (std::size_t at = 0; at < count; ++at) {
          const double* row = quotient_ ? data + std::size_t{domain.quotient->coloring[g][at]} * width() : data;
          own.insert(own.end(), row, row + width());
          if (!quotient_) data += width();
        }
      }
    }
    return tokens;
  }

 private:
  std::shared_ptr<et::EdgeTransformer> model_;
  bool quotient_;
  std::string kernel_;
  std::mutex* lock_;
};

// BREC's loss, one couple of graphs per step: their embeddings become orthogonal.
void train(et::EdgeTransformer& model, const TokenModel& request, TokenSources& result) {
  model.train();
  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(1e-3));
  const std::size_t couples = request.training.size() / 2;
  TORCH_CHECK(couples > 0 && model.config().graph_outputs > 1, "training needs couples of graphs and graph outputs");
  for (int step = 0; step < request.steps; ++step) {
    const std::size_t at = 2 * (static_cast<std::size_t>(step) % couples);
    const et::Domain domain = et::Domain::dense({&request.training[at], &request.training[at + 1]});
    const Tensor rows = model.forward(domain, {request.kernel, 1, false}).graphs;  // [2, outputs]
    const Tensor loss = torch::relu(torch::cosine_similarity(rows[0], rows[1], 0));
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    result.last_loss = loss.item<double>();
    if (step == 0) result.first_loss = result.last_loss;
  }
}

}  // namespace

TokenSources token_sources(const TokenModel& request, std::mutex* lock) {
  auto model = request.weights.empty() ? std::make_shared<et::EdgeTransformer>(request.config, request.seed)
                                       : et::load_model(request.weights);
  TokenSources result;
  result.config = model->config();
  result.seed = model->seed();
  if (request.steps > 0) train(*model, request, result);
  model->eval();
  auto wide = et::with_dtype(model, et::Dtype::Float64);
  wide->eval();
  result.model = std::make_unique<ModelTokens>(model, false, request.kernel, lock);
  if (wide != model) result.wide = std::make_unique<ModelTokens>(wide, false, request.kernel, lock);
  result.quotient = std::make_unique<ModelTokens>(wide, true, request.kernel, lock);
  return result;
}

}  // namespace leman::proofs
