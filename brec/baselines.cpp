// Two baselines. PPGN (Maron et al., "Provably Powerful Graph Networks") has the
// power of 2-FWL. Its sizes are those of the BREC paper: five blocks of width 32,
// one linear map with ReLU in each of a block's two arms, the input A + I, maxima
// over diagonal and off-diagonal after every block. GIN (Xu et al., "How Powerful
// are Graph Neural Networks?") has the power of 1-WL: five layers of width 32, two
// linear maps in each, sums over nodes after every layer.
//
// As published, both end in 16 numbers under a batch norm without affine part and with
// momentum 1, and PPGN has such norms between its blocks too. A batch norm makes two
// kinds of rows opposite. Without it, blocks are normalised by channel mean and
// deviation over the pairs of each graph alone.
#include "brec/model.hpp"

namespace leman::brec {

using torch::Tensor;

namespace {

constexpr std::int64_t kLayers = 5, kWidth = 32, kOutputs = 16;

struct Map {
  Tensor weight, bias;
  Tensor operator()(const Tensor& x) const { return torch::linear(x, weight, bias); }
};

// Shared by both: weights drawn in float64 from the seed, and the last norm.
class Baseline : public Model, protected torch::nn::Module {
 public:
  Baseline(std::uint64_t seed, bool batch_norm, torch::Dtype dtype)
      : dtype_(dtype), generator_(at::detail::createCPUGenerator(seed)) {
    if (batch_norm) last_ = register_module("last", torch::nn::BatchNorm1d(norm_options(kOutputs)));
  }
  std::vector<Tensor> parameters() override { return torch::nn::Module::parameters(); }
  std::vector<Tensor> buffers() override { return torch::nn::Module::buffers(); }
  void train(bool on) override { torch::nn::Module::train(on); }

 protected:
  // Xavier's normal initialisation, zero bias.
  Map map(std::int64_t out, std::int64_t in) {
    const std::string name = "map" + std::to_string(maps_++);
    const double deviation = std::sqrt(2.0 / static_cast<double>(in + out));
    Tensor weight = torch::empty({out, in}, torch::kFloat64).normal_(0, deviation, generator_).to(dtype_);
    return {register_parameter(name + "_weight", weight),
            register_parameter(name + "_bias", torch::zeros({out}, torch::dtype(dtype_)))};
  }
  static torch::nn::BatchNormOptions norm_options(std::int64_t width) {
    return torch::nn::BatchNormOptions(width).affine(false).momentum(1.0);
  }
  Tensor finish(const Tensor& outputs) { return last_ ? last_(outputs) : outputs; }
  bool published() const { return !last_.is_empty(); }

  torch::Dtype dtype_;

 private:
  at::Generator generator_;
  int maps_ = 0;
  torch::nn::BatchNorm1d last_{nullptr};
};

class Ppgn : public Baseline {
 public:
  Ppgn(std::uint64_t seed, bool batch_norm, torch::Dtype dtype) : Baseline(seed, batch_norm, dtype) {
    for (std::int64_t t = 0; t < kLayers; ++t) {
      const std::int64_t in = t == 0 ? 1 : kWidth;
      Block block{map(kWidth, in), map(kWidth, in), map(kWidth, in + kWidth), map(kOutputs, 2 * kWidth), nullptr};
      if (batch_norm)
        block.norm = register_module("norm" + std::to_string(t), torch::nn::BatchNorm2d(norm_options(kWidth)));
      blocks_.push_back(block);
    }
  }
  Tensor embed(const et::Domain& batch) override {
    const Tensor a = adjacency(batch, dtype_);
    const std::int64_t n = a.size(1);
    const Tensor off = 1 - torch::eye(n, a.options());
    Tensor x = (a + torch::eye(n, a.options())).unsqueeze(3), sum;  // [graphs, n, n, width]
    for (const Block& block : blocks_) {
      auto arm = [&](const Map& m) { return torch::relu(m(x)).permute({0, 3, 1, 2}); };
      const Tensor product = arm(block.left).matmul(arm(block.right)).permute({0, 2, 3, 1});
      x = block.mix(torch::cat({x, product}, 3));
      x = normal(block, x);
      const Tensor diagonal = std::get<0>(x.diagonal(0, 1, 2).max(2));
      const Tensor hidden = x.masked_fill(off.view({1, n, n, 1}) == 0, -std::numeric_limits<double>::infinity());
      const Tensor part = block.read(torch::cat({diagonal, hidden.amax({1, 2})}, 1));
      sum = sum.defined() ? sum + part : part;
    }
    return finish(sum);
  }

 private:
  struct Block {
    Map left, right, mix, read;
    torch::nn::BatchNorm2d norm{nullptr};
  };
  Tensor normal(Block block, const Tensor& x) const {
    if (block.norm) return block.norm(x.permute({0, 3, 1, 2})).permute({0, 2, 3, 1});
    const Tensor mean = x.mean({1, 2}, true), centred = x - mean;
    return centred / (centred.square().mean({1, 2}, true) + 1e-5).sqrt();
  }
  std::vector<Block> blocks_;
};

class Gin : public Baseline {
 public:
  Gin(std::uint64_t seed, bool batch_norm, torch::Dtype dtype) : Baseline(seed, batch_norm, dtype) {
    for (std::int64_t t = 0; t < kLayers; ++t)
      layers_.push_back({map(kWidth, t == 0 ? 1 : kWidth), map(kWidth, kWidth), map(kOutputs, kWidth)});
  }
  Tensor embed(const et::Domain& batch) override {
    const Tensor a = adjacency(batch, dtype_);
    const Tensor step = a + torch::eye(a.size(1), a.options());  // epsilon = 0
    Tensor x = torch::ones({a.size(0), a.size(1), 1}, a.options()), sum;
    for (const Layer& layer : layers_) {
      x = torch::relu(layer.second(torch::relu(layer.first(step.matmul(x)))));
      const Tensor part = layer.read(x.sum(1));
      sum = sum.defined() ? sum + part : part;
    }
    return finish(sum);
  }

 private:
  struct Layer {
    Map first, second, read;
  };
  std::vector<Layer> layers_;
};

}  // namespace

std::unique_ptr<Model> make_ppgn(std::uint64_t seed, bool batch_norm, torch::Dtype dtype) {
  return std::make_unique<Ppgn>(seed, batch_norm, dtype);
}
std::unique_ptr<Model> make_gin(std::uint64_t seed, bool batch_norm, torch::Dtype dtype) {
  return std::make_unique<Gin>(seed, batch_norm, dtype);
}

}  // namespace leman::brec
