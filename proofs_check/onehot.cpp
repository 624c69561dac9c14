#include "proofs_check/onehot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "et/estimate.hpp"
#include "et/model.hpp"
#include "wl/constructions/random.hpp"
#include "wl/formats.hpp"

namespace leman::proofs {

namespace {

using torch::Tensor;
using Colorings = std::vector<std::vector<std::vector<wl::Color>>>;  // [round][graph][pair]

// The largest number of colours in any round; colour numbers stay below it.
wl::Color most_colors(const Colorings& colors) {
  const std::vector<wl::Color> counts = count_colors(colors);
  return *std::max_element(counts.begin(), counts.end());
}

// The code of a round: within every colour, its sums tell apart the multisets that
// define the next round.
struct Code {
  std::vector<std::int64_t> p, r;
  std::map<std::pair<wl::Color, std::int64_t>, wl::Color> next;  // (colour, sum) -> next colour
  std::int64_t largest = 0;
};

// Whether this p and r tell them apart; fills in the rest of the code.
bool separates(Code& code, const std::vector<std::vector<wl::Color>>& now,
               const std::vector<std::vector<wl::Color>>& then, std::size_t n) {
  code.next.clear();
  code.largest = 0;
  for (std::size_t g = 0; g < now.size(); ++g)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        std::int64_t sum = 0;
        for (std::size_t l = 0; l < n; ++l) sum += code.p[now[g][i * n + l]] * code.r[now[g][l * n + j]];
        const wl::Color target = then[g][i * n + j];
        const auto [at, fresh] = code.next.try_emplace({now[g][i * n + j], sum}, target);
        if (!fresh && at->second != target) return false;
        code.largest = std::max(code.largest, sum);
      }
  return true;
}

// Tries random codes below a bound that grows until one works. Small bounds come first
// because small sums are exact.
Code find_code(const std::vector<std::vector<wl::Color>>& now, const std::vector<std::vector<wl::Color>>& then,
               std::size_t n, wl::Color colors) {
  Rng rng(1);
  for (std::uint64_t bound = 2;; bound += 1 + bound / 4)
    for (int attempt = 0; attempt < 8; ++attempt) {
      Code code;
      for (wl::Color c = 0; c < colors; ++c) {
        code.p.push_back(static_cast<std::int64_t>(rng.below(bound)));
        code.r.push_back(static_cast<std::int64_t>(rng.below(bound)));
      }
      if (separates(code, now, then, n)) return code;
    }
}

class Weights {
 public:
  explicit Weights(et::EdgeTransformer& model) : named_(model.named_parameters()) {
    torch::NoGradGuard no_grad;
    for (auto& each : named_) each.value().zero_();
  }
  void set(const std::string& name, std::int64_t row, std::int64_t column, double value) {
    named_[name][row][column] = value;
  }
  void set(const std::string& name, std::int64_t at, double value) { named_[name][at] = value; }
  void fill(const std::string& name, double value) { named_[name].fill_(value); }

 private:
  torch::OrderedDict<std::string, Tensor> named_;
};

// Tokens of round 0, from the edge, diagonal and no-edge vectors of the model.
void set_tokens(Weights& w, std::span<const wl::Graph* const> graphs, const Colorings& colors) {
  const std::size_t n = graphs[0]->order();
  w.set("diagonal_token", 0, 1);
  w.set("edge_tokens", 0, 1, 1);
  wl::Color kind[3] = {0, 0, 0};  // no edge, edge, diagonal
  bool seen[3] = {};
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const int k = i == j ? 2 : graphs[g]->has_edge(static_cast<wl::Node>(i), static_cast<wl::Node>(j)) ? 1 : 0;
        kind[k] = colors[0][g][i * n + j], seen[k] = true;
      }
  const wl::Color spare = most_colors(colors);  // the column of a kind that no pair has
  auto column = [&](int k) { return static_cast<std::int64_t>(seen[k] ? kind[k] : spare); };
  w.set("token_0_bias", column(0), 1);
  for (const int k : {2, 1}) {  // input 0: diagonal, input 1: edge
    w.set("token_0_weight", column(k), 2 - k, 1);
    if (column(k) != column(0)) w.set("token_0_weight", column(0), 2 - k, -1);
  }
}

