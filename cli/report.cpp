// `leman report`: from nothing, or from run stores, to a page that can be read.
#include <filesystem>

#include "cli/interrupt.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "reports/render.hpp"
#include "study/report_plan.hpp"
#include "study/store.hpp"

namespace leman::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> stores;
  std::string out = "out/report", title;
  brec::SuiteRequest suite;
  bool full = false;
  std::uint64_t seed = 1;
  unsigned threads = default_threads();
};

// The pairs that the stores are about; they bring graphs and facts to the page. None: not at hand.
std::optional<brec::PairSet> pairs_of(const Options& o) {
  std::vector<study::Study> studies;
  std::vector<brec::SuiteRequest> requests{o.suite, {"", "", true}};
  for (const std::string& file : o.stores) {
    studies.push_back(study::Store(file).study());
    const std::string& path = studies.back().path;
    if (!path.empty() && fs::exists(path)) requests.insert(requests.begin(), {path, "", false});
  }
  for (const brec::SuiteRequest& request : requests) {
    brec::PairSet set = brec::load_suite(request);
    for (const study::Study& study : studies)
      if (study::same_pairs(study, set)) return set;
  }
  return std::nullopt;
}

void write_report(const Options& o, const std::vector<std::string>& stores, const brec::PairSet* set,
                  const Context& context) {
  reports::Input input;
  input.command = context.command, input.title = o.title;
  input.machine = study::this_machine(o.threads);
  input.stores = stores, input.pairs = set, input.threads = o.threads;
  if (set) input.published = brec::published_rows(*set);
  const reports::Document document = reports::build_document(input);
  make_directories(o.out);
  for (const reports::File& file : reports::render(document))
    write_output((fs::path(o.out) / file.name).string(), file.text);
  if (!set) say("the pairs of these stores are not at hand (--brec PATH, --pairs FILE): the page has no drawings");
  std::string text = reports::summary_text(document) + "\n";
  for (const std::string& sentence : document.verdict) text += sentence + "\n";
  print(text + "\n" + (fs::path(o.out) / "index.html").string() + "\n");
}

int run(const Options& o, const Context& context) {
  if (!o.stores.empty()) {
    if (o.full) throw UsageError("--full is for a report without stores");
    const std::optional<brec::PairSet> set = pairs_of(o);
    write_report(o, o.stores, set ? &*set : nullptr, context);
    return kOk;
  }
  const brec::PairSet set = load_pairs(o.suite);
  const InterruptGuard guard;
  Progress progress;
  const study::PlanResult result = study::run_plan({(fs::path(o.out) / "stores").string(), o.full, o.seed, o.threads},
                                                   set, {progress, InterruptGuard::stop()});
  if (!result.complete) {
    say("interrupted; the same command goes on from " + o.out + "/stores");
    return kInterrupted;
  }
  write_report(o, result.stores, &set, context);
  return kOk;
}

}  // namespace

Command report_command(const Context& context) {
  auto o = std::make_shared<Options>();
  Command command{
      .name = "report",
      .summary = "The expressivity report: a page, JSON, CSV and LaTeX",
      .positionals = {{"STORE", "", "run stores of `leman brec`, `agree` and `dataset`; none: run the main job first",
                       append(o->stores), Option::Repeated}},
      .options = {{"--out", "DIR", "where to write (default: out/report)", non_empty(o->out)},
                  {"--title", "TEXT", "what the page is called", non_empty(o->title)},
                  {"--pairs", "FILE", "pairs of your own: a file or directory", non_empty(o->suite.own)},
                  {"--full", "", "run everything: hours instead of minutes", flag(o->full)},
                  {"--seed", "S", "of weights, relabellings and graphs (default: 1)", number<std::uint64_t>(o->seed)},
                  threads_option(o->threads)},
      .footer =
          "Without stores: exact engines and the Edge Transformer in protocol exact on all pairs, published on a\n"
          "sample, agreement on random graphs, the claims of the paper, kernel speed; all of it kept in\n"
          "DIR/stores, so that a second call does only what is missing. With --pairs: exact engines and the Edge\n"
          "Transformer in protocols exact and sound on these pairs, and its agreement with 2-FWL on their graphs.\n",
      .examples = {"leman report", "leman report exact.sqlite published.sqlite agree.sqlite --out paper/report",
                   "leman report --builtin --seed 7 --out out/builtin",
                   "leman report --pairs mine.csv --title 'my pairs' --out out/mine"},
      .run = [o, &context] { return run(*o, context); }};
  add(command, suite_options(o->suite));
  return command;
}

}  // namespace leman::cli
