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
  return {wl::to_graph6(graph),
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
  int equal_for = INT32_MAX;                 // the largest k for which k-FWL is proved blind to all pairs

  void add(const brec::Pair& pair) {
    low = std::min(low, pair.first.order()), high = std::max(high, pair.first.order());
    few = std::min(few, pair.first.size()), many = std::max(many, pair.first.size());
    own += pair.is_brec;
    equal_for = std::min(equal_for, pair.truth.fwl_at_least - 1);
  }
  std::string proved() const {
    if (equal_for == 0) return "nothing proved";
    return equal_for == 1 ? std::string(wl::color_refinement().title) : folklore_title(equal_for);
  }
};

}  // namespace

Json pair_json(const brec::Pair& pair) {
  const brec::FamilyInfo& family = brec::info(pair.family);
  return {{"id", pair.id},
          {"family", family.name},
          {"category", brec::category_name(family.category)},
          {"is_brec", pair.is_brec},
          {"origin", pair.origin},
          {"fwl_at_least", pair.truth.fwl_at_least},
          {"fwl_at_most", or_null(pair.truth.fwl_at_most)},
          {"truth", truth_text(pair.truth)},
          {"first", graph_json(pair.first)},
          {"second", graph_json(pair.second)}};
}

std::string pair_text(const brec::Pair& pair) {
  const GraphFacts a = facts_of(pair.first), b = facts_of(pair.second);
  const brec::FamilyInfo& family = brec::info(pair.family);
  Table table({"", "first", "second"});
  table.row({"nodes", std::to_string(a.nodes), std::to_string(b.nodes)});
  table.row({"edges", std::to_string(a.edges), std::to_string(b.edges)});
  table.row({"degrees", a.degrees, b.degrees});
  table.row({"connected", a.connected ? "yes" : "no", b.connected ? "yes" : "no"});
  table.row({"group order", a.group_order, b.group_order});
  table.row({"orbits", std::to_string(a.orbits), std::to_string(b.orbits)});
  return "pair " + std::to_string(pair.id) + ": " + std::string(family.name) + ", category " +
         std::string(brec::category_name(family.category)) + "\norigin: " + pair.origin +
         "\ntruth:  " + truth_text(pair.truth) + "\n\n" + table.text() + "\ngraph6\n" + a.graph6 + "\n" + b.graph6 +
         "\n";
}

Table pair_list(const std::vector<const brec::Pair*>& pairs) {
  Table table({">id", "family", "category", ">n", ">edges", "brec", ">fwl_at_least", ">fwl_at_most", "origin"});
  for (const brec::Pair* pair : pairs) {
    const brec::FamilyInfo& family = brec::info(pair->family);
    table.row({std::to_string(pair->id), std::string(family.name), std::string(brec::category_name(family.category)),
               std::to_string(pair->first.order()), std::to_string(pair->first.size()), pair->is_brec ? "yes" : "no",
               std::to_string(pair->truth.fwl_at_least),
               pair->truth.fwl_at_most ? std::to_string(*pair->truth.fwl_at_most) : "", pair->origin});
  }
  return table;
}

std::string family_table(const brec::PairSet& set) {
  Table table({"family", "category", ">ids", ">pairs", ">nodes", ">edges", ">BREC's own", "equal for (proved)"});
  int own = 0;
  for (const brec::FamilyInfo& family : brec::families()) {
    FamilyFacts facts;
    for (int id = family.first_id; id < family.first_id + family.pairs; ++id)
      facts.add(set.pairs[static_cast<std::size_t>(id)]);
    own += facts.own;
    table.row({std::string(family.name), std::string(brec::category_name(family.category)),
               range(family.first_id, family.first_id + family.pairs - 1), std::to_string(family.pairs),
               range(facts.low, facts.high), range(facts.few, facts.many), std::to_string(facts.own), facts.proved()});
  }
  table.row({"all", "", "", std::to_string(set.pairs.size()), "", "", std::to_string(own), ""});
  return set.source + "\n\n" + table.text();
}

}  // namespace leman::reports
