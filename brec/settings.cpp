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
  if (s.protocol == Protocol::Published) json["threshold"] = kPublishedThreshold;
  if (s.protocol == Protocol::Sound) json["level"] = s.level;
  return json.dump(1);
}

}  // namespace leman::brec
