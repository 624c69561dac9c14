// `leman claims`: the ledger of the paper's claims, each one run.
#include <algorithm>

#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "study/claims_study.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string id;
  brec::SuiteRequest suite;
  bool json = false;
};

int run(const Options& o, const Context& context) {
  const InterruptGuard guard;
  Progress progress;
  const auto claims = study::run_claims(o.id, load_pairs(o.suite), {progress, InterruptGuard::stop()});
  if (o.json) {
    Json json = record(context);
    json["claims"] = Json::array();
    for (const study::ClaimRecord& c : claims) json["claims"].push_back(study::to_json(c));
    write_output("-", json.dump(1) + "\n");
  } else {
    std::string text;
    for (const study::ClaimRecord& c : claims)
      text += c.id + ": " + c.verdict + "\n  " + c.where + ": " + c.statement + "\n  evidence: " + c.evidence +
              "\n  command:  " + c.command + "\n\n";
    print(text + context.signature());
  }
  if (InterruptGuard::stop()) return kInterrupted;
  return std::all_of(claims.begin(), claims.end(), [](const auto& c) { return c.as_expected; }) ? kOk : kDifferent;
}

}  // namespace

Command claims_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{.name = "claims",
                  .summary = "The ledger: claims of the paper, each one run, with verdict and evidence",
                  .positionals = {{"ID", "", "only this one", text(o->id)}},
                  .options = {{"--json", "", "print JSON", flag(o->json)}},
                  .footer =
                      "Verdicts: holds; fails as printed, holds as mended; measured; not run here; open.\n"
                      "Exit code 1 if a run contradicts the ledger.\n",
                  .examples = {"leman claims", "leman claims layer-norm", "leman claims --json > claims.json"},
                  .run = [o, &context] { return run(*o, context); }};
  add(command, suite_options(o->suite));
  return command;
}

}  // namespace leman::cli
