// `leman report`: from nothing, or from run stores, to a page that can be read.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>

#include "brec/store.hpp"
#include "cli/agree_study.hpp"
#include "cli/brec_study.hpp"
#include "cli/brec_table.hpp"
#include "cli/claims.hpp"
#include "cli/interrupt.hpp"
#include "cli/pair_table.hpp"
#include "cli/torch_api.hpp"
#include "reports/document.hpp"

namespace leman::cli {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> stores;
  std::string out = "out/report", brec;
  bool builtin = false, full = false;
  std::uint64_t seed = 1;
  unsigned threads = default_threads();
};

struct Interrupted {};

// How much is run where no store is given.
struct Plan {
  std::string published_pairs;  // empty: every eighth pair of at most `published_order` nodes
  wl::Node published_order = 40;
  std::size_t agreement_graphs = 728;
  bool sound = false, baselines = false;
  std::vector<std::uint32_t> kernel_orders{10, 20, 40, 70, 100, 200};
};

Plan plan_of(bool full) {
  Plan plan;
  if (!full) return plan;
  plan.published_pairs = "0-399";
  plan.agreement_graphs = 10'000;
  plan.sound = plan.baselines = true;
  plan.kernel_orders.push_back(400);
  return plan;
}

std::vector<int> published_sample(const Plan& plan, const brec::PairSet& set) {
  if (!plan.published_pairs.empty()) return number_list(plan.published_pairs, brec::kPairs);
  std::vector<int> ids;
  int count = 0;
  for (const brec::Pair& pair : set.pairs)
    if (pair.first.order() <= plan.published_order && count++ % 8 == 0) ids.push_back(pair.id);
  return ids;
}

// One job end to end; every part goes to a store under DIR/stores, so that a second
// call does only what is missing.
class Job {
 public:
  Job(const Options& o, const brec::PairSet& set, const Context& context)
      : o_(o), set_(set), context_(context), plan_(plan_of(o.full)), directory_(fs::path(o.out) / "stores") {
    std::error_code error;
    fs::create_directories(directory_, error);
    if (error) throw OutputError(directory_.string() + ": " + error.message());
  }

  std::vector<std::string> run() {
    model("et", brec::Protocol::Exact, all_pairs(), {"1wl", "2wl", "3wl", "2fwl", "3fwl"});
    model("et", brec::Protocol::Published, published_sample(plan_, set_), {"2fwl"});
    if (plan_.sound) model("et", brec::Protocol::Sound, all_pairs(), {"2fwl"});
    if (plan_.baselines)
      for (const char* name : {"gin", "ppgn"})
        model(name, brec::Protocol::Published, published_sample(plan_, set_), {"1wl", "2fwl"});
    agreement();
    brec::Store store(stores_[0]);
    claims(store);
    kernels(store);
    return stores_;
  }

 private:
  std::vector<int> all_pairs() const { return number_list("0-399", brec::kPairs); }

  // Seconds add up over interrupted calls; what is in the store takes none.
  template <class Work>
  void step(brec::Store& store, const std::string& name, const std::string& command, Work work) {
    std::cerr << "leman: " << name << '\n';
    double seconds = 0;
    for (const brec::Record& r : store.records("step"))
      if (r.key == name) seconds = Json::parse(r.value)["seconds"];
    const auto start = std::chrono::steady_clock::now();
    const bool worked = work();
    if (worked || seconds == 0) {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      store.put({"step", name, Json{{"name", name}, {"command", command}, {"seconds", seconds}}.dump()});
    }
    if (InterruptGuard::stop()) throw Interrupted{};
  }

