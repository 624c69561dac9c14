// `leman prove`: the proof that the Edge Transformer has 3-WL power, executed.
#include <cmath>
#include <iostream>
#include <memory>

#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "proofs_check/parametrization.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> graphs;
  std::string as = "mended", numbers;
  unsigned all = 0;
  bool json = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

// Rational numbers up to this order, digits beyond: T^(n^2) has n^4 of them.
constexpr wl::Node kExactOrder = 6;

proofs::Arithmetic arithmetic(const Options& o, wl::Node n, std::size_t count) {
  using proofs::Arithmetic;
  if (o.numbers.empty())
    return (n <= kExactOrder && count == 1) || o.as == "layernorm" ? Arithmetic::Rationals : Arithmetic::Digits;
  return o.numbers == "digits"     ? Arithmetic::Digits
         : o.numbers == "rational" ? Arithmetic::Rationals
         : o.numbers == "float32"  ? Arithmetic::Float32
         : o.numbers == "float64"  ? Arithmetic::Float64
                                   : Arithmetic::LongDouble;
}

proofs::Proof run_one(const Options& o, std::span<const wl::Graph* const> graphs) {
  const wl::Node n = graphs[0]->order();
  if (o.as != "onehot")
    return proofs::prove(graphs, proofs::construction(o.as, n, graphs.size()), arithmetic(o, n, graphs.size()));
  const proofs::OneHotProof p = torch_api().prove_onehot(graphs, o.numbers.empty() ? "float32" : o.numbers);
  proofs::Proof proof;
  proof.rounds = p.rounds;
  proof.colors = static_cast<wl::Color>(p.width - 1);
  proof.failure = p.failure;
  proof.network = {p.width, p.hidden, p.largest, p.deviation};
  if (!p.failure) proof.held = {"one-hot"};
  return proof;
}

Json to_json(const proofs::Proof& proof) {
  Json json{{"holds", !proof.failure},
            {"rounds", proof.rounds},
            {"colours", proof.colors},
            {"digits", proof.positions},
            {"held", proof.held}};
  if (proof.network.width)
    json["network"] = {{"width", proof.network.width},
                       {"hidden", proof.network.hidden},
                       {"largest_sum", proof.network.largest},
                       {"deviation", proof.network.deviation}};
  if (proof.failure)
    json["failure"] = {{"check", proof.failure->check},
                       {"round", proof.failure->round},
                       {"graphs", proof.failure->graphs},
                       {"detail", proof.failure->detail}};
  return json;
}

// What the numbers need: digits and bits, or the width of the network.
std::string size_text(const proofs::Proof& proof, wl::Node n) {
  char text[160] = "";
  if (proof.network.width)
    std::snprintf(text, sizeof text,
                  ", LibTorch model of width %d, hidden width %d, sums up to %llu, off by %.1e at most",
                  proof.network.width, proof.network.hidden, static_cast<unsigned long long>(proof.network.largest),
                  proof.network.deviation);
  else if (proof.positions)
    std::snprintf(text, sizeof text, ", digits to position %lld: %.0f bits", static_cast<long long>(proof.positions),
                  static_cast<double>(proof.positions) * std::log2(static_cast<double>(n)));
  return text;
}

std::string failure_text(const proofs::Failure& f) {
  return "FAILS    " + f.check + ", round " + std::to_string(f.round) + ", graph6 " + f.graphs + ": " + f.detail + "\n";
}

int prove_graphs(const Options& o, const Context& context) {
  std::vector<wl::Graph> graphs;
  for (const std::string& word : o.graphs) graphs.push_back(graph_argument(word, o.read));
  std::vector<const wl::Graph*> pointers;
  for (const wl::Graph& graph : graphs) pointers.push_back(&graph);
  const proofs::Proof proof = run_one(o, pointers);
  if (o.json) {
    Json json = record(context);
    json["construction"] = o.as;
    json.update(to_json(proof));
    write_file("-", json.dump(1) + "\n");
  } else {
    std::string text = "construction " + o.as + ", " + std::to_string(graphs[0].order()) + " nodes, rounds 0-" +
                       std::to_string(proof.rounds) + ", " + std::to_string(proof.colors) + " colours" +
                       size_text(proof, graphs[0].order()) + "\n";
    for (const std::string& check : proof.held) text += "holds    " + check + "\n";
    if (proof.failure) text += failure_text(*proof.failure);
    write_file("-", text);
  }
  return proof.failure ? kDifferent : kOk;
}

