// The models that BREC's protocols can run: one registry.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wl/engine.hpp"

namespace leman::brec {

enum class ModelKind { Gin, TorchScript, Embeddings, Ppgn, Et };

struct ModelInfo {
  ModelKind kind;
  std::string_view name;         // as on the command line
  std::string_view title;        // as in tables
  std::string_view description;  // one line
  double power;                  // position on the ladder of power, comparable with those of wl::engines()
  const wl::Engine* bound;       // engine it cannot beat: any further difference is a false positive; null: not known
  bool ours;                     // Leman builds it and draws its weights; otherwise it comes from a file
  bool trained;                  // the protocol trains it
  bool on_colors;                // is a function of the 2-FWL colouring and runs on it
};

const std::vector<ModelInfo>& models();
const ModelInfo& info(ModelKind kind);
const ModelInfo& model_named(std::string_view name);  // throws UsageError
std::vector<std::string> our_model_names();

}  // namespace leman::brec
