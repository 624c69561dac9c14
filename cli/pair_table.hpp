// Loading the pairs and the table of families, for the subcommands that start
// from them.
#pragma once

#include <string>

#include "brec/pairs.hpp"
#include "cli/common.hpp"

namespace leman::cli {

// BREC's files where they are found, else the built-in pairs, said on stderr.
brec::PairSet load_pairs(const std::string& directory, bool builtin);
std::string family_table(const brec::PairSet& set, const Context& context);

}  // namespace leman::cli
