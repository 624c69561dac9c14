// `leman et`: embeddings of an Edge Transformer, and what it costs.
#include <cstring>
#include <memory>
#include <optional>

#include "cli/blas_core.hpp"
#include "cli/json.hpp"
#include "cli/npz.hpp"
#include "cli/torch_api.hpp"
#include "et/estimate.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string action, graph, config, out, save;
  ForwardRequest request;
  unsigned n = 0;
  std::optional<std::uint64_t> seed;
  bool json = false;
  wl::ReadOptions read;
};

std::string gigabytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, bytes < (1u << 30) ? "%.1f MB" : "%.2f GB",
                static_cast<double>(bytes) / (bytes < (1u << 30) ? 1048576.0 : 1073741824.0));
  return text;
}

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

Json model_record(const et::Config& config) { return Json::parse(et::to_json(config)); }

int forward(Options& o, const Context& context) {
  if (o.graph.empty()) throw UsageError("et forward: a graph is needed");
  if (!o.request.weights.empty() && (!o.config.empty() || o.seed))
    throw UsageError("--config and --seed: a weights file brings its own");
  if (o.n || o.json) throw UsageError("--n and --json are for `et info`");
  if (o.seed) o.request.seed = *o.seed;
  o.request.keep_weights = !o.save.empty();
  if (o.out.empty()) o.out = "-";
  const bool npz = o.out.ends_with(".npz");
  if (!npz && !o.out.ends_with(".json") && o.out != "-")
    throw UsageError("--out: a file that ends in .npz or .json, or - for JSON on standard output");
  const wl::Graph graph = graph_argument(o.graph, o.read);
  if (graph.order() == 0) throw wl::GraphError(o.graph + ": the graph has no nodes");
  o.request.config = et::load_config(o.config.empty() ? "paper" : o.config);
  const ForwardResult result = torch_api().forward(graph, o.request);
  Json about = record(context);
  about["seed"] = result.seed;
  about["kernel"] = result.kernel;
  about["config"] = model_record(result.config);
  if (npz) {
    auto arrays = result.arrays;
    const std::string text = about.dump();
    arrays.push_back({"about", "|S" + std::to_string(text.size()), {}, text});
    write_file(o.out, to_npz(arrays));
  } else {
    about["arrays"] = to_json(result.arrays);
    write_file(o.out, about.dump(1) + "\n");
  }
  if (!o.save.empty()) write_file(o.save, result.weights);
  if (o.out == "-") return kOk;
  std::string shapes;
  for (const Array& array : result.arrays) {
    shapes += "  " + array.name;
    for (std::size_t k = 0; k < array.shape.size(); ++k) shapes += (k ? " x " : " ") + std::to_string(array.shape[k]);
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f s", result.seconds);
  write_file("-", "graph     " + std::to_string(graph.order()) + " nodes, " + std::to_string(graph.size()) +
                      " edges\nmodel     " + std::to_string(result.config.layers) + " layers, width " +
                      std::to_string(result.config.width) + ", " + std::to_string(result.config.heads) + " heads, " +
                      result.config.dtype + ", " + std::to_string(result.parameters) + " parameters, seed " +
                      std::to_string(result.seed) + "\nkernel    " + result.kernel + ", " +
                      std::to_string(result.rows) + (o.request.quotient ? " colours, " : " pairs, ") + seconds +
                      "\nwritten   " + o.out + ":" + shapes + "\n" + context.about() + ": " + context.command + "\n");
  return kOk;
}

int info(const Options& o, const Context& context) {
  if (!o.graph.empty() || !o.out.empty() || !o.request.weights.empty() || !o.save.empty() || o.seed ||
      o.request.quotient || o.request.layers)
    throw UsageError("et info takes --config, --dtype, --kernel, --n and --json only");
  const TorchApi& torch = torch_api();
  const std::string name = o.config.empty() ? "paper" : o.config;
  et::Config config = et::load_config(name);
  if (!o.request.dtype.empty()) config.dtype = o.request.dtype;
  std::vector<std::uint32_t> orders{20, 50, 100, 198, 400, 700};
  if (o.n) orders = {o.n};
  Json json = record(context);
  json["libtorch"] = torch.version();
  if (!torch.blas().empty()) json["blas"] = torch.blas() + " (" + blas_core_reason() + ")";
  json["kernels"] = torch.kernels();
  json["cuda"] = torch.cuda();
  json["kernel"] = torch.kernel(o.request.kernel);
  json["config"] = model_record(config);
  json["parameters"] = et::parameter_count(config);
  Table table({">nodes", ">forward", ">training step", ">plain LibTorch", ">GFLOP forward", ">GFLOP backward"});
  for (std::uint32_t n : orders) {
    const et::Estimate e = et::estimate(config, {&n, 1});
    char flops[2][32];
    std::snprintf(flops[0], sizeof flops[0], "%.3f", e.forward_flops * 1e-9);
    std::snprintf(flops[1], sizeof flops[1], "%.3f", e.backward_flops * 1e-9);
    table.row({std::to_string(n), gigabytes(e.forward_bytes), gigabytes(e.training_bytes),
               gigabytes(e.plain_forward_bytes), flops[0], flops[1]});
    json["orders"].push_back({{"n", n},
                              {"forward_bytes", e.forward_bytes},
                              {"training_bytes", e.training_bytes},
                              {"plain_forward_bytes", e.plain_forward_bytes},
                              {"forward_flops", e.forward_flops},
                              {"backward_flops", e.backward_flops}});
  }
  if (o.json) {
    write_file("-", json.dump(1) + "\n");
    return kOk;
  }
  std::string kernels;
  for (const std::string& kernel : torch.kernels()) kernels += " " + kernel;
  write_file("-", "LibTorch    " + torch.version() + "\nBLAS        " + json.value("blas", "not OpenBLAS") +
                      "\nkernels    " + kernels + " (used: " + json["kernel"].get<std::string>() +
                      ")\n            cuda: " + torch.cuda() + "\nmodel       " + name + ": " +
                      std::to_string(config.layers) + " layers, width " + std::to_string(config.width) + ", " +
                      std::to_string(config.heads) + " heads, " + config.dtype + "\nparameters  " +
                      std::to_string(et::parameter_count(config)) +
                      "\n\nOne graph, memory at most (estimates) and operations:\n\n" + table.text() + "\n" +
                      context.about() + ": " + context.command + "\n");
  return kOk;
}

}  // namespace

