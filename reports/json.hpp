// Inside reports/: JSON that is written.
#pragma once

#include <optional>
#include <string>

#include "base/version.hpp"
#include "study/json.hpp"

namespace leman::reports {

using Json = study::Json;

// Heads every JSON output: what was run, and by which version.
inline Json record(const std::string& command) {
  return {{"version", version()}, {"commit", commit()}, {"command", command}};
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// A file of it. Bytes that are not UTF-8, as a file name may have, are replaced.
inline std::string json_text(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace leman::reports
