#include <memory>

#include "bench/et_bench.hpp"
#include "bench/wl_bench.hpp"
#include "cli/common.hpp"
#include "cli/torch_api.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string what;
  bench::EtRequest request;
};

int run(const Options& options, const Context& context) {
  Output out;
  auto print = [&](const std::string& line) {
    out.write(line + "\n");
    out.flush();
  };
  const std::string kernel = options.what == "et" ? torch_api().kernel(options.request.kernel) : "";
  print("# " + context.about() + ", " + processor() + ", g++ " __VERSION__ ", one thread, " +
        (kernel == "cuda" ? "" : "CPU ") + "seconds: " + context.command);
  if (options.what == "wl") {
    if (!options.request.orders.empty() || !options.request.kernel.empty())
      throw UsageError("--n and --kernel are for `bench et`");
    return bench::bench_wl(options.request.quick, options.request.brec, print) ? kOk : kBug;
  }
  print("# LibTorch " + torch_api().version() + ", kernel " + kernel);
  if (kernel == "cuda") print("# cuda: " + torch_api().cuda());
  return torch_api().bench(options.request, print) ? kOk : kBug;
}

}  // namespace

Command bench_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {.name = "bench",
          .summary = "Measure speed, each case verified before it is timed",
          .positionals = {{"WHAT", "", "wl: the exact engines; et: triangular attention", choice(o->what, {"wl", "et"}),
                           Option::Required}},
          .options = {{"--n", "N", "et: only this order (may be repeated)",
                       [o](const std::string& word) { o->request.orders.push_back(parse_number<int>(word, 1, 2000)); }},
                      {"--kernel", "NAME", "et: only this kernel; cuda needs a device (default: all, and memory)",
                       non_empty(o->request.kernel)},
                      {"--quick", "", "smaller cases, seconds instead of minutes", flag(o->request.quick)},
                      {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                       text(o->request.brec)}},
          .footer =
              "A line a case: our time (range), baseline and its time, ratio; above 1 is faster.\n\n"
              "Examples:\n  leman bench wl --quick\n  leman bench et --n 100\n  leman bench et --kernel avx2 --quick\n"
              "  leman bench et --kernel cuda --n 40 --n 100 --n 198 --n 700",
          .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
