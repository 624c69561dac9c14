// The ledger of the paper's claims, each one run.
#pragma once

#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "study/observer.hpp"
#include "study/records.hpp"

namespace leman::study {

// All claims, or the one of this id. Throws UsageError if there is none.
std::vector<ClaimRecord> run_claims(const std::string& id, const brec::PairSet& set, const Control& control);

}  // namespace leman::study