  void model(const std::string& name, brec::Protocol protocol, const std::vector<int>& ids,
             const std::vector<std::string>& engines) {
    const std::string title(brec::protocol_name(protocol));
    const std::string file = (directory_ / (name + "-" + title + ".sqlite")).string();
    ModelStudy study;
    study.settings = brec::settings_for(protocol, name);
    study.first_seed = o_.seed, study.ids = ids, study.engines = engines, study.threads = o_.threads;
    study.store = file;
    std::string command = "leman brec --model " + name + " --protocol " + title + " --seed " + std::to_string(o_.seed);
    if (ids.size() < brec::kPairs) {
      command += " --pairs ";
      for (std::size_t k = 0; k < ids.size(); ++k) command += (k ? "," : "") + std::to_string(ids[k]);
    }
    brec::Store store(file, {brec::describe(study.settings), set_.source, brec::pair_digest(set_), command});
    stores_.push_back(file);
    std::string by_hand = command + "; leman brec --engine ";
    for (std::size_t k = 0; k < engines.size(); ++k) by_hand += (k ? "," : "") + engines[k];
    step(store, name + ", protocol " + title + ", " + std::to_string(ids.size()) + " pairs, and exact engines", by_hand,
         [&] {
           const std::size_t before = store.runs().size();
           const Filled filled = fill_store(study, set_, store, context_);
           if (!filled.failed.empty()) throw std::runtime_error(filled.failed[0]);
           return store.runs().size() > before;
         });
  }

  void agreement() {
    AgreeStudy study;
    study.seed = o_.seed, study.threads = o_.threads, study.colors = 2;
    std::vector<std::string> families;
    for (const auto& family : proofs::random_families()) families.push_back(family.name);
    for (const proofs::Chunk& chunk : proofs::sample_chunks(families, 5, 30, plan_.agreement_graphs, true))
      study.sample.push_back({chunk, {}});
    for (const char* dtype : {"float32", "float64"}) {
      et::Config config = et::load_config("paper");
      config.dtype = dtype, config.node_colors = 2;
      study.models.push_back(config);
    }
    study.source = std::to_string(plan_.agreement_graphs) + " random graphs of orders 5-30";
    const std::string command =
        "leman agree --graphs " + std::to_string(plan_.agreement_graphs) + " --seed " + std::to_string(o_.seed);
    const std::string file = (directory_ / "agreement.sqlite").string();
    brec::Store store(file, {describe(study), study.source, "", command});
    stores_.push_back(file);
    step(store, "agreement with 2-FWL on " + study.source, command, [&] {
      const std::size_t before = store.records("agreement-chunk").size();
      run_agreement(study, store);
      return store.records("agreement-chunk").size() > before;
    });
  }

  void claims(brec::Store& store) {
    step(store, "claims of the paper", "leman claims", [&] {
      const auto known = store.records("claim");
      if (!known.empty() && Json::parse(known[0].value)["commit"] == context_.commit) return false;
      for (Json& claim : run_claims("", set_)) {
        claim["commit"] = context_.commit;
        store.put({"claim", claim["id"], claim.dump()});
      }
      return true;
    });
  }

  void kernels(brec::Store& store) {
    step(store, "kernel speed", "leman bench et", [&] {
      if (!store.records("kernel").empty()) return false;
      for (const bench::KernelTime& t : torch_api().kernel_times(plan_.kernel_orders))
        store.put({"kernel", std::to_string(t.n),
                   Json{{"n", t.n},
                        {"kernel", t.kernel},
                        {"seconds", t.seconds},
                        {"plain_seconds", t.plain_seconds > 0 ? Json(t.plain_seconds) : Json(nullptr)},
                        {"megabytes", t.bytes / 1048576},
                        {"plain_megabytes", t.plain_bytes / 1048576}}
                       .dump()});
      return true;
    });
  }

  const Options& o_;
  const brec::PairSet& set_;
  const Context& context_;
  Plan plan_;
  fs::path directory_;
  std::vector<std::string> stores_;
};

std::string machine(unsigned threads) {
  return processor() + ", " + std::to_string(default_threads()) + " processors, " + std::to_string(threads) +
         " threads, g++ " __VERSION__;
}

std::string summary_table(const reports::Json& doc) {
  Table table({"", ">Basic", ">Regular", ">Extension", ">CFI", ">all", ">pairs run", ">false positives"});
  for (const auto& row : doc["rows"]) {
    std::vector<std::string> cells{row["title"]};
    for (const char* name : {"Basic", "Regular", "Extension", "CFI", "all"}) {
      char text[32];
      const auto& count = row["counts"][name];
      std::snprintf(text, sizeof text, "%g", count["distinguished"].get<double>());
      cells.push_back(count["run"] == 0 ? "-" : text);
    }
    cells.push_back(row["counts"]["all"]["run"].dump());
    cells.push_back(row["false_positives"].is_null() ? "" : row["false_positives"].dump());
    table.row(cells);
  }
  return table.text();
}

