#include "study/proof_study.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "study/torch.hpp"
#include "wl/constructions/enumerate.hpp"

namespace leman::study {

namespace {

using proofs::Arithmetic;

constexpr const char* kOneHot = "onehot";
// Rational numbers up to this order, digits beyond: T^(n^2) has n^4 of them.
constexpr wl::Node kExactOrder = 6;

Arithmetic arithmetic_for(const ProofRequest& request, wl::Node n, std::size_t count) {
  if (request.numbers) return *request.numbers;
  if (request.construction == "layernorm-epsilon") return Arithmetic::LongDouble;  // needs roots
  const bool small = n <= kExactOrder && count == 1;
  return small || request.construction == "layernorm" ? Arithmetic::Rationals : Arithmetic::Digits;
}

proofs::Proof prove_onehot(const ProofRequest& request, wl::GraphSpan graphs) {
  const bool wide = request.numbers == Arithmetic::Float64;
  const proofs::OneHotProof p = torch().prove_onehot(graphs, wide ? et::Dtype::Float64 : et::Dtype::Float32);
  proofs::Proof proof;
  proof.rounds = p.rounds;
  proof.round_colors = p.round_colors;
  proof.colors = static_cast<wl::Color>(p.width - 1);
  proof.failure = p.failure;
  proof.network = {p.width, p.hidden, p.largest, p.deviation};
  if (!p.failure) proof.held = {"one-hot"};
  return proof;
}

}  // namespace

const std::vector<std::string>& proof_constructions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list = proofs::construction_names();
    list.emplace_back(kOneHot);
    return list;
  }();
  return names;
}

void check(const ProofRequest& request) {
  const bool float_type = request.numbers == Arithmetic::Float32 || request.numbers == Arithmetic::Float64;
  if (request.construction == kOneHot && request.numbers && !float_type)
    throw UsageError("the construction onehot runs in float32 or float64");
}

proofs::Proof prove(const ProofRequest& request, wl::GraphSpan graphs) {
  if (request.construction == kOneHot) return prove_onehot(request, graphs);
  const wl::Node n = graphs[0]->order();
  return proofs::prove(graphs, proofs::construction(request.construction, n, graphs.size()),
                       arithmetic_for(request, n, graphs.size()));
}

ProofBatch all_graphs_batch(wl::Node most) {
  ProofBatch batch{"all graphs of orders 2-" + std::to_string(most), {}, {}};
  for (wl::Node n = 2; n <= most; ++n)
    for (wl::Graph& graph : wl::all_graphs(n)) batch.owned.push_back(std::move(graph));
  for (const wl::Graph& graph : batch.owned) batch.jobs.push_back({&graph});
  return batch;
}

ProofBatch pairs_batch(const brec::PairSet& set, const std::vector<int>& ids, wl::Node largest,
                       const std::string& title) {
  ProofBatch batch{
      set.source + (title.empty() ? "" : ", pairs " + title) + " up to " + std::to_string(largest) + " nodes", {}, {}};
  for (int id : ids) {
    const brec::Pair& pair = set.at(id);
    if (pair.first.order() != pair.second.order())
      throw InputError(set.path,
                       set.roster.title(id) + " has graphs of different orders; the proof takes graphs of one");
    if (pair.first.order() <= largest) batch.jobs.push_back({&pair.first, &pair.second});
  }
  if (batch.jobs.empty()) throw UsageError("no pair has at most " + std::to_string(largest) + " nodes");
  return batch;
}

ProofSummary prove_all(const ProofRequest& request, const ProofBatch& batch, unsigned threads, const Control& control) {
  std::vector<std::optional<proofs::Proof>> results(batch.jobs.size());
  {
    const Stage stage(control.observer, "proofs", batch.jobs.size());
    parallel_for(batch.jobs.size(), threads, [&](std::size_t k) {
      if (control.stop) return;
      results[k] = prove(request, batch.jobs[k]);
      control.observer.done(1, std::to_string(batch.jobs[k][0]->order()) + " nodes");
    });
  }
  ProofSummary summary;
  for (const auto& proof : results) {
    if (!proof) continue;
    ++summary.runs;
    summary.most_rounds = std::max(summary.most_rounds, proof->rounds);
    summary.failed += proof->failure.has_value();
    if (proof->failure && !summary.smallest) summary.smallest = proof->failure;
  }
  return summary;
}

}  // namespace leman::study
