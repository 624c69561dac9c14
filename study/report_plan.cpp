#include "study/report_plan.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "brec/suites.hpp"
#include "study/agreement_study.hpp"
#include "study/claims_study.hpp"
#include "study/model_study.hpp"
#include "study/torch.hpp"

namespace leman::study {

namespace {

namespace fs = std::filesystem;

struct Interrupted {};

// How much is run.
struct Amount {
  wl::Node published_order = 40;  // every eighth pair of at most so many nodes; 0: all pairs
  std::size_t agreement_graphs = 728;
  bool sound = false, baselines = false;
  std::vector<std::uint32_t> kernel_orders{10, 20, 40, 70, 100, 200};
};

Amount amount_of(bool full) {
  if (!full) return {};
  return {0, 10'000, true, true, {10, 20, 40, 70, 100, 200, 400}};
}

std::vector<int> all_pairs(const brec::PairSet& set) {
  std::vector<int> ids;
  for (const brec::Pair& pair : set.pairs) ids.push_back(pair.id);
  return ids;
}

std::vector<int> published_sample(const Amount& amount, const brec::PairSet& set) {
  if (amount.published_order == 0) return all_pairs(set);
  std::vector<int> ids;
  int count = 0;
  for (const brec::Pair& pair : set.pairs)
    if (pair.first.order() <= amount.published_order && count++ % 8 == 0) ids.push_back(pair.id);
  return ids;
}

// The engines of the default table and those that models are set beside.
std::vector<const wl::Engine*> table_engines() {
  std::vector<const wl::Engine*> engines;
  for (const wl::Engine& engine : wl::engines())
    if (engine.standard || engine.ladder) engines.push_back(&engine);
  return engines;
}

std::string ids_text(const std::vector<int>& ids) {
  std::vector<std::string> words;
  for (const int id : ids) words.push_back(std::to_string(id));
  return join(words, ",");
}

class Job {
 public:
  Job(const ReportPlan& plan, const brec::PairSet& set, const Control& control)
      : plan_(plan), set_(set), control_(control), amount_(amount_of(plan.full)) {
    make_directories(plan.directory);
  }

  void run() {
    const auto bound = [](brec::ModelKind kind) { return brec::info(kind).bound; };
    const wl::Engine* two_fwl = bound(brec::ModelKind::Et);
    const bool own = set_.kind == brec::PairSet::Kind::Own;  // then BREC and the paper are not what it is about
    model(brec::ModelKind::Et, brec::Protocol::Exact, all_pairs(set_), table_engines());
    if (!own) model(brec::ModelKind::Et, brec::Protocol::Published, published_sample(amount_, set_), {two_fwl});
    if (own || amount_.sound) model(brec::ModelKind::Et, brec::Protocol::Sound, all_pairs(set_), {two_fwl});
    if (amount_.baselines)
      for (const brec::ModelKind kind : {brec::ModelKind::Gin, brec::ModelKind::Ppgn})
        model(kind, brec::Protocol::Published, published_sample(amount_, set_), {bound(brec::ModelKind::Gin), two_fwl});
    agreement(own);
    if (own) return;
    Store store(stores_[0]);
    claims(store);
    kernels(store);
  }
  const std::vector<std::string>& stores() const { return stores_; }

 private:
  // Seconds add up over interrupted calls; what is in the store takes none.
  template <class Work>
  void step(Store& store, const std::string& name, const std::string& command, Work work) {
    control_.observer.note(name);
    double seconds = 0;
    for (const StepRecord& r : store.all<StepRecord>())
      if (r.name == name) seconds = r.seconds;
    const auto start = std::chrono::steady_clock::now();
    const bool worked = work();
    if (worked || seconds == 0) {
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      store.put(StepRecord{name, command, seconds});
    }
    if (control_.stop) throw Interrupted{};
  }

  std::string file(const std::string& name) {
    stores_.push_back((fs::path(plan_.directory) / (name + ".sqlite")).string());
    return stores_.back();
  }

  void model(brec::ModelKind kind, brec::Protocol protocol, const std::vector<int>& ids,
             const std::vector<const wl::Engine*>& engines) {
    const std::string name(brec::info(kind).name), title(brec::info(protocol).name);
    ModelStudy study;
    study.settings = brec::settings_for(protocol, kind);
    study.first_seed = plan_.seed, study.ids = ids, study.engines = engines, study.threads = plan_.threads;
    const std::string pairs = ids.size() < set_.pairs.size() ? " --pairs " + ids_text(ids) : all_ids();
    const std::string command = "leman brec --model " + name + " --protocol " + title + " --seed " +
                                std::to_string(plan_.seed) + pairs + " " + brec::suite_options(set_);
    std::vector<std::string> names;
    for (const wl::Engine* engine : engines) names.emplace_back(engine->name);
    const std::string by_hand =
        command + "; leman brec --engine " + join(names, ",") + pairs + " " + brec::suite_options(set_);
    Store store(file(name + "-" + title), describe(study, set_, command));
    step(store, name + ", protocol " + title + ", " + std::to_string(ids.size()) + " pairs, and exact engines", by_hand,
         [&] {
           const std::size_t before = store.model_rows().size();
           const Filled filled = fill_store(study, set_, store, control_);
           if (!filled.failed.empty()) throw ValueError(filled.failed[0]);
           return store.model_rows().size() > before;
         });
  }

  // Protocol published runs on fewer by default.
  std::string all_ids() const { return " --pairs 0-" + std::to_string(set_.pairs.size() - 1); }

  // Graphs, and the options of `leman agree` that mean them.
  std::string random_graphs(AgreementStudy& study) const {
    study.colors = 2;
    add_random_graphs(study, {}, 5, 30, amount_.agreement_graphs);
    study.source = std::to_string(amount_.agreement_graphs) + " random graphs of orders 5-30";
    return "--graphs " + std::to_string(amount_.agreement_graphs);
  }
  std::string graphs_of_pairs(AgreementStudy& study) const {
    add_pairs(study, set_, all_pairs(set_));
    return brec::suite_options(set_);
  }

  void agreement(const bool own) {
    AgreementStudy study;
    study.seed = plan_.seed, study.threads = plan_.threads;
    const std::string options = own ? graphs_of_pairs(study) : random_graphs(study);
    for (const et::Dtype dtype : {et::Dtype::Float32, et::Dtype::Float64}) {
      et::Config config = et::preset("paper");
      config.dtype = dtype, config.node_colors = std::max(config.node_colors, static_cast<int>(study.colors));
      study.models.push_back(config);
    }
    const std::string command = "leman agree " + options + " --seed " + std::to_string(plan_.seed);
    Store store(file("agreement"), describe(study, command));
    step(store, "agreement with 2-FWL on " + study.source, command,
         [&] { return run_agreement(study, store, control_).evaluated > 0; });
  }

  void claims(Store& store) {
    step(store, "claims of the paper", "leman claims " + brec::suite_options(set_), [&] {
      const auto known = store.all<ClaimRecord>();
      if (!known.empty() && known[0].commit == commit()) return false;
      for (const ClaimRecord& claim : run_claims("", set_, control_)) store.put(claim);
      return true;
    });
  }

  void kernels(Store& store) {
    step(store, "kernel speed", "leman bench et", [&] {
      if (!store.all<KernelTime>().empty()) return false;
      for (const KernelTime& time : torch().kernel_times(amount_.kernel_orders)) store.put(time);
      return true;
    });
  }

  const ReportPlan& plan_;
  const brec::PairSet& set_;
  const Control& control_;
  Amount amount_;
  std::vector<std::string> stores_;
};

}  // namespace

PlanResult run_plan(const ReportPlan& plan, const brec::PairSet& set, const Control& control) {
  Job job(plan, set, control);
  try {
    job.run();
    return {job.stores(), true};
  } catch (const Interrupted&) {
    return {job.stores(), false};
  }
}

}  // namespace leman::study
