// Weights files: a LibTorch archive with the parameters by name, the buffers of the
// batch norm, and under "leman" the configuration and the seed as JSON. It is a zip
// file. LibTorch checks neither its checksums nor whether its records have the
// lengths that the tensors need, so that is done here first.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file.hpp"
#include "base/memory.hpp"
#include "base/zip.hpp"
#include "et/estimate.hpp"
#include "et/model.hpp"

namespace leman::et {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw ConfigError(path + ": " + why); }

// Sizes of the tensor records (".../data/0" and so on), ascending, after all checksums have been
// verified. Only code is compressed in such a file, and there is little of it.
std::vector<std::uint64_t> checked_records(const std::string& bytes, const std::string& path) {
  std::vector<std::uint64_t> sizes;
  for (const ZipEntry& entry : from_zip(bytes, path, 20 * bytes.size() + (1u << 20)))
    if (entry.name.find("/data/") != entry.name.npos) sizes.push_back(entry.bytes.size());
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

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
  const Json json = Json::parse(about.toStringRef(), nullptr, false);
  if (!json.is_object() || !json.contains("config") || !json.contains("seed") || !json["seed"].is_number_unsigned())
    fail(path, "holds no Leman configuration");
  const Config config = config_from_json(json["config"].dump(), path);
  demand_memory(16 * parameter_count(config), 0, path + ": the model");
  return std::make_shared<EdgeTransformer>(config, json["seed"].get<std::uint64_t>());
}

}  // namespace

std::string to_archive(const EdgeTransformer& model) {
  torch::serialize::OutputArchive archive;
  const Json about{{"config", Json::parse(to_json(model.config()))}, {"seed", model.seed()}};
  archive.write("leman", c10::IValue(about.dump()));
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
    records = checked_records(bytes, path);
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
