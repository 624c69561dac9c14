#include "et/config.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <variant>

#include "base/file.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace leman::et {

namespace {

using Json = nlohmann::ordered_json;

// The names of choices, in the order of the enumeration.
template <class Choice>
constexpr std::array<std::string_view, 0> kNames{};
template <>
constexpr std::array<std::string_view, 2> kNames<TokenKind>{"paper", "brec"};
template <>
constexpr std::array<std::string_view, 2> kNames<LayerKind>{"paper", "brec"};
template <>
constexpr std::array<std::string_view, 4> kNames<Activation>{"gelu", "relu", "tanh", "none"};
template <>
constexpr std::array<std::string_view, 2> kNames<NodeReadout>{"diagonal", "rho"};
template <>
constexpr std::array<std::string_view, 6> kNames<GraphReadout>{"sum", "mean", "max", "brec", "moments", "nonlinear"};
template <>
constexpr std::array<std::string_view, 2> kNames<Dtype>{"float32", "float64"};

struct Field {
  const char* name;
  std::variant<int Config::*, double Config::*, bool Config::*, TokenKind Config::*, LayerKind Config::*,
               Activation Config::*, NodeReadout Config::*, GraphReadout Config::*, Dtype Config::*>
      member;
  double low = 0, high = 0;  // of a number
};

const std::vector<Field>& fields() {
  static const std::vector<Field> table{
      {"layers", &Config::layers, 1, 1000},
      {"width", &Config::width, 1, 4096},
      {"heads", &Config::heads, 1, 256},
      {"token", &Config::token},
      {"token_width", &Config::token_width, 1, 4096},
      {"token_depth", &Config::token_depth, 1, 16},
      {"node_colors", &Config::node_colors, 1, 100000},
      {"edge_colors", &Config::edge_colors, 1, 100000},
      {"rrwp", &Config::rrwp, 0, 1000},
      {"layer", &Config::layer},
      {"tied", &Config::tied},
      {"qk_norm", &Config::qk_norm},
      {"value_norm", &Config::value_norm},
      {"ffn_depth", &Config::ffn_depth, 1, 16},
      {"ffn_width", &Config::ffn_width, 1, 65536},
      {"activation", &Config::activation},
      {"dropout", &Config::dropout, 0, 0.99},
      {"attention_dropout", &Config::attention_dropout, 0, 0.99},
      {"node_readout", &Config::node_readout},
      {"graph_readout", &Config::graph_readout},
      {"pair_outputs", &Config::pair_outputs, 0, 65536},
      {"node_outputs", &Config::node_outputs, 0, 65536},
      {"graph_outputs", &Config::graph_outputs, 0, 65536},
      {"batch_norm", &Config::batch_norm},
      {"dtype", &Config::dtype},
      {"bias", &Config::bias},
      {"init_std", &Config::init_std, 0, 1000},
  };
  return table;
}

template <class T>
void set_field(Config& config, const Field& field, T Config::*member, const Json& value, const std::string& where) {
  const bool fits = std::is_same_v<T, bool>  ? value.is_boolean()
                    : std::is_enum_v<T>      ? value.is_string()
                    : std::is_same_v<T, int> ? value.is_number_integer()
                                             : value.is_number();
  if (!fits) throw ConfigError(where + ": \"" + field.name + "\": " + value.dump() + " is not of the right type");
  if constexpr (std::is_same_v<T, int>) {  // before it is truncated to an int
    if (value.get<double>() < field.low || value.get<double>() > field.high)
      throw ConfigError(where + ": \"" + field.name + "\": " + value.dump() + " is out of range");
  }
  if constexpr (std::is_enum_v<T>) {
    try {
      config.*member = choice_named<T>(value.get<std::string>());
    } catch (const ConfigError& e) {
      throw ConfigError(where + ": \"" + field.name + "\": " + e.what());
    }
  } else {
    config.*member = value.get<T>();
  }
}

}  // namespace

template <class Choice>
std::string_view name_of(Choice choice) {
  return kNames<Choice>.at(static_cast<std::size_t>(choice));
}
template <class Choice>
std::vector<std::string> choice_names() {
  return {kNames<Choice>.begin(), kNames<Choice>.end()};
}
template <class Choice>
Choice choice_named(std::string_view name) {
  for (std::size_t k = 0; k < kNames<Choice>.size(); ++k)
    if (kNames<Choice>[k] == name) return static_cast<Choice>(k);
  throw ConfigError(Json(name).dump() + " is none of " + join(choice_names<Choice>()));
}
#define LEMAN_INSTANTIATE(Choice)                           \
  template std::string_view name_of<Choice>(Choice);        \
  template std::vector<std::string> choice_names<Choice>(); \
  template Choice choice_named<Choice>(std::string_view);
LEMAN_INSTANTIATE(TokenKind)
LEMAN_INSTANTIATE(LayerKind)
LEMAN_INSTANTIATE(Activation)
LEMAN_INSTANTIATE(NodeReadout)
LEMAN_INSTANTIATE(GraphReadout)
LEMAN_INSTANTIATE(Dtype)
#undef LEMAN_INSTANTIATE

