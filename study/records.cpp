#include "study/records.hpp"

#include <cmath>

#include "base/cpu.hpp"
#include "base/parallel.hpp"
#include "base/version.hpp"
#include "study/json.hpp"

namespace leman::study {

namespace {

using proofs::Agreement;
using proofs::Counts;
using proofs::kPoolings;

// The members of a JSON object by name and type; what is wrong is an InputError.
class Reader {
 public:
  Reader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) throw InputError(where_, "is not an object");
  }
  const Json& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(where_, std::string("has no ") + key);
    return *found;
  }
  Reader object(const char* key) const { return {at(key), where_ + ", " + key}; }
  const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) wrong(key, "a list");
    return value;
  }
  std::string text(const char* key) const {
    if (!at(key).is_string()) wrong(key, "a text");
    return at(key).get<std::string>();
  }
  bool truth(const char* key) const {
    if (!at(key).is_boolean()) wrong(key, "true or false");
    return at(key).get<bool>();
  }
  std::uint64_t count(const char* key) const {
    if (!at(key).is_number_integer() || at(key) < 0) wrong(key, "a number from 0 on");
    return at(key).get<std::uint64_t>();
  }
  // Of those that `whole` counts.
  std::uint64_t part(const char* key, const char* whole) const {
    constexpr std::uint64_t kMost = 1'000'000'000'000;  // sums of counts fit
    if (count(whole) > kMost) wrong(whole, "a number of graphs, pairs or tokens");
    if (count(key) > count(whole)) wrong(key, (std::string("at most ") + whole).c_str());
    return count(key);
  }
  int small(const char* key) const {
    const std::uint64_t value = count(key);
    if (value > 1'000'000'000) wrong(key, "a small number");
    return static_cast<int>(value);
  }
  double real(const char* key) const {
    if (!at(key).is_number()) wrong(key, "a number");
    return at(key).get<double>();
  }
  std::optional<double> real_or_null(const char* key) const {
    if (at(key).is_null()) return {};
    return real(key);
  }
  std::vector<double> reals(const char* key) const {
    std::vector<double> values;
    for (const Json& value : list(key)) {
      if (!value.is_number()) wrong(key, "a list of numbers");
      values.push_back(value.get<double>());
    }
    return values;
  }
  const Json& json() const { return json_; }
  const std::string& where() const { return where_; }

 private:
  [[noreturn]] void wrong(const char* key, const char* what) const {
    throw InputError(where_, std::string(key) + " is not " + what);
  }
  const Json& json_;
  std::string where_;
};

Counts counts_from(const Reader& r) {
  Counts c{
      r.count("compared"), r.part("agree", "compared"), r.part("coarser", "compared"), r.part("finer", "compared"), {}};
  c.gap.within = r.real("largest_within");
  if (const auto between = r.real_or_null("smallest_between")) c.gap.between = *between;
  return c;
}

std::vector<Counts> counts_list(const Reader& r, const char* key) {
  std::vector<Counts> result;
  for (const Json& each : r.list(key)) result.push_back(counts_from({each, r.where() + ", " + key}));
  return result;
}

Json to_json(const proofs::Disagreement& e) {
  return {{"what", e.what},           {"kind", e.kind},      {"layer", e.layer < 0 ? Json("stable") : Json(e.layer)},
          {"graphs", e.graphs},       {"reason", e.reason},  {"distance", e.distance},
          {"tolerance", e.tolerance}, {"smaller", e.smaller}};
}

proofs::Disagreement disagreement_from(const Reader& r) {
  return {r.text("what"),      r.text("kind"),   r.at("layer").is_number() ? r.small("layer") : -1,
          r.text("graphs"),    r.text("reason"), r.real("distance"),
          r.real("tolerance"), r.text("smaller")};
}

Agreement agreement_from(const Reader& r) {
  Agreement a;
  a.graphs = r.count("graphs"), a.agree = r.part("agree", "graphs"), a.most_rounds = r.small("most_rounds");
  a.stable = counts_from(r.object("stable"));
  a.tokens = counts_list(r, "tokens");
  const Reader poolings = r.object("poolings");
  for (std::size_t p = 0; p < kPoolings.size(); ++p) {
    const Reader pooling = poolings.object(proofs::pooling_name(kPoolings[p]).c_str());
    a.poolings[p] = counts_list(pooling, "layers");
    a.stable_poolings[p] = counts_from(pooling.object("stable"));
  }
  const Reader reasons = r.object("disagreements");
  for (const auto& [key, count] : reasons.json().items()) a.reasons[key] = reasons.count(key.c_str());
  for (const Json& e : r.list("examples")) a.examples.push_back(disagreement_from({e, r.where() + ", examples"}));
  return a;
}

}  // namespace

Json number_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Pairs of graphs are not independent: they get no interval.
Json to_json(const Counts& c, bool independent) {
  const auto interval = proofs::confidence_interval(c.agree, c.compared);
  return {{"compared", c.compared},
          {"agree", c.agree},
          {"coarser", c.coarser},
          {"finer", c.finer},
          {"interval", independent ? Json{interval.low, interval.high} : Json(nullptr)},
          {"largest_within", number_or_null(c.gap.within)},
          {"smallest_between", number_or_null(c.gap.between)}};
}

