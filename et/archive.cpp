// Weights files: a LibTorch archive with the parameters by name, the buffers of
// the batch norm, and under "leman" the configuration and the seed as JSON. It is
// a zip file; LibTorch neither compares its checksums nor the lengths of its
// records with what the tensors need, so that is done here first.
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "et/estimate.hpp"
#include "et/model.hpp"
#include "wl/coloring.hpp"

namespace leman::et {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw ConfigError(path + ": " + why); }

std::string read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) fail(path, "no such file");
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail(path, "cannot be read");
  return bytes;
}

// Sizes of the tensor records (".../data/0" and so on), ascending, after their
// checksums have been compared. Empty if this is no such zip file.
std::vector<std::uint64_t> checked_records(const std::string& zip) {
  auto number = [&](std::size_t at, int width) {
    std::uint64_t value = 0;
    for (int k = width - 1; k >= 0; --k)
      value = value << 8 | (at + k < zip.size() ? static_cast<unsigned char>(zip[at + k]) : 0u);
    return value;
  };
  const std::size_t end = zip.rfind("PK\x05\x06");
  if (end == zip.npos) return {};
  std::vector<std::uint64_t> sizes;
  std::size_t at = number(end + 16, 4);
  for (std::uint64_t left = number(end + 10, 2); left > 0; --left) {
    if (number(at, 4) != 0x02014b50) return {};
    const std::uint64_t method = number(at + 10, 2), crc = number(at + 16, 4), size = number(at + 20, 4),
                        name_length = number(at + 28, 2), local = number(at + 42, 4);
    const std::string name = at + 46 < zip.size() ? zip.substr(at + 46, name_length) : "";
    const std::uint64_t data = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    const bool tensor = name.find("/data/") != name.npos, stored = method == 0;  // its code is compressed
    if (data > zip.size() || size > zip.size() - data || (tensor && !stored)) return {};
    if (stored && crc32_z(0, reinterpret_cast<const Bytef*>(zip.data() + data), size) != crc) return {};
    if (tensor) sizes.push_back(size);
    at += 46 + name_length + number(at + 30, 2) + number(at + 32, 2);
  }
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
  wl::demand_memory(16 * parameter_count(config), 0, path + ": the model");
  return std::make_shared<EdgeTransformer>(config, json["seed"].get<std::uint64_t>());
}

}  // namespace

std::string to_archive(const EdgeTransformer& model) {
  torch::serialize::OutputArchive archive;
  const Json about{{"config", Json::parse(to_json(model.config()))}, {"seed", model.seed()}};
  archive.write("leman", c10::IValue(about.dump()));
  // Clones: a tensor that shares its storage would bring all of it.
  for (const auto& each : model.named_parameters()) archive.write(each.key(), each.value().detach().clone());
  for (const auto& each : model.named_buffers()) archive.write(each.key(), each.value().clone(), true);
  std::ostringstream bytes;
  archive.save_to(bytes);
  return bytes.str();
}

std::shared_ptr<EdgeTransformer> load_model(const std::string& path) {
  const std::string bytes = read_file(path);
  const auto records = checked_records(bytes);
  if (records.empty()) fail(path, "not a LibTorch archive, or damaged");
  torch::serialize::InputArchive archive;
  try {
    archive.load_from(bytes.data(), bytes.size());
  } catch (const std::exception&) {  // LibTorch's text is a page long
    fail(path, "not a LibTorch archive, or damaged");
  }
  auto model = model_of(archive, path);
  if (records != needed_records(*model)) fail(path, "its tensors are not those of its configuration");
  for (auto& each : model->named_parameters()) load_tensor(archive, each.key(), each.value(), false, path);
  for (auto& each : model->named_buffers()) load_tensor(archive, each.key(), each.value(), true, path);
  return model;
}

std::shared_ptr<EdgeTransformer> with_dtype(std::shared_ptr<EdgeTransformer> model, const std::string& dtype) {
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
