#include "wl/constructions/catalog.hpp"

#include <cctype>
#include <sstream>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/designs.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/random.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/constructions/two_graph.hpp"
#include "wl/graph_ops.hpp"

namespace leman::wl {

// The words after the family's name, read with range checks.
class CatalogArguments {
 public:
  CatalogArguments(const CatalogRequest& request, const std::string& usage) : request_(request), usage_(usage) {}
  std::uint32_t number(std::size_t i, std::uint32_t low, std::uint32_t high) const {
    return read<std::uint32_t>(i, low, high);
  }
  double probability(std::size_t i) const { return read<double>(i, 0, 1); }
  const std::string& text(std::size_t i) const { return request_.arguments.at(i); }
  const Graph& base() const {
    if (!request_.base) throw UsageError("a base graph is needed (usage: " + usage_ + ")");
    return *request_.base;
  }
  const CatalogRequest& options() const { return request_; }

 private:
  template <class T>
  T read(std::size_t i, T low, T high) const {
    try {
      return parse_number<T>(request_.arguments.at(i), low, high);
    } catch (const UsageError& e) {
      throw UsageError(std::string(e.what()) + " (usage: " + usage_ + ")");
    }
  }
  const CatalogRequest& request_;
  const std::string& usage_;
};

namespace {

using Arguments = CatalogArguments;
using Emit = CatalogEmit;

void emit_cfi(const Arguments& a, Rng&, const Emit& emit) {
  if (a.options().straight && a.options().twisted) throw UsageError("--straight and --twisted exclude each other");
  auto [straight, twisted] = cfi_pair(a.base());
  if (!a.options().twisted) emit(straight);
  if (!a.options().straight) emit(twisted);
}

void emit_hadamard(const Arguments& a, Rng&, const Emit& emit) {
  std::uint32_t order = a.number(0, 4, 1000);
  if (order % 4 != 0) throw UsageError("Hadamard matrices have orders divisible by 4");
  SignMatrix matrix;
  try {
    matrix = hadamard_paley1(order - 1);
  } catch (const UsageError&) {
    try {
      matrix = hadamard_paley2(order / 2 - 1);
    } catch (const UsageError&) {
      throw UsageError("no Hadamard matrix of order " + std::to_string(order) + " is Paley's: neither " +
                       std::to_string(order - 1) + " nor " + std::to_string(order / 2 - 1) +
                       " is a prime power that fits");
    }
  }
  emit(incidence_graph(hadamard_design(matrix, 0, 0)));
}

void emit_difference_set(const Arguments& a, Rng&, const Emit& emit) {
  const std::uint32_t v = a.number(0, 2, 10000);
  emit(incidence_graph(difference_set_design(v, number_list(a.text(1), v))));
}

TwoGraph named_two_graph(const std::string& name) {
  if (name.size() == 3 && name.starts_with("26")) return two_graph_26(name[2]);
  if (name.size() == 4 && name.starts_with("30:")) return two_graph_30(name[3] - '0');
  if (name == "36") return two_graph_36();
  throw UsageError("two-graphs are 26A 26B 26C 26D 30:1 30:2 30:5 30:6 30:7 36, not " + name);
}

void emit_descendants(const Arguments& a, Rng&, const Emit& emit) {
  TwoGraph t = named_two_graph(a.text(0));
  for (Node v = 0; v < t.order(); ++v) emit(t.descendant(v));
}

void emit_members(const Arguments& a, Rng&, const Emit& emit) {
  for (const Graph& graph : named_two_graph(a.text(0)).regular_members(a.number(1, 0, 35))) emit(graph);
}

// --base and a set of its nodes such as 0,1,4-7.
std::vector<Node> node_set(const Arguments& a, const Graph& base) { return number_list(a.text(0), base.order()); }

void emit_switch(const Arguments& a, Rng&, const Emit& emit) {
  Graph base = a.base();
  emit(seidel_switch(base, node_set(a, base)));
}

void emit_gm_switch(const Arguments& a, Rng&, const Emit& emit) {
  Graph base = a.base();
  emit(godsil_mckay_switch(base, node_set(a, base)));
}

void emit_all(const Arguments& a, Rng&, const Emit& emit) {
  EnumerateOptions options{.connected = a.options().connected,
                           .min_degree = a.options().degree,
                           .max_degree = a.options().degree,
                           .min_edges = {},
                           .max_edges = {}};
  for_each_graph(a.number(0, 1, 32), options, [&](const Graph& graph) {
    emit(graph);
    return true;
  });
}

void emit_lifts(const Arguments& a, Rng&, const Emit& emit) {
  Graph base = a.base();
  for (std::uint64_t mask : connected_lift_classes(base)) emit(two_lift(base, mask));
}

}  // namespace

const std::vector<CatalogFamily>& catalog() {
  using A = const Arguments&;
  using R = Rng&;
  using E = const Emit&;
  static const std::vector<CatalogFamily> table{
      {"complete N", "K_n", false, [](A a, R, E emit) { emit(complete(a.number(0, 0, 5000))); }},
      {"cycle N", "C_n", false, [](A a, R, E emit) { emit(cycle(a.number(0, 3, 10000000))); }},
      {"path N", "P_n", false, [](A a, R, E emit) { emit(path(a.number(0, 0, 10000000))); }},
      {"grid ROWS COLUMNS", "grid", false,
       [](A a, R, E emit) { emit(grid(a.number(0, 1, 3000), a.number(1, 1, 3000))); }},
      {"petersen", "the Petersen graph", false, [](A, R, E emit) { emit(petersen()); }},
      {"csl N R", "circular skip link: n-cycle with chords of length r", false,
       [](A a, R, E emit) { emit(circular_skip_link(a.number(0, 5, 10000000), a.number(1, 2, 10000000))); }},
      {"cone --base GRAPH", "the base and a node joined to all", false, [](A a, R, E emit) { emit(cone(a.base())); }},
      {"cfi --base GRAPH [--straight|--twisted]", "Cai-Fuerer-Immerman graph and its twist, or one of them", false,
       emit_cfi},
      {"lifts --base GRAPH", "all connected 2-lifts up to isomorphism", false, emit_lifts},
      {"rook A B", "rook graph; 4 4 is srg(16,6,2,2)", false,
       [](A a, R, E emit) { emit(rook(a.number(0, 1, 200), a.number(1, 1, 200))); }},
      {"shrikhande", "Shrikhande graph, srg(16,6,2,2)", false, [](A, R, E emit) { emit(shrikhande()); }},
      {"triangular M", "T(m), the line graph of K_m", false,
       [](A a, R, E emit) { emit(triangular(a.number(0, 2, 64))); }},
      {"chang K", "Chang graph 1, 2 or 3, srg(28,12,6,4)", false,
       [](A a, R, E emit) { emit(chang(static_cast<int>(a.number(0, 1, 3)))); }},
      {"paley Q", "Paley graph, q = 1 mod 4 a prime power", false,
       [](A a, R, E emit) { emit(paley(a.number(0, 5, 1024))); }},
      {"latin M", "Latin square graph L3(m) of the cyclic square", false,
       [](A a, R, E emit) { emit(latin_square_graph(cyclic_latin_square(a.number(0, 2, 100)))); }},
      {"latin-rows ROWS", "Latin square graph of a square such as 012/120/201", false,
       [](A a, R, E emit) { emit(latin_square_graph(latin_square(a.text(0)))); }},
      {"sts13 K", "block graph of Steiner triple system 1 or 2 on 13 points", false,
       [](A a, R, E emit) { emit(block_graph(sts13(static_cast<int>(a.number(0, 1, 2))))); }},
      {"projective-lines D", "block graph of the lines of PG(d-1,2)", false,
       [](A a, R, E emit) { emit(block_graph(projective_sts(static_cast<int>(a.number(0, 2, 5))))); }},
      {"two-graph NAME", "all descendants of a regular two-graph: 26A-D, 30:1 2 5 6 7, 36", false, emit_descendants},
      {"two-graph-members NAME K", "regular members of valency k of its switching class", false, emit_members},
      {"switch SET --base GRAPH", "Seidel switching of the base on a set of nodes such as 0,3-5", false, emit_switch},
      {"gm-switch SET --base GRAPH", "Godsil-McKay switching of the base", false, emit_gm_switch},
      {"symplectic D", "collinearity graph of Sp(2d,2)", false,
       [](A a, R, E emit) { emit(symplectic(static_cast<int>(a.number(0, 1, 5)))); }},
      {"hexagon", "GH(2,2) and its dual, {6,4,4;1,1,3}", false,
       [](A, R, E emit) { emit(generalized_hexagon(false)), emit(generalized_hexagon(true)); }},
      {"difference-set V SET", "incidence graph of translates of a difference set, e.g. 7 1,2,4", false,
       emit_difference_set},
      {"pg32", "incidence graph of points and planes of PG(3,2)", false,
       [](A, R, E emit) { emit(incidence_graph(pg32_design())); }},
      {"hadamard ORDER", "incidence graph of a Hadamard design (Paley I or II)", false, emit_hadamard},
      {"er N P", "random G(n,p)", true,
       [](A a, R rng, E emit) { emit(erdos_renyi(a.number(0, 0, 10000000), a.probability(1), rng)); }},
      {"regular N D", "random d-regular", true,
       [](A a, R rng, E emit) { emit(random_regular(a.number(0, 1, 1000000), a.number(1, 0, 1000), rng)); }},
      {"tree N", "random labelled tree, uniform", true,
       [](A a, R rng, E emit) { emit(random_tree(a.number(0, 0, 10000000), rng)); }},
      {"pa N M", "random, preferential attachment of m edges per node", true,
       [](A a, R rng, E emit) { emit(preferential_attachment(a.number(0, 2, 10000000), a.number(1, 1, 1000), rng)); }},
      {"sbm N BLOCKS P Q", "random, blocks of equal size; edges with probability p inside, q across", true,
       [](A a, R rng, E emit) {
         emit(stochastic_block(a.number(0, 0, 10000), a.number(1, 1, 10000), a.probability(2), a.probability(3), rng));
       }},
      {"all N [--connected] [--degree D]", "every graph on n nodes, by nauty-geng", false, emit_all},
      {"regular-list N D", "connected d-regular graphs in lexicographic order", false,
       [](A a, R, E emit) {
         for (const Graph& graph : connected_regular_graphs(a.number(0, 1, 12), a.number(1, 0, 11))) emit(graph);
       }},
  };
  return table;
}

std::string CatalogFamily::name() const { return usage.substr(0, usage.find(' ')); }

std::size_t CatalogFamily::arity() const {
  std::size_t count = 0;
  std::istringstream words(usage);
  for (std::string word, last; words >> word; last = word)
    count += std::isupper(static_cast<unsigned char>(word[0])) && last.find("--") == last.npos;
  return count;
}

namespace {

// An option that the family does not know is an error.
void demand_used(const CatalogFamily& family, const CatalogRequest& request) {
  auto demand = [&](bool given, const std::string& option) {
    if (given && family.usage.find(option) == family.usage.npos)
      throw UsageError(option + " is not for " + family.name() + " (usage: " + family.usage + ")");
  };
  demand(request.base.has_value(), "--base");
  demand(request.straight, "--straight");
  demand(request.twisted, "--twisted");
  demand(request.connected, "--connected");
  demand(request.degree.has_value(), "--degree");
  if (!family.random && request.count != 1)
    throw UsageError("--count is for random families; " + family.name() + " is not random");
}

}  // namespace

const CatalogFamily& catalog_family(const std::string& name) {
  std::vector<std::string> names;
  for (const CatalogFamily& family : catalog()) {
    if (family.name() == name) return family;
    names.push_back(family.name());
  }
  throw UsageError("no family \"" + name + "\"" + did_you_mean(name, names));
}

void generate(const CatalogRequest& request, const CatalogEmit& emit) {
  const CatalogFamily& family = catalog_family(request.family);
  if (family.arity() != request.arguments.size()) throw UsageError("usage: " + family.usage);
  demand_used(family, request);
  Rng rng(request.seed);
  for (std::uint64_t i = 0; i < request.count; ++i) family.make(CatalogArguments(request, family.usage), rng, emit);
}

}  // namespace leman::wl
