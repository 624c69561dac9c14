// An agreement study as text, JSON and CSV.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "study/agreement_study.hpp"
#include "study/records.hpp"

namespace leman::reports {

// Share that agrees in percent, rounded down: 100 means all of them. "-" if nothing was compared.
std::string percent(const proofs::Counts& counts, int digits);
// What explains a disagreement, and how often: "tokens/round/coarser/precision" -> 12.
std::uint64_t how_often(const proofs::Agreement& agreement, const proofs::Disagreement& example);

std::string agreement_text(const study::AgreementResult& result, const std::string& source, std::uint64_t seed);
std::string agreement_json(const study::AgreementResult& result, const std::string& source, std::uint64_t seed,
                           const std::string& command);
// One row per model, family, depth and what is compared.
std::string agreement_csv(const std::vector<study::AgreementRecord>& models);

}  // namespace leman::reports
