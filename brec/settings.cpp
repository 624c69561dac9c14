#include <nlohmann/json.hpp>
#include <stdexcept>

#include "brec/protocol.hpp"

namespace leman::brec {

std::string_view protocol_name(Protocol protocol) {
  return protocol == Protocol::Published ? "published" : protocol == Protocol::Sound ? "sound" : "exact";
}

Protocol protocol_named(std::string_view name) {
  for (Protocol p : {Protocol::Published, Protocol::Sound, Protocol::Exact})
    if (protocol_name(p) == name) return p;
  throw std::invalid_argument("there is no protocol \"" + std::string(name) + "\"");
}

std::string_view weights_per_name(WeightsPer per) { return per == WeightsPer::Pair ? "pair" : "seed"; }

WeightsPer weights_per_named(std::string_view name) {
  for (WeightsPer per : {WeightsPer::Pair, WeightsPer::Seed})
    if (weights_per_name(per) == name) return per;
  throw std::invalid_argument("initial weights are drawn per pair or per seed, not per \"" + std::string(name) + "\"");
}

// LibTorch's generator starts from the lower 32 bits alone, so these must depend on
// all of seed and pair: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t weight_seed(const Settings& settings, std::uint64_t seed, int pair) {
  if (settings.weights_per == WeightsPer::Seed) return seed;
  std::uint64_t z = seed * 1'000'003 + static_cast<std::uint64_t>(pair) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

Settings settings_for(Protocol protocol, const std::string& model) {
  Settings s;
  s.protocol = protocol;
  s.model = model;
  s.config = et::preset("brec");
  if (protocol == Protocol::Published) {
    if (model == "ppgn") s.training.batch = 32;
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
  nlohmann::ordered_json json;
  json["protocol"] = protocol_name(s.protocol);
  json["model"] = s.model;
  if (!s.digest.empty()) json["digest"] = s.digest;
  if (s.model == "et") json["config"] = nlohmann::ordered_json::parse(et::to_json(s.config));
  if (s.model != "embeddings")
    json["training"] = {{"epochs", s.training.epochs},       {"batch", s.training.batch},
                        {"rate", s.training.rate},           {"decay", s.training.decay},
                        {"epsilon", s.training.epsilon},     {"keep_best", s.training.keep_best},
                        {"stop_loss", s.training.stop_loss}, {"patience", s.training.patience}};
  // Stores from before there was a choice have weights per seed and no such key.
  const bool draws = s.model != "torchscript" && s.model != "embeddings";
  if (draws && s.weights_per == WeightsPer::Pair) json["weights_per"] = weights_per_name(s.weights_per);
  if (s.protocol == Protocol::Published) json["threshold"] = kPublishedThreshold;
  if (s.protocol == Protocol::Sound) json["level"] = s.level;
  return json.dump(1);
}

}  // namespace leman::brec
