// Weights files: a LibTorch archive with the parameters by name, the buffers of
// the batch norm, and under "leman" the configuration and the seed as JSON.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "et/model.hpp"

namespace leman::et {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void fail(const std::string& path, const std::string& why) { throw ConfigError(path + ": " + why); }

torch::serialize::InputArchive open_archive(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) fail(path, "no such file");
  torch::serialize::InputArchive archive;
  try {
    archive.load_from(path);
  } catch (const std::exception&) {  // LibTorch's text is a page long
    fail(path, "not a LibTorch archive, or cut off");
  }
  return archive;
}

void load_tensor(torch::serialize::InputArchive& archive, const std::string& name, torch::Tensor& target,
                 const std::string& path) {
  torch::Tensor stored;
  if (!archive.try_read(name, stored)) fail(path, "has no tensor \"" + name + "\"");
  if (stored.sizes() != target.sizes()) fail(path, "tensor \"" + name + "\" has the wrong shape");
  if (!stored.isfinite().all().item<bool>()) fail(path, "tensor \"" + name + "\" has values that are not finite");
  torch::NoGradGuard no_grad;
  target.copy_(stored);
}

}  // namespace

void save_model(const EdgeTransformer& model, const std::string& path) {
  torch::serialize::OutputArchive archive;
  const Json about{{"config", Json::parse(to_json(model.config()))}, {"seed", model.seed()}};
  archive.write("leman", c10::IValue(about.dump()));
  for (const auto& each : model.named_parameters()) archive.write(each.key(), each.value());
  for (const auto& each : model.named_buffers()) archive.write(each.key(), each.value(), true);
  // Through memory: LibTorch's own file writer ends the program if the disk is full.
  std::ostringstream bytes;
  archive.save_to(bytes);
  const std::string temporary = path + ".part";
  {
    std::ofstream file(temporary, std::ios::binary);
    file << bytes.str();
    file.close();
    if (!file) {
      std::filesystem::remove(temporary);
      fail(path, "cannot be written");
    }
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) fail(path, error.message());
}

std::shared_ptr<EdgeTransformer> load_model(const std::string& path) {
  auto archive = open_archive(path);
  c10::IValue about;
  if (!archive.try_read("leman", about) || !about.isString()) fail(path, "holds no Leman configuration");
  const Json json = Json::parse(about.toStringRef(), nullptr, false);
  if (!json.is_object() || !json.contains("config") || !json.contains("seed"))
    fail(path, "holds no Leman configuration");
  auto model = std::make_shared<EdgeTransformer>(config_from_json(json["config"].dump(), path),
                                                 json["seed"].get<std::uint64_t>());
  for (auto& each : model->named_parameters()) load_tensor(archive, each.key(), each.value(), path);
  for (auto& each : model->named_buffers()) {
    torch::Tensor stored;
    if (!archive.try_read(each.key(), stored, true) || stored.sizes() != each.value().sizes())
      fail(path, "has no buffer \"" + each.key() + "\"");
    each.value().copy_(stored);
  }
  return model;
}

}  // namespace leman::et
