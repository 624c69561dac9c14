// The parts of an EdgeTransformer; for model.cpp and readouts.cpp.
#pragma once

#include "et/model.hpp"

namespace leman::et {

inline torch::Tensor activate(Activation how, const torch::Tensor& x) {
  if (how == Activation::Gelu) return torch::gelu(x);
  if (how == Activation::Relu) return torch::relu(x);
  if (how == Activation::Tanh) return torch::tanh(x);
  return x;
}

struct Linear {
  torch::Tensor weight, bias;
  torch::Tensor operator()(const torch::Tensor& x) const { return torch::linear(x, weight, bias); }
};

struct Norm {
  torch::Tensor gain, shift;
  torch::Tensor operator()(const torch::Tensor& x) const {
    return torch::layer_norm(x, gain.sizes(), gain, shift, 1e-5);
  }
};

class Mlp {
 public:
  std::vector<Linear> maps;
  Activation activation = Activation::None;
  template <class Dropout>
  torch::Tensor operator()(torch::Tensor x, Dropout dropout) const {
    for (std::size_t k = 0; k < maps.size(); ++k) {
      if (k) x = dropout(activate(activation, x));
      x = maps[k](x);
    }
    return x;
  }
  torch::Tensor operator()(const torch::Tensor& x) const {
    return (*this)(x, [](const torch::Tensor& t) { return t; });
  }
};

struct EdgeTransformer::Layer {
  Linear projection;                                         // [4 width, token], or tied [width, token]
  Norm input;                                                // paper: before the attention
  torch::Tensor qk_gain, qk_shift, value_gain, value_shift;  // tied: one [head_width] shared by all three norms
  Linear output;                                             // paper: W_O
  Mlp ffn;                                                   // paper
  Linear mix;                                                // brec: [width, token + width] over [token, heads]
  Norm mixed;                                                // brec
  Linear feature;                                            // graph_readout nonlinear: [width, width]
  Linear pooled;                                             // [graph_outputs, pooled_width]
};

struct EdgeTransformer::Readouts {
  Mlp rho1, rho2;
  Linear pair, node, graph;
  torch::nn::BatchNorm1d batch_norm{nullptr};
};

}  // namespace leman::et
