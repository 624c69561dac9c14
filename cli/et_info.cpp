// `leman et info`: what an Edge Transformer costs, and what runs it here.
#include "base/text.hpp"
#include "cli/json.hpp"
#include "et/estimate.hpp"
#include "study/blas_core.hpp"
#include "study/torch.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string config = "paper", dtype, kernel;
  unsigned n = 0;
  bool json = false;
};

std::string costs_text(const et::Config& config, const std::vector<std::uint32_t>& orders) {
  Table table({">nodes", ">forward", ">training step", ">plain LibTorch", ">GFLOP forward", ">GFLOP backward"});
  for (std::uint32_t n : orders) {
    const et::Estimate e = et::estimate(config, {&n, 1});
    table.row({std::to_string(n), megabytes(e.forward_bytes), megabytes(e.training_bytes),
               megabytes(e.plain_forward_bytes), fixed(e.forward_flops * 1e-9, 3), fixed(e.backward_flops * 1e-9, 3)});
  }
  return table.text();
}

Json costs_json(const et::Config& config, const std::vector<std::uint32_t>& orders) {
  Json list = Json::array();
  for (std::uint32_t n : orders) {
    const et::Estimate e = et::estimate(config, {&n, 1});
    list.push_back({{"n", n},
                    {"forward_bytes", e.forward_bytes},
                    {"training_bytes", e.training_bytes},
                    {"plain_forward_bytes", e.plain_forward_bytes},
                    {"forward_flops", e.forward_flops},
                    {"backward_flops", e.backward_flops}});
  }
  return list;
}

int run(const Options& o, const Context& context) {
  const study::Torch& torch = study::torch();
  et::Config config = et::load_config(o.config);
  if (!o.dtype.empty()) config.dtype = et::choice_named<et::Dtype>(o.dtype);
  std::vector<std::uint32_t> orders{20, 50, 100, 198, 400, 700};
  if (o.n) orders = {o.n};
  const std::string blas = torch.blas().empty() ? "" : torch.blas() + " (" + study::blas_core_reason() + ")";
  const std::string kernel = torch.kernel(o.kernel);
  if (o.json) {
    Json json = record(context);
    json["libtorch"] = torch.version();
    if (!blas.empty()) json["blas"] = blas;
    json["kernels"] = torch.kernels();
    json["cuda"] = torch.cuda();
    json["kernel"] = kernel;
    json["config"] = Json::parse(et::to_json(config));
    json["parameters"] = et::parameter_count(config);
    json["orders"] = costs_json(config, orders);
    write_output("-", json.dump(1) + "\n");
    return kOk;
  }
  print("LibTorch    " + torch.version() + "\nBLAS        " + (blas.empty() ? "not OpenBLAS" : blas) +
        "\nkernels     " + join(torch.kernels(), " ") + " (used: " + kernel + ")\n            cuda: " + torch.cuda() +
        "\nmodel       " + o.config + ": " + std::to_string(config.layers) + " layers, width " +
        std::to_string(config.width) + ", " + std::to_string(config.heads) + " heads, " +
        std::string(et::name_of(config.dtype)) + "\nparameters  " + std::to_string(et::parameter_count(config)) +
        "\n\nOne graph, memory at most (estimates) and operations:\n\n" + costs_text(config, orders) + "\n" +
        context.signature());
  return kOk;
}

}  // namespace

Command et_info_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {.name = "et info",
          .summary = "Parameters, memory and operations of an Edge Transformer; kernels, BLAS",
          .positionals = {},
          .options = {{"--config", "NAME", join(et::preset_names()) + " or a JSON file (default: paper)",
                       non_empty(o->config)},
                      {"--dtype", "TYPE", join(et::choice_names<et::Dtype>()) + " (default: the configuration's)",
                       choice(o->dtype, et::choice_names<et::Dtype>())},
                      {"--kernel", "NAME", "check that this one can run here", non_empty(o->kernel)},
                      {"--n", "N", "for a graph of this order", number<unsigned>(o->n, 1, 100000)},
                      {"--json", "", "print JSON", flag(o->json)}},
          .footer = "",
          .examples = {"leman et info --config brec --n 198"},
          .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
