#include "study/records.hpp"

#include <charconv>
#include <cmath>
#include <set>

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

Json to_json(const brec::Roster& roster) {
  Json json{{"families", Json::array()}, {"controls", roster.controls()}, {"names", Json::object()}};
  for (const brec::Family& f : roster.families())
    json["families"].push_back({{"name", f.name}, {"category", f.category}, {"pairs", f.pairs}});
  for (const auto& [pair, name] : roster.names()) json["names"][std::to_string(pair)] = name;
  return json;
}

void from_json(const Json& json, const std::string& where, brec::Roster& roster) {
  const Reader r(json, where);
  std::vector<brec::Family> families;
  std::int64_t next = 0;  // id
  for (const Json& each : r.list("families")) {
    const Reader family(each, where + ", families");
    const int pairs = family.small("pairs");
    if (pairs == 0) throw InputError(where, "a family without pairs");
    families.push_back({family.text("name"), family.text("category"), static_cast<int>(next), pairs});
    next += pairs;
    if (next > brec::kMostPairs) throw InputError(where, "families have too many pairs");
  }
  const auto check = [&](std::int64_t pair) {
    if (pair < 0 || pair >= next) throw InputError(where, "there is no pair " + std::to_string(pair));
    return static_cast<int>(pair);
  };
  std::set<int> controls;
  for (const Json& pair : r.list("controls")) {
    if (!pair.is_number_integer()) throw InputError(where, "controls is not a list of numbers");
    controls.insert(check(pair.get<std::int64_t>()));
  }
  std::map<int, std::string> names;
  const Reader named = r.object("names");
  for (const auto& [key, name] : named.json().items()) {
    std::int64_t pair = -1;
    std::from_chars(key.data(), key.data() + key.size(), pair);
    names[check(pair)] = named.text(key.c_str());
  }
  roster = {std::move(families), {controls.begin(), controls.end()}, std::move(names)};
}

// ---- data sets

namespace {

Json score_json(const DatasetRecord::Score& s, bool regression, std::uint64_t items) {
  const auto n = static_cast<double>(items);
  if (!regression)
    return {{"differ", s.differ}, {"correct", s.correct}, {"accuracy", static_cast<double>(s.correct) / n}};
  return {{"differ", s.differ},
          {"absolute_error", s.absolute_error},
          {"mae", mean_absolute_error(s, items)},
          {"squared_error", s.squared_error},
          {"rmse", std::sqrt(s.squared_error / n)}};
}

DatasetRecord::Score score_from(const Reader& r, bool regression) {
  DatasetRecord::Score score;
  score.differ = r.count("differ");
  if (!regression)
    score.correct = r.count("correct");
  else
    score.absolute_error = r.text("absolute_error"), score.squared_error = r.real("squared_error");
  return score;
}

Json graph_json(const wl::Graph& graph) {
  Json json{{"n", graph.order()}, {"directed", graph.directed()}, {"edges", Json::array()}};
  Json colors = Json::array();
  for (const wl::Edge& e : graph.edges()) json["edges"].push_back({e.u, e.v}), colors.push_back(e.color);
  if (graph.edge_colored()) json["edge_colors"] = std::move(colors);
  if (graph.node_colored()) json["node_colors"] = graph.node_colors();
  return json;
}

std::uint32_t small_number(const Json& value, const std::string& where) {
  if (!value.is_number_integer() || value < 0 || value > UINT32_MAX)
    throw InputError(where, "has a number that is not in 0..4294967295");
  return value.get<std::uint32_t>();
}

wl::Graph graph_from(const Reader& r) {
  wl::GraphData data;
  data.order = small_number(r.at("n"), r.where()), data.directed = r.truth("directed");
  if (data.order > DatasetRecord::kKept) throw InputError(r.where(), "has a graph that is too large to be kept");
  for (const Json& edge : r.list("edges")) {
    if (!edge.is_array() || edge.size() != 2) throw InputError(r.where(), "has an edge that is not two nodes");
    data.edges.push_back({small_number(edge[0], r.where()), small_number(edge[1], r.where()), 0});
  }
  if (r.json().contains("edge_colors")) {
    if (r.list("edge_colors").size() != data.edges.size()) throw InputError(r.where(), "has not one colour per edge");
    for (std::size_t k = 0; k < data.edges.size(); ++k)
      data.edges[k].color = small_number(r.list("edge_colors")[k], r.where());
  }
  if (r.json().contains("node_colors"))
    for (const Json& color : r.list("node_colors")) data.node_colors.push_back(small_number(color, r.where()));
  try {
    return wl::Graph(data);
  } catch (const GraphError& e) {
    throw InputError(r.where(), e.what());
  }
}

std::vector<std::string> texts(const Reader& r, const char* key) {
  std::vector<std::string> list;
  for (const Json& each : r.list(key)) {
    if (!each.is_string()) throw InputError(r.where(), std::string(key) + " is not a list of texts");
    list.push_back(each.get<std::string>());
  }
  return list;
}

Json item_json(const DatasetRecord::Item& item) {
  return {{"place", item.place},
          {"node", item.node ? Json(*item.node) : Json(nullptr)},
          {"labels", item.labels},
          {"nodes", item.nodes},
          {"graph", item.graph ? graph_json(*item.graph) : Json(nullptr)}};
}

DatasetRecord::Item item_from(const Reader& r) {
  DatasetRecord::Item item{r.count("place"), {}, texts(r, "labels"), small_number(r.at("nodes"), r.where()), {}};
  if (!r.at("node").is_null()) item.node = small_number(r.at("node"), r.where());
  if (!r.at("graph").is_null()) item.graph = graph_from(r.object("graph"));
  if ((item.node && *item.node >= item.nodes) || (item.graph && item.graph->order() != item.nodes))
    throw InputError(r.where(), "has a node or a graph that does not fit");
  return item;
}

Json task_json(const DatasetRecord::Task& task, std::uint64_t items) {
  Json json{{"name", task.name},
            {"task", task.regression ? "regression" : "classification"},
            {"labels", task.labels},
            {"always_same", score_json(task.always_same, task.regression, items)}};
  if (task.regression) {
    json["lowest"] = task.lowest, json["highest"] = task.highest;
    return json;
  }
  json["most_common"] = Json::array();
  for (const auto& [label, count] : task.most_common)
    json["most_common"].push_back({{"label", label}, {"items", count}});
  return json;
}

DatasetRecord::Task task_from(const Reader& r) {
  DatasetRecord::Task task;
  task.name = r.text("name"), task.regression = r.text("task") == "regression", task.labels = r.count("labels");
  task.always_same = score_from(r.object("always_same"), task.regression);
  if (task.regression) {
    task.lowest = r.text("lowest"), task.highest = r.text("highest");
    return task;
  }
  for (const Json& each : r.list("most_common")) {
    const Reader label(each, r.where() + ", most_common");
    task.most_common.emplace_back(label.text("label"), label.count("items"));
  }
  return task;
}

Json depth_json(const DatasetRecord::Depth& depth, const DatasetRecord& record, bool stable) {
  Json json{{"round", depth.round ? Json(*depth.round) : Json(nullptr)},
            {"stable", stable},
            {"classes", depth.classes},
            {"alike", depth.alike},
            {"differ", depth.differ},
            {"scores", Json::array()}};
  for (std::size_t k = 0; k < depth.scores.size(); ++k)
    json["scores"].push_back(score_json(depth.scores[k], record.tasks[k].regression, record.items));
  return json;
}

DatasetRecord::Depth depth_from(const Reader& r, const DatasetRecord& record) {
  DatasetRecord::Depth depth;
  if (!r.at("round").is_null()) depth.round = r.small("round");
  depth.classes = r.count("classes"), depth.alike = r.count("alike"), depth.differ = r.count("differ");
  if (r.list("scores").size() != record.tasks.size()) throw InputError(r.where(), "has not one score per task");
  for (const DatasetRecord::Task& task : record.tasks)
    depth.scores.push_back(score_from({r.list("scores")[depth.scores.size()], r.where()}, task.regression));
  return depth;
}

DatasetRecord::Row row_from(const Reader& r, const DatasetRecord& record) {
  DatasetRecord::Row row;
  row.engine = r.text("engine"), row.refused = r.text("refused"), row.seconds = r.real("seconds");
  for (const Json& each : r.list("depths")) row.depths.push_back(depth_from({each, r.where() + ", depths"}, record));
  if (row.depths.empty() == row.refused.empty()) throw InputError(r.where(), "has no depths");
  for (const Json& each : r.list("examples")) {
    if (!each.is_array() || each.size() != 2) throw InputError(r.where(), "has an example that is not two items");
    const std::string where = r.where() + ", examples";
    row.examples.push_back({item_from({each[0], where}), item_from({each[1], where})});
  }
  return row;
}

}  // namespace

