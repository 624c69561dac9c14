// `leman prove`: the proof that the Edge Transformer has 3-WL power, executed.
#include <iostream>
#include <memory>

#include "cli/json.hpp"
#include "cli/progress.hpp"
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

proofs::Proof run_one(const Options& o, std::span<const wl::Graph* const> graphs) {
  const wl::Node n = graphs[0]->order();
  const bool rationals = o.numbers.empty() ? n <= kExactOrder && graphs.size() == 1 : o.numbers == "rational";
  return proofs::prove(graphs, proofs::construction(o.as, n, graphs.size()),
                       rationals ? proofs::Arithmetic::Rationals : proofs::Arithmetic::Digits);
}

Json to_json(const proofs::Proof& proof) {
  Json json{{"holds", !proof.failure},
            {"rounds", proof.rounds},
            {"colours", proof.colors},
            {"digits", proof.positions},
            {"held", proof.held}};
  if (proof.failure)
    json["failure"] = {{"check", proof.failure->check},
                       {"round", proof.failure->round},
                       {"graphs", proof.failure->graphs},
                       {"detail", proof.failure->detail}};
  return json;
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
                       std::to_string(proof.rounds) + ", " + std::to_string(proof.colors) +
                       " colours, digits to position " + std::to_string(proof.positions) + "\n";
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
      .options = {{"--as", "NAME", "printed: the weights of the paper; mended (default): those its text needs",
                   choice(o->as, proofs::construction_names())},
                  {"--all-graphs", "N", "every graph of order 2 to N", number<unsigned>(o->all, 2, 9)},
                  {"--numbers", "KIND", "rational or digits (default: rational up to order 6)",
                   choice(o->numbers, {"rational", "digits"})},
                  {"--json", "", "print JSON", flag(o->json)},
                  threads_option(o->threads)},
      .footer =
          "Checks, in every round and for all pairs of nodes: token (the induction's invariant), injective and\n"
          "defined (values before the FFN are those of the colours of 2-FWL, one for one), disjoint (digits of T\n"
          "and of the sum), network (a ReLU network realises the FFN). Exit code 0: all hold; 1: one fails.\n\n"
          "Examples:\n"
          "  leman prove C6\n"
          "  leman prove --as printed --all-graphs 4\n"
          "  leman prove 'a.g6#1' 'a.g6#2' --json",
      .run = [o, &context] {
        if ((o->all != 0) == !o->graphs.empty()) throw UsageError("either graphs or --all-graphs N are needed");
        return o->all ? prove_all(*o, context) : prove_graphs(*o, context);
      }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
