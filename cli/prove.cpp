// `leman prove`: the proof that the Edge Transformer has 3-WL power, executed.
#include "base/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "reports/proof_table.hpp"
#include "wl/graph_argument.hpp"
#include "wl/graph_ops.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::vector<std::string> graphs;
  study::ProofRequest request;
  PairChoice pairs;
  unsigned all = 0, largest = 60;
  bool json = false, rounds = false;
  unsigned threads = default_threads();
  wl::ReadOptions read;
};

constexpr std::pair<const char*, proofs::Arithmetic> kNumbers[] = {{"rational", proofs::Arithmetic::Rationals},
                                                                   {"digits", proofs::Arithmetic::Digits},
                                                                   {"float32", proofs::Arithmetic::Float32},
                                                                   {"float64", proofs::Arithmetic::Float64},
                                                                   {"longdouble", proofs::Arithmetic::LongDouble}};

Setter numbers(std::optional<proofs::Arithmetic>& target) {
  return [&target](const std::string& word) {
    std::vector<std::string> names;
    for (const auto& [name, kind] : kNumbers) {
      if (word == name) target = kind;
      names.emplace_back(name);
    }
    std::string ignored;
    choice(ignored, names)(word);
  };
}

int prove_graphs(const Options& o, const Context& context) {
  std::vector<wl::Graph> graphs;
  for (const std::string& word : o.graphs) graphs.push_back(wl::graph_argument(word, o.read));
  const proofs::Proof proof = study::prove(o.request, wl::pointers_to(graphs));
  if (o.json) {
    Json json = record(context);
    json.update(reports::proof_json(proof, o.request.construction));
    write_output("-", json.dump(1) + "\n");
  } else {
    print(reports::proof_text(proof, o.request.construction, graphs[0].order(), o.rounds));
  }
  return proof.failure ? kDifferent : kOk;
}

int prove_batch(const Options& o, const study::ProofBatch& batch, const Context& context) {
  const InterruptGuard guard;
  Progress progress;
  const study::ProofSummary s = study::prove_all(o.request, batch, o.threads, {progress, InterruptGuard::stop()});
  if (o.json) {
    Json json = record(context);
    json.update(reports::proofs_json(s, o.request.construction));
    write_output("-", json.dump(1) + "\n");
  } else {
    print(reports::proofs_text(s, o.request.construction, batch.title));
  }
  return s.runs < batch.jobs.size() ? kInterrupted : s.failed ? kDifferent : kOk;
}

int run(const Options& o, const Context& context) {
  check(o.request);
  const bool pairs = !o.pairs.ids.empty() || !o.pairs.suite.own.empty();
  if ((o.all != 0) + pairs + !o.graphs.empty() != 1)
    throw UsageError("graphs, --all-graphs N or --pairs WHICH: one of them is needed");
  if (o.all) return prove_batch(o, study::all_graphs_batch(o.all), context);
  if (!pairs) return prove_graphs(o, context);
  const brec::PairSet set = o.pairs.load();
  return prove_batch(o, study::pairs_batch(set, o.pairs.ids_in(set), o.largest, o.pairs.ids), context);
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
            choice(o->request.construction, study::proof_constructions())},
           {"--all-graphs", "N", "every graph of order 2 to N", number<unsigned>(o->all, 2, 9)},
           {"--largest", "N", "--pairs: only those up to N nodes (default: 60)",
            number<unsigned>(o->largest, 2, 100000)},
           {"--rounds", "", "print the colours of every round", flag(o->rounds)},
           {"--numbers", "KIND",
            "rational, digits, float32, float64 or longdouble (default: rational up to order 6; onehot: float32)",
            numbers(o->request.numbers)},
           {"--json", "", "print JSON", flag(o->json)},
           threads_option(o->threads)},
      .footer =
          "Checks, in every round and for all pairs of nodes: token (the induction's invariant), injective and\n"
          "defined (values before the FFN are those of the colours of 2-FWL, one for one), disjoint (digits of T\n"
          "and of the sum), network (a ReLU network realises the FFN). Exit code 0: all hold; 1: one fails.\n",
      .examples = {"leman prove C6", "leman prove --as printed --all-graphs 4",
                   "leman prove --as onehot --all-graphs 6", "leman prove --pairs 0-399 --largest 60",
                   "leman prove --numbers float64 --all-graphs 4", "leman prove 'a.g6#1' 'a.g6#2' --json"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, o->pairs.options());
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
