#include <memory>

#include "bench/wl_bench.hpp"
#include "cli/common.hpp"
#include "cli/torch_api.hpp"

namespace leman::cli {

namespace {

struct Options {
  std::string what, brec;
  std::vector<int> orders;
  bool quick = false;
};

int run(const Options& options, const Context& context) {
  Output out;
  auto print = [&](const std::string& line) {
    out.write(line + "\n");
    out.flush();
  };
  print("# " + context.about() + ", " + processor() +
        ", g++ " __VERSION__ ", one thread, CPU seconds: " + context.command);
  if (options.what == "wl") {
    if (!options.orders.empty()) throw UsageError("--n is for `bench et`");
    return bench::bench_wl(options.quick, options.brec, print) ? kOk : kBug;
  }
  print("# LibTorch " + torch_api().version() + ", kernel " + torch_api().kernel(""));
  return torch_api().bench(options.orders, options.quick, options.brec, print) ? kOk : kBug;
}

}  // namespace

Command bench_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "bench",
      .summary = "Measure speed, each case verified before it is timed",
      .positionals = {{"WHAT", "", "wl: the exact engines; et: triangular attention", choice(o->what, {"wl", "et"}),
                       Option::Required}},
      .options = {{"--n", "N", "et: only this order (may be repeated)",
                   [o](const std::string& word) { o->orders.push_back(parse_number<int>(word, 1, 2000)); }},
                  {"--quick", "", "smaller cases, seconds instead of minutes", flag(o->quick)},
                  {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                   text(o->brec)}},
      .footer =
          "A line a case: our time (range), baseline and its time, ratio; above 1 is faster.\n\n"
          "Examples:\n  leman bench wl --quick\n  leman bench et --n 100\n  LEMAN_KERNEL=avx2 leman bench et --quick",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