// The pairs that the stores are about; they bring graphs and facts to the page.
const brec::PairSet* pairs_of(const Options& o, const std::vector<std::string>& stores, brec::PairSet& set) {
  for (const bool builtin : {false, true}) {
    if (!builtin && o.builtin) continue;
    const auto found = brec::find_brec(o.brec);
    if (!builtin && !found) continue;
    set = builtin ? brec::builtin_pairs() : brec::read_brec(*found);
    for (const std::string& file : stores)
      if (brec::Store(file).study().pairs == brec::pair_digest(set)) return &set;
  }
  return nullptr;
}

void write_report(const Options& o, const std::vector<std::string>& stores, const brec::PairSet* set,
                  const Context& context) {
  reports::Input input{context.version, context.commit, context.command, machine(o.threads), stores, set, {},
                       o.threads};
  if (const auto found = brec::find_brec(o.brec); found && !o.builtin)
    for (const PublishedRow& row : published_rows(found->string())) input.published.push_back({row.model, row.counts});
  const reports::Json doc = reports::build_document(input);
  std::error_code error;
  fs::create_directories(o.out, error);
  if (error) throw OutputError(o.out + ": " + error.message());
  for (const reports::File& file : reports::render(doc)) write_file((fs::path(o.out) / file.name).string(), file.text);
  std::string text;
  for (const auto& sentence : doc["verdict"]) text += sentence.get<std::string>() + "\n";
  if (!set) std::cerr << "leman: the pairs of these stores are not at hand (--brec DIR): the page has no drawings\n";
  write_file("-", summary_table(doc) + "\n" + text + "\n" + (fs::path(o.out) / "index.html").string() + "\n");
}

int run(const Options& o, const Context& context) {
  try {
    if (!o.stores.empty()) {
      if (o.full) throw UsageError("--full is for a report without stores");
      brec::PairSet set;
      const brec::PairSet* found = pairs_of(o, o.stores, set);
      write_report(o, o.stores, found, context);
      return kOk;
    }
    const brec::PairSet set = load_pairs(o.brec, o.builtin);
    InterruptGuard guard;
    write_report(o, Job(o, set, context).run(), &set, context);
    return kOk;
  } catch (const Interrupted&) {
    std::cerr << "leman: interrupted; the same command goes on from " << o.out << "/stores\n";
    return kInterrupted;
  } catch (const brec::StoreWriteError& e) {
    throw OutputError(e.what());
  }
}

}  // namespace

Command report_command(const Context& context) {
  auto o = std::make_shared<Options>();
  return {
      .name = "report",
      .summary = "The expressivity report: a page, JSON, CSV and LaTeX",
      .positionals = {{"STORE", "", "run stores of `leman brec` and `leman agree`; none: run the main job first",
                       append(o->stores), Option::Repeated}},
      .options = {{"--out", "DIR", "where to write (default: out/report)", non_empty(o->out)},
                  {"--full", "", "run everything: hours instead of minutes", flag(o->full)},
                  {"--seed", "S", "of weights, relabellings and graphs (default: 1)", number<std::uint64_t>(o->seed)},
                  {"--brec", "DIR", "directory with BREC's g6 files (default: $LEMAN_BREC, ../shared/brec)",
                   text(o->brec)},
                  {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(o->builtin)},
                  threads_option(o->threads)},
      .footer =
          "Without stores: exact engines and the Edge Transformer in protocol exact on all pairs, published on a "
          "sample,\n"
          "agreement on random graphs, the claims of the paper, kernel speed; all of it kept in DIR/stores, so that\n"
          "a second call does only what is missing.\n\n"
          "Examples:\n"
          "  leman report\n"
          "  leman report exact.sqlite published.sqlite agree.sqlite --out paper/report\n"
          "  leman report --builtin --seed 7 --out out/builtin",
      .run = [o, &context] { return run(*o, context); }};
}

}  // namespace leman::cli
