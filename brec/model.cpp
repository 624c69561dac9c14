#include "brec/model.hpp"

#include <torch/script.h>

#include <filesystem>

#include "et/model.hpp"

namespace leman::brec {

using torch::Tensor;

namespace {

class EtModel : public Model {
 public:
  EtModel(const et::Config& config, std::uint64_t seed, unsigned threads) : model_(config, seed) {
    settings_.threads = threads;
    settings_.graphs_only = true;
  }
  Tensor embed(const et::Domain& batch) override { return model_.forward(batch, settings_).graphs; }
  std::vector<Tensor> parameters() override { return model_.parameters(); }
  std::vector<Tensor> buffers() override { return model_.buffers(); }
  void train(bool on) override { model_.train(on); }

 private:
  et::EdgeTransformer model_;
  et::RunSettings settings_;
};

// A user's module: adjacency matrices in, embeddings out.
class ScriptModel : public Model {
 public:
  ScriptModel(const std::string& file, torch::Dtype dtype) : file_(file), dtype_(dtype) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) throw InputError(file, "no such file, or not a file");
    try {
      module_ = torch::jit::load(file, torch::kCPU);
    } catch (const std::exception& e) {  // c10::Error or the compiler's ErrorReport, each a page of text
      throw InputError(file, std::string("not a module that LibTorch " TORCH_VERSION " can read (") +
                                 first_line(e.what()) +
                                 "); README, \"Another PyTorch\", says how to build with the one that saved it");
    }
    // Module::to would cast integer tensors too.
    auto cast = [&](Tensor t) {
      if (t.is_floating_point()) t.set_data(t.to(dtype));
    };
    for (const Tensor& t : module_.parameters()) cast(t);
    for (const Tensor& t : module_.buffers()) cast(t);
  }
  Tensor embed(const et::Domain& batch) override {
    const Tensor input = adjacency(batch, dtype_);
    torch::IValue output;
    try {
      output = module_.forward({input});
    } catch (const std::exception& e) {
      throw InputError(file_, "fails on adjacency matrices " + shape(input) + ": " + last_line(e.what()));
    }
    auto refuse = [&](const std::string& what) {
      throw InputError(file_,
                       "gives " + what + " for adjacency matrices " + shape(input) + ", not an embedding a graph");
    };
    if (!output.isTensor()) refuse(output.tagKind());
    const Tensor rows = output.toTensor();
    if (rows.layout() != torch::kStrided || !rows.is_floating_point())
      refuse(rows.layout() != torch::kStrided ? "a sparse tensor" : "numbers that are not floating-point");
    if (rows.dim() != 2 || rows.size(0) != input.size(0) || rows.size(1) == 0) refuse(shape(rows));
    return rows.to(dtype_);
  }
  std::vector<Tensor> parameters() override {
    std::vector<Tensor> result;
    for (const Tensor& p : module_.parameters())
      if (p.requires_grad()) result.push_back(p);
    return result;
  }
  std::vector<Tensor> buffers() override {
    std::vector<Tensor> result;
    for (const Tensor& t : module_.buffers()) result.push_back(t);
    return result;
  }
  void train(bool on) override { module_.train(on); }

 private:
  static std::string shape(const Tensor& t) {
    std::string text = "[";
    for (std::int64_t side : t.sizes()) text += (text.size() > 1 ? "," : "") + std::to_string(side);
    return text + "]";
  }
  static std::string first_line(const std::string& text) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == text.npos) return "no reason given";
    return text.substr(start, std::min<std::size_t>(text.find('\n', start) - start, 120));
  }
  // TorchScript's errors end with the reason; in some of them a trace follows.
  static std::string last_line(std::string text) {
    if (const auto trace = text.find("\nException raised from"); trace != text.npos) text.resize(trace);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }
  std::string file_;
  torch::Dtype dtype_;
  torch::jit::Module module_;
};

}  // namespace

Tensor adjacency(const et::Domain& batch, torch::Dtype dtype) {
  TORCH_CHECK(!batch.quotient && !batch.graphs.empty(), "adjacency: needs graphs, not a quotient");
  const std::int64_t n = batch.graphs[0]->order(), count = static_cast<std::int64_t>(batch.graphs.size());
  Tensor result = torch::zeros({count, n, n}, torch::kFloat32);
  auto at = result.accessor<float, 3>();
  for (std::int64_t g = 0; g < count; ++g)
    for (wl::Node u = 0; u < n; ++u)
      for (wl::Node v : batch.graphs[g]->neighbors(u)) at[g][u][v] = 1;
  return result.to(dtype);
}

std::unique_ptr<Model> make_model(const Settings& s, std::uint64_t seed, unsigned threads) {
  const bool published = s.protocol == Protocol::Published;
  const torch::Dtype dtype = published ? torch::kFloat32 : torch::kFloat64;
  switch (s.model) {
    case ModelKind::Et: return std::make_unique<EtModel>(s.config, seed, threads);
    case ModelKind::Ppgn: return make_ppgn(seed, published, dtype);
    case ModelKind::Gin: return make_gin(seed, published, dtype);
    case ModelKind::TorchScript: return std::make_unique<ScriptModel>(s.file, dtype);
    case ModelKind::Embeddings: break;
  }
  throw UsageError("make_model: " + std::string(info(s.model).name) + " is no model that runs");
}

}  // namespace leman::brec
