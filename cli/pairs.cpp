#include "brec/pairs.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "cli/json.hpp"
#include "cli/pair_table.hpp"
#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string brec, ids, json, csv;
  bool builtin = false, list = false, check = false, graph6 = false;
  std::optional<int> show;
};

std::string degrees(const wl::Graph& graph) {
  auto sequence = wl::degree_sequence(graph);
  std::string text;
  for (std::size_t i = 0; i < sequence.size();) {
    std::size_t j = i;
    while (j < sequence.size() && sequence[j] == sequence[i]) ++j;
    text += (text.empty() ? "" : " ") + std::to_string(sequence[i]) + (j - i > 1 ? "^" + std::to_string(j - i) : "");
    i = j;
  }
  return text;
}

std::string truth_text(const brec::Truth& truth) {
  std::string text;
  if (truth.fwl_at_least > 1) text = "equal for " + std::to_string(truth.fwl_at_least - 1) + "-FWL";
  if (truth.fwl_at_most)
    text += (text.empty() ? "" : ", ") + std::string("told apart by ") + std::to_string(*truth.fwl_at_most) + "-FWL";
  return (text.empty() ? "open" : text) + " (" + truth.reason + ")";
}

Json graph_json(const wl::Graph& graph) {
  wl::Canon canon = wl::canonical(graph);
  std::set<wl::Node> orbits(canon.orbits.begin(), canon.orbits.end());
  return {{"graph6", wl::to_graph6(graph)},
          {"nodes", graph.order()},
          {"edges", graph.size()},
          {"degrees", degrees(graph)},
          {"connected", wl::is_connected(graph)},
          {"group_order", canon.group_order},
          {"orbits", orbits.size()}};
}

Json pair_json(const brec::Pair& pair) {
  const auto& family = brec::info(pair.family);
  Json json{{"id", pair.id},
            {"family", family.name},
            {"category", brec::category_name(family.category)},
            {"is_brec", pair.is_brec},
            {"origin", pair.origin},
            {"fwl_at_least", pair.truth.fwl_at_least},
            {"fwl_at_most", pair.truth.fwl_at_most ? Json(*pair.truth.fwl_at_most) : Json(nullptr)},
            {"truth", truth_text(pair.truth)}};
  json["first"] = graph_json(pair.first);
  json["second"] = graph_json(pair.second);
  return json;
}

std::string show_text(const brec::Pair& pair) {
  Json first = graph_json(pair.first), second = graph_json(pair.second);
  const auto& family = brec::info(pair.family);
  std::string text = "pair " + std::to_string(pair.id) + ": " + std::string(family.name) + ", category " +
                     std::string(brec::category_name(family.category)) + "\norigin: " + pair.origin +
                     "\ntruth:  " + truth_text(pair.truth) + "\n\n";
  Table table({"", "first", "second"});
  for (const auto& [key, value] : first.items()) {
    if (key == "graph6") continue;
    auto cell = [](const Json& x) {
      return x.is_string() ? x.get<std::string>() : x.is_boolean() ? (x ? "yes" : "no") : x.dump();
    };
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    table.row({name, cell(value), cell(second[key])});
  }
  text += table.text();
  text += "\ngraph6\n" + first["graph6"].get<std::string>() + "\n" + second["graph6"].get<std::string>() + "\n";
  return text;
}

Table list_table(const std::vector<const brec::Pair*>& pairs) {
  Table table({">id", "family", "category", ">n", ">edges", "brec", ">fwl_at_least", ">fwl_at_most", "origin"});
  for (const brec::Pair* pair : pairs) {
    const auto& family = brec::info(pair->family);
    table.row({std::to_string(pair->id), std::string(family.name), std::string(brec::category_name(family.category)),
               std::to_string(pair->first.order()), std::to_string(pair->first.size()), pair->is_brec ? "yes" : "no",
               std::to_string(pair->truth.fwl_at_least),
               pair->truth.fwl_at_most ? std::to_string(*pair->truth.fwl_at_most) : "", pair->origin});
  }
  return table;
}

