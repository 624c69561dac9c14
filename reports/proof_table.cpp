#include "reports/proof_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "study/json.hpp"

namespace leman::reports {

namespace {

using study::Json;

// What the numbers need: digits and bits, or the width of the network.
std::string size_text(const proofs::Proof& proof, wl::Node n) {
  if (proof.network.width)
    return fmt::format(", LibTorch model of width {}, hidden width {}, sums up to {}, off by {:.1e} at most",
                       proof.network.width, proof.network.hidden, proof.network.largest, proof.network.deviation);
  if (!proof.positions) return "";
  return fmt::format(", digits to position {}: {:.0f} bits", proof.positions,
                     static_cast<double>(proof.positions) * std::log2(static_cast<double>(n)));
}

std::string failure_text(const proofs::Failure& f) {
  return "FAILS    " + f.check + ", round " + std::to_string(f.round) + ", graph6 " + f.graphs + ": " + f.detail + "\n";
}

Json failure_json(const proofs::Failure& f) {
  return {{"check", f.check}, {"round", f.round}, {"graphs", f.graphs}, {"detail", f.detail}};
}

}  // namespace

std::string proof_text(const proofs::Proof& proof, const std::string& construction, wl::Node order, bool rounds) {
  std::string text = "construction " + construction + ", " + std::to_string(order) + " nodes, rounds 0-" +
                     std::to_string(proof.rounds) + ", " + std::to_string(proof.colors) + " colours" +
                     size_text(proof, order) + "\n";
  for (std::size_t t = 0; rounds && t < proof.round_colors.size(); ++t)
    text += "round " + std::to_string(t) + ": " + std::to_string(proof.round_colors[t]) + " colours\n";
  for (const std::string& check : proof.held) text += "holds    " + check + "\n";
  return proof.failure ? text + failure_text(*proof.failure) : text;
}

std::string proofs_text(const study::ProofSummary& s, const std::string& construction, const std::string& title) {
  return "construction " + construction + ", " + title + ": " + std::to_string(s.runs) + " runs, " +
         std::to_string(s.failed) + " fail, at most " + std::to_string(s.most_rounds) + " rounds\n" +
         (s.smallest ? "the smallest that does:\n" + failure_text(*s.smallest) : "");
}

Json proof_json(const proofs::Proof& proof, const std::string& construction) {
  Json json{{"construction", construction},
            {"holds", !proof.failure},
            {"rounds", proof.rounds},
            {"colors", proof.colors},
            {"colors_of_rounds", proof.round_colors},
            {"digits", proof.positions},
            {"held", proof.held}};
  if (proof.network.width)
    json["network"] = {{"width", proof.network.width},
                       {"hidden", proof.network.hidden},
                       {"largest_sum", proof.network.largest},
                       {"deviation", proof.network.deviation}};
  if (proof.failure) json["failure"] = failure_json(*proof.failure);
  return json;
}

Json proofs_json(const study::ProofSummary& s, const std::string& construction) {
  Json json{{"construction", construction}, {"runs", s.runs}, {"failed", s.failed}, {"most_rounds", s.most_rounds}};
  if (s.smallest) json["smallest_failure"] = failure_json(*s.smallest);
  return json;
}

}  // namespace leman::reports
