// Weights files as LibTorch writes and reads them; et/weights.hpp says what is in them and checks
// what LibTorch does not.
#include <algorithm>

#include "base/file.hpp"
#include "base/memory.hpp"
#include "et/estimate.hpp"
#include "et/model.hpp"
#include "et/weights.hpp"

namespace leman::et {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw ConfigError(path + ": " + why); }

std::vector<std::uint64_t> needed_records(const EdgeTransformer& model) {
  std::vector<std::uint64_t> sizes;
  for (const torch::Tensor& t : model.parameters()) sizes.push_back(t.nbytes());
  for (const torch::Tensor& t : model.buffers()) sizes.push_back(t.nbytes());
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

void load_tensor(torch::serialize::InputArchive& archive, const std::string& name, torch::Tensor& target, bool buffer,
                 const std::string& path) {
  torch::Tensor stored;
  if (!archive.try_read(name, stored, buffer)) fail(path, "has no tensor \"" + name + "\"");
  if (stored.sizes() != target.sizes() || stored.dtype() != target.dtype())
    fail(path, "tensor \"" + name + "\" has the wrong shape or type");
  if (!stored.isfinite().all().item<bool>()) fail(path, "tensor \"" + name + "\" has values that are not finite");
  torch::NoGradGuard no_grad;
  target.copy_(stored);
}

std::shared_ptr<EdgeTransformer> model_of(torch::serialize::InputArchive& archive, const std::string& path) {
  c10::IValue about;
  if (!archive.try_read("leman", about) || !about.isString()) fail(path, "holds no Leman configuration");
  const ModelSource source = model_source(about.toStringRef(), path);
  demand_memory(16 * parameter_count(source.config), 0, path + ": the model");
  return std::make_shared<EdgeTransformer>(source.config, source.seed);
}

}  // namespace

std::string to_archive(const EdgeTransformer& model) {
  torch::serialize::OutputArchive archive;
  archive.write("leman", c10::IValue(to_json(ModelSource{model.config(), model.seed()})));
  // Clones: a tensor that shares its storage would write all of it.
  for (const auto& each : model.named_parameters()) archive.write(each.key(), each.value().detach().clone());
  for (const auto& each : model.named_buffers()) archive.write(each.key(), each.value().clone(), true);
  std::ostringstream bytes;
  archive.save_to(bytes);
  return bytes.str();
}

std::shared_ptr<EdgeTransformer> load_model(const std::string& path) {
  const std::string bytes = read_file(path);
  std::vector<std::uint64_t> records;
  torch::serialize::InputArchive archive;
  try {
    records = tensor_records(bytes, path);
    archive.load_from(bytes.data(), bytes.size());
  } catch (const std::exception&) {  // LibTorch's message is a page long
    fail(path, "not a LibTorch archive, or damaged");
  }
  auto model = model_of(archive, path);
  if (records != needed_records(*model)) fail(path, "its tensors are not those of its configuration");
  for (auto& each : model->named_parameters()) load_tensor(archive, each.key(), each.value(), false, path);
  for (auto& each : model->named_buffers()) load_tensor(archive, each.key(), each.value(), true, path);
  return model;
}

std::shared_ptr<EdgeTransformer> with_dtype(std::shared_ptr<EdgeTransformer> model, Dtype dtype) {
  if (dtype == model->config().dtype) return model;
  Config config = model->config();
  config.dtype = dtype;
  auto other = std::make_shared<EdgeTransformer>(config, model->seed());
  torch::NoGradGuard no_grad;
  auto from = model->named_parameters();
  for (auto& each : other->named_parameters()) each.value().copy_(from[each.key()]);
  auto buffers = model->named_buffers();
  for (auto& each : other->named_buffers()) each.value().copy_(buffers[each.key()]);
  return other;
}

}  // namespace leman::et
