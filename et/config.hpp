// The shape of an Edge Transformer: together with a seed, it determines the model.
// Plain data, read from and written to JSON; every weights file contains it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace leman::et {

// An invalid configuration, or a file that does not hold one.
class ConfigError : public Error {
 public:
  explicit ConfigError(const std::string& what) : Error(Kind::Input, what) {}
};

// The values of fields that are named in JSON; name_of() gives the JSON name.
enum class TokenKind { Paper, Brec };
enum class LayerKind { Paper, Brec };
enum class Activation { Gelu, Relu, Tanh, None };
enum class NodeReadout { Diagonal, Rho };
enum class GraphReadout { Sum, Mean, Max, Brec, Moments, Nonlinear };
enum class Dtype { Float32, Float64 };
template <class Choice>
std::string_view name_of(Choice choice);
template <class Choice>
Choice choice_named(std::string_view name);  // throws ConfigError
template <class Choice>
std::vector<std::string> choice_names();

struct Config {
  int layers = 5;
  int width = 32;
  int heads = 4;

  // Tokens. "paper": an MLP over [E_ij F_i F_j], with learnable vectors for edge
  // and diagonal and one-hot colours; "brec": one number, 1 on an edge, 2 on the
  // diagonal, 0 elsewhere.
  TokenKind token = TokenKind::Paper;
  int token_width = 16;  // of E_ij
  int token_depth = 2;   // linear maps in the MLP
  int node_colors = 1;   // node colours 0 .. node_colors-1 are distinguished
  int edge_colors = 1;
  int rrwp = 0;  // random walk probabilities after 0 .. rrwp-1 steps, as further edge features

  // Layers. "paper": X <- FFN(X + TriAttention(LN(X))); "brec":
  // X <- LN(Linear([X, heads])).
  LayerKind layer = LayerKind::Paper;
  bool tied = false;        // one projection for q, k, v1, v2 (and one norm), as in the published code
  bool qk_norm = false;     // layer norm on queries and keys
  bool value_norm = false;  // layer norm on fused values
  int ffn_depth = 2;        // linear maps in the FFN
  int ffn_width = 64;       // between them
  Activation activation = Activation::Gelu;
  double dropout = 0;            // in the FFN
  double attention_dropout = 0;  // of attention weights

  // Readouts. A node is read from the diagonal or as sum_j rho1(X_ij) + rho2(X_ji).
  // A graph is read by pooling its nodes, or after every layer from diagonal and
  // off-diagonal: "brec" takes their maxima, "moments" the means of x, x^2, x^3,
  // "nonlinear" the means of activation(linear(x)). A linear map follows, and the
  // layers are added up.
  NodeReadout node_readout = NodeReadout::Diagonal;
  GraphReadout graph_readout = GraphReadout::Sum;
  int pair_outputs = 0;  // outputs of the head on pairs; 0: no head, the token itself
  int node_outputs = 0;
  int graph_outputs = 16;
  bool batch_norm = false;  // on graph outputs, without an affine part, momentum 1

  Dtype dtype = Dtype::Float32;
  // False: linear maps have no bias and norms no shift. A zero token ("brec" tokens
  // are zero where there is no edge) then stays zero through projections and norms.
  bool bias = true;
  double init_std = 0;  // normal with this deviation and zero bias; 0: LibTorch's own initialisation

  int head_width() const { return width / heads; }
  bool reads_layers() const { return pooled_width() > 0; }
  int pooled_width() const;  // width of what is read after every layer; 0: the readout uses the last layer's nodes
  void check() const;        // throws a ConfigError that names the field and its value
  friend bool operator==(const Config&, const Config&) = default;
};

const std::vector<std::string>& preset_names();
// "paper"; "brec": as published; "sound": see docs/brec.md; "zinc": the paper's largest common settings.
Config preset(const std::string& name);

std::string to_json(const Config& config);
// Parses an object with any of the fields above, and optionally "preset" to start
// from. `source` names the text in error messages. Unknown fields are errors.
Config config_from_json(const std::string& text, const std::string& source);
// Takes the name of a preset, or a JSON file.
Config load_config(const std::string& name_or_file);

}  // namespace leman::et