Command et_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "et",
      .summary = "Edge Transformer: embeddings of a graph, and what they cost",
      .positionals = {{"ACTION", "", "forward: evaluate on a graph; info: parameters, memory, operations, kernels",
                       choice(o->action, {"forward", "info"}), Option::Required},
                      {"GRAPH", "", "forward: a file, FILE#3, -, a name (K4, C5) or graph6", text(o->graph)}},
      .options = {{"--config", "NAME", "paper (default), brec, zinc, or a JSON file with fields that differ",
                   non_empty(o->config)},
                  {"--weights", "FILE", "what `--save-weights` wrote; brings its configuration and seed",
                   non_empty(o->request.weights)},
                  {"--save-weights", "FILE", "write the weights that were used", non_empty(o->save)},
                  {"--seed", "S", "of fresh weights (default: 1)", number<std::uint64_t>(o->seed)},
                  {"--out", "FILE", "forward: FILE.npz, FILE.json, or - for JSON (default)", non_empty(o->out)},
                  {"--kernel", "NAME", "cuda, avx512, avx2, portable, reference (default: $LEMAN_KERNEL, or the best)",
                   non_empty(o->request.kernel)},
                  {"--dtype", "TYPE", "float32 or float64 (default: the configuration's)",
                   choice(o->request.dtype, {"float32", "float64"})},
                  {"--quotient", "", "evaluate on the 2-FWL colours: equal colours get equal bits",
                   flag(o->request.quotient)},
                  {"--layers", "", "write the tokens after every layer, too", flag(o->request.layers)},
                  threads_option(o->request.threads),
                  {"--n", "N", "info: for a graph of this order", number<unsigned>(o->n, 1, 100000)},
                  {"--json", "", "info: print JSON", flag(o->json)}},
      .footer =
          "Arrays: pairs [n,n,d], nodes [n,d], graph [k], edges [m,2], edge_embeddings [m,d].\n\n"
          "Examples:\n"
          "  leman et forward C6 --config brec --out c6.npz\n"
          "  leman et forward big.g6#3 --dtype float64 --quotient --layers --out x.npz\n"
          "  python3 -c \"import numpy; print(numpy.load('c6.npz')['graph'])\"\n"
          "  leman et info --config brec --n 198",
      .run = [o, &context] { return o->action == "forward" ? forward(*o, context) : info(*o, context); }};
  o->request.threads = default_threads();
  for (Option& option : read_options(o->read)) command.options.push_back(std::move(option));
  return command;
}

}  // namespace leman::cli
