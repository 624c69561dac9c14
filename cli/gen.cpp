// `leman gen FAMILY ARGS`: every construction of wl/constructions by name.
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/common.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/designs.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/lifts.hpp"
#include "wl/constructions/random.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/constructions/two_graph.hpp"
#include "wl/graph_ops.hpp"

namespace leman::cli {

namespace {

using wl::Graph;
using wl::Node;

struct Options {
  std::string family;
  std::vector<std::string> arguments;
  std::string base, to = "graph6", out = "-";
  std::uint64_t seed = 1, count = 1;
  bool twisted = false, straight = false, connected = false;
  std::optional<std::uint32_t> degree;
  wl::ReadOptions read;
};

// The words behind the family's name, read with range checks.
class Arguments {
 public:
  Arguments(const Options& options, const std::string& usage) : options_(options), usage_(usage) {}
  std::uint32_t number(std::size_t i, std::uint32_t low, std::uint32_t high) const {
    return read<std::uint32_t>(i, low, high);
  }
  double probability(std::size_t i) const { return read<double>(i, 0, 1); }
  const std::string& text(std::size_t i) const { return options_.arguments.at(i); }
  Graph base() const {
    if (options_.base.empty()) throw UsageError("--base GRAPH is needed (usage: leman gen " + usage_ + ")");
    return graph_argument(options_.base, options_.read);
  }
  const Options& options() const { return options_; }

 private:
  template <class T>
  T read(std::size_t i, T low, T high) const {
    try {
      return parse_number<T>(options_.arguments.at(i), low, high);
    } catch (const UsageError& e) {
      throw UsageError(std::string(e.what()) + " (usage: leman gen " + usage_ + ")");
    }
  }
  const Options& options_;
  const std::string& usage_;
};

using Emit = std::function<void(const Graph&)>;

struct Family {
  std::string usage;  // the name is its first word; words in capitals are arguments, --options belong to it
  std::string help;
  bool random;
  std::function<void(const Arguments&, wl::Rng&, const Emit&)> make;

