#pragma once

#include "brec/pairs.hpp"
#include "cli/json.hpp"

namespace leman::cli {

// Runs the claims of the ledger, or the one of this id, and says what came out.
Json run_claims(const std::string& id, const brec::PairSet& set);

}  // namespace leman::cli
