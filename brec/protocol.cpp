#include "brec/protocol.hpp"

#include <ctime>

#include "brec/relabellings.hpp"
#include "et/model.hpp"

namespace leman::brec {

namespace {

using torch::Tensor;

constexpr std::size_t kCouples = 32, kBatch = 16;
constexpr int kEpochs = 20;
constexpr double kRate = 1e-4, kDecay = 1e-4, kStopLoss = 0.2;

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Sample {
  std::vector<wl::Graph> graphs;       // G, H, G, H, ... relabelled
  std::vector<wl::Graph> reliability;  // one of the two, relabelled
  std::size_t distinct;
};

Sample draw_sample(const Pair& pair, std::uint64_t seed) {
  wl::Rng rng(seed * 1'000'003 + static_cast<std::uint64_t>(pair.id));
  Relabellings first = relabellings(pair.first, kCouples, rng), second = relabellings(pair.second, kCouples, rng);
  Sample sample{{}, {}, first.distinct};
  for (std::size_t k = 0; k < kCouples; ++k) {
    sample.graphs.push_back(std::move(first.graphs[k]));
    sample.graphs.push_back(std::move(second.graphs[k]));
  }
  sample.reliability = relabellings(rng.below(2) ? pair.second : pair.first, 2 * kCouples, rng).graphs;
  return sample;
}

// Embeddings of graphs [from, from + kBatch).
Tensor embed(et::EdgeTransformer& model, const std::vector<wl::Graph>& graphs, std::size_t from) {
  std::vector<const wl::Graph*> batch;
  for (std::size_t k = from; k < from + kBatch; ++k) batch.push_back(&graphs[k]);
  return model.forward(et::Domain::dense(batch), {}).graphs;
}

// CosineEmbeddingLoss with margin 0 and target -1 on consecutive rows.
Tensor couple_loss(const Tensor& rows) {
  const Tensor first = rows.slice(0, 0, c10::nullopt, 2), second = rows.slice(0, 1, c10::nullopt, 2);
  return torch::cosine_embedding_loss(first, second, -torch::ones({first.size(0)}, rows.options()), 0.0);
}

// ReduceLROnPlateau with PyTorch's defaults.
class Plateau {
 public:
  explicit Plateau(torch::optim::Adam& optimizer) : optimizer_(optimizer) {}
  void step(double loss) {
    if (loss < best_ * (1 - 1e-4)) {
      best_ = loss;
      bad_ = 0;
    } else if (++bad_ > 10) {
      for (auto& group : optimizer_.param_groups()) {
        auto& options = static_cast<torch::optim::AdamOptions&>(group.options());
        if (options.lr() * 0.9 > 1e-8) options.lr(options.lr() * 0.1);
      }
      bad_ = 0;
    }
  }

 private:
  torch::optim::Adam& optimizer_;
  double best_ = std::numeric_limits<double>::infinity();
  int bad_ = 0;
};

// Gradients of the loss; returns their norm. A loss of exactly zero is the flat
// side of its maximum with zero: all gradients are zero, and need no backward pass.
double backward(et::EdgeTransformer& model, const Tensor& loss, bool zero) {
  double square = 0;
  if (!zero) loss.backward();
  for (Tensor& p : model.parameters()) {
    if (zero || !p.grad().defined()) p.mutable_grad() = torch::zeros_like(p);  // weight decay still acts
    square += p.grad().to(torch::kFloat64).square().sum().item<double>();
  }
  return std::sqrt(square);
}

void train(et::EdgeTransformer& model, const std::vector<wl::Graph>& graphs, PairRun& run) {
  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(kRate).weight_decay(kDecay));
  Plateau plateau(optimizer);
  model.train();
  for (run.epochs = 0; run.epochs < kEpochs;) {
    double sum = 0, gradient = 0;
    for (std::size_t from = 0; from < graphs.size(); from += kBatch) {
      optimizer.zero_grad();
      Tensor loss;
      {
        torch::NoGradGuard no_grad;
        loss = couple_loss(embed(model, graphs, from));
      }
      const bool zero = loss.item<double>() == 0;
      if (!zero) loss = couple_loss(embed(model, graphs, from));
      gradient = std::max(gradient, backward(model, loss, zero));
      optimizer.step();
      sum += loss.item<double>();
    }
    ++run.epochs;
    const double mean = sum / static_cast<double>(graphs.size() / kBatch);
    run.losses.push_back(mean);
    run.gradients.push_back(gradient);
    plateau.step(mean);
    if (mean < kStopLoss) break;
  }
}

// T^2 as published: in float32, by LibTorch's pseudo-inverse, without the factor
// of the number of couples.
double published_t2(et::EdgeTransformer& model, const std::vector<wl::Graph>& graphs) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> parts;
  for (std::size_t from = 0; from < graphs.size(); from += kBatch) parts.push_back(embed(model, graphs, from));
  const Tensor rows = torch::cat(parts);
  const Tensor d = (rows.slice(0, 0, c10::nullopt, 2) - rows.slice(0, 1, c10::nullopt, 2)).t();  // [16, 32]
  const Tensor mean = d.mean(1);
  return mean.dot(torch::linalg_pinv(torch::cov(d)).mv(mean)).item<double>();
}

}  // namespace

PairRun run_published(const Pair& pair, std::uint64_t seed) {
  const double start = thread_seconds();
  PairRun run;
  run.pair = pair.id;
  run.seed = seed;
  const Sample sample = draw_sample(pair, seed);
  run.distinct = sample.distinct;
  et::EdgeTransformer model(et::preset("brec"), seed);
  train(model, sample.graphs, run);
  model.eval();
  run.t2 = published_t2(model, sample.graphs);
  run.reliability_t2 = published_t2(model, sample.reliability);
  run.distinguished = run.t2 > kPublishedThreshold && std::abs(run.t2 - run.reliability_t2) > 1e-6;
  run.reliable = !(run.reliability_t2 > kPublishedThreshold);
  run.seconds = thread_seconds() - start;
  return run;
}

}  // namespace leman::brec
