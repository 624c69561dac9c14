// JSON for the subcommands that write it; kept out of common.hpp, since the
// header takes two seconds to compile.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/common.hpp"

namespace leman::cli {

using Json = nlohmann::ordered_json;

// Heads every JSON output: what was run, and by which version.
inline Json record(const Context& context) {
  return {{"version", context.version}, {"commit", context.commit}, {"command", context.command}};
}

}  // namespace leman::cli
