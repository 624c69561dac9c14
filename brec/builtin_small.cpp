// Basic, simple regular and extension pairs: small graphs that 1-WL cannot tell
// apart, by construction.
#include <array>
#include <map>

#include "brec/builtin.hpp"
#include "brec/truth.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/recipe.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {

namespace {

// Connected regular graphs in lexicographic order, listed once per thread.
const std::vector<wl::Graph>& regular_list(wl::Node n, std::uint32_t k) {
  thread_local std::map<std::pair<wl::Node, std::uint32_t>, std::vector<wl::Graph>> lists;
  auto [at, fresh] = lists.try_emplace({n, k});
  if (fresh) at->second = wl::connected_regular_graphs(n, k);
  return at->second;
}

struct RegularRecipe {
  wl::Node n;
  std::uint32_t k;
  std::size_t index;
};

// {order, degree, index of the first graph}; the second is the next one. The choice
// among the 98 such pairs, and their order, are BREC's.
constexpr std::array<RegularRecipe, 50> kRegular{{
    {10, 4, 4},  {10, 4, 40}, {10, 6, 0},  {10, 4, 56}, {10, 6, 18}, {10, 6, 10}, {10, 6, 12}, {9, 6, 2},   {10, 5, 42},
    {10, 5, 10}, {9, 4, 8},   {10, 6, 6},  {10, 5, 52}, {10, 4, 10}, {10, 5, 28}, {10, 4, 38}, {10, 4, 34}, {9, 4, 10},
    {10, 6, 4},  {10, 4, 36}, {10, 5, 12}, {10, 4, 50}, {10, 3, 0},  {10, 4, 46}, {8, 3, 0},   {10, 5, 8},  {10, 5, 34},
    {10, 4, 18}, {10, 4, 2},  {10, 7, 0},  {10, 4, 26}, {9, 6, 0},   {10, 5, 16}, {10, 5, 48}, {10, 3, 12}, {10, 5, 2},
    {10, 5, 14}, {10, 3, 10}, {10, 3, 6},  {10, 5, 4},  {9, 4, 0},   {9, 4, 6},   {10, 4, 30}, {10, 5, 56}, {9, 4, 12},
    {10, 4, 28}, {10, 5, 40}, {7, 4, 0},   {10, 3, 2},  {10, 7, 2},
}};

Made regular(const RegularRecipe& r, std::size_t offset) {
  return {regular_list(r.n, r.k).at(r.index + offset), "connected " + std::to_string(r.k) + "-regular graph no. " +
                                                           std::to_string(r.index + offset) + " on " +
                                                           std::to_string(r.n) + " nodes"};
}

struct LiftRecipe {
  const char* base;
  const char* masks;  // "1.3 4.5": pairs of masks
};

// 84 pairs of 2-lifts on 12 nodes, with equal counts of connected induced
// subgraphs on 3 nodes at every node and in every round (S3 is blind to them).
constexpr std::array<LiftRecipe, 34> kBlindLifts{{
    {"E?~o", "1.3"},
    {"ECro", "2.3"},
    {"ECZo", "2.3"},
    {"ECxo", "1.3"},
    {"ECzo", "1.3 4.5 5.7"},
    {"ECxw", "3.4"},
    {"ECvo", "6.7"},
    {"EC~o", "1.3 4.5 12.13 13.15"},
    {"EEr_", "1.2"},
    {"EEro", "2.3 4.5"},
    {"EEj_", "1.3"},
    {"EEio", "2.3"},
    {"EEz_", "1.3 3.7"},
    {"EEzO", "4.5"},
    {"EEzo", "2.3 6.7 8.9 9.12"},
    {"EEzg", "8.11 12.15"},
    {"EFz_", "1.6"},
    {"EFzo", "2.6 10.11 16.17"},
    {"EFzW", "24.28"},
    {"EQzO", "1.2 5.6"},
    {"EQzo", "1.2 13.14"},
    {"EQyw", "2.3 6.7 8.9 14.15"},
    {"EUZ_", "1.2 4.5 5.7"},
    {"EUZO", "4.5"},
    {"EUZo", "2.3 6.7 8.9 10.11 12.13"},
    {"EUxo", "6.7"},
    {"EUzo", "2.3 6.7 8.9 10.11 12.13 14.15 24.25 26.27 28.29"},
    {"EU~w", "23.24"},
    {"ETzo", "2.3 6.7 8.9 12.13 14.15 16.17 30.31"},
    {"EV~w", "13.14 48.49 104.106"},
    {"E]zg", "2.3 8.9 10.11 12.13 24.25 26.27 56.57"},
    {"E]yw", "4.5 8.9 10.11 26.27 60.61"},
    {"E]~w", "46.48"},
    {"E^~w", "240.243"},
}};

Pair lift_pair(int id, const wl::Graph& base, std::uint64_t first, std::uint64_t second) {
  std::string name = "2-lift of " + wl::to_graph6(base) + " with mask ";
  Pair pair = make_pair(id, false, {wl::two_lift(base, first), name + std::to_string(first)},
                        {wl::two_lift(base, second), name + std::to_string(second)});
  if (pair.truth.fwl_at_least < 2) pair.truth = hidden_from_1wl("both are 2-lifts of one graph");
  return pair;
}

Made cone_over(Made base) { return {wl::cone(base.graph), "cone over " + base.how}; }

// Cones over two k-regular graphs of one order: every node is joined to k others and
// to the apex, which is joined to all.
Pair cone_pair(int id, bool is_brec, Made first, Made second) {
  Pair pair = make_pair(id, is_brec, cone_over(std::move(first)), cone_over(std::move(second)));
  pair.truth = hidden_from_1wl("both are cones over regular graphs of one degree");
  return pair;
}

Pair cycle_cones(int id, bool is_brec, wl::Node length) {
  std::string n = std::to_string(length), twice = std::to_string(2 * length);
  wl::Graph half = wl::cycle(length);
  return cone_pair(id, is_brec, {wl::disjoint_union(half, half), "2C" + n}, {wl::cycle(2 * length), "C" + twice});
}

bool is_blind(const wl::Graph& base, std::uint64_t first, std::uint64_t second) {
  for (const LiftRecipe& r : kBlindLifts)
    if (wl::to_graph6(base) == r.base)
      for (const wl::Step& step : wl::parse_steps(r.masks))
        if (step.numbers.at(0) == first && step.numbers.at(1) == second) return true;
  return false;
}

// Non-regular bases on 5 nodes, then on 6, in geng's order. The classes of connected
// lifts of one base are taken in order of their smallest masks, each paired with the
// next, except the pairs above.
std::vector<Pair> lift_pairs(int first_id, int count) {
  std::vector<Pair> pairs;
  for (wl::Node order : {5u, 6u}) {
    wl::EnumerateOptions connected{
        .connected = true, .min_degree = {}, .max_degree = {}, .min_edges = {}, .max_edges = {}};
    wl::for_each_graph(order, connected, [&](const wl::Graph& base) {
      if (wl::regular_degree(base)) return true;
      auto masks = wl::connected_lift_classes(base);
      for (std::size_t i = 0; i + 1 < masks.size() && static_cast<int>(pairs.size()) < count; ++i)
        if (!is_blind(base, masks[i], masks[i + 1]))
          pairs.push_back(lift_pair(first_id + static_cast<int>(pairs.size()), base, masks[i], masks[i + 1]));
      return static_cast<int>(pairs.size()) < count;
    });
  }
  return pairs;
}

}  // namespace

