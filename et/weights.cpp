#include "et/weights.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/zip.hpp"

namespace leman::et {

using Json = nlohmann::ordered_json;

std::string to_json(const ModelSource& source) {
  return Json{{"config", Json::parse(to_json(source.config))}, {"seed", source.seed}}.dump();
}

ModelSource model_source(const std::string& text, const std::string& path) {
  const Json json = json_or_discarded(text);
  if (!json.is_object() || !json.contains("config") || !json.contains("seed") || !json["seed"].is_number_unsigned())
    throw ConfigError(path + ": holds no Leman configuration");
  return {config_from_json(json["config"].dump(), path), json["seed"].get<std::uint64_t>()};
}

std::vector<std::uint64_t> tensor_records(const std::string& bytes, const std::string& path) {
  const std::uint64_t most = 20 * bytes.size() + (1u << 20);  // only code is compressed, and there is little of it
  std::vector<std::uint64_t> sizes;
  for (const ZipEntry& entry : from_zip(bytes, path, most))
    if (entry.name.find("/data/") != entry.name.npos) sizes.push_back(entry.bytes.size());
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

}  // namespace leman::et
