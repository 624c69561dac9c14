#include "brec/protocol.hpp"

#include <ctime>

#include "brec/model.hpp"
#include "brec/sample.hpp"

namespace leman::brec {

namespace {

using torch::Tensor;

constexpr std::size_t kTestBatch = 16;

double thread_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

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
double backward(std::vector<Tensor> parameters, const Tensor& loss, bool zero) {
  double square = 0;
  if (!zero) loss.backward();
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
        settings_(settings.training),
        control_(control),
        optimizer_(model.parameters(),
                   torch::optim::AdamOptions(settings.training.rate).weight_decay(settings.training.decay)),
        plateau_(optimizer_),
        expect_zero_(settings.protocol == Protocol::Published) {}

  void run(const std::vector<et::Domain>& sample, PairRun& run) {
    model_.train(true);
    double best = std::numeric_limits<double>::infinity();
    int best_epoch = 0;
    while (run.epochs < settings_.epochs) {
      double sum = 0, gradient = 0;
      for (const et::Domain& batch : sample) {
        check_stop(control_);
        const auto [loss, norm] = step(batch);
        sum += loss;
        gradient = std::max(gradient, norm);
      }
      ++run.epochs;
      const double mean = sum / static_cast<double>(sample.size());
      run.losses.push_back(mean);
      run.gradients.push_back(gradient);
      plateau_.step(mean);
      if (mean < best) best = mean, best_epoch = run.epochs;
      if (mean < settings_.stop_loss) break;
      if (settings_.patience && run.epochs - best_epoch >= settings_.patience) break;
    }
  }

 private:
  // One step of Adam: loss before it, and norm of its gradient. Where a zero loss
  // is likely (it was zero so far), it is first looked at without what a backward
  // pass would need.
  std::pair<double, double> step(const et::Domain& batch) {
    optimizer_.zero_grad();
    Tensor loss;
    if (expect_zero_) {
      torch::NoGradGuard no_grad;
      loss = couple_loss(model_.embed(batch));
      expect_zero_ = loss.item<double>() == 0;
    }
    const bool zero = expect_zero_;
    if (!zero) loss = couple_loss(model_.embed(batch));
    const double norm = backward(model_.parameters(), loss, zero);
    optimizer_.step();
    return {loss.item<double>(), norm};
  }

  Model& model_;
  const Training& settings_;
  const RunControl& control_;
  torch::optim::Adam optimizer_;
  Plateau plateau_;
  bool expect_zero_;
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
  for (const et::Domain& batch : batches(graphs, 0, graphs.size(), kTestBatch)) {
    check_stop(control);
    parts.push_back(model.embed(batch));
  }
  return torch::cat(parts);
}

// Both graphs in one quotient; the second run has relabelled graphs, whose
// embeddings must be the same to the last bit.
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
  const double start = thread_seconds();
  PairRun run;
  run.pair = pair.id;
  run.seed = seed;
  const Sample sample = draw_sample(pair, seed);
  run.distinct = sample.distinct;
  const std::unique_ptr<Model> model = make_model(settings, seed, control.threads);
  // The Edge Transformer is a function of the colours. Training it on them (all 32
  // couples are one) is training it on the graphs, up to rounding.
  const bool colors = settings.protocol != Protocol::Published && settings.model == "et";
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
      run.verdict = judge_sound(to_eigen<double>(embed_all(*model, sample.graphs, control)), settings.level);
      break;
    case Protocol::Exact: run.verdict = test_exact(*model, training[0], sample); break;
  }
  run.seconds = thread_seconds() - start;
  return run;
}

}  // namespace leman::brec
