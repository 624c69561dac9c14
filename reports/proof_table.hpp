// An executed proof as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "study/proof_study.hpp"

namespace leman::reports {

std::string proof_text(const proofs::Proof& proof, const std::string& construction, wl::Node order, bool rounds);
std::string proofs_text(const study::ProofSummary& summary, const std::string& construction, const std::string& title);
nlohmann::ordered_json proof_json(const proofs::Proof& proof, const std::string& construction);
nlohmann::ordered_json proofs_json(const study::ProofSummary& summary, const std::string& construction);

}  // namespace leman::reports