Json to_json(const Agreement& a) {
  const auto interval = proofs::confidence_interval(a.agree, a.graphs);
  Json j{{"graphs", a.graphs},
         {"agree", a.agree},
         {"interval", {interval.low, interval.high}},
         {"most_rounds", a.most_rounds},
         {"stable", to_json(a.stable)},
         {"tokens", Json::array()},
         {"poolings", Json::object()},
         {"disagreements", Json::object()},
         {"examples", Json::array()}};
  for (const auto& [key, count] : a.reasons) j["disagreements"][key] = count;
  for (const Counts& c : a.tokens) j["tokens"].push_back(to_json(c));
  for (std::size_t p = 0; p < kPoolings.size(); ++p) {
    Json& list = j["poolings"][proofs::pooling_name(kPoolings[p])];
    list["layers"] = Json::array();
    for (const Counts& c : a.poolings[p]) list["layers"].push_back(to_json(c, false));
    list["stable"] = to_json(a.stable_poolings[p], false);
  }
  for (const auto& e : a.examples) j["examples"].push_back(to_json(e));
  return j;
}

Json to_json(const AgreementChunk& record) { return to_json(record.result); }

void from_json(const Json& json, const std::string& where, AgreementChunk& record) {
  record.result = agreement_from({json, where});
}

Json to_json(const AgreementRecord& r) {
  Json json{{"model", r.model},
            {"source", r.source},
            {"dtype", et::name_of(r.config.dtype)},
            {"layers", r.config.layers},
            {"width", r.config.width},
            {"seed", r.seed},
            {"steps_of_training", r.steps},
            {"weights", r.weights}};
  if (r.training_loss) json["training_loss"] = {r.training_loss->first, r.training_loss->second};
  json["tolerance"]["tokens"] = r.tolerance.tokens;
  for (std::size_t p = 0; p < kPoolings.size(); ++p)
    json["tolerance"][proofs::pooling_name(kPoolings[p])] = r.tolerance.poolings[p];
  json["rows"] = Json::array();
  for (const auto& each : r.rows) {
    Json row{{"family", each.family}, {"coloured", each.colored}};
    row.update(to_json(each.result));
    json["rows"].push_back(row);
  }
  json["all"] = to_json(r.all);
  json["config"] = Json::parse(et::to_json(r.config));
  return json;
}

void from_json(const Json& json, const std::string& where, AgreementRecord& record) {
  const Reader r(json, where);
  record.model = r.text("model"), record.source = r.text("source");
  record.seed = r.count("seed"), record.steps = r.small("steps_of_training"), record.weights = r.text("weights");
  if (json.contains("training_loss")) {
    const auto losses = r.reals("training_loss");
    if (losses.size() != 2) throw InputError(where, "training_loss is not two numbers");
    record.training_loss = {losses[0], losses[1]};
  }
  const Reader tolerance = r.object("tolerance");
  record.tolerance.tokens = tolerance.reals("tokens");
  for (std::size_t p = 0; p < kPoolings.size(); ++p)
    record.tolerance.poolings[p] = tolerance.reals(proofs::pooling_name(kPoolings[p]).c_str());
  for (const Json& each : r.list("rows")) {
    const Reader row(each, where + ", rows");
    record.rows.push_back({row.text("family"), row.truth("coloured"), agreement_from(row)});
  }
  record.all = agreement_from(r.object("all"));
  if (record.tolerance.tokens.size() < record.all.tokens.size())
    throw InputError(where, "has fewer tolerances than layers");
  record.config = et::config_from_json(r.at("config").dump(), where + ", config");
}

Json to_json(const ClaimRecord& r) {
  Json json{{"id", r.id},           {"where", r.where},       {"statement", r.statement},    {"command", r.command},
            {"verdict", r.verdict}, {"evidence", r.evidence}, {"as_expected", r.as_expected}};
  if (!r.commit.empty()) json["commit"] = r.commit;
  return json;
}

void from_json(const Json& json, const std::string& where, ClaimRecord& record) {
  const Reader r(json, where);
  record = {
      r.text("id"),      r.text("where"),    r.text("statement"),    r.text("command"),
      r.text("verdict"), r.text("evidence"), r.truth("as_expected"), json.contains("commit") ? r.text("commit") : ""};
}

Json to_json(const KernelTime& r) {
  return {{"n", r.n},
          {"kernel", r.kernel},
          {"seconds", r.seconds},
          {"plain_seconds", r.plain_seconds ? Json(*r.plain_seconds) : Json(nullptr)},
          {"megabytes", r.megabytes},
          {"plain_megabytes", r.plain_megabytes}};
}

void from_json(const Json& json, const std::string& where, KernelTime& record) {
  const Reader r(json, where);
  record = {static_cast<std::uint32_t>(r.small("n")), r.text("kernel"),    r.real("seconds"),
            r.real_or_null("plain_seconds"),          r.real("megabytes"), r.real("plain_megabytes")};
}

Json to_json(const StepRecord& r) { return {{"name", r.name}, {"command", r.command}, {"seconds", r.seconds}}; }

void from_json(const Json& json, const std::string& where, StepRecord& record) {
  const Reader r(json, where);
  record = {r.text("name"), r.text("command"), r.real("seconds")};
}

Machine this_machine(unsigned threads) { return {processor_name(), default_threads(), threads}; }

std::string Machine::text() const {
  return processor + ", " + std::to_string(processors) + " processors, " + std::to_string(threads) + " threads, " +
         compiler();
}

}  // namespace leman::study
