#include "proofs_check/claims.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/text.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/random.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {

namespace {

constexpr const char* kHolds = "holds";
constexpr const char* kMended = "fails as printed, holds as mended";

Outcome decided(bool expected, const std::string& verdict, const std::string& evidence) {
  return {expected ? verdict : "CONTRADICTED", evidence, expected};
}

struct Search {
  int graphs = 0, failed = 0;
  std::string first;  // counterexample
};

// Runs a construction, possibly modified, on all graphs of orders 2 to `most`.
Search search(const std::string& name, wl::Node most, Arithmetic arithmetic = Arithmetic::Digits,
              const std::function<void(Construction&)>& change = {}) {
  Search s;
  for (wl::Node n = 2; n <= most; ++n)
    for (const wl::Graph& graph : wl::all_graphs(n)) {
      Construction c = construction(name, n, 1);
      if (change) change(c);
      const wl::Graph* g = &graph;
      const Proof proof = prove({&g, 1}, c, arithmetic);
      ++s.graphs;
      if (!proof.failure) continue;
      if (!s.failed++) s.first = proof.failure->graphs + ", " + proof.failure->check + ": " + proof.failure->detail;
    }
  return s;
}

std::string all_of(const Search& s) {
  return std::to_string(s.graphs) + " graphs, " + std::to_string(s.failed) + " fail";
}

Outcome forward(const Resources&) {
  const Search printed = search("printed", 5), mended = search("mended", 5, Arithmetic::Rationals);
  return decided(
      printed.failed && !mended.failed, kMended,
      "orders 2-5, mended: " + all_of(mended) + "; printed: " + all_of(printed) + ", smallest " + printed.first);
}

Outcome last_lines(const Resources&) {
  const Search s = search("mended", 4, Arithmetic::Digits, [](Construction& c) { c.v2[0][0] = 0, c.v2[1][0].reset(); });
  const Search mended = search("mended", 4, Arithmetic::Digits);
  return decided(s.failed > 0 && !mended.failed, kMended,
                 "without the exponent: " + all_of(s) + ", smallest " + s.first + "; with it: " + all_of(mended));
}

Outcome beta(const Resources&) {
  const Search s = search("mended", 5, Arithmetic::Digits, [](Construction& c) { c.v1[0][0] = 0; });
  return decided(!s.failed, "holds, but is not needed", "beta = 1: " + all_of(s));
}

Outcome layer_norm(const Resources& r) {
  const Search destroyed = search("layernorm", 4, Arithmetic::Rationals);
  const Search epsilon = search("layernorm-epsilon", 3, Arithmetic::LongDouble);
  int graphs = 0, failed = 0;
  for (wl::Node n = 2; n <= 5; ++n)
    for (const wl::Graph& graph : wl::all_graphs(n)) {
      const wl::Graph* g = &graph;
      ++graphs, failed += r.onehot({&g, 1}, et::Dtype::Float32).failure.has_value();
    }
  return decided(destroyed.failed && epsilon.failed && !failed, kMended,
                 "m-ary tokens behind LayerNorm: " + all_of(destroyed) + ", smallest " + destroyed.first +
                     "; with epsilon 1e-5: " + all_of(epsilon) + ", smallest " + epsilon.first +
                     "; one-hot tokens in the LibTorch model, float32: " + std::to_string(graphs) + " graphs, " +
                     std::to_string(failed) + " fail");
}

Outcome backward(const Resources& r) {
  const BackwardCheck check = r.backward(2000, 1);
  return decided(check.deviation < 1e-9 && check.same_bits, kHolds,
                 std::to_string(check.graphs) + " random graphs and weights: tokens of one colour differ by " +
                     scientific(check.deviation, 1) +
                     " at most (rounding); quotient: " + (check.same_bits ? "same bits" : "DIFFERENT bits"));
}

// How many sums of m^-i coincide, over all multisets of this order out of `kinds` positions?
int collisions(std::uint32_t m, int order, int kinds) {
  std::map<Sparse, int> sums;
  std::function<void(int, int, Sparse)> choose = [&](int kind, int left, Sparse sum) {
    if (kind > kinds) {
      if (left == 0) ++sums[sum];
      return;
    }
    for (int count = 0; count <= left; ++count, sum += Sparse::power(m, kind)) choose(kind + 1, left - count, sum);
  };
  choose(1, order, {});
  int found = 0;
  for (const auto& [sum, count] : sums) found += count - 1;
  return found;
}

Outcome multiset(const Resources&) {
  int found = 0;
  for (std::uint32_t m = 2; m <= 6; ++m) found += collisions(m, static_cast<int>(m) - 1, 5);
  return decided(!found, kHolds, "m = 2-6, 5 positions: " + std::to_string(found) + " collisions");
}

Outcome multiset_order(const Resources&) {
  int found = 0, beyond = 0;
  for (std::uint32_t m = 2; m <= 6; ++m) {
    found += collisions(m, static_cast<int>(m), 5);
    beyond += collisions(m, static_cast<int>(m) + 1, 3) > 0;
  }
  return decided(!found && beyond == 5, kHolds,
                 "order m: " + std::to_string(found) +
                     " collisions for m = 2-6 (a carry leaves a single 1, all else digits that sum to m); at order m+1 "
                     "there are some");
}

Outcome non_overlap(const Resources&) {
  auto tenth = [](int digit) {
    Sparse sum;
    for (int k = 0; k < digit; ++k) sum += Sparse::power(10, 1);
    return sum;
  };
  const bool false_as_printed = tenth(3) + tenth(2) == tenth(4) + tenth(1) && tenth(3) > tenth(2);
  std::map<Sparse, int> sums;
  int found = 0;
  for (int a = 0; a < 100; ++a)
    for (int b = 0; b < 100; ++b) {
      Sparse sum;
      for (int k = 0; k < a / 10; ++k) sum += Sparse::power(10, 1);
      for (int k = 0; k < a % 10; ++k) sum += Sparse::power(10, 2);
      for (int k = 0; k < b / 10; ++k) sum += Sparse::power(10, 3);
      for (int k = 0; k < b % 10; ++k) sum += Sparse::power(10, 4);
      found += sums[sum]++;
    }
  return decided(false_as_printed && !found, kMended,
                 "0.3 + 0.2 = 0.4 + 0.1 with min A > max B; digits 1-2 and 3-4 in base 10: all 10000 sums differ");
}

using Pointers = std::vector<const wl::Graph*>;

// The graphs, grouped into the classes of an engine.
std::vector<Pointers> classes_of(const wl::Engine& engine, const Pointers& graphs) {
  const auto groups = wl::run_engine(engine, graphs).groups.back();
  std::map<std::uint32_t, Pointers> members;
  for (std::size_t g = 0; g < graphs.size(); ++g) members[groups[g]].push_back(graphs[g]);
  std::vector<Pointers> result;
  for (auto& [group, list] : members) result.push_back(std::move(list));
  return result;
}

// On undirected graphs. Among directed graphs, two 2-cycles and a 4-cycle differ for 2-WL only.
Outcome two_wl(const Resources&) {
  const std::vector<wl::Graph> graphs = wl::all_graphs(7);
  const auto a = classes_of(wl::color_refinement(), wl::pointers_to(graphs)),
             b = classes_of(wl::oblivious(2), wl::pointers_to(graphs));
  const auto directed = [](std::vector<wl::Edge> arcs) {
    return wl::Graph({.order = 4, .directed = true, .edges = std::move(arcs), .node_colors = {}});
  };
  const wl::Graph cycles = directed({{0, 1}, {1, 0}, {2, 3}, {3, 2}}),
                  cycle = directed({{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  const bool one = wl::compare(wl::color_refinement(), cycles, cycle).distinguished,
             two = wl::compare(wl::oblivious(2), cycles, cycle).distinguished;
  return decided(a == b && a.size() < graphs.size() && !one && two, "holds on undirected graphs",
                 "all " + std::to_string(graphs.size()) + " graphs of order 7: " + std::to_string(a.size()) +
                     " classes under both; directed, two 2-cycles and a 4-cycle: 1-WL (multisets of in- and "
                     "out-neighbours) no, 2-WL yes");
}

// Both tell apart whatever 1-WL does, so the test uses graphs that 1-WL confuses. Both tell all of
// those apart, so larger pairs that both confuse are tested too.
Outcome three_wl(const Resources&) {
  int confused = 0;
  bool same = true;
  for (wl::Node n = 2; n <= 8; ++n) {
    const std::vector<wl::Graph> graphs = wl::all_graphs(n);
    for (const Pointers& equal : classes_of(wl::color_refinement(), wl::pointers_to(graphs))) {
      if (equal.size() == 1) continue;
      const auto a = classes_of(wl::oblivious(3), equal), b = classes_of(wl::folklore(2), equal);
      same &= a == b;
      confused += static_cast<int>(equal.size() * (equal.size() - 1) / 2);
      same &= a.size() == equal.size();
    }
  }
  const std::pair<wl::Graph, wl::Graph> blind[] = {{wl::rook(4, 4), wl::shrikhande()},
                                                   {wl::cfi(wl::complete(4)), wl::cfi(wl::complete(4), 0)}};
  for (const auto& [first, second] : blind)
    same &= !wl::compare(wl::oblivious(3), first, second).distinguished &&
            !wl::compare(wl::folklore(2), first, second).distinguished;
  return decided(
      same && confused > 0, kHolds,
      "both tell apart all " + std::to_string(confused) +
          " pairs of order 2-8 that 1-WL confuses, so that no pair of that size is confused by both; neither "
          "tells the 4x4 rook graph from Shrikhande's (order 16), nor CFI(K4) from its twist (order 40)");
}

Outcome hierarchy(const Resources&) {
  std::string text;
  bool strict = true;
  for (const auto& [base, name, weak, strong] :
       {std::tuple{wl::cycle(4), "C4", &wl::color_refinement(), &wl::folklore(2)},
        {wl::complete(4), "K4", &wl::folklore(2), &wl::folklore(3)}}) {
    const wl::Graph plain = wl::cfi(base), twisted = wl::cfi(base, 0);
    const bool low = wl::compare(*weak, plain, twisted).distinguished,
               high = wl::compare(*strong, plain, twisted).distinguished;
    strict &= !low && high;
    text += std::string(text.empty() ? "" : "; ") + "CFI(" + name + "): " + std::string(weak->name) +
            (low ? " yes, " : " no, ") + std::string(strong->name) + (high ? " yes" : " no");
  }
  return decided(strict, kHolds, text);
}

// An edge of the hexagon and an edge of two triangles. Counting logic with two
// variables (2-WL colours of pairs) cannot tell them apart at any depth. 2-FWL can
// after one round, so it needs three variables.
Outcome logic(const Resources&) {
  const wl::Graph hexagon = wl::cycle(6), triangles = wl::disjoint_union(wl::cycle(3), wl::cycle(3));
  const wl::Graph* pair[] = {&hexagon, &triangles};
  auto colors_of_edges = [&](const wl::Engine& engine, int rounds) {
    std::pair<wl::Color, wl::Color> colors;
    wl::RunOptions options;
    options.max_rounds = rounds;
    options.observer = [&](const wl::RoundView& view) { colors = {view.coloring(0)[1], view.coloring(1)[1]}; };
    wl::run_engine(engine, pair, options);
    return colors;
  };
  const auto two = colors_of_edges(wl::oblivious(2), 6), folklore = colors_of_edges(wl::folklore(2), 1);
  return decided(
      two.first == two.second && folklore.first != folklore.second,
      "fails as printed (C_k,m), holds as mended (C_k+1,m)",
      "edge (0,1) of C6 and of two triangles: one colour in 6 rounds of 2-WL (two variables), different after one "
      "round of 2-FWL (a common neighbour needs a third)");
}

// The folklore rule at k = 1 as printed: C_t(v) = (C_(t-1)(v), multiset of all
// colours). No edge occurs in it. Run jointly on two graphs of one order.
bool printed_rule_separates(const wl::Graph& a, const wl::Graph& b) {
  std::map<std::pair<int, std::multiset<int>>, int> names;
  std::vector<std::vector<int>> colors{std::vector<int>(a.order(), 0), std::vector<int>(b.order(), 0)};
  for (wl::Node t = 0; t < a.order(); ++t)
    for (auto& graph : colors) {
      const std::multiset<int> all(graph.begin(), graph.end());
      for (int& color : graph) color = names.try_emplace({color, all}, static_cast<int>(names.size())).first->second;
    }
  return std::multiset<int>(colors[0].begin(), colors[0].end()) !=
         std::multiset<int>(colors[1].begin(), colors[1].end());
}

Outcome folklore_one(const Resources&) {
  const wl::Graph path = wl::path(3), triangle = wl::complete(3);
  return decided(
      !printed_rule_separates(path, triangle) && wl::compare(wl::folklore(1), path, triangle).distinguished, kMended,
      "as printed, all nodes keep one colour: P3 and K3 stay equal; with the atomic type of (v, w) they differ");
}

// The bits needed if colours have random real codes p, r instead of powers of n. Within a
// colour, the sums over l of p_c(jl) r_c(lm) must differ for different multisets.
double random_bits(const wl::Graph& graph, Rng& rng) {
  const wl::Graph* g = &graph;
  const auto colors = round_colorings({&g, 1});
  const std::size_t n = graph.order();
  double least = 1, most = 0;
  for (std::size_t t = 0; t + 1 < colors.size(); ++t) {
    std::vector<double> p(n * n), r(n * n);
    for (std::size_t c = 0; c < n * n; ++c) p[c] = rng.uniform(), r[c] = rng.uniform();
    std::map<wl::Color, std::map<double, wl::Color>> sums;  // by colour: sum -> next colour
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t m = 0; m < n; ++m) {
        std::vector<double> terms;
        for (std::size_t l = 0; l < n; ++l) terms.push_back(p[colors[t][0][j * n + l]] * r[colors[t][0][l * n + m]]);
        std::sort(terms.begin(), terms.end());  // equal multisets are summed in the same order
        double sum = 0;
        for (double term : terms) sum += term;
        sums[colors[t][0][j * n + m]].emplace(sum, colors[t + 1][0][j * n + m]);
        most = std::max(most, sum);
      }
    for (const auto& [color, values] : sums)
      for (auto a = values.begin(), b = std::next(a); b != values.end(); ++a, ++b)
        if (a->second != b->second) least = std::min(least, b->first - a->first);
  }
  return std::log2(most / least);
}

Outcome bits(const Resources&) {
  auto smallest = [](Arithmetic arithmetic) {
    for (wl::Node n = 2; n <= 5; ++n)
      if (search("mended", n, arithmetic).failed) return std::to_string(n);
    return std::string("none up to 5");
  };
  std::int64_t most = 0;
  double random = 0;
  Rng rng(1);
  for (const wl::Graph& graph : wl::all_graphs(6)) {
    random = std::max(random, random_bits(graph, rng));
    const wl::Graph* g = &graph;
    most = std::max(most, prove({&g, 1}, construction("mended", 6, 1), Arithmetic::Digits).positions);
  }
  return {"measured",
          "order 6: digits to position " + std::to_string(most) +
              " (n^4 + 2 n^2 = " + std::to_string(6 * 6 * 6 * 6 + 72) + " at most), " +
              std::to_string(static_cast<int>(static_cast<double>(most) * std::log2(6.0))) +
              " bits; one-hot tokens: integers, 24 bits are enough for 74 nodes (docs/proof.md); random codes: " +
              std::to_string(static_cast<int>(std::ceil(random))) +
              " bits in this draw; smallest order that fails: float32 " + smallest(Arithmetic::Float32) + ", float64 " +
              smallest(Arithmetic::Float64) + ", long double " + smallest(Arithmetic::LongDouble),
          true};
}

Outcome brec_3wl(const Resources& r) {
  const std::map<std::string, int> claimed{{"Basic", 60}, {"Regular", 50}, {"Extension", 100}, {"CFI", 60}};
  std::map<std::string, int> count;
  int all = 0;
  for (const auto& pair : r.pairs)
    if (wl::compare(wl::folklore(2), *pair.first, *pair.second).distinguished) ++count[pair.category], ++all;
  std::string text = r.pair_source + ": ";
  for (const char* category : {"Basic", "Regular", "Extension", "CFI"})
    text += std::to_string(count[category]) + (category == std::string("CFI") ? " = " : " / ");
  text += std::to_string(all);
  return decided(all == 270 && count == claimed,
                 r.brec_files ? kHolds : "holds on the built-in pairs; BREC's own were not at hand", text);
}

}  // namespace

const std::vector<Claim>& claims() {
  static const std::vector<Claim> table{
      {"multiset-lemma", "Appendix, lemma on multisets", "Sums of m^-i tell multisets of order m - 1 apart.",
       "leman claims multiset-lemma", multiset},
      {"multiset-order", "Appendix, its use in the induction",
       "The multisets have order n, in base n: one more than the lemma allows.", "leman claims multiset-order",
       multiset_order},
      {"non-overlap-lemma", "Appendix, lemma on non-overlapping sets",
       "If min A > max B, sums a + b are unique. (Mended: if the digits of A end before those of B start.)",
       "leman claims non-overlap-lemma", non_overlap},
      {"forward", "Proposition, ET refines 2-FWL",
       "The weights written down make X^(t) refine the 2-FWL colouring, for all t.",
       "leman prove --all-graphs 6; leman prove --as printed --all-graphs 4", forward},
      {"last-lines", "Proof, last lines", "The sum is of T_jl T_lm; the exponent n^2 on T_lm is dropped.",
       "leman claims last-lines", last_lines},
      {"beta", "Proof, beta = n^(1-n^2)", "beta moves the sum behind the digits of T.", "leman claims beta", beta},
      {"layer-norm", "Section on the ET, its layer",
       "The construction works for the layer as defined, with LayerNorm before attention.",
       "leman prove --as layernorm --all-graphs 4; leman prove --as onehot --all-graphs 7", layer_norm},
      {"backward", "Proposition, 2-FWL refines ET", "Pairs of one 2-FWL colour have one token, whatever the weights.",
       "leman claims backward", backward},
      {"bits", "Proof, numbers", "The construction lives in real numbers; how many bits it needs is not said.",
       "leman prove --all-graphs 4 --numbers float64", bits},
      {"two-wl", "Preliminaries", "2-WL has the power of 1-WL.", "leman gen all 7 | leman classes --engine 1wl,2wl",
       two_wl},
      {"three-wl", "Preliminaries", "k-WL has the power of (k-1)-FWL; here 3-WL and 2-FWL.",
       "leman gen all 8 | leman classes --engine 1wl,3wl,2fwl", three_wl},
      {"hierarchy", "Preliminaries",
       "(k+1)-WL is strictly more powerful than k-WL, for k >= 2; here 3-WL and 4-WL, as 2-FWL and 3-FWL.",
       "leman wl --engine 2fwl 'x.g6#1' 'x.g6#2' (leman gen cfi --base K4 > x.g6)", hierarchy},
      {"folklore-one", "Preliminaries, folklore rule",
       "The rule defines k-FWL for every k; at k = 1 its multiset names no edge.", "leman claims folklore-one",
       folklore_one},
      {"logic", "Appendix, logic", "k-FWL after m rounds is counting logic with k variables and depth m.",
       "leman claims logic", logic},
      {"brec-3wl", "Experiments, BREC table", "3-WL distinguishes 60 / 50 / 100 / 60 = 270 of BREC's pairs.",
       "leman brec --engine 3wl,2fwl", brec_3wl},
      {"brec-et", "Experiments, BREC table",
       "The ET distinguishes 60 / 50 / 100 / 48.1 (1.9) = 258.1 (1.9), ten seeds.",
       "leman brec --model et --protocol published --seeds 10 --store published.sqlite",
       [](const Resources&) {
         return Outcome{"not run here", "hours of training; docs/brec.md has what was measured", true};
       }},
      {"cost", "Section on the ET", "A layer takes O(n^3) operations; attention need not store n^3 numbers.",
       "leman bench et", [](const Resources&) {
         return Outcome{"not run here", "minutes; docs/bench.md has what was measured", true};
       }}};
  return table;
}

}  // namespace leman::proofs
