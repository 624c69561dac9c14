// JSON for the commands that write it.
#pragma once

#include "cli/common.hpp"
#include "study/json.hpp"

namespace leman::cli {

using study::Json;

// Heads every JSON output: what was run, and by which version.
inline Json record(const Context& context) {
  return {{"version", version()}, {"commit", commit()}, {"command", context.command}};
}

}  // namespace leman::cli