int Config::pooled_width() const {
  switch (graph_readout) {
    case GraphReadout::Moments: return 6 * width;
    case GraphReadout::Brec:
    case GraphReadout::Nonlinear: return 2 * width;
    case GraphReadout::Sum:
    case GraphReadout::Mean:
    case GraphReadout::Max: break;
  }
  return 0;
}

void Config::check() const {
  for (const Field& field : fields())
    std::visit(
        [&](auto member) {
          const auto& value = this->*member;
          using T = std::decay_t<decltype(value)>;
          if constexpr (!std::is_enum_v<T> && !std::is_same_v<T, bool>) {
            if (!(value >= field.low && value <= field.high))
              throw ConfigError(std::string("\"") + field.name + "\": " + Json(value).dump() + " is not in " +
                                Json(field.low).dump() + " .. " + Json(field.high).dump());
          }
        },
        field.member);
  auto refuse = [](const char* field, const std::string& why) {
    throw ConfigError(std::string("\"") + field + "\": " + why);
  };
  if (reads_layers() && graph_outputs == 0)
    refuse("graph_outputs", "0, but the readout \"" + std::string(name_of(graph_readout)) + "\" needs some");
  if (token == TokenKind::Brec && (node_colors > 1 || edge_colors > 1))
    refuse("node_colors", "the token \"brec\" knows no colours; \"paper\" does");
  // The shift of the norm would be dropped along with its value, but the model adds it once for all l.
  if (value_norm && attention_dropout > 0) refuse("attention_dropout", "not together with value_norm");
  if (width % heads != 0)
    throw ConfigError("\"heads\": " + std::to_string(heads) + " does not divide the width " + std::to_string(width));
}

const std::vector<std::string>& preset_names() {
  static const std::vector<std::string> names{"paper", "brec", "sound", "zinc"};
  return names;
}

Config preset(const std::string& name) {
  Config c;
  if (name == "brec" || name == "sound") {
    c.token = TokenKind::Brec, c.layer = LayerKind::Brec, c.graph_readout = GraphReadout::Brec;
    c.tied = c.qk_norm = c.value_norm = c.batch_norm = true;
    c.activation = Activation::None;
    c.init_std = 0.02;
    if (name == "sound") {
      c.tied = c.batch_norm = c.bias = false;
      c.graph_readout = GraphReadout::Moments;
      c.dtype = Dtype::Float64;
    }
  } else if (name == "zinc") {
    c.layers = 10, c.width = 64, c.heads = 8, c.ffn_width = 128;
    c.attention_dropout = 0.2;
    c.rrwp = 21;
    c.node_colors = 28, c.edge_colors = 4;
    c.node_readout = NodeReadout::Rho;
    c.graph_outputs = 1;
  } else if (name != "paper") {
    throw ConfigError("there is no configuration " + Json(name).dump() + "; there are " + join(preset_names()));
  }
  return c;
}

std::string to_json(const Config& config) {
  Json json;
  for (const Field& field : fields())
    std::visit(
        [&](auto member) {
          if constexpr (std::is_enum_v<std::decay_t<decltype(config.*member)>>)
            json[field.name] = name_of(config.*member);
          else
            json[field.name] = config.*member;
        },
        field.member);
  return json.dump(1);
}

Config config_from_json(const std::string& text, const std::string& source) {
  Json json;
  try {
    json = parse_json(text, source);
  } catch (const InputError& e) {
    throw ConfigError(e.what());
  }
  if (!json.is_object()) throw ConfigError(source + ": not a JSON object");
  Config config;
  try {
    if (json.contains("preset")) {
      if (!json["preset"].is_string()) throw ConfigError("\"preset\" is not a text");
      config = preset(json["preset"].get<std::string>());
      json.erase("preset");
    }
    for (const auto& item : json.items()) {
      auto field =
          std::find_if(fields().begin(), fields().end(), [&](const Field& f) { return item.key() == f.name; });
      if (field == fields().end()) throw ConfigError("there is no field " + Json(item.key()).dump());
      std::visit([&](auto member) { set_field(config, *field, member, item.value(), source); }, field->member);
    }
    config.check();
  } catch (const ConfigError& e) {
    const std::string what = e.what();
    throw ConfigError(what.starts_with(source) ? what : source + ": " + what);
  }
  return config;
}

Config load_config(const std::string& name_or_file) {
  if (std::find(preset_names().begin(), preset_names().end(), name_or_file) != preset_names().end())
    return preset(name_or_file);
  std::error_code error;
  if (!std::filesystem::exists(name_or_file, error))
    throw ConfigError(name_or_file + ": no such file, and no configuration of that name (" + join(preset_names()) +
                      ")");
  return config_from_json(read_file(name_or_file), name_or_file);
}

}  // namespace leman::et