int prove_all(const Options& o, const Context& context) {
  std::vector<proofs::Failure> smallest;
  std::size_t run = 0, failed = 0;
  int most_rounds = 0;
  for (wl::Node n = 2; n <= o.all; ++n) {
    const std::vector<wl::Graph> graphs = wl::all_graphs(n);
    std::vector<proofs::Proof> proofs(graphs.size());
    Progress progress("graphs of order " + std::to_string(n), graphs.size());
    wl::parallel_for(graphs.size(), o.threads, [&](std::size_t k) {
      const wl::Graph* graph = &graphs[k];
      proofs[k] = run_one(o, {&graph, 1});
      progress.done(1, "");
    });
    for (const proofs::Proof& proof : proofs) {
      ++run;
      most_rounds = std::max(most_rounds, proof.rounds);
      if (!proof.failure) continue;
      ++failed;
      if (smallest.empty()) smallest.push_back(*proof.failure);
    }
  }
  if (o.json) {
    Json json = record(context);
    json.update({{"construction", o.as}, {"graphs", run}, {"failed", failed}, {"most_rounds", most_rounds}});
    if (!smallest.empty())
      json["smallest_failure"] = {
          {"check", smallest[0].check}, {"graphs", smallest[0].graphs}, {"detail", smallest[0].detail}};
    write_file("-", json.dump(1) + "\n");
  } else {
    write_file("-", "construction " + o.as + ", all graphs of orders 2-" + std::to_string(o.all) + ": " +
                        std::to_string(run) + " graphs, " + std::to_string(failed) + " fail, at most " +
                        std::to_string(most_rounds) + " rounds\n" +
                        (smallest.empty() ? "" : "the smallest that does:\n" + failure_text(smallest[0])));
  }
  return failed ? kDifferent : kOk;
}

}  // namespace

Command prove_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "prove",
      .summary = "Execute the proof that the Edge Transformer has 3-WL power",
      .positionals = {{"GRAPH", "", "a file, FILE#3, -, a name or graph6; several run jointly", append(o->graphs),
                       Option::Repeated}},
      .options =
          {{"--as", "NAME",
            "printed: the paper's weights; mended (default): those its text needs; layernorm: with the layer's "
            "LayerNorm; onehot: a LibTorch model that survives it",
            choice(o->as, {"printed", "mended", "layernorm", "onehot"})},
           {"--all-graphs", "N", "every graph of order 2 to N", number<unsigned>(o->all, 2, 9)},
           {"--numbers", "KIND",
            "rational, digits, float32, float64 or longdouble (default: rational up to order 6; onehot: float32)",
            choice(o->numbers, {"rational", "digits", "float32", "float64", "longdouble"})},
           {"--json", "", "print JSON", flag(o->json)},
           threads_option(o->threads)},
      .footer =
          "Checks, in every round and for all pairs of nodes: token (the induction's invariant), injective and\n"
          "defined (values before the FFN are those of the colours of 2-FWL, one for one), disjoint (digits of T\n"
          "and of the sum), network (a ReLU network realises the FFN). Exit code 0: all hold; 1: one fails.\n\n"
          "Examples:\n"
          "  leman prove C6\n"
          "  leman prove --as printed --all-graphs 4\n"
          "  leman prove --as onehot --all-graphs 6\n"
          "  leman prove --numbers float64 --all-graphs 4\n"
          "  leman prove 'a.g6#1' 'a.g6#2' --json",
      .run = [o, &context] {
        if (o->as == "onehot" && !o->numbers.empty() && o->numbers != "float32" && o->numbers != "float64")
          throw UsageError("--as onehot runs in float32 or float64");
        if ((o->all != 0) == !o->graphs.empty()) throw UsageError("either graphs or --all-graphs N are needed");
        return o->all ? prove_all(*o, context) : prove_graphs(*o, context);
      }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
