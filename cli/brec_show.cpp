// `leman brec show`: what a run store holds.
#include "cli/model_options.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string store, json, csv;
  brec::SuiteRequest suite;
  bool wide = false;
};

int run(const Options& o, const Context& context) {
  check_outputs({o.json, o.csv}, {o.store});
  const study::Store store(o.store);
  study::ModelResult result = study::read_result(store);
  if (store.study().path.empty()) {  // not the user's own pairs: published rows are those of BREC's
    const brec::PairSet set = brec::load_suite(o.suite);
    if (study::same_pairs(store.study(), set)) result.published = brec::published_rows(set);
  }
  write_model_result(result, o.json, o.csv, o.wide, context);
  return kOk;
}

}  // namespace

Command brec_show_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{.name = "brec show",
                  .summary = "The results in a run store",
                  .positionals = {{"STORE", "", "a run store of leman brec", text(o->store), Option::Required}},
                  .options = {json_option(o->json),
                              csv_option(o->csv, "pair and seed"),
                              {"--wide", "", "all columns, wider than 80 characters", flag(o->wide)}},
                  .footer = "",
                  .examples = {"leman brec show exact.sqlite", "leman brec show exact.sqlite --json exact.json"},
                  .run = [o, &context] { return run(*o, context); }};
  add(command, suite_options(o->suite));
  return command;
}

}  // namespace leman::cli
