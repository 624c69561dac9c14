#include "base/version.hpp"

#include "generated/version.hpp"

namespace leman {

std::string version() { return LEMAN_VERSION; }
std::string commit() { return LEMAN_COMMIT; }
std::string about() { return "leman " + version() + " (" + commit() + ")"; }
std::string compiler() { return "g++ " __VERSION__; }

}  // namespace leman
