#include "brec/models.hpp"

#include "base/text.hpp"

namespace leman::brec {

const std::vector<ModelInfo>& models() {
  static const std::vector<ModelInfo> table{
      {ModelKind::Gin, "gin", "GIN", "message passing, the power of 1-WL", 1.3, &wl::color_refinement(), true, true,
       false},
      {ModelKind::TorchScript, "torchscript", "TorchScript", "a module from a file, trained by the protocol", 2.5,
       nullptr, false, true, false},
      {ModelKind::Embeddings, "embeddings", "embeddings", "embeddings that another program made", 2.5, nullptr, false,
       false, false},
      {ModelKind::Ppgn, "ppgn", "PPGN", "products of matrices, the power of 2-FWL", 2.6, &wl::folklore(2), true, true,
       false},
      {ModelKind::Et, "et", "ET", "the Edge Transformer, the power of 2-FWL", 2.7, &wl::folklore(2), true, true, true},
  };
  return table;
}

const ModelInfo& info(ModelKind kind) {
  for (const ModelInfo& model : models())
    if (model.kind == kind) return model;
  throw BugError("a model that is not in the registry");
}

const ModelInfo& model_named(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelInfo& model : models()) {
    if (model.name == name) return model;
    names.emplace_back(model.name);
  }
  throw UsageError("no model \"" + std::string(name) + "\"" + did_you_mean(name, names));
}

std::vector<std::string> our_model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& model : models())
    if (model.ours) names.emplace_back(model.name);
  return names;
}

}  // namespace leman::brec
