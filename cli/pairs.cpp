// `leman pairs`: the pairs of graphs.
#include "cli/json.hpp"
#include "reports/pair_table.hpp"

namespace leman::cli {

namespace {

struct Options {
  brec::SuiteRequest suite;
  std::string ids, json, csv;
  bool list = false, check = false, graph6 = false;
  std::optional<int> show;
};

using Chosen = std::vector<const brec::Pair*>;

void check_isomorphism(const brec::PairSet& set) {
  const auto bad = brec::isomorphic_pairs(set);
  if (!bad.empty()) throw InputError(set.source, "pair " + std::to_string(bad[0]) + " is isomorphic");
  say("all " + std::to_string(set.pairs.size()) + " pairs are non-isomorphic (nauty)");
}

std::string text_of(const Options& o, const brec::PairSet& set, const Chosen& chosen, const Context& context) {
  if (o.graph6) {
    std::string text;
    for (const brec::Pair* pair : chosen)
      text += wl::to_graph6(pair->first) + "\n" + wl::to_graph6(pair->second) + "\n";
    return text;
  }
  if (o.show) return reports::pair_text(*chosen[0]);
  if (o.list || !o.ids.empty()) return reports::pair_list(chosen).text();
  return reports::family_table(set) + "\n" + context.signature();
}

int run(const Options& o, const Context& context) {
  if (o.show && !o.ids.empty()) throw UsageError("--show and --pairs exclude each other");
  check_outputs({o.json, o.csv});
  const std::vector<int> ids = o.show ? std::vector{*o.show} : pair_ids(o.ids);
  const brec::PairSet set = load_pairs(o.suite);
  Chosen chosen;
  for (int id : ids) chosen.push_back(&set.pairs[static_cast<std::size_t>(id)]);
  if (o.check) check_isomorphism(set);
  if (!o.json.empty()) {
    Json json = record(context);
    json["source"] = set.source;
    for (const brec::Pair* pair : chosen) json["pairs"].push_back(reports::pair_json(*pair));
    write_output(o.json, json.dump(1) + "\n");
  }
  if (!o.csv.empty()) write_output(o.csv, reports::pair_list(chosen).csv());
  if (o.json.empty() && o.csv.empty()) print(text_of(o, set, chosen, context));
  return kOk;
}

}  // namespace

Command pairs_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{.name = "pairs",
                  .summary = "The pairs of graphs: families, list, one pair in detail",
                  .positionals = {},
                  .options = suite_options(o->suite),
                  .footer = "",
                  .examples = {"leman pairs", "leman pairs --show 110", "leman pairs --pairs 260-359 --csv cfi.csv",
                               "leman pairs --builtin --graph6 --pairs 110-159 | nauty-labelg | sort -u | wc -l"},
                  .run = [o, &context] { return run(*o, context); }};
  add(command, {{"--list", "", "one row per pair", flag(o->list)},
                {"--pairs", "IDS", "only these, e.g. 0-59,260", non_empty(o->ids)},
                {"--show", "ID", "one pair: sizes, degrees, group orders, origin, graph6",
                 number<int>(o->show, 0, brec::kPairs - 1)},
                {"--graph6", "", "print the graphs, two lines per pair", flag(o->graph6)},
                {"--check", "", "check with nauty that no pair is isomorphic", flag(o->check)},
                json_option(o->json),
                csv_option(o->csv, "pair")});
  return command;
}

}  // namespace leman::cli
