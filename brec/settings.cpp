#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "base/text.hpp"
#include "brec/protocol.hpp"

namespace leman::brec {

const std::vector<ProtocolInfo>& protocols() {
  static const std::vector<ProtocolInfo> table{
      // The pairs it was published for: those that 3-WL distinguishes.
      {Protocol::Published, "published", "BREC's own, quirks included: float32", "0-109,160-319"},
      {Protocol::Sound, "sound", "float64, Hotelling's test at a stated level", "0-399"},
      {Protocol::Exact, "exact", "on the colour quotient, decided by equality", "0-399"},
  };
  return table;
}

const ProtocolInfo& info(Protocol protocol) { return protocols()[static_cast<std::size_t>(protocol)]; }

const ProtocolInfo& protocol_named(std::string_view name) {
  for (const ProtocolInfo& each : protocols())
    if (each.name == name) return each;
  throw UsageError("no protocol \"" + std::string(name) + "\"" + did_you_mean(name, protocol_names()));
}

std::vector<std::string> protocol_names() {
  std::vector<std::string> names;
  for (const ProtocolInfo& each : protocols()) names.emplace_back(each.name);
  return names;
}

std::string_view weights_per_name(WeightsPer per) { return per == WeightsPer::Pair ? "pair" : "seed"; }

WeightsPer weights_per_named(std::string_view name) {
  for (WeightsPer per : {WeightsPer::Pair, WeightsPer::Seed})
    if (weights_per_name(per) == name) return per;
  throw UsageError("initial weights are drawn per pair or per seed, not per \"" + std::string(name) + "\"");
}

// LibTorch's generator uses only the lower 32 bits, so these must depend on all bits of seed and
// pair.
std::uint64_t weight_seed(const Settings& settings, std::uint64_t seed, int pair) {
  if (settings.weights_per == WeightsPer::Seed) return seed;
  return mix(seed * 1'000'003 + static_cast<std::uint64_t>(pair) + 0x9e3779b97f4a7c15u);
}

Settings settings_for(Protocol protocol, ModelKind model, int pairs) {
  Settings s;
  s.level = kFamilyLevel / pairs;
  s.protocol = protocol;
  s.model = model;
  s.config = et::preset("brec");
  if (protocol == Protocol::Published) {
    if (model == ModelKind::Ppgn) s.training.batch = 32;
    return s;
  }
  s.config = et::preset("sound");
  s.training.epochs = 60;
  s.training.decay = 0;
  s.training.patience = 10;
  s.training.epsilon = 1e-20;
  s.training.keep_best = true;
  return s;
}

std::string describe(const Settings& s) {
  const ModelInfo& model = info(s.model);
  nlohmann::ordered_json json;
  json["protocol"] = info(s.protocol).name;
  json["model"] = model.name;
  if (!s.digest.empty()) json["digest"] = s.digest;
  if (s.model == ModelKind::Et) json["config"] = nlohmann::ordered_json::parse(et::to_json(s.config));
  if (model.trained)
    json["training"] = {{"epochs", s.training.epochs},       {"batch", s.training.batch},
                        {"rate", s.training.rate},           {"decay", s.training.decay},
                        {"epsilon", s.training.epsilon},     {"keep_best", s.training.keep_best},
                        {"stop_loss", s.training.stop_loss}, {"patience", s.training.patience}};
  // Stores from before this option existed have weights per seed and no such key.
  if (model.ours && s.weights_per == WeightsPer::Pair) json["weights_per"] = weights_per_name(s.weights_per);
  if (s.protocol == Protocol::Published) json["threshold"] = kPublishedThreshold;
  if (s.protocol == Protocol::Sound) json["level"] = s.level;
  return json.dump(1);
}

void check(const Settings& s) {
  const ModelInfo& model = info(s.model);
  const bool published = s.protocol == Protocol::Published;
  if (s.protocol == Protocol::Exact && !model.on_colors)
    throw UsageError("protocol exact is for the Edge Transformer: it needs a model that runs on the colour quotient");
  if (s.model != ModelKind::Et) return;
  const et::Dtype wanted = published ? et::Dtype::Float32 : et::Dtype::Float64;
  if (s.config.dtype != wanted)
    throw UsageError("configuration: protocol " + std::string(info(s.protocol).name) + " needs dtype " +
                     std::string(et::name_of(wanted)));
  if (s.config.batch_norm && !published)
    throw UsageError(
        "configuration: batch_norm makes the two rows opposite whatever the model sees; not in this protocol");
}

}  // namespace leman::brec
