// `leman brec export`: relabelled graphs for a model that runs elsewhere.
#include "base/text.hpp"
#include "brec/embeddings.hpp"
#include "cli/common.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string out;
  std::uint64_t seed = 1;
  PairChoice pairs;
};

int run(const Options& o, const Context& context) {
  if (o.out.empty()) throw UsageError("--out DIR is needed");
  const brec::PairSet set = o.pairs.load();
  const std::vector<int> ids = o.pairs.ids_in(set);
  brec::export_samples(o.out, set, ids, o.seed, context.command);
  print(std::to_string(ids.size()) + " pairs, 128 graphs each, in " + o.out +
        "\nnext: write an array [128, dimensions] to pair_NNN.npy beside each pair_NNN.g6, then\n"
        "  leman brec --embeddings " +
        shell_quoted(o.out) + (o.pairs.suite.own.empty() ? "" : " --pairs " + shell_quoted(set.path)) + "\n");
  return kOk;
}

}  // namespace

Command brec_export_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{.name = "brec export",
                  .summary = "Write relabelled graphs for a model in another program",
                  .positionals = {},
                  .options = {{"--out", "DIR", "directory to write to", non_empty(o->out)},
                              {"--seed", "S", "of the relabellings (default: 1)",
                               number<std::uint64_t>(o->seed, 0, std::numeric_limits<std::int64_t>::max())}},
                  .footer = "",
                  .examples = {"leman brec export --pairs 0-59 --out graphs", "leman brec --embeddings graphs"},
                  .run = [o, &context] { return run(*o, context); }};
  add(command, o->pairs.options());
  return command;
}

}  // namespace leman::cli
