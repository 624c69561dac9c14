// `leman brec merge`: run stores into one.
#include "cli/common.hpp"
#include "study/store.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> parts;
  std::string out;
};

int run(const Options& o) {
  if (o.out.empty() || o.parts.empty()) throw UsageError("--out FILE and the stores to merge are needed");
  study::merge_stores(o.parts, o.out);
  print(std::to_string(study::Store(o.out).model_rows().size()) + " rows in " + o.out + "\n");
  return kOk;
}

}  // namespace

Command brec_merge_command(const Context&) {
  auto o = std::make_shared<Options>();
  return {.name = "brec merge",
          .summary = "Merge run stores: shards of a cluster into one",
          .positionals = {{"STORE", "", "run stores of one study", append(o->parts), Option::Repeated}},
          .options = {{"--out", "FILE", "the store to write; one that is there is added to", non_empty(o->out)}},
          .footer = "Two different rows for a pair and seed are an error.\n",
          .examples = {"leman brec merge part1.sqlite part2.sqlite --out all.sqlite"},
          .run = [o] { return run(*o); }};
}

}  // namespace leman::cli