std::vector<Pair> builtin_basic() {
  return lift_pairs(info(BrecFamily::Basic).first_id, info(BrecFamily::Basic).pairs);
}

std::vector<Pair> builtin_simple_regular() {
  std::vector<Pair> pairs;
  int id = info(BrecFamily::SimpleRegular).first_id;
  for (const RegularRecipe& r : kRegular) pairs.push_back(make_pair(id++, true, regular(r, 0), regular(r, 1)));
  return pairs;
}

std::vector<Pair> builtin_extension() {
  std::vector<Pair> pairs;
  int id = info(BrecFamily::Extension).first_id;
  for (const LiftRecipe& r : kBlindLifts) {
    wl::Graph base = wl::graph_from_graph6(r.base);
    for (const wl::Step& step : wl::parse_steps(r.masks))
      pairs.push_back(lift_pair(id++, base, step.numbers.at(0), step.numbers.at(1)));
  }
  for (wl::Node length = 10; length <= 15; ++length) pairs.push_back(cycle_cones(id++, false, length));
  for (wl::Node length = 5; length <= 9; ++length) pairs.push_back(cycle_cones(id++, true, length));
  // 250-259 are BREC's; these five are cones over simple regular pairs.
  for (RegularRecipe r : {RegularRecipe{9, 4, 0}, {10, 4, 10}, {10, 3, 12}, {10, 3, 2}, {10, 4, 2}})
    pairs.push_back(cone_pair(id++, true, regular(r, 0), regular(r, 1)));
  return pairs;
}

}  // namespace leman::brec