double mean_absolute_error(const DatasetRecord::Score& score, std::uint64_t items) {
  double sum = 0;
  const std::string& text = score.absolute_error;
  std::from_chars(text.data(), text.data() + text.size(), sum);
  return sum / static_cast<double>(items);
}

Json to_json(const DatasetRecord& r) {
  Json json{{"name", r.name},
            {"source", r.source},
            {"format", r.format},
            {"labels_of", r.node_labels ? "nodes" : "graphs"},
            {"directed", r.directed},
            {"graphs", r.graphs},
            {"items", r.items},
            {"smallest_order", r.smallest},
            {"largest_order", r.largest},
            {"node_colors", r.node_colors},
            {"edge_colors", r.edge_colors},
            {"notes", r.notes},
            {"tasks", Json::array()},
            {"engines", Json::array()}};
  for (const DatasetRecord::Task& task : r.tasks) json["tasks"].push_back(task_json(task, r.items));
  for (const DatasetRecord::Row& row : r.rows) {
    Json each{{"engine", row.engine},
              {"refused", row.refused},
              {"seconds", row.seconds},
              {"depths", Json::array()},
              {"examples", Json::array()}};
    for (const DatasetRecord::Depth& depth : row.depths)
      each["depths"].push_back(depth_json(depth, r, &depth == &row.depths.back()));
    for (const DatasetRecord::Example& e : row.examples) each["examples"].push_back({item_json(e[0]), item_json(e[1])});
    json["engines"].push_back(std::move(each));
  }
  return json;
}

void from_json(const Json& json, const std::string& where, DatasetRecord& record) {
  const Reader r(json, where);
  record.name = r.text("name"), record.source = r.text("source"), record.format = r.text("format");
  record.node_labels = r.text("labels_of") == "nodes", record.directed = r.truth("directed");
  record.graphs = r.count("graphs"), record.items = r.count("items");
  record.smallest = r.count("smallest_order"), record.largest = r.count("largest_order");
  record.node_colors = r.count("node_colors"), record.edge_colors = r.count("edge_colors");
  record.notes = texts(r, "notes");
  if (record.items == 0) throw InputError(where, "has no items");
  for (const Json& each : r.list("tasks")) record.tasks.push_back(task_from({each, where + ", tasks"}));
  for (const Json& each : r.list("engines")) record.rows.push_back(row_from({each, where + ", engines"}, record));
}

Machine this_machine(unsigned threads) { return {processor_name(), default_threads(), threads}; }

std::string Machine::text() const {
  return processor + ", " + std::to_string(processors) + " processors, " + std::to_string(threads) + " threads, " +
         compiler();
}

}  // namespace leman::study
