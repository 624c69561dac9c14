// Formats that are recognised but not read, so that an error can name them. Internal to wl/formats.
#pragma once

#include <optional>
#include <string>

#include "wl/format_reader.hpp"

namespace leman::wl {

std::optional<std::string> unread_format(const Opening& opening);

}  // namespace leman::wl