void set_layer(Weights& w, const std::string& name, const Code& code, wl::Color colors, std::int64_t width,
               std::size_t n) {
  const double d = static_cast<double>(width), variance = (1 - 1 / d) / d + 1e-5;
  w.fill(name + "_input_gain", std::sqrt(variance));  // LayerNorm(e_c) = e_c
  w.fill(name + "_input_shift", 1 / d);
  const std::int64_t sum = width - 1;
  for (wl::Color c = 0; c < colors; ++c) {
    w.set(name + "_projection_weight", 2 * width + sum, c, static_cast<double>(code.p[c]));
    w.set(name + "_projection_weight", 3 * width + sum, c, static_cast<double>(code.r[c]));
  }
  w.set(name + "_output_weight", sum, sum, static_cast<double>(n));
  const double off = static_cast<double>(2 * code.largest + 4);  // switches a unit off
  std::int64_t unit = 0;
  for (const auto& [key, next] : code.next)
    for (const auto& [shift, slope] : {std::pair{0.75, 2.0}, {0.25, -2.0}, {-0.25, -2.0}, {-0.75, 2.0}}) {
      w.set(name + "_ffn_0_weight", unit, sum, 1);
      w.set(name + "_ffn_0_weight", unit, key.first, off);
      w.set(name + "_ffn_0_bias", unit, shift - static_cast<double>(key.second) - off);
      w.set(name + "_ffn_1_weight", next, unit, slope);
      ++unit;
    }
}

}  // namespace

OneHotProof prove_onehot(std::span<const wl::Graph* const> graphs, et::Dtype dtype) {
  for (const wl::Graph* graph : graphs)
    if (graph->order() == 0 || graph->directed() || graph->node_colored() || graph->edge_colored())
      throw UsageError("onehot: graphs must have nodes, and neither directions nor colours");
  const Colorings colors = round_colorings(graphs);
  const std::size_t n = graphs[0]->order();
  const wl::Color count = most_colors(colors);
  OneHotProof proof;
  proof.round_colors = count_colors(colors);
  proof.rounds = static_cast<int>(colors.size()) - 1;
  std::vector<Code> codes;
  for (std::size_t t = 0; t + 1 < colors.size(); ++t) {
    codes.push_back(find_code(colors[t], colors[t + 1], n, count));
    proof.hidden = std::max(proof.hidden, 4 * static_cast<int>(codes.back().next.size()));
    proof.largest = std::max(proof.largest, static_cast<std::uint64_t>(codes.back().largest));
  }
  et::Config config;
  config.layers = proof.rounds;
  config.width = proof.width = static_cast<int>(count) + 1;
  config.heads = 1;
  config.token_width = 2, config.token_depth = 1;
  config.ffn_width = proof.hidden;
  config.activation = et::Activation::Relu;
  config.dtype = dtype;
  config.graph_outputs = 0;
  demand_memory(16 * et::parameter_count(config), 0, "the one-hot model");
  et::EdgeTransformer model(config, 1);
  torch::NoGradGuard no_grad;
  Weights weights(model);
  set_tokens(weights, graphs, colors);
  for (std::size_t t = 0; t < codes.size(); ++t)
    set_layer(weights, "layer" + std::to_string(t), codes[t], count, proof.width, n);
  model.eval();
  const et::ModelOutput out = model.forward(et::Domain::dense({graphs.begin(), graphs.end()}), {"", 1, true});
  for (std::size_t t = 0; t < out.layers.size(); ++t) {
    const Tensor x = out.layers[t].to(torch::kFloat64).contiguous();
    const double* row = x.data_ptr<double>();
    for (std::size_t g = 0; g < graphs.size(); ++g)
      for (std::size_t at = 0; at < n * n; ++at, row += proof.width) {
        double off = 0;
        for (int c = 0; c < proof.width; ++c)
          off = std::max(off, std::abs(row[c] - (static_cast<wl::Color>(c) == colors[t][g][at])));
        proof.deviation = std::max(proof.deviation, off);
        if (!(off < 0.25) && !proof.failure) {
          std::string text;
          for (const wl::Graph* graph : graphs) text += (text.empty() ? "" : " ") + wl::to_graph6(*graph);
          proof.failure = {"one-hot", static_cast<int>(t), text,
                           "(" + std::to_string(at / n) + "," + std::to_string(at % n) +
                               ") is not the one-hot token of its colour, by " + std::to_string(off)};
        }
      }
  }
  proof.weights = et::to_archive(model);
  return proof;
}

}  // namespace leman::proofs
