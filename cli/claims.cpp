// `leman claims`: the ledger of the paper's claims, each one run.
#include "proofs_check/claims.hpp"

#include <iostream>
#include <memory>

#include "cli/claims.hpp"
#include "cli/pair_table.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string id, brec;
  bool builtin = false, json = false;
};

int run(const Options& o, const Context& context) {
  Json json = record(context);
  json["claims"] = run_claims(o.id, load_pairs(o.brec, o.builtin));
  std::string text;
  bool contradicted = false;
  for (const Json& c : json["claims"]) {
    auto get = [&c](const char* key) { return c[key].get<std::string>(); };
    contradicted |= !c["as_expected"].get<bool>();
    text += get("id") + ": " + get("verdict") + "\n  " + get("where") + ": " + get("statement") +
            "\n  evidence: " + get("evidence") + "\n  command:  " + get("command") + "\n\n";
  }
  write_file("-", o.json ? json.dump(1) + "\n" : text + context.about() + ": " + context.command + "\n");
  return contradicted ? kDifferent : kOk;
}

}  // namespace

Json run_claims(const std::string& id, const brec::PairSet& set) {
  std::vector<const proofs::Claim*> chosen;
  for (const proofs::Claim& claim : proofs::claims())
    if (id.empty() || id == claim.id) chosen.push_back(&claim);
  if (chosen.empty()) throw UsageError("no claim \"" + id + "\": leman claims lists them");
  proofs::Resources resources;
  resources.onehot = [](auto graphs, const std::string& dtype) { return torch_api().prove_onehot(graphs, dtype); };
  resources.backward = [](int graphs, std::uint64_t seed) { return torch_api().check_backward(graphs, seed); };
  for (const brec::Pair& pair : set.pairs)
    resources.pairs.push_back({&pair.first, &pair.second, static_cast<int>(brec::info(pair.family).category)});
  resources.pair_source = set.source;
  resources.brec_files = set.from_files;
  Json list = Json::array();
  Progress progress("claims", chosen.size());
  for (const proofs::Claim* claim : chosen) {
    progress.begin(claim->id);
    const proofs::Outcome outcome = claim->run(resources);
    progress.done(1, claim->id);
    list.push_back({{"id", claim->id},
                    {"where", claim->where},
                    {"statement", claim->statement},
                    {"command", claim->command},
                    {"verdict", outcome.verdict},
                    {"evidence", outcome.evidence},
                    {"as_expected", outcome.as_expected}});
  }
  return list;
}

Command claims_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "claims",
      .summary = "The ledger: claims of the paper, each one run, with verdict and evidence",
      .positionals = {{"ID", "", "only this one", text(o->id)}},
      .options = {{"--json", "", "print JSON", flag(o->json)},
                  {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                   text(o->brec)},
                  {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(o->builtin)}},
      .footer =
          "Verdicts: holds; fails as printed, holds as mended; measured; not run here; open. Exit code 1 if a run "
          "contradicts\n"
          "the ledger.\n\n"
          "Examples:\n"
          "  leman claims\n"
          "  leman claims layer-norm\n"
          "  leman claims --json > claims.json",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