int run(const Options& options, const Context& context) {
  if (options.show && !options.ids.empty()) throw UsageError("--show and --pairs exclude each other");
  if (options.builtin && !options.brec.empty()) throw UsageError("--builtin and --brec exclude each other");
  if (options.json == "-" && options.csv == "-")
    throw UsageError("only one of --json and --csv can go to standard output");
  std::string words = options.show ? std::to_string(*options.show) : options.ids.empty() ? "0-399" : options.ids;
  std::vector<int> ids = number_list(words, brec::kPairs);
  brec::PairSet set = load_pairs(options.brec, options.builtin);
  std::vector<const brec::Pair*> chosen;
  for (int id : ids) chosen.push_back(&set.pairs[static_cast<std::size_t>(id)]);

  if (options.check) {
    auto bad = brec::isomorphic_pairs(set);
    if (!bad.empty()) throw wl::InputError(set.source, 0, 0, "pair " + std::to_string(bad[0]) + " is isomorphic");
    std::cerr << "leman: all " << set.pairs.size() << " pairs are non-isomorphic (nauty)\n";
  }
  if (!options.json.empty()) {
    Json json = record(context);
    json["source"] = set.source;
    for (const brec::Pair* pair : chosen) json["pairs"].push_back(pair_json(*pair));
    write_file(options.json, json.dump(1) + "\n");
  }
  if (!options.csv.empty()) write_file(options.csv, list_table(chosen).csv());
  if (options.json == "-" || options.csv == "-") return kOk;

  std::string text;
  if (options.graph6)
    for (const brec::Pair* pair : chosen)
      text += wl::to_graph6(pair->first) + "\n" + wl::to_graph6(pair->second) + "\n";
  else if (options.show)
    text = show_text(*chosen[0]);
  else if (options.list || !options.ids.empty())
    text = list_table(chosen).text();
  else
    text = family_table(set, context);
  write_file("-", text);
  return kOk;
}

}  // namespace

brec::PairSet load_pairs(const std::string& directory, bool builtin) {
  if (builtin) return brec::builtin_pairs();
  auto found = brec::find_brec(directory);
  if (found) return brec::read_brec(*found);
  std::cerr << "leman: no BREC files (--brec DIR, $LEMAN_BREC, ../shared/brec): using the built-in pairs\n";
  return brec::builtin_pairs();
}

std::string family_table(const brec::PairSet& set, const Context& context) {
  Table table({"family", "category", ">ids", ">pairs", ">nodes", ">edges", ">BREC's own", "equal for (proved)"});
  int own_total = 0;
  for (const brec::FamilyInfo& family : brec::families()) {
    wl::Node low = UINT32_MAX, high = 0;
    std::uint64_t few = UINT64_MAX, many = 0;
    int own = 0, blind = 9;
    for (int i = family.first_id; i < family.first_id + family.pairs; ++i) {
      const brec::Pair& pair = set.pairs[static_cast<std::size_t>(i)];
      low = std::min(low, pair.first.order()), high = std::max(high, pair.first.order());
      few = std::min(few, pair.first.size()), many = std::max(many, pair.first.size());
      own += pair.is_brec;
      blind = std::min(blind, pair.truth.fwl_at_least - 1);
    }
    own_total += own;
    auto range = [](auto a, auto b) {
      return a == b ? std::to_string(a) : std::to_string(a) + "-" + std::to_string(b);
    };
    table.row({std::string(family.name), std::string(brec::category_name(family.category)),
               range(family.first_id, family.first_id + family.pairs - 1), std::to_string(family.pairs),
               range(low, high), range(few, many), std::to_string(own),
               blind == 0   ? "nothing proved"
               : blind == 1 ? "1-WL"
                            : std::to_string(blind) + "-FWL"});
  }
  table.row({"all", "", "", std::to_string(set.pairs.size()), "", "", std::to_string(own_total), ""});
  return set.source + "\n\n" + table.text() + "\n" + context.about() + ": " + context.command + "\n";
}

Command pairs_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {.name = "pairs",
          .summary = "The pairs of graphs: families, list, one pair in detail",
          .positionals = {},
          .options = {{"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                       text(o->brec)},
                      {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(o->builtin)},
                      {"--list", "", "a row for every pair", flag(o->list)},
                      {"--pairs", "IDS", "only these, e.g. 0-59,260", non_empty(o->ids)},
                      {"--show", "ID", "one pair: sizes, degrees, group orders, origin, graph6",
                       number<int>(o->show, 0, brec::kPairs - 1)},
                      {"--graph6", "", "print the graphs, two lines a pair", flag(o->graph6)},
                      {"--check", "", "check with nauty that no pair is isomorphic", flag(o->check)},
                      {"--json", "FILE", "write details of the pairs as JSON (- for standard output)", text(o->json)},
                      {"--csv", "FILE", "write the list as CSV (- for standard output)", text(o->csv)}},
          .footer =
              "Examples:\n"
              "  leman pairs\n"
              "  leman pairs --show 110\n"
              "  leman pairs --pairs 260-359 --csv cfi.csv\n"
              "  leman pairs --builtin --graph6 --pairs 110-159 | nauty-labelg | sort -u | wc -l",
          .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
