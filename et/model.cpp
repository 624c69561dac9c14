#include "et/model.hpp"

#include <algorithm>
#include <cmath>

#include "et/model_parts.hpp"
#include "et/quotient_attention.hpp"

namespace leman::et {

using torch::Tensor;

// Registers parameters and draws their values in float64, in the order of
// registration, from a generator of its own.
class EdgeTransformer::Initializer {
 public:
  Initializer(EdgeTransformer& model, std::uint64_t seed)
      : model_(model), generator_(at::detail::createCPUGenerator(seed)) {}

  Tensor constant(const std::string& name, torch::IntArrayRef shape, double value) {
    return model_.register_parameter(name, torch::full(shape, value, torch::dtype(model_.dtype_)));
  }
  // A bias or shift: zero, and a parameter only if the configuration has biases.
  Tensor offset(const std::string& name, torch::IntArrayRef shape) {
    return model_.config_.bias ? constant(name, shape, 0) : torch::zeros(shape, torch::dtype(model_.dtype_));
  }
  // For parameters without a fan-in: the deviation is given.
  Tensor normal(const std::string& name, torch::IntArrayRef shape, double deviation) {
    Tensor values = torch::empty(shape, torch::kFloat64).normal_(0, deviation, generator_);
    return model_.register_parameter(name, values.to(model_.dtype_));
  }
  Linear linear(const std::string& name, std::int64_t out, std::int64_t in) {
    const double std = model_.config_.init_std;
    if (std > 0) {
      Tensor weight = normal(name + "_weight", {out, in}, std);
      return {weight, offset(name + "_bias", {out})};
    }
    const double bound = 1 / std::sqrt(static_cast<double>(in));  // LibTorch's default for a linear map
    Tensor weight = uniform(name + "_weight", {out, in}, bound);
    return {weight, model_.config_.bias ? uniform(name + "_bias", {out}, bound) : offset("", {out})};
  }
  Norm norm(const std::string& name, std::int64_t width) {
    Tensor gain = constant(name + "_gain", {width}, 1);
    return {gain, offset(name + "_shift", {width})};
  }
  Mlp mlp(const std::string& name, std::int64_t in, std::int64_t hidden, std::int64_t out, int depth) {
    Mlp result{{}, model_.config_.activation};
    for (int k = 0; k < depth; ++k)
      result.maps.push_back(
          linear(name + "_" + std::to_string(k), k + 1 == depth ? out : hidden, k == 0 ? in : hidden));
    return result;
  }

