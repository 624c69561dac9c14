#include "base/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace leman {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 100;

std::uint64_t line_of(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte, text.size()));
  return 1 + static_cast<std::uint64_t>(std::count(text.begin(), end, '\n'));
}

}  // namespace

Json parse_json(const std::string& text, const std::string& file) {
  auto not_too_deep = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kDeepest) throw InputError(file, "is nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, not_too_deep);
  } catch (const Json::parse_error& e) {
    throw InputError(file, line_of(text, e.byte), 0, "not valid JSON");
  } catch (const Json::exception&) {  // such as 1e400
    throw InputError(file, "has a number that is out of range");
  }
}

Json json_or_discarded(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const InputError&) {
    return Json(Json::value_t::discarded);
  }
}

}  // namespace leman
