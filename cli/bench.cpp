// `leman bench`: speed, each case verified before it is timed.
#include "base/cpu.hpp"
#include "bench/et_bench.hpp"
#include "bench/wl_bench.hpp"
#include "cli/common.hpp"
#include "study/torch.hpp"

namespace leman::cli {

namespace {

struct Printer {
  Output out;
  void operator()(const std::string& line) {
    out.write(line + "\n");
    out.flush();
  }
};

std::string header(const Context& context, const std::string& seconds) {
  return "# " + about() + ", " + processor_name() + ", " + compiler() + ", one thread, " + seconds +
         "seconds: " + context.command;
}

struct WlOptions {
  brec::SuiteRequest suite;
  bool quick = false;
};

int run_wl(const WlOptions& o, const Context& context) {
  Printer print;
  print(header(context, "CPU "));
  return bench::bench_wl(o.quick, o.suite, [&](const std::string& line) { print(line); }) ? kOk : kBug;
}

int run_et(const bench::EtRequest& request, const Context& context) {
  Printer print;
  const study::Torch& torch = study::torch();
  const std::string kernel = torch.kernel(request.kernel);
  print(header(context, kernel == "cuda" ? "" : "CPU "));
  print("# LibTorch " + torch.version() + ", kernel " + kernel);
  if (kernel == "cuda") print("# cuda: " + torch.cuda());
  return bench::load_et_bench()(request, [&](const std::string& line) { print(line); }) ? kOk : kBug;
}

const char* const kFooter = "One line per case: our time (range), baseline and its time, ratio; above 1 is faster.\n";

}  // namespace

Command bench_wl_command(const Context& context) {
  auto o = std::make_shared<WlOptions>();
  Command command{.name = "bench wl",
                  .summary = "Measure the speed of the exact engines",
                  .positionals = {},
                  .options = {{"--quick", "", "smaller cases, seconds instead of minutes", flag(o->quick)}},
                  .footer = kFooter,
                  .examples = {"leman bench wl --quick"},
                  .run = [o, &context] { return run_wl(*o, context); }};
  add(command, suite_options(o->suite));
  return command;
}

Command bench_et_command(const Context& context) {
  auto o = std::make_shared<bench::EtRequest>();
  return {.name = "bench et",
          .summary = "Measure the speed of triangular attention",
          .positionals = {},
          .options = {{"--n", "N", "only this order (may be repeated)",
                       [o](const std::string& word) { o->orders.push_back(parse_number<int>(word, 1, 2000)); }},
                      {"--kernel", "NAME", "only this kernel; cuda needs a device (default: all, and memory)",
                       non_empty(o->kernel)},
                      {"--quick", "", "smaller cases, seconds instead of minutes", flag(o->quick)},
                      {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                       text(o->brec)}},
          .footer = kFooter,
          .examples = {"leman bench et --n 100", "leman bench et --kernel avx2 --quick",
                       "leman bench et --kernel cuda --n 40 --n 100 --n 198 --n 700"},
          .run = [o, &context] { return run_et(*o, context); }};
}

}  // namespace leman::cli
