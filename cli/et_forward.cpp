// `leman et forward`: embeddings of an Edge Transformer.
#include <cstring>

#include "base/text.hpp"
#include "cli/json.hpp"
#include "study/torch.hpp"
#include "wl/graph_argument.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string graph, config, out = "-", save, dtype;
  study::ForwardRequest request;
  std::optional<std::uint64_t> seed;
  wl::ReadOptions read;
};

// The arrays as JSON: shape and numbers in row-major order.
Json to_json(const std::vector<Array>& arrays) {
  Json all = Json::object();
  for (const Array& array : arrays) {
    Json numbers = Json::array();
    auto append = [&](auto sample) {
      for (std::size_t at = 0; at < array.bytes.size(); at += sizeof sample) {
        std::memcpy(&sample, array.bytes.data() + at, sizeof sample);
        numbers.push_back(sample);
      }
    };
    if (array.type == "<f4") append(0.0f);
    if (array.type == "<f8") append(0.0);
    if (array.type == "<i8") append(std::int64_t{});
    all[array.name] = {{"type", array.type}, {"shape", array.shape}, {"data", std::move(numbers)}};
  }
  return all;
}

// To --out, with what made them: .npz for NumPy, else JSON.
void write_arrays(const Options& o, const study::ForwardResult& result, const Context& context) {
  Json about = record(context);
  about["seed"] = result.seed;
  about["kernel"] = result.kernel;
  about["config"] = Json::parse(et::to_json(result.config));
  if (o.out.ends_with(".npz")) {
    std::vector<Array> arrays = result.arrays;
    const std::string text = about.dump();
    arrays.push_back({"about", "|S" + std::to_string(text.size()), {}, text});
    write_output(o.out, to_npz(arrays));
  } else {
    about["arrays"] = to_json(result.arrays);
    write_output(o.out, about.dump(1) + "\n");
  }
}

std::string summary(const Options& o, const wl::Graph& graph, const study::ForwardResult& result) {
  auto s = [](auto x) { return std::to_string(x); };
  std::string shapes;
  for (const Array& array : result.arrays) {
    shapes += "  " + array.name;
    for (std::size_t k = 0; k < array.shape.size(); ++k) shapes += (k ? " x " : " ") + s(array.shape[k]);
  }
  return "graph     " + s(graph.order()) + " nodes, " + s(graph.size()) + " edges\nmodel     " +
         s(result.config.layers) + " layers, width " + s(result.config.width) + ", " + s(result.config.heads) +
         " heads, " + std::string(et::name_of(result.config.dtype)) + ", " + s(result.parameters) +
         " parameters, seed " + s(result.seed) + "\nkernel    " + result.kernel + ", " + s(result.rows) +
         (o.request.quotient ? " colours, " : " pairs, ") + fixed(result.seconds, 3) + " s\nwritten   " + o.out + ":" +
         shapes + "\n";
}

int run(Options& o, const Context& context) {
  if (!o.request.weights.empty() && (!o.config.empty() || o.seed))
    throw UsageError("--config and --seed: a weights file brings its own");
  if (!o.out.ends_with(".npz") && !o.out.ends_with(".json") && o.out != "-")
    throw UsageError("--out: a file that ends in .npz or .json, or - for JSON on standard output");
  check_outputs({o.out, o.save});
  o.request.seed = o.seed.value_or(1);
  o.request.keep_weights = !o.save.empty();
  if (!o.dtype.empty()) o.request.dtype = et::choice_named<et::Dtype>(o.dtype);
  const wl::Graph graph = wl::graph_argument(o.graph, o.read);
  if (graph.order() == 0) throw GraphError(o.graph + ": the graph has no nodes");
  o.request.config = et::load_config(o.config.empty() ? "paper" : o.config);
  const study::ForwardResult result = study::torch().forward(graph, o.request);
  write_arrays(o, result, context);
  if (!o.save.empty()) write_output(o.save, result.weights);
  if (o.out != "-") print(summary(o, graph, result) + context.signature());
  return kOk;
}

}  // namespace

Command et_forward_command(const Context& context) {
  auto o = std::make_shared<Options>();
  o->request.threads = default_threads();
  Command command{
      .name = "et forward",
      .summary = "Embeddings of a graph by an Edge Transformer",
      .positionals = {{"GRAPH", "", "a file, FILE#3, -, a name (K4, C5) or graph6", text(o->graph), Option::Required}},
      .options = {{"--config", "NAME",
                   join(et::preset_names()) + " or a JSON file with fields that differ (default: paper)",
                   non_empty(o->config)},
                  {"--weights", "FILE", "what --save-weights wrote; brings its configuration and seed",
                   non_empty(o->request.weights)},
                  {"--save-weights", "FILE", "write the weights that were used", non_empty(o->save)},
                  {"--seed", "S", "of fresh weights (default: 1)", number<std::uint64_t>(o->seed)},
                  {"--out", "FILE", "FILE.npz, FILE.json, or - for JSON (default)", non_empty(o->out)},
                  {"--kernel", "NAME", "as listed by `leman et info` (default: $LEMAN_KERNEL, or the best)",
                   non_empty(o->request.kernel)},
                  {"--dtype", "TYPE", join(et::choice_names<et::Dtype>()) + " (default: the configuration's)",
                   choice(o->dtype, et::choice_names<et::Dtype>())},
                  {"--quotient", "", "evaluate on the 2-FWL colours: equal colours get equal bits",
                   flag(o->request.quotient)},
                  {"--layers", "", "write the tokens after every layer, too", flag(o->request.layers)},
                  threads_option(o->request.threads)},
      .footer = "Arrays: pairs [n,n,d], nodes [n,d], graph [k], edges [m,2], edge_embeddings [m,d].\n",
      .examples = {"leman et forward C6 --config brec --out c6.npz",
                   "leman et forward big.g6#3 --dtype float64 --quotient --layers --out x.npz",
                   "python3 -c \"import numpy; print(numpy.load('c6.npz')['graph'])\""},
      .run = [o, &context] { return run(*o, context); }};
  add(command, read_options(o->read));
  return command;
}

}  // namespace leman::cli
