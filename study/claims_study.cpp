#include "study/claims_study.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "proofs_check/claims.hpp"
#include "study/torch.hpp"

namespace leman::study {

std::vector<ClaimRecord> run_claims(const std::string& id, const brec::PairSet& set, const Control& control) {
  std::vector<const proofs::Claim*> chosen;
  std::vector<std::string> ids;
  for (const proofs::Claim& claim : proofs::claims()) {
    ids.push_back(claim.id);
    if (id.empty() || id == claim.id) chosen.push_back(&claim);
  }
  if (chosen.empty()) throw UsageError("no claim \"" + id + "\"" + did_you_mean(id, ids) + "; there are " + join(ids));
  proofs::Resources resources;
  resources.onehot = [](auto graphs, et::Dtype dtype) { return torch().prove_onehot(graphs, dtype); };
  resources.backward = [](int graphs, std::uint64_t seed) { return torch().check_backward(graphs, seed); };
  for (const brec::Pair& pair : set.pairs)
    resources.pairs.push_back({&pair.first, &pair.second, set.roster.family_of(pair.id).category});
  resources.pair_source = set.source;
  resources.brec_files = set.kind == brec::PairSet::Kind::Brec;
  std::vector<ClaimRecord> records;
  const Stage stage(control.observer, "claims", chosen.size());
  for (const proofs::Claim* claim : chosen) {
    if (control.stop) break;
    control.observer.begin(claim->id);
    const proofs::Outcome outcome = claim->run(resources);
    control.observer.done(1, claim->id);
    records.push_back({claim->id, claim->where, claim->statement, claim->command, outcome.verdict, outcome.evidence,
                       outcome.as_expected, commit()});
  }
  return records;
}

}  // namespace leman::study
