// What this build is; part of every output.
#pragma once

#include <string>

namespace leman {

std::string version();
std::string commit();    // of the source tree, "unknown" without git
std::string about();     // "leman 0.2.0 (0123456789ab)"
std::string compiler();  // "g++ 12.2.0"

}  // namespace leman
