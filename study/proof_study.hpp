// The proof that the Edge Transformer has 3-WL power, executed on many graphs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "proofs_check/parametrization.hpp"
#include "study/observer.hpp"
#include "wl/coloring.hpp"

namespace leman::study {

struct ProofRequest {
  std::string construction = "mended";        // of proof_constructions()
  std::optional<proofs::Arithmetic> numbers;  // none: exact, as far as the order allows
};
// Names of constructions, the LibTorch model that survives LayerNorm last.
const std::vector<std::string>& proof_constructions();
void check(const ProofRequest& request);  // throws UsageError

// Graphs of one order, jointly.
proofs::Proof prove(const ProofRequest& request, wl::GraphSpan graphs);

// Graphs, or pairs run jointly, one by one.
struct ProofBatch {
  std::string title;  // "all graphs of orders 2-6"
  std::vector<wl::Graph> owned;
  std::vector<std::vector<const wl::Graph*>> jobs;
};
ProofBatch all_graphs_batch(wl::Node most);
ProofBatch pairs_batch(const brec::PairSet& set, const std::vector<int>& ids, wl::Node largest,
                       const std::string& title);

struct ProofSummary {
  std::size_t runs = 0, failed = 0;
  int most_rounds = 0;
  std::optional<proofs::Failure> smallest;  // the first job that fails
};
ProofSummary prove_all(const ProofRequest& request, const ProofBatch& batch, unsigned threads, const Control& control);

}  // namespace leman::study
