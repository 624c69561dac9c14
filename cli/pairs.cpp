// `leman pairs`: the pairs of graphs.
#include "brec/brec_files.hpp"
#include "cli/json.hpp"
#include "reports/pair_table.hpp"

namespace leman::cli {

namespace {

struct Options {
  PairChoice pairs;
  std::string json, csv;
  bool list = false, check = false, graph6 = false;
  std::optional<int> show;
};

using Chosen = std::vector<const brec::Pair*>;

void check_isomorphism(const brec::PairSet& set) {
  const auto isomorphic = brec::isomorphic_pairs(set.pairs);
  const std::string all = std::to_string(set.pairs.size());
  if (isomorphic != set.roster.controls())
    throw InputError(set.source, set.roster.title(isomorphic.at(0)) + " is isomorphic");
  say(isomorphic.empty()
          ? "all " + all + " pairs are non-isomorphic (nauty)"
          : std::to_string(isomorphic.size()) + " of " + all + " pairs are isomorphic, and so controls (nauty)");
}

std::string text_of(const Options& o, const brec::PairSet& set, const Chosen& chosen, const Context& context) {
  if (o.graph6) {
    std::string text;
    for (const brec::Pair* pair : chosen)
      text += wl::to_graph6(pair->first) + "\n" + wl::to_graph6(pair->second) + "\n";
    return text;
  }
  if (o.show) return reports::pair_text(*chosen[0], set.roster);
  if (o.list || !o.pairs.ids.empty()) return reports::pair_list(chosen, set.roster).text();
  return reports::family_table(set) + "\n" + context.signature();
}

int run(const Options& o, const Context& context) {
  if (o.show && !o.pairs.ids.empty()) throw UsageError("--show and numbers of --pairs exclude each other");
  check_outputs({o.json, o.csv});
  if (o.show && o.pairs.suite.own.empty()) brec::brec_roster().family_of(*o.show);  // throws for another number
  const brec::PairSet set = o.pairs.load();
  if (o.show && !set.roster.contains(*o.show)) throw UsageError("there is no pair " + std::to_string(*o.show));
  Chosen chosen;
  for (const int id : o.show ? std::vector{*o.show} : o.pairs.ids_in(set)) chosen.push_back(&set.at(id));
  if (o.check) check_isomorphism(set);
  if (!o.json.empty()) {
    Json json = record(context);
    json["source"] = set.source;
    for (const brec::Pair* pair : chosen) json["pairs"].push_back(reports::pair_json(*pair, set.roster));
    write_output(o.json, json.dump(1) + "\n");
  }
  if (!o.csv.empty()) write_output(o.csv, reports::pair_list(chosen, set.roster).csv());
  if (o.json.empty() && o.csv.empty()) print(text_of(o, set, chosen, context));
  return kOk;
}

}  // namespace

Command pairs_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{.name = "pairs",
                  .summary = "The pairs of graphs: families, list, one pair in detail",
                  .positionals = {},
                  .options = o->pairs.options(),
                  .footer = "",
                  .examples = {"leman pairs", "leman pairs --show 110", "leman pairs --pairs 260-359 --csv cfi.csv",
                               "leman pairs --pairs mine.csv --list",
                               "leman pairs --builtin --graph6 --pairs 110-159 | nauty-labelg | sort -u | wc -l"},
                  .run = [o, &context] { return run(*o, context); }};
  add(command, {{"--list", "", "one row per pair", flag(o->list)},
                {"--show", "ID", "one pair: sizes, degrees, group orders, origin, graph6", number<int>(o->show)},
                {"--graph6", "", "print the graphs, two lines per pair", flag(o->graph6)},
                {"--check", "", "check with nauty that no pair is isomorphic", flag(o->check)},
                json_option(o->json),
                csv_option(o->csv, "pair")});
  return command;
}

}  // namespace leman::cli
