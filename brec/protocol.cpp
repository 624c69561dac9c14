#include "brec/protocol.hpp"

#include <mutex>

#include "base/cpu.hpp"
#include "brec/model.hpp"
#include "brec/sample.hpp"

namespace leman::brec {

namespace {

using torch::Tensor;

// Graphs per batch in a test: few enough that a tensor fits into the cache.
std::size_t test_batch(std::size_t order) { return std::clamp<std::size_t>(4096 / (order * order), 1, 16); }

void check_stop(const RunControl& control) {
  if (control.stop && *control.stop) throw Interrupted();
}

// Graphs [from, to) in batches.
std::vector<et::Domain> batches(const std::vector<wl::Graph>& graphs, std::size_t from, std::size_t to,
                                std::size_t size) {
  std::vector<et::Domain> result;
  for (; from < to; from += size) {
    std::vector<const wl::Graph*> batch;
    for (std::size_t k = from; k < std::min(to, from + size); ++k) batch.push_back(&graphs[k]);
    result.push_back(et::Domain::dense(std::move(batch)));
  }
  return result;
}

struct CoupleLoss {
  Tensor loss;      // CosineEmbeddingLoss with margin 0 and target -1 on consecutive rows
  Tensor distance;  // mean of 1 - cos; never rounded to zero where the rows differ
};

// LibTorch's own loss if published. Otherwise the same up to rounding, but computed
// from the distance of the unit vectors: 1 - cos = |a - b|^2 / 2. Its gradient is
// accurate even where cos rounds to 1.
CoupleLoss couple_loss(const Tensor& rows, bool published) {
  const Tensor first = rows.slice(0, 0, c10::nullopt, 2), second = rows.slice(0, 1, c10::nullopt, 2);
  const double tiny = rows.scalar_type() == torch::kFloat32 ? 1e-36 : 1e-60;
  auto unit = [&](const Tensor& t) { return t / (t.square().sum(1, true) + tiny).sqrt(); };  // zero stays zero
  const Tensor distances = (unit(first) - unit(second)).square().sum(1) / 2;
  if (!published) return {torch::relu(1 - distances).mean(), distances.mean().detach()};
  const Tensor target = -torch::ones({first.size(0)}, rows.options());
  return {torch::cosine_embedding_loss(first, second, target, 0.0), distances.mean().detach()};
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

// Computes the gradients of the loss and returns their norm. A loss of exactly zero is on
// the flat side of its maximum with zero: all gradients are zero, and no backward pass is
// needed.
double backward(std::vector<Tensor>& parameters, const Tensor& loss, bool zero) {
  double square = 0;
  if (!zero && loss.requires_grad()) loss.backward();  // otherwise it depends on no parameter
  for (Tensor& p : parameters) {
    if (zero || !p.grad().defined()) p.mutable_grad() = torch::zeros_like(p);  // weight decay still acts
    square += p.grad().to(torch::kFloat64).square().sum().item<double>();
  }
  return std::sqrt(square);
}

class Trainer {
 public:
  Trainer(Model& model, const Settings& settings, const RunControl& control)
      : model_(model),
        parameters_(model.parameters()),
        buffers_(model.buffers()),
        settings_(settings.training),
        control_(control),
        optimizer_(parameters_, torch::optim::AdamOptions(settings.training.rate)
                                    .weight_decay(settings.training.decay)
                                    .eps(settings.training.epsilon)),
        plateau_(optimizer_),
        published_(settings.protocol == Protocol::Published),
        expect_zero_(published_ && settings.model != ModelKind::TorchScript) {}

  void run(const std::vector<et::Domain>& sample, PairRun& run) {
    model_.train(true);
    double best = -1;
    int best_epoch = 0;
    std::vector<Tensor> best_weights = copies();
    while (run.epochs < settings_.epochs) {
      const std::vector<Tensor> weights = copies();
      const Step mean = epoch(sample);
      ++run.epochs;
      run.losses.push_back(mean.loss);
      run.gradients.push_back(mean.gradient);
      run.distances.push_back(mean.distance);
      plateau_.step(mean.loss);
      if (mean.distance > best) best = mean.distance, best_epoch = run.epochs, best_weights = weights;
      if (!std::isfinite(mean.loss)) {
        restore(best_weights);
        return;
      }
      if (mean.loss < settings_.stop_loss) break;
      if (!published_ && mean.distance == 0) break;  // equal bits: the loss is at its maximum and its gradient is zero
      if (settings_.patience && run.epochs - best_epoch >= settings_.patience) break;
    }
    if (settings_.keep_best) restore(best_weights);
  }

 private:
  struct Step {
    double loss = 0, distance = 0, gradient = 0;
  };

  // Means of loss and distance, and the largest gradient norm.
  Step epoch(const std::vector<et::Domain>& sample) {
    Step mean;
    for (const et::Domain& batch : sample) {
      check_stop(control_);
      const Step each = step(batch);
      mean.loss += each.loss / static_cast<double>(sample.size());
      mean.distance += each.distance / static_cast<double>(sample.size());
      mean.gradient = larger(mean.gradient, each.gradient);
    }
    return mean;
  }

  // One step of Adam; returns loss and distance before it and the norm of the gradient.
  // If a zero loss is likely (it was zero so far), the loss is first computed without
  // preparing a backward pass. Not for a user's model: a second pass may change
  // statistics or draw other random numbers.
  Step step(const et::Domain& batch) {
    optimizer_.zero_grad();
    CoupleLoss l;
    if (expect_zero_) {
      torch::NoGradGuard no_grad;
      l = couple_loss(model_.embed(batch), published_);
      expect_zero_ = l.loss.item<double>() == 0;
    }
    const bool zero = expect_zero_;
    if (!zero) l = couple_loss(model_.embed(batch), published_);
    const double norm = backward(parameters_, l.loss, zero);
    optimizer_.step();
    return {l.loss.item<double>(), l.distance.item<double>(), norm};
  }

  // Copies of the parameters, then of the buffers: the statistics of a batch norm belong to its weights.
  std::vector<Tensor> copies() const {
    std::vector<Tensor> result;
    for (const auto* tensors : {&parameters_, &buffers_})
      for (const Tensor& t : *tensors) result.push_back(t.detach().clone());
    return result;
  }
  void restore(const std::vector<Tensor>& saved) {
    torch::NoGradGuard no_grad;
    for (std::size_t k = 0; k < saved.size(); ++k)
      (k < parameters_.size() ? parameters_[k] : buffers_[k - parameters_.size()]).copy_(saved[k]);
  }

  Model& model_;
  std::vector<Tensor> parameters_, buffers_;
  const Training& settings_;
  const RunControl& control_;
  torch::optim::Adam optimizer_;
  Plateau plateau_;
  bool published_, expect_zero_;
};

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
RowMajor<T> to_eigen(const Tensor& rows) {
  const Tensor t = rows.contiguous();
  return Eigen::Map<const RowMajor<T>>(t.data_ptr<T>(), t.size(0), t.size(1));
}

Tensor embed_all(Model& model, const std::vector<wl::Graph>& graphs, const RunControl& control) {
  torch::NoGradGuard no_grad;
  std::vector<Tensor> parts;
  for (const et::Domain& batch : batches(graphs, 0, graphs.size(), test_batch(graphs[0].order()))) {
    check_stop(control);
    parts.push_back(model.embed(batch));
  }
  return torch::cat(parts);
}

// Both graphs in one quotient. A second run has relabelled graphs, whose embeddings
// must be the same to the last bit.
Verdict test_exact(Model& model, const et::Domain& pair, const Sample& sample) {
  torch::NoGradGuard no_grad;
  const auto rows = to_eigen<double>(model.embed(pair));
  const std::size_t last = 2 * kCouples - 2;
  const auto again =
      to_eigen<double>(model.embed(et::Domain::colors({&sample.graphs[last], &sample.graphs[last + 1]})));
  return judge_exact(rows.row(0), rows.row(1), rows == again);
}

}  // namespace

PairRun run_pair(const Settings& settings, const Pair& pair, std::uint64_t seed, const RunControl& control) {
  // A user's module may draw from LibTorch's global generator. So only one pair runs at
  // a time, and a row depends on its seed alone.
  static std::mutex one_generator;
  std::unique_lock<std::mutex> lock;
  if (settings.model == ModelKind::TorchScript) {
    lock = std::unique_lock(one_generator);
    torch::manual_seed(seed * 1'000'003 + static_cast<std::uint64_t>(pair.id));
  }
  const double start = thread_seconds();
  PairRun run;
  run.pair = pair.id;
  run.seed = seed;
  const Sample sample = draw_sample(pair, seed);
  run.couples = sample.couples;
  const std::unique_ptr<Model> model = make_model(settings, weight_seed(settings, seed, pair.id), control.threads);
  // The Edge Transformer is a function of the colours. Training it on the colours, where
  // all 32 couples coincide, equals training it on the graphs, up to rounding.
  const bool colors = settings.protocol != Protocol::Published && info(settings.model).on_colors;
  std::vector<et::Domain> training;
  if (colors)
    training.push_back(et::Domain::colors({&pair.first, &pair.second}));
  else
    training = batches(sample.graphs, 0, 2 * kCouples, settings.training.batch);
  if (!model->parameters().empty()) Trainer(*model, settings, control).run(training, run);
  model->train(false);
  switch (settings.protocol) {
    case Protocol::Published:
      run.verdict = judge_published(to_eigen<float>(embed_all(*model, sample.graphs, control)));
      break;
    case Protocol::Sound:
      run.verdict = judge_sound(to_eigen<double>(embed_all(*model, sample.graphs, control)), settings.level,
                                sample.couples, sample.reliability_couples);
      break;
    case Protocol::Exact: run.verdict = test_exact(*model, training[0], sample); break;
  }
  run.seconds = thread_seconds() - start;
  return run;
}

}  // namespace leman::brec
