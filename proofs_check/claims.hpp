// The ledger: claims of the paper, each an executable record. It is not complete: docs/proof.md says
// what is missing.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "proofs_check/backward.hpp"
#include "proofs_check/onehot.hpp"

namespace leman::proofs {

// What a claim may need from elsewhere.
struct Resources {
  std::function<OneHotProof(std::span<const wl::Graph* const>, et::Dtype)> onehot;
  std::function<BackwardCheck(int, std::uint64_t)> backward;
  // BREC's pairs, or the built-in ones, with their published category.
  struct PairOfGraphs {
    const wl::Graph *first, *second;
    std::string category;
  };
  std::vector<PairOfGraphs> pairs;
  std::string pair_source;
  bool brec_files = false;  // the pairs are BREC's own
};

struct Outcome {
  std::string verdict;  // "holds", "fails as printed, holds as mended", "measured", "not run here", "open"
  std::string evidence;
  bool as_expected = true;  // false: the run contradicts what the ledger says
};

struct Claim {
  std::string id, where, statement;  // statement in our words
  std::string command;               // the command that shows it
  std::function<Outcome(const Resources&)> run;
};

const std::vector<Claim>& claims();

}  // namespace leman::proofs
