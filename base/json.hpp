// JSON from outside.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace leman {

// Throws InputError with the line: not JSON, a number out of range, or nested more than 100 deep. What
// walks through a value (dump, flatten) calls itself, and a text of brackets would end its stack.
nlohmann::ordered_json parse_json(const std::string& text, const std::string& file);

// The same for callers with a message of their own: discarded instead of an error.
nlohmann::ordered_json json_or_discarded(const std::string& text);

}  // namespace leman
