// JSON as the run store and the reports write it: keys keep their order.
#pragma once

#include <nlohmann/json.hpp>

namespace leman::study {

using Json = nlohmann::ordered_json;

}  // namespace leman::study
