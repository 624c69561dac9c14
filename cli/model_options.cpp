#include "cli/model_options.hpp"

#include "base/text.hpp"
#include "reports/model_table.hpp"

namespace leman::cli {

namespace {

// SQLite's integers end there.
constexpr std::uint64_t kLastSeed = std::numeric_limits<std::int64_t>::max();

// "2/5": the second of five parts.
std::pair<int, int> parse_shard(const std::string& text) {
  const auto words = split(text, '/');
  if (words.size() != 2) throw UsageError("--shard: \"" + text + "\" is not of the form i/k");
  try {
    const int shards = parse_number<int>(words[1], 1, 100000);
    return {parse_number<int>(words[0], 1, shards), shards};
  } catch (const UsageError& e) {
    throw UsageError(std::string("--shard: ") + e.what());
  }
}

brec::ModelKind kind_of(const ModelOptions& o) {
  if ((!o.model.empty()) + (!o.torchscript.empty()) + (!o.embeddings.empty()) > 1)
    throw UsageError("only one of --model, --torchscript and --embeddings makes sense");
  return !o.torchscript.empty()  ? brec::ModelKind::TorchScript
         : !o.embeddings.empty() ? brec::ModelKind::Embeddings
                                 : brec::model_named(o.model).kind;
}

brec::Settings settings_of(const ModelOptions& o, int pairs) {
  const brec::ModelKind kind = kind_of(o);
  const brec::ModelInfo& model = brec::info(kind);
  const brec::Protocol protocol =
      o.protocol.empty() ? brec::Protocol::Sound : brec::protocol_named(o.protocol).protocol;
  brec::Settings s = brec::settings_for(protocol, kind, pairs);
  s.file = o.torchscript + o.embeddings;
  if (!o.config.empty()) {
    if (kind != brec::ModelKind::Et) throw UsageError("--config is for --model et");
    s.config = et::load_config(o.config);
  }
  if (!model.trained && (o.epochs || o.rate)) throw UsageError("--epochs and --rate: nothing is trained");
  if (!o.weights_per.empty()) {
    if (!model.ours) throw UsageError("--weights-per: a model from a file has its own weights");
    s.weights_per = brec::weights_per_named(o.weights_per);
  }
  if (o.level && protocol != brec::Protocol::Sound) throw UsageError("--level is for --protocol sound");
  if (o.epochs) s.training.epochs = *o.epochs;
  if (o.rate) s.training.rate = *o.rate;
  if (o.level) s.level = *o.level / pairs;
  brec::check(s);
  return s;
}

}  // namespace

std::vector<Option> ModelOptions::options() {
  return {
      with_values({"--model", "NAME", "train and test on every pair: " + join(brec::our_model_names()),
                   choice(model, brec::our_model_names())},
                  brec::our_model_names()),
      {"--torchscript", "FILE", "a model of yours: adjacency matrices [graphs, n, n] in, embeddings out",
       non_empty(torchscript)},
      {"--embeddings", "DIR", "embeddings that another program made of what `brec export` wrote",
       non_empty(embeddings)},
      {"--name", "TEXT", "what the model is called in every output", non_empty(name)},
      with_values(
          {"--protocol", "NAME", "sound (default), exact (et on colours), published (BREC's own, quirks included)",
           choice(protocol, brec::protocol_names())},
          brec::protocol_names()),
      {"--config", "NAME", "shape of et: " + join(et::preset_names()) + " or a JSON file (default: the protocol's)",
       non_empty(config)},
      {"--epochs", "N", "of training at most (default: published 20, else 60)", number<int>(epochs, 0, 100000)},
      {"--rate", "R", "learning rate (default: 1e-4)", number<double>(rate, 0, 10)},
      {"--level", "P", "sound: chance of a false positive over all pairs (default: 0.05)",
       number<double>(level, 1e-12, 0.999)},
      {"--seed", "S", "of weights and relabellings (default: 1)", number<std::uint64_t>(seed, 0, kLastSeed)},
      {"--seeds", "K", "run K consecutive seeds starting at --seed; report the mean", number<int>(seeds, 1, 1000)},
      {"--weights-per", "WHAT", "draw initial weights per pair (default) or once per seed",
       choice(weights_per, {"pair", "seed"})},
      {"--store", "FILE", "keep every row in this SQLite file; the same call resumes", non_empty(store)},
      {"--jobs", "J", "pairs at a time (default: as many as threads)", number<unsigned>(jobs, 1, 1024)},
      {"--shard", "I/K", "only the I-th of K parts, each into a store of its own; see brec merge", non_empty(shard)}};
}

void ModelOptions::demand_none() const {
  for (const auto& [option, given] : {std::pair<const char*, bool>{"--name", !name.empty()},
                                      {"--protocol", !protocol.empty()},
                                      {"--config", !config.empty()},
                                      {"--epochs", epochs.has_value()},
                                      {"--rate", rate.has_value()},
                                      {"--level", level.has_value()},
                                      {"--seed", seed.has_value()},
                                      {"--seeds", seeds != 0},
                                      {"--weights-per", !weights_per.empty()},
                                      {"--store", !store.empty()},
                                      {"--jobs", jobs != 0},
                                      {"--shard", !shard.empty()}})
    if (given) throw UsageError(std::string(option) + " is not for engines; a model is asked for by e.g. --model et");
}

study::ModelStudy study_of(const ModelOptions& o, int pairs) {
  study::ModelStudy study;
  study.settings = settings_of(o, pairs);
  study.first_seed = o.seed.value_or(1);
  study.seeds = std::max(1, o.seeds);
  study.jobs = o.jobs;
  if (study.first_seed > kLastSeed - static_cast<std::uint64_t>(study.seeds - 1))
    throw UsageError("--seed and --seeds: beyond the last seed, " + std::to_string(kLastSeed));
  if (study.settings.model == brec::ModelKind::Embeddings && (o.seed || o.seeds))
    throw UsageError("--seed and --seeds: the directory has its own");
  if (!o.shard.empty()) std::tie(study.shard, study.shards) = parse_shard(o.shard);
  if (!o.shard.empty() && o.store.empty()) throw UsageError("--shard needs a --store for its rows");
  return study;
}

void write_model_result(const study::ModelResult& result, const std::string& json, const std::string& csv, bool wide,
                        const Context& context) {
  const study::ModelSummary summary(result);
  if (json != "-" && csv != "-") print(reports::model_text(summary, wide) + "\n" + context.signature());
  if (!json.empty()) write_output(json, reports::model_json(summary, context.command));
  if (!csv.empty()) write_output(csv, reports::model_csv(summary));
  const std::string bug = study::impossible(summary);
  if (!bug.empty()) throw BugError(bug);
}

}  // namespace leman::cli
