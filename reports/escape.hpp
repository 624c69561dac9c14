// Text from outside (names of graphs, models, files) inside SVG and HTML.
#pragma once

#include <string>
#include <string_view>

namespace leman::reports {

// What XML may not hold is replaced by U+FFFD: control characters, bytes that are not UTF-8,
// surrogates and non-characters.
std::string printable(std::string_view text);

// printable(), with & < > " ' written as entities: fit for the content of an element and for an
// attribute.
std::string escape(std::string_view text);

}  // namespace leman::reports
