#include "reports/pair_table.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "reports/json.hpp"
#include "wl/canon.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {

namespace {

struct GraphFacts {
  std::string graph6;
  wl::Node nodes = 0;
  std::uint64_t edges = 0;
  std::string degrees;  // "3^10": ten nodes of degree 3
  bool connected = false;
  std::string group_order;
  std::size_t orbits = 0;
};

std::string degrees_of(const wl::Graph& graph) {
  const auto sequence = wl::degree_sequence(graph);
  std::vector<std::string> words;
  for (std::size_t i = 0, j = 0; i < sequence.size(); i = j) {
    while (j < sequence.size() && sequence[j] == sequence[i]) ++j;
    words.push_back(std::to_string(sequence[i]) + (j - i > 1 ? "^" + std::to_string(j - i) : ""));
  }
  return join(words, " ");
}

GraphFacts facts_of(const wl::Graph& graph) {
  const wl::Canon canon = wl::canonical(graph);
  return {wl::to_graph6(wl::without_colors(graph)),
          graph.order(),
          graph.size(),
          degrees_of(graph),
          wl::is_connected(graph),
          canon.group_order,
          std::set<wl::Node>(canon.orbits.begin(), canon.orbits.end()).size()};
}

// k-FWL for any k; only the first few are engines.
std::string folklore_title(int k) { return std::to_string(k) + "-FWL"; }

std::string truth_text(const brec::Truth& truth) {
  if (truth.fwl_at_least == brec::Truth::kNever) return "isomorphic: a control, which nothing may tell apart";
  std::vector<std::string> parts;
  if (truth.fwl_at_least > 1) parts.push_back("equal for " + folklore_title(truth.fwl_at_least - 1));
  if (truth.fwl_at_most) parts.push_back("told apart by " + folklore_title(*truth.fwl_at_most));
  return (parts.empty() ? "open" : join(parts)) + " (" + truth.reason + ")";
}

Json graph_json(const wl::Graph& graph) {
  const GraphFacts facts = facts_of(graph);
  return {{"graph6", facts.graph6},   {"nodes", facts.nodes},         {"edges", facts.edges},
          {"degrees", facts.degrees}, {"connected", facts.connected}, {"group_order", facts.group_order},
          {"orbits", facts.orbits}};
}

template <class Number>
std::string range(Number low, Number high) {
  return low == high ? std::to_string(low) : std::to_string(low) + "-" + std::to_string(high);
}

struct FamilyFacts {
  wl::Node low = UINT32_MAX, high = 0;       // orders
  std::uint64_t few = UINT64_MAX, many = 0;  // edges
  int own = 0;                               // pairs that are BREC's
  int controls = 0;
  int equal_for = INT32_MAX;  // the largest k for which k-FWL is proved blind to all pairs

  void add(const brec::Pair& pair) {
    for (const wl::Graph* graph : {&pair.first, &pair.second}) {
      low = std::min(low, graph->order()), high = std::max(high, graph->order());
      few = std::min(few, graph->size()), many = std::max(many, graph->size());
    }
    own += pair.is_brec;
    if (pair.truth.fwl_at_least == brec::Truth::kNever)
      ++controls;
    else
      equal_for = std::min(equal_for, pair.truth.fwl_at_least - 1);
  }
  std::string proved() const {
    if (equal_for == INT32_MAX) return "all (isomorphic)";
    if (equal_for == 0) return "nothing proved";
    return equal_for == 1 ? std::string(wl::color_refinement().title) : folklore_title(equal_for);
  }
};

}  // namespace

Json pair_json(const brec::Pair& pair, const brec::Roster& roster) {
  const brec::Family& family = roster.family_of(pair.id);
  const bool control = roster.is_control(pair.id);
  return {{"id", pair.id},
          {"name", roster.name(pair.id)},
          {"family", family.name},
          {"category", family.category},
          {"control", control},
          {"is_brec", pair.is_brec},
          {"origin", pair.origin},
          {"fwl_at_least", control ? Json(nullptr) : Json(pair.truth.fwl_at_least)},
          {"fwl_at_most", or_null(pair.truth.fwl_at_most)},
          {"truth", truth_text(pair.truth)},
          {"first", graph_json(pair.first)},
          {"second", graph_json(pair.second)}};
}

std::string pair_text(const brec::Pair& pair, const brec::Roster& roster) {
  const GraphFacts a = facts_of(pair.first), b = facts_of(pair.second);
  const brec::Family& family = roster.family_of(pair.id);
  Table table({"", "first", "second"});
  table.row({"nodes", std::to_string(a.nodes), std::to_string(b.nodes)});
  table.row({"edges", std::to_string(a.edges), std::to_string(b.edges)});
  table.row({"degrees", a.degrees, b.degrees});
  table.row({"connected", a.connected ? "yes" : "no", b.connected ? "yes" : "no"});
  table.row({"group order", a.group_order, b.group_order});
  table.row({"orbits", std::to_string(a.orbits), std::to_string(b.orbits)});
  return roster.title(pair.id) + ": " + family.name + ", category " + family.category + "\norigin: " + pair.origin +
         "\ntruth:  " + truth_text(pair.truth) + "\n\n" + table.text() + "\ngraph6\n" + a.graph6 + "\n" + b.graph6 +
         "\n";
}

Table pair_list(const std::vector<const brec::Pair*>& pairs, const brec::Roster& roster) {
  const bool named = !roster.names().empty(), controls = roster.has_controls();
  std::vector<std::string> header{">id", "family", "category", ">n", ">edges", "brec", ">fwl_at_least", ">fwl_at_most"};
  if (controls) header.push_back("control");
  if (named) header.push_back("name");
  header.push_back("origin");
  Table table(header);
  for (const brec::Pair* pair : pairs) {
    const brec::Family& family = roster.family_of(pair->id);
    const brec::Truth& truth = pair->truth;
    const bool control = roster.is_control(pair->id);
    std::vector<std::string> cells{std::to_string(pair->id),
                                   family.name,
                                   family.category,
                                   std::to_string(pair->first.order()),
                                   std::to_string(pair->first.size()),
                                   pair->is_brec ? "yes" : "no",
                                   control ? "" : std::to_string(truth.fwl_at_least),
                                   truth.fwl_at_most ? std::to_string(*truth.fwl_at_most) : ""};
    if (controls) cells.push_back(control ? "yes" : "no");
    if (named) cells.push_back(roster.name(pair->id));
    cells.push_back(pair->origin);
    table.row(cells);
  }
  return table;
}

std::string family_table(const brec::PairSet& set) {
  const bool own = set.kind == brec::PairSet::Kind::Own;
  Table table({"family", "category", ">ids", ">pairs", ">nodes", ">edges", own ? ">controls" : ">BREC's own",
               "equal for (proved)"});
  int all = 0;
  for (const brec::Family& family : set.roster.families()) {
    FamilyFacts facts;
    for (int id = family.first_id; id < family.first_id + family.pairs; ++id) facts.add(set.at(id));
    const int special = own ? facts.controls : facts.own;
    all += special;
    table.row({family.name, family.category, range(family.first_id, family.first_id + family.pairs - 1),
               std::to_string(family.pairs), range(facts.low, facts.high), range(facts.few, facts.many),
               std::to_string(special), facts.proved()});
  }
  table.row({"all", "", "", std::to_string(set.pairs.size()), "", "", std::to_string(all), ""});
  return set.source + "\n\n" + table.text();
}

}  // namespace leman::reports