 private:
  Tensor uniform(const std::string& name, torch::IntArrayRef shape, double bound) {
    Tensor values = torch::empty(shape, torch::kFloat64).uniform_(-bound, bound, generator_);
    return model_.register_parameter(name, values.to(model_.dtype_));
  }
  EdgeTransformer& model_;
  at::Generator generator_;
};

EdgeTransformer::~EdgeTransformer() = default;

EdgeTransformer::EdgeTransformer(Config config, std::uint64_t seed)
    : config_(std::move(config)),
      seed_(seed),
      generator_(at::detail::createCPUGenerator(seed ^ 0x9e3779b97f4a7c15u)),
      dtype_(config_.dtype == Dtype::Float64 ? torch::kFloat64 : torch::kFloat32),
      readouts_(std::make_unique<Readouts>()) {
  config_.check();
  Initializer init(*this, seed);
  const Config& c = config_;
  const std::int64_t d = c.width, dh = c.head_width();
  if (c.token == TokenKind::Paper) {
    edge_tokens_ = init.normal("edge_tokens", {c.edge_colors, c.token_width}, 1);
    diagonal_token_ = init.normal("diagonal_token", {c.token_width}, 1);
    token_mlp_ =
        std::make_unique<Mlp>(init.mlp("token", c.token_width + 2 * c.node_colors + c.rrwp, d, d, c.token_depth));
  }
  if (c.token == TokenKind::Brec && c.layer == LayerKind::Paper)  // its residual needs the full width
    token_mlp_ = std::make_unique<Mlp>(init.mlp("token", 1 + c.rrwp, d, d, 1));
  for (int t = 0; t < c.layers; ++t) {
    const std::string name = "layer" + std::to_string(t);
    Layer layer;
    const std::int64_t in = t == 0 && !token_mlp_ ? 1 + c.rrwp : d;  // the published first layer takes the bare token
    layer.projection = init.linear(name + "_projection", c.tied ? d : 4 * d, in);
    if (c.qk_norm) {
      layer.qk_gain = init.constant(name + "_qk_gain", c.tied ? torch::IntArrayRef{dh} : torch::IntArrayRef{2, dh}, 1);
      layer.qk_shift = init.offset(name + "_qk_shift", c.tied ? torch::IntArrayRef{dh} : torch::IntArrayRef{2, dh});
    }
    if (c.value_norm) {
      const bool shared = c.tied && c.qk_norm;
      layer.value_gain = shared ? layer.qk_gain : init.constant(name + "_value_gain", {dh}, 1);
      layer.value_shift = shared ? layer.qk_shift : init.offset(name + "_value_shift", {dh});
    }
    if (c.layer == LayerKind::Paper) {
      layer.input = init.norm(name + "_input", d);
      layer.output = init.linear(name + "_output", d, d);
      layer.ffn = init.mlp(name + "_ffn", d, c.ffn_width, d, c.ffn_depth);
    } else {
      layer.mix = init.linear(name + "_mix", d, in + d);
      layer.mixed = init.norm(name + "_mixed", d);
    }
    if (c.graph_readout == GraphReadout::Nonlinear) layer.feature = init.linear(name + "_feature", d, d);
    if (c.reads_layers()) layer.pooled = init.linear(name + "_pooled", c.graph_outputs, c.pooled_width());
    layers_.push_back(std::move(layer));
  }
  if (c.node_readout == NodeReadout::Rho) {
    readouts_->rho1 = init.mlp("rho1", d, d, d, 2);
    readouts_->rho2 = init.mlp("rho2", d, d, d, 2);
  }
  if (c.pair_outputs) readouts_->pair = init.linear("pair", c.pair_outputs, d);
  if (c.node_outputs) readouts_->node = init.linear("node", c.node_outputs, d);
  if (c.graph_outputs && !c.reads_layers()) readouts_->graph = init.linear("graph", c.graph_outputs, d);
  if (c.batch_norm) {
    readouts_->batch_norm = register_module(
        "batch_norm",
        torch::nn::BatchNorm1d(
            torch::nn::BatchNorm1dOptions(c.graph_outputs ? c.graph_outputs : d).affine(false).momentum(1.0)));
    readouts_->batch_norm->to(dtype_);
  }
}

Tensor EdgeTransformer::tokens(const TokenFeatures& f) const {
  const bool walks = f.walk.defined();
  std::vector<Tensor> parts;
  if (config_.token == TokenKind::Brec) {
    parts.push_back(f.kind.to(dtype_).unsqueeze(1));  // 1 on an edge, 2 on the diagonal
  } else {
    const Tensor zero = torch::zeros({1, config_.token_width}, torch::dtype(dtype_));
    // Row 0: no edge; row 1: diagonal; row 2 + c: edge of colour c.
    const Tensor table = torch::cat({zero, diagonal_token_.unsqueeze(0), edge_tokens_});
    const Tensor index = torch::where(f.kind == 1, f.edge_color + 2, f.kind / 2);
    parts.push_back(table.index_select(0, index.to(torch::kInt64)));
    for (const Tensor& color : {f.left, f.right})
      parts.push_back(torch::one_hot(color, config_.node_colors).to(dtype_));
  }
  if (walks) parts.push_back(f.walk.to(dtype_));
  Tensor x = torch::cat(parts, 1);
  return token_mlp_ ? (*token_mlp_)(x) : x;
}

Tensor EdgeTransformer::dropped(const Tensor& x) {
  if (!is_training() || config_.dropout == 0) return x;
  const double keep = 1 - config_.dropout;
  return x * torch::empty(x.sizes(), torch::kFloat64).bernoulli_(keep, generator_).to(dtype_) / keep;
}

bool EdgeTransformer::drops() const { return is_training() && (config_.dropout > 0 || config_.attention_dropout > 0); }

// If queries and keys share a projection, both values share one, and the graphs are
// undirected with tokens that ignore direction, then x_ij = x_ji in every layer. Among
// the readouts, only maxima can work with half of the pairs.
bool EdgeTransformer::symmetric(const Domain& domain) const {
  return config_.tied && config_.token == TokenKind::Brec && config_.rrwp == 0 &&
         config_.graph_readout == GraphReadout::Brec && !drops() &&
         std::none_of(domain.graphs.begin(), domain.graphs.end(), [](const wl::Graph* g) { return g->directed(); });
}

Tensor EdgeTransformer::attention(const Tensor& x, const Domain& domain, const Layer& layer, std::size_t depth,
                                  const RunSettings& settings) const {
  AttentionOptions options;
  options.heads = config_.heads;
  options.value_norm = config_.value_norm;
  options.symmetric = domain.upper;
  options.kernel = settings.kernel;
  options.threads = settings.threads;
  TORCH_CHECK(!domain.quotient || !is_training() || config_.dropout == 0,
              "EdgeTransformer: dropout on a quotient would be that of all pairs of a colour at once");
  if (is_training()) {
    options.dropout = config_.attention_dropout;
    options.seed = seed_ + 0x632be59bd9b4e019u * (steps_ * layers_.size() + depth + 1);
  }
  AttentionWeights w;
  const int copies = config_.tied ? 4 : 1;
  w.in_weight = layer.projection.weight.repeat({copies, 1});
  w.in_bias = layer.projection.bias.repeat({copies});
  if (config_.qk_norm) {
    w.qk_gain = config_.tied ? layer.qk_gain.repeat({2, 1}) : layer.qk_gain;
    w.qk_shift = config_.tied ? layer.qk_shift.repeat({2, 1}) : layer.qk_shift;
  }
  if (config_.layer == LayerKind::Paper) {
    w.out_weight = layer.output.weight, w.out_bias = layer.output.bias;
  } else {  // the second half of the map over [token, heads]
    w.out_weight = layer.mix.weight.slice(1, x.size(1)), w.out_bias = layer.mix.bias;
  }
  if (config_.value_norm) {
    // Gain and shift of the fused value's norm do not depend on l. The shift passes
    // through the softmax unchanged, and both fold into the map that follows.
    w.out_bias = w.out_bias + w.out_weight.mv(layer.value_shift.repeat({config_.heads}));
    w.out_weight = w.out_weight * layer.value_gain.repeat({config_.heads});
  }
  return domain.quotient ? quotient_attention(x, domain.quotient, w, options)
                         : triangle_attention(x, domain.orders(), w, options);
}

Tensor EdgeTransformer::layer_output(const Tensor& x, const Domain& domain, std::size_t depth,
                                     const RunSettings& settings) {
  const Layer& layer = layers_[depth];
  auto dropout = [&](const Tensor& t) { return dropped(t); };
  if (config_.layer == LayerKind::Paper)
    return dropout(layer.ffn(x + attention(layer.input(x), domain, layer, depth, settings), dropout));
  const Tensor token_half = torch::linear(x, layer.mix.weight.slice(1, 0, x.size(1)));
  return layer.mixed(token_half + attention(x, domain, layer, depth, settings));
}

// Everything before the batch norm.
ModelOutput EdgeTransformer::pass(const Domain& domain, const TokenFeatures& features, const RunSettings& settings) {
  ModelOutput out;
  Tensor x = tokens(features);
  if (settings.keep_layers) out.layers.push_back(x);
  for (std::size_t t = 0; t < layers_.size(); ++t) {
    x = layer_output(x, domain, t, settings);
    if (settings.keep_layers) out.layers.push_back(x);
    if (config_.reads_layers()) {
      const Tensor part = read_layer(x, domain, layers_[t]);
      out.graphs = t == 0 ? part : out.graphs + part;
    }
  }
  if (settings.graphs_only && config_.reads_layers()) return out;
  const Tensor nodes = read_nodes(x, domain);
  if (!config_.reads_layers()) {
    out.graphs = pool_nodes(nodes, domain);
    if (config_.graph_outputs) out.graphs = readouts_->graph(out.graphs);
  }
  if (settings.graphs_only) return out;
  out.pairs = config_.pair_outputs ? readouts_->pair(x) : x;
  out.nodes = config_.node_outputs ? readouts_->node(nodes) : nodes;
  return out;
}

namespace {

// The graphs in groups whose tensors stay in the cache: several small ones, for which
// calls to LibTorch would cost more than the work, or one large one. Gradients are
// summed group by group, so the groups must not depend on the number of threads.
std::vector<Domain> in_the_cache(const Domain& domain, bool upper) {
  constexpr std::size_t kRows = 4096;
  std::vector<Domain> groups;
  for (const wl::Graph* graph : domain.graphs) {
    const Domain alone{{graph}, nullptr, upper};
    if (groups.empty() || groups.back().rows() + alone.rows() > kRows)
      groups.push_back(alone);
    else
      groups.back().graphs.push_back(graph);
  }
  return groups;
}

}  // namespace

ModelOutput EdgeTransformer::forward(const Domain& domain, const RunSettings& settings) {
  TORCH_CHECK(!settings.graphs_only || !settings.keep_layers, "EdgeTransformer: graphs_only with keep_layers");
  ModelOutput out;
  if (settings.graphs_only && !domain.quotient && !drops()) {  // dropout depends on the position in the batch
    std::vector<Tensor> parts;
    for (const Domain& some : in_the_cache(domain, symmetric(domain)))
      parts.push_back(pass(some, token_features(some, config_), settings).graphs);
    out.graphs = torch::cat(parts);
  } else {
    out = pass(domain, token_features(domain, config_), settings);
  }
  if (is_training()) ++steps_;
  if (config_.batch_norm) out.graphs = readouts_->batch_norm(out.graphs);
  return out;
}

}  // namespace leman::et