  std::string name() const { return usage.substr(0, usage.find(' ')); }
  std::size_t arity() const {  // words in capitals, not counting --options and their values
    std::size_t count = 0;
    std::istringstream words(usage);
    for (std::string word, last; words >> word; last = word)
      count += std::isupper(static_cast<unsigned char>(word[0])) && last.find("--") == last.npos;
    return count;
  }
};

void emit_cfi(const Arguments& a, wl::Rng&, const Emit& emit) {
  if (a.options().straight && a.options().twisted) throw UsageError("--straight and --twisted exclude each other");
  auto [straight, twisted] = wl::cfi_pair(a.base());
  if (!a.options().twisted) emit(straight);
  if (!a.options().straight) emit(twisted);
}

void emit_hadamard(const Arguments& a, wl::Rng&, const Emit& emit) {
  std::uint32_t order = a.number(0, 4, 1000);
  if (order % 4 != 0) throw UsageError("Hadamard matrices have orders divisible by 4");
  wl::SignMatrix matrix;
  try {
    matrix = wl::hadamard_paley1(order - 1);
  } catch (const std::invalid_argument&) {
    try {
      matrix = wl::hadamard_paley2(order / 2 - 1);
    } catch (const std::invalid_argument&) {
      throw UsageError("no Hadamard matrix of order " + std::to_string(order) + " is Paley's: neither " +
                       std::to_string(order - 1) + " nor " + std::to_string(order / 2 - 1) +
                       " is a prime power that fits");
    }
  }
  emit(wl::incidence_graph(wl::hadamard_design(matrix, 0, 0)));
}

void emit_difference_set(const Arguments& a, wl::Rng&, const Emit& emit) {
  std::vector<std::uint32_t> set;
  for (int x : number_list(a.text(1), static_cast<int>(a.number(0, 2, 10000))))
    set.push_back(static_cast<std::uint32_t>(x));
  emit(wl::incidence_graph(wl::difference_set_design(a.number(0, 2, 10000), set)));
}

wl::TwoGraph named_two_graph(const std::string& name) {
  if (name.size() == 3 && name.starts_with("26")) return wl::two_graph_26(name[2]);
  if (name.size() == 4 && name.starts_with("30:")) return wl::two_graph_30(name[3] - '0');
  if (name == "36") return wl::two_graph_36();
  throw UsageError("two-graphs are 26A 26B 26C 26D 30:1 30:2 30:5 30:6 30:7 36, not " + name);
}

void emit_descendants(const Arguments& a, wl::Rng&, const Emit& emit) {
  wl::TwoGraph t = named_two_graph(a.text(0));
  for (Node v = 0; v < t.order(); ++v) emit(t.descendant(v));
}

void emit_members(const Arguments& a, wl::Rng&, const Emit& emit) {
  for (const Graph& graph : named_two_graph(a.text(0)).regular_members(a.number(1, 0, 35))) emit(graph);
}

// --base and a set of its nodes such as 0,1,4-7.
std::vector<Node> node_set(const Arguments& a, const Graph& base) {
  std::vector<Node> set;
  for (int v : number_list(a.text(0), static_cast<int>(base.order()))) set.push_back(static_cast<Node>(v));
  return set;
}

void emit_switch(const Arguments& a, wl::Rng&, const Emit& emit) {
  Graph base = a.base();
  emit(wl::seidel_switch(base, node_set(a, base)));
}

void emit_gm_switch(const Arguments& a, wl::Rng&, const Emit& emit) {
  Graph base = a.base();
  emit(wl::godsil_mckay_switch(base, node_set(a, base)));
}

void emit_all(const Arguments& a, wl::Rng&, const Emit& emit) {
  wl::EnumerateOptions options{.connected = a.options().connected,
                               .min_degree = a.options().degree,
                               .max_degree = a.options().degree,
                               .min_edges = {},
                               .max_edges = {}};
  wl::for_each_graph(a.number(0, 1, 32), options, [&](const Graph& graph) {
    emit(graph);
    return true;
  });
}

void emit_lifts(const Arguments& a, wl::Rng&, const Emit& emit) {
  Graph base = a.base();
  for (std::uint64_t mask : wl::connected_lift_classes(base)) emit(wl::two_lift(base, mask));
}

const std::vector<Family>& families() {
  using A = const Arguments&;
  using R = wl::Rng&;
  using E = const Emit&;
  static const std::vector<Family> table{
      {"complete N", "K_n", false, [](A a, R, E emit) { emit(wl::complete(a.number(0, 0, 5000))); }},
      {"cycle N", "C_n", false, [](A a, R, E emit) { emit(wl::cycle(a.number(0, 3, 10000000))); }},
      {"path N", "P_n", false, [](A a, R, E emit) { emit(wl::path(a.number(0, 0, 10000000))); }},
      {"grid ROWS COLUMNS", "grid", false,
       [](A a, R, E emit) { emit(wl::grid(a.number(0, 1, 3000), a.number(1, 1, 3000))); }},
      {"petersen", "the Petersen graph", false, [](A, R, E emit) { emit(wl::petersen()); }},
      {"csl N R", "circular skip link: n-cycle with chords of length r", false,
       [](A a, R, E emit) { emit(wl::circular_skip_link(a.number(0, 5, 10000000), a.number(1, 2, 10000000))); }},
      {"cone --base GRAPH", "the base and a node joined to all", false,
       [](A a, R, E emit) { emit(wl::cone(a.base())); }},
      {"cfi --base GRAPH [--straight|--twisted]", "Cai-Fuerer-Immerman graph and its twist, or one of them", false,
       emit_cfi},
      {"lifts --base GRAPH", "all connected 2-lifts up to isomorphism", false, emit_lifts},
      {"rook A B", "rook graph; 4 4 is srg(16,6,2,2)", false,
       [](A a, R, E emit) { emit(wl::rook(a.number(0, 1, 200), a.number(1, 1, 200))); }},
      {"shrikhande", "Shrikhande graph, srg(16,6,2,2)", false, [](A, R, E emit) { emit(wl::shrikhande()); }},
      {"triangular M", "T(m), the line graph of K_m", false,
       [](A a, R, E emit) { emit(wl::triangular(a.number(0, 2, 64))); }},
      {"chang K", "Chang graph 1, 2 or 3, srg(28,12,6,4)", false,
       [](A a, R, E emit) { emit(wl::chang(static_cast<int>(a.number(0, 1, 3)))); }},
      {"paley Q", "Paley graph, q = 1 mod 4 a prime power", false,
       [](A a, R, E emit) { emit(wl::paley(a.number(0, 5, 1024))); }},
      {"latin M", "Latin square graph L3(m) of the cyclic square", false,
       [](A a, R, E emit) { emit(wl::latin_square_graph(wl::cyclic_latin_square(a.number(0, 2, 100)))); }},
      {"latin-rows ROWS", "Latin square graph of a square such as 012/120/201", false,
       [](A a, R, E emit) { emit(wl::latin_square_graph(wl::latin_square(a.text(0)))); }},
      {"sts13 K", "block graph of Steiner triple system 1 or 2 on 13 points", false,
       [](A a, R, E emit) { emit(wl::block_graph(wl::sts13(static_cast<int>(a.number(0, 1, 2))))); }},
      {"projective-lines D", "block graph of the lines of PG(d-1,2)", false,
       [](A a, R, E emit) { emit(wl::block_graph(wl::projective_sts(static_cast<int>(a.number(0, 2, 5))))); }},
      {"two-graph NAME", "all descendants of a regular two-graph: 26A-D, 30:1 2 5 6 7, 36", false, emit_descendants},
      {"two-graph-members NAME K", "regular members of valency k of its switching class", false, emit_members},
      {"switch SET --base GRAPH", "Seidel switching of the base on a set of nodes such as 0,3-5", false, emit_switch},
      {"gm-switch SET --base GRAPH", "Godsil-McKay switching of the base", false, emit_gm_switch},
      {"symplectic D", "collinearity graph of Sp(2d,2)", false,
       [](A a, R, E emit) { emit(wl::symplectic(static_cast<int>(a.number(0, 1, 5)))); }},
      {"hexagon", "GH(2,2) and its dual, {6,4,4;1,1,3}", false,
       [](A, R, E emit) { emit(wl::generalized_hexagon(false)), emit(wl::generalized_hexagon(true)); }},
      {"difference-set V SET", "incidence graph of translates of a difference set, e.g. 7 1,2,4", false,
       emit_difference_set},
      {"pg32", "incidence graph of points and planes of PG(3,2)", false,
       [](A, R, E emit) { emit(wl::incidence_graph(wl::pg32_design())); }},
      {"hadamard ORDER", "incidence graph of a Hadamard design (Paley I or II)", false, emit_hadamard},
      {"er N P", "random G(n,p)", true,
       [](A a, R rng, E emit) { emit(wl::erdos_renyi(a.number(0, 0, 10000000), a.probability(1), rng)); }},
      {"regular N D", "random d-regular", true,
       [](A a, R rng, E emit) { emit(wl::random_regular(a.number(0, 1, 1000000), a.number(1, 0, 1000), rng)); }},
      {"tree N", "random labelled tree, uniform", true,
       [](A a, R rng, E emit) { emit(wl::random_tree(a.number(0, 0, 10000000), rng)); }},
      {"pa N M", "random, preferential attachment of m edges a node", true,
       [](A a, R rng, E emit) {
         emit(wl::preferential_attachment(a.number(0, 2, 10000000), a.number(1, 1, 1000), rng));
       }},
      {"sbm N BLOCKS P Q", "random, blocks of equal size; edges with probability p inside, q across", true,
       [](A a, R rng, E emit) {
         emit(wl::stochastic_block(a.number(0, 0, 10000), a.number(1, 1, 10000), a.probability(2), a.probability(3),
                                   rng));
       }},
      {"all N [--connected] [--degree D]", "every graph on n nodes, by nauty-geng", false, emit_all},
      {"regular-list N D", "connected d-regular graphs in lexicographic order", false,
       [](A a, R, E emit) {
         for (const Graph& graph : wl::connected_regular_graphs(a.number(0, 1, 12), a.number(1, 0, 11))) emit(graph);
       }},
  };
  return table;
}

std::string family_list() {
  Table table({"family", "what it writes"});
  for (const Family& family : families()) table.row({family.usage, family.help});
  return table.text();
}

const Family& find_family(const Options& options) {
  for (const Family& family : families()) {
    if (family.name() != options.family) continue;
    if (family.arity() != options.arguments.size()) throw UsageError("usage: leman gen " + family.usage);
    return family;
  }
  throw UsageError("no family \"" + options.family + "\" (leman gen --help lists them)");
}

// An option that the family does not know is a mistake, not a wish.
void demand_used_options(const Family& family, const Options& options) {
  auto demand = [&](bool given, const std::string& option) {
    if (given && family.usage.find(option) == family.usage.npos)
      throw UsageError(option + " is not for " + family.name() + " (usage: leman gen " + family.usage + ")");
  };
  demand(!options.base.empty(), "--base");
  demand(options.straight, "--straight");
  demand(options.twisted, "--twisted");
  demand(options.connected, "--connected");
  demand(options.degree.has_value(), "--degree");
  if (!family.random && options.count != 1)
    throw UsageError("--count is for random families; " + family.name() + " is not random");
}

int run(const Options& options, const Context& context) {
  const Family& family = find_family(options);
  demand_used_options(family, options);
  wl::Format to = *wl::format_by_name(options.to);
  Output out(options.out);
  std::string buffer;
  Emit emit = [&](const Graph& graph) {
    buffer.clear();
    wl::write_graph(graph, to, buffer);
    out.write(buffer);
  };
  wl::Rng rng(options.seed);
  Arguments arguments(options, family.usage);
  for (std::uint64_t i = 0; i < options.count; ++i) family.make(arguments, rng, emit);
  out.close();
  if (family.random) std::cerr << context.about() << ", seed " << options.seed << ": " << context.command << '\n';
  return kOk;
}

}  // namespace

Command gen_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "gen",
      .summary = "Generate graphs: named families, random graphs, all graphs of an order",
      .positionals = {{"FAMILY", "", "one of those below", text(o->family), Option::Required},
                      {"ARGS", "", "its arguments", append(o->arguments), Option::Repeated}},
      .options = {{"--base", "GRAPH", "base graph: a name (K4, C5, K3,3), graph6, or a file", text(o->base)},
                  {"--straight", "", "cfi: only the graph without twist", flag(o->straight)},
                  {"--twisted", "", "cfi: only the twisted graph", flag(o->twisted)},
                  {"--connected", "", "all: only connected graphs", flag(o->connected)},
                  {"--degree", "D", "all: only regular graphs of this degree", number<std::uint32_t>(o->degree)},
                  {"--seed", "S", "random families: seed (default 1)", number<std::uint64_t>(o->seed)},
                  {"--count", "K", "random families: how many graphs (default 1)", number<std::uint64_t>(o->count, 1)},
                  format_option(o->to),
                  {"--out", "FILE", "file to write (default: standard output)", text(o->out)},
                  max_nodes_option(o->read)},
      .footer = "Families:\n" + family_list() +
                "\nExamples:\n"
                "  leman gen cfi --base K4\n"
                "  leman gen er 30 0.2 --count 100 --seed 7 --out er.g6\n"
                "  leman gen all 8 --connected --degree 3",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
