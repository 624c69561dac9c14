// `leman prove`: the proof that the Edge Transformer has 3-WL power, executed.
#include <cmath>
#include <iostream>
#include <memory>

#include "cli/json.hpp"
#include "cli/pair_table.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "proofs_check/parametrization.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> graphs;
  std::string as = "mended", numbers, pairs, brec;
  unsigned all = 0, largest = 60;
  bool json = false, rounds = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

// Rational numbers up to this order, digits beyond: T^(n^2) has n^4 of them.
constexpr wl::Node kExactOrder = 6;

proofs::Arithmetic arithmetic(const Options& o, wl::Node n, std::size_t count) {
  using proofs::Arithmetic;
  if (o.numbers.empty())
    return o.as == "layernorm-epsilon"                               ? Arithmetic::LongDouble
           : (n <= kExactOrder && count == 1) || o.as == "layernorm" ? Arithmetic::Rationals
                                                                     : Arithmetic::Digits;
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
  proof.round_colors = p.round_colors;
  proof.colors = static_cast<wl::Color>(p.width - 1);
  proof.failure = p.failure;
  proof.network = {p.width, p.hidden, p.largest, p.deviation};
  if (!p.failure) proof.held = {"one-hot"};
  return proof;
}

Json to_json(const proofs::Proof& proof) {
  Json json{{"holds", !proof.failure},   {"rounds", proof.rounds},
            {"colours", proof.colors},   {"colours_of_rounds", proof.round_colors},
            {"digits", proof.positions}, {"held", proof.held}};
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
    for (std::size_t t = 0; o.rounds && t < proof.round_colors.size(); ++t)
      text += "round " + std::to_string(t) + ": " + std::to_string(proof.round_colors[t]) + " colours\n";
    for (const std::string& check : proof.held) text += "holds    " + check + "\n";
    if (proof.failure) text += failure_text(*proof.failure);
    write_file("-", text);
  }
  return proof.failure ? kDifferent : kOk;
}

// Many graphs, or pairs run jointly, one by one.
struct Batch {
  std::string title;  // "all graphs of orders 2-6"
  std::vector<wl::Graph> owned;
  std::vector<std::vector<const wl::Graph*>> jobs;
};

Batch all_graphs_batch(unsigned most) {
  Batch batch{"all graphs of orders 2-" + std::to_string(most), {}, {}};
  for (wl::Node n = 2; n <= most; ++n)
    for (wl::Graph& graph : wl::all_graphs(n)) batch.owned.push_back(std::move(graph));
  for (const wl::Graph& graph : batch.owned) batch.jobs.push_back({&graph});
  return batch;
}

Batch pairs_batch(const Options& o, const brec::PairSet& set) {
  Batch batch{set.source + ", pairs " + o.pairs + " up to " + std::to_string(o.largest) + " nodes", {}, {}};
  for (int id : number_list(o.pairs, brec::kPairs)) {
    const brec::Pair& pair = set.pairs[static_cast<std::size_t>(id)];
    if (pair.first.order() <= o.largest) batch.jobs.push_back({&pair.first, &pair.second});
  }
  return batch;
}

int prove_batch(const Options& o, const Batch& batch, const Context& context) {
  if (batch.jobs.empty()) throw UsageError("no pair has at most " + std::to_string(o.largest) + " nodes");
  std::vector<proofs::Proof> proofs(batch.jobs.size());
  {
    Progress progress("proofs", batch.jobs.size());
    wl::parallel_for(batch.jobs.size(), o.threads, [&](std::size_t k) {
      proofs[k] = run_one(o, batch.jobs[k]);
      progress.done(1, std::to_string(batch.jobs[k][0]->order()) + " nodes");
    });
  }
  const proofs::Failure* smallest = nullptr;
  std::size_t failed = 0;
  int most_rounds = 0;
  for (const proofs::Proof& proof : proofs) {
    most_rounds = std::max(most_rounds, proof.rounds);
    failed += proof.failure.has_value();
    if (proof.failure && !smallest) smallest = &*proof.failure;
  }
  if (o.json) {
    Json json = record(context);
    json.update({{"construction", o.as}, {"runs", proofs.size()}, {"failed", failed}, {"most_rounds", most_rounds}});
    if (smallest)
      json["smallest_failure"] = {{"check", smallest->check},
                                  {"round", smallest->round},
                                  {"graphs", smallest->graphs},
                                  {"detail", smallest->detail}};
    write_file("-", json.dump(1) + "\n");
  } else {
    write_file("-", "construction " + o.as + ", " + batch.title + ": " + std::to_string(proofs.size()) + " runs, " +
                        std::to_string(failed) + " fail, at most " + std::to_string(most_rounds) + " rounds\n" +
                        (smallest ? "the smallest that does:\n" + failure_text(*smallest) : ""));
  }
  return failed ? kDifferent : kOk;
}

int run(const Options& o, const Context& context) {
  if (o.as == "onehot" && !o.numbers.empty() && o.numbers != "float32" && o.numbers != "float64")
    throw UsageError("--as onehot runs in float32 or float64");
  if ((o.all != 0) + !o.pairs.empty() + !o.graphs.empty() != 1)
    throw UsageError("graphs, --all-graphs N or --pairs IDS: one of them is needed");
  if (o.all) return prove_batch(o, all_graphs_batch(o.all), context);
  if (o.pairs.empty()) return prove_graphs(o, context);
  number_list(o.pairs, brec::kPairs);
  const brec::PairSet set = load_pairs(o.brec, false);
  return prove_batch(o, pairs_batch(o, set), context);
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
            "LayerNorm, layernorm-epsilon: with its epsilon, too; onehot: a LibTorch model that survives it",
            choice(o->as, {"printed", "mended", "layernorm", "layernorm-epsilon", "onehot"})},
           {"--all-graphs", "N", "every graph of order 2 to N", number<unsigned>(o->all, 2, 9)},
           {"--pairs", "IDS", "pairs of BREC or built-in ones, each jointly, e.g. 0-399", non_empty(o->pairs)},
           {"--largest", "N", "--pairs: only those up to N nodes (default: 60)",
            number<unsigned>(o->largest, 2, 100000)},
           {"--brec", "DIR", "--pairs: directory with BREC's g6 files", text(o->brec)},
           {"--rounds", "", "print the colours of every round", flag(o->rounds)},
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
          "  leman prove --pairs 0-399 --largest 60\n"
          "  leman prove --numbers float64 --all-graphs 4\n"
          "  leman prove 'a.g6#1' 'a.g6#2' --json",
      .run = [o, &context] { return run(*o, context); }};
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
