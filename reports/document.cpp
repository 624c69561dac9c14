#include "reports/document.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "brec/verdict.hpp"
#include "reports/layout.hpp"
#include "wl/canon.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/parallel.hpp"

namespace leman::reports {

namespace {

using brec::EngineRun;
using brec::StoredRun;

struct Loaded {
  std::string file;
  brec::Study study;
  Json settings;
  std::vector<StoredRun> runs;
  std::vector<EngineRun> engines;
};

using EngineTable = std::map<std::string, std::map<int, EngineRun>>;  // engine -> pair -> verdict

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// ---- rows of the table and the map: engines and models, in order of power

double power_of(const std::string& name) {
  static const std::map<std::string, double> known{
      {"1wl", 1},  {"1fwl", 1.1}, {"2wl", 1.2}, {"gin", 1.3},  {"s3", 1.4}, {"spd", 1.5},  {"n1", 1.6},
      {"s4", 1.7}, {"rd", 1.8},   {"m1", 1.9},  {"d2lwl", 2},  {"n2", 2.1}, {"ppgn", 2.6}, {"et", 2.7},
      {"3wl", 3},  {"2fwl", 3.1}, {"4wl", 4},   {"3fwl", 4.1}, {"4fwl", 5}};
  const auto at = known.find(name);
  return at == known.end() ? 2.5 : at->second;
}

// The engine that a model cannot beat.
std::string bound_of(const std::string& model) {
  return model == "gin" ? "1wl" : model == "et" || model == "ppgn" ? "2fwl" : "";
}

std::string model_title(const Json& settings) {
  const std::string model = settings.value("model", "");
  const std::string name = model == "et"     ? "ET"
                           : model == "ppgn" ? "PPGN"
                           : model == "gin"  ? "GIN"
                                             : std::filesystem::path(settings.value("file", model)).filename().string();
  return name + ", " + settings.value("protocol", "");
}

// Family (0-6), category (7-10), all (11).
std::vector<std::size_t> slots_of(brec::Family family) {
  return {static_cast<std::size_t>(family), 7 + static_cast<std::size_t>(brec::info(family).category), 11};
}

std::vector<std::string> slot_names() {
  std::vector<std::string> names;
  for (const auto& f : brec::families()) names.emplace_back(f.name);
  for (std::size_t c = 0; c < 4; ++c) names.emplace_back(brec::category_name(static_cast<brec::Category>(c)));
  names.emplace_back("all");
  return names;
}

brec::Family family_of(int pair) {
  for (const auto& f : brec::families())
    if (pair >= f.first_id && pair < f.first_id + f.pairs) return f.family;
  throw std::invalid_argument("pair " + std::to_string(pair) + " is out of range");
}

// Counts by slot: pairs that ran and, over seeds, the mean number distinguished
// with its standard deviation.
Json counts_json(const std::vector<std::set<int>>& run, const std::vector<std::array<int, 12>>& by_seed) {
  Json counts = Json::object();
  const auto names = slot_names();
  for (std::size_t k = 0; k < names.size(); ++k) {
    double mean = 0, square = 0;
    const auto seeds = static_cast<double>(by_seed.size());
    for (const auto& c : by_seed) mean += c[k] / seeds;
    for (const auto& c : by_seed) square += (c[k] - mean) * (c[k] - mean);
    counts[names[k]] = {{"run", run[k].size()},
                        {"distinguished", mean},
                        {"deviation", by_seed.size() > 1 ? Json(std::sqrt(square / (seeds - 1))) : Json(nullptr)}};
  }
  return counts;
}

Json engine_row(const std::string& engine, const std::map<int, EngineRun>& verdicts) {
  const wl::EngineInfo* about = wl::find_engine(engine);
  std::vector<std::set<int>> run(12);
  std::array<int, 12> count{};
  Json cells(std::vector<Json>(brec::kPairs, nullptr));
  for (const auto& [pair, verdict] : verdicts) {
    for (const std::size_t slot : slots_of(family_of(pair)))
      run[slot].insert(pair), count[slot] += verdict.distinguished;
    cells[static_cast<std::size_t>(pair)] = {{"distinguished", verdict.distinguished ? 1 : 0},
                                             {"round", verdict.distinguished ? Json(verdict.round) : Json(nullptr)}};
  }
  return {{"id", engine},
          {"title", about ? std::string(about->title) : engine},
          {"kind", "engine"},
          {"power", power_of(engine)},
          {"seeds", nullptr},
          {"false_positives", nullptr},
          {"unchecked", nullptr},
          {"reliability_failures", nullptr},
          {"counts", counts_json(run, {count})},
          {"cells", cells}};
}

std::optional<bool> verdict_of(const EngineTable& engines, const std::string& engine, int pair) {
  const auto table = engines.find(engine);
  if (table == engines.end()) return {};
  const auto at = table->second.find(pair);
  return at == table->second.end() ? std::nullopt : std::optional(at->second.distinguished);
}

Json model_row(const Loaded& store, const EngineTable& engines, const std::string& id) {
  const std::string bound = bound_of(store.settings.value("model", ""));
  struct Seed {
    std::array<int, 12> count{};
    std::vector<std::set<int>> run = std::vector<std::set<int>>(12);
  };
  std::map<std::uint64_t, Seed> seeds;
  std::map<int, Json> cells;
  std::set<int> false_positives, unchecked;  // pairs
  int unreliable = 0;
  for (const StoredRun& row : store.runs) {
    const brec::Verdict& v = row.run.verdict;
    const auto truth = bound.empty() ? std::nullopt : verdict_of(engines, bound, row.run.pair);
    for (const std::size_t slot : slots_of(family_of(row.run.pair))) {
      seeds[row.run.seed].run[slot].insert(row.run.pair);
      seeds[row.run.seed].count[slot] += v.distinguished;
    }
    Json& cell = cells[row.run.pair];
    if (cell.is_null()) cell = {{"distinguished", 0}, {"seeds", 0}, {"false_positive", false}, {"unreliable", 0}};
    cell["distinguished"] = cell["distinguished"].get<int>() + v.distinguished;
    cell["seeds"] = cell["seeds"].get<int>() + 1;
    cell["unreliable"] = cell["unreliable"].get<int>() + !v.reliable;
    unreliable += !v.reliable;
    if (v.distinguished && !truth) unchecked.insert(row.run.pair);
    if (v.distinguished && truth == false) false_positives.insert(row.run.pair), cell["false_positive"] = true;
  }
  // Means are over the seeds that ran as many pairs as any: others would look worse
  // than they are.
  std::size_t most = 0;
  for (const auto& [seed, each] : seeds) most = std::max(most, each.run[11].size());
  std::vector<std::array<int, 12>> whole;
  const std::vector<std::set<int>>* run = nullptr;
  for (const auto& [seed, each] : seeds)
    if (each.run[11].size() == most && (!run || each.run == *run)) whole.push_back(each.count), run = &each.run;
  Json list(std::vector<Json>(brec::kPairs, nullptr));
  for (auto& [pair, cell] : cells) list[static_cast<std::size_t>(pair)] = std::move(cell);
  return {{"id", id},
          {"title", model_title(store.settings)},
          {"kind", "model"},
          {"power", power_of(store.settings.value("model", ""))},
          {"seeds", whole.size()},
          {"false_positives", bound.empty() ? Json(nullptr) : Json(false_positives.size())},
          {"unchecked", bound.empty() ? Json(nullptr) : Json(unchecked.size())},
          {"reliability_failures", unreliable},
          {"counts", counts_json(*run, whole)},
          {"cells", list}};
}

// ---- what a study measured: statistics and loss curves

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
}

// Medians, tenths and nine tenths of the loss by epoch; a pair that has ended keeps
// its last loss.
Json loss_curves(const std::vector<StoredRun>& runs) {
  Json curves = Json::array();
  for (const auto& family : brec::families()) {
    std::vector<const std::vector<double>*> losses;
    std::size_t epochs = 0;
    for (const StoredRun& row : runs)
      if (row.family == family.family && !row.run.losses.empty())
        losses.push_back(&row.run.losses), epochs = std::max(epochs, row.run.losses.size());
    if (losses.empty()) continue;
    Json curve{{"family", family.name}, {"pairs", losses.size()}};
    for (std::size_t e = 0; e < epochs; ++e) {
      std::vector<double> now;
      for (const auto* each : losses) now.push_back((*each)[std::min(e, each->size() - 1)]);
      curve["median"].push_back(quantile(now, 0.5));
      curve["low"].push_back(quantile(now, 0.1)), curve["high"].push_back(quantile(now, 0.9));
    }
    curves.push_back(curve);
  }
  return curves;
}

Json study_json(const Loaded& store, const std::string& id) {
  const std::string protocol = store.settings.value("protocol", "");
  const bool exact = protocol == "exact";
  Json study{
      {"row", id},
      {"title", model_title(store.settings)},
      {"settings", store.settings},
      {"command", store.study.command},
      {"statistic", exact ? "separation" : "T2"},
      {"threshold", exact                     ? Json(1e-12)
                    : protocol == "published" ? Json(brec::kPublishedThreshold)
                                              : Json(brec::t2_threshold(16, 32, store.settings.value("level", 0.05)))},
      {"points", Json::array()},
      {"losses", loss_curves(store.runs)}};
  std::set<std::string> commits;
  std::set<std::uint64_t> seeds;
  double seconds = 0;
  int epochs = 0;
  for (const StoredRun& row : store.runs) {
    const brec::Verdict& v = row.run.verdict;
    commits.insert(row.commit), seeds.insert(row.run.seed);
    seconds += row.run.seconds, epochs = std::max(epochs, row.run.epochs);
    study["points"].push_back({{"pair", row.run.pair},
                               {"seed", row.run.seed},
                               {"value", number(exact ? v.separation : v.pairs.t2)},
                               {"reliability", exact ? Json(nullptr) : number(v.reliability.t2)},
                               {"distinguished", v.distinguished},
                               {"reliable", v.reliable}});
  }
  study["commits"] = commits, study["seeds"] = seeds, study["cpu_seconds"] = seconds, study["most_epochs"] = epochs;
  return study;
}

// ---- the pairs themselves

Json pair_json(const brec::Pair& pair) {
  const wl::Graph* graphs[] = {&pair.first, &pair.second};
  wl::RunOptions options;
  options.keep_coloring = true;
  const wl::RunResult run = wl::run_engine("2fwl", graphs, options);
  std::map<wl::Color, int> names;  // colours of nodes, numbered for the reader
  const std::size_t n = pair.first.order();
  for (const auto& coloring : run.coloring)
    for (std::size_t v = 0; v < n; ++v) names.emplace(coloring[v * n + v], 0);
  int next = 0;
  for (auto& [color, name] : names) name = next++;
  Json json{{"id", pair.id},
            {"family", brec::info(pair.family).name},
            {"nodes", n},
            {"origin", pair.origin},
            {"truth", pair.truth.reason},
            {"graphs", Json::array()}};
  for (std::size_t g = 0; g < 2; ++g) {
    const wl::Canon canon = wl::canonical(*graphs[g]);
    std::vector<int> xy, colors;
    for (const Point& p : layout(*graphs[g])) xy.push_back(p.x), xy.push_back(p.y);
    for (std::size_t v = 0; v < n; ++v) colors.push_back(names.at(run.coloring[g][v * n + v]));
    json["graphs"].push_back({{"graph6", wl::to_graph6(*graphs[g])},
                              {"edges", graphs[g]->size()},
                              {"group_order", canon.group_order},
                              {"orbits", std::set<wl::Node>(canon.orbits.begin(), canon.orbits.end()).size()},
                              {"xy", xy},
                              {"colors", colors}});
  }
  return json;
}

// ---- the verdict in words

std::string plain(double x) {
  char text[32];
  std::snprintf(text, sizeof text, x == std::floor(x) ? "%.0f" : "%.1f", x);
  return text;
}

const Json* row_named(const Json& rows, const std::string& id) {
  for (const Json& row : rows)
    if (row["id"] == id) return &row;
  return nullptr;
}

// What of the pairs that 3-WL tells apart the model does, and what of the others.
std::string model_sentence(const Json& row, const Json* bound) {
  const Json& all = row["counts"]["all"];
  const std::string seeds = row["seeds"] == 1 ? "one seed" : std::to_string(row["seeds"].get<int>()) + " seeds";
  std::string text = row["title"].get<std::string>() + " (" + seeds + "): " + plain(all["distinguished"]) + " of " +
                     std::to_string(all["run"].get<int>()) + " pairs that were run";
  if (bound) {
    int can = 0, within = 0, beyond = 0;
    for (std::size_t k = 0; k < row["cells"].size(); ++k) {
      const Json &mine = row["cells"][k], &theirs = (*bound)["cells"][k];
      if (mine.is_null() || theirs.is_null()) continue;
      const bool possible = theirs["distinguished"] == 1, always = mine["distinguished"] == mine["seeds"];
      can += possible, within += possible && always, beyond += !possible && mine["distinguished"] != 0;
    }
    text += "; " + std::to_string(within) + " of the " + std::to_string(can) + " that 3-WL distinguishes" +
            (row["seeds"] == 1 ? "" : " (with every seed)") + ", " + (beyond ? std::to_string(beyond) : "none") +
            " of the others";
  }
  if (!row["false_positives"].is_null()) {
    const int wrong = row["false_positives"], unchecked = row["unchecked"];
    text += wrong == 0 ? "; no false positive" : "; " + std::to_string(wrong) + " FALSE POSITIVES";
    if (unchecked) text += " (" + std::to_string(unchecked) + " pairs not checked: the bound was not run on them)";
  }
  return text + ".";
}

Json verdict_sentences(const Json& doc) {
  Json list = Json::array();
  const Json* bound = row_named(doc["rows"], "2fwl");
  if (bound)
    list.push_back("3-WL (computed as 2-FWL, which has its power) distinguishes " +
                   plain((*bound)["counts"]["all"]["distinguished"]) + " of " +
                   std::to_string((*bound)["counts"]["all"]["run"].get<int>()) +
                   " pairs: no Edge Transformer can do more.");
  for (const Json& row : doc["rows"])
    if (row["kind"] == "model") list.push_back(model_sentence(row, bound));
  for (const Json& model : doc["agreement"]) {
    const Json& all = model["all"];
    char text[300];
    std::snprintf(
        text, sizeof text,
        "An Edge Transformer (%s) agrees with 2-FWL after every layer on %llu of %llu graphs (95 %% confidence: "
        "%.1f to %.1f %%).",
        model["model"].get<std::string>().c_str(), all["agree"].get<unsigned long long>(),
        all["graphs"].get<unsigned long long>(), 100 * all["interval"][0].get<double>(),
        100 * all["interval"][1].get<double>());
    list.push_back(text);
  }
  std::map<std::string, int> verdicts;
  for (const Json& claim : doc["claims"]) {
    const std::string verdict = claim["verdict"];
    ++verdicts[verdict.starts_with("fails")   ? "fail as printed and hold as mended"
               : verdict.starts_with("holds") ? "hold"
                                              : verdict];
  }
  std::string text;
  for (const auto& [verdict, count] : verdicts)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
  if (!text.empty())
    list.push_back("Of " + std::to_string(doc["claims"].size()) + " claims of the paper: " + text + ".");
  return list;
}

Json not_run(const Json& doc) {
  Json list = Json::array();
  for (const Json& row : doc["rows"]) {
    const int run = row["counts"]["all"]["run"];
    if (run < brec::kPairs)
      list.push_back(row["title"].get<std::string>() + ": " + std::to_string(brec::kPairs - run) + " of " +
                     std::to_string(brec::kPairs) + " pairs");
  }
  for (const auto& [key, name] : {std::pair{"studies", "a trained model"},
                                  {"agreement", "agreement on random graphs"},
                                  {"claims", "the claims ledger"},
                                  {"kernels", "kernel speed and memory"}})
    if (doc[key].empty()) list.push_back(name);
  return list;
}

// What the page reads of a record must be there.
void check_record(const std::string& file, const brec::Record& record, const Json& value) {
  static const std::map<std::string, std::vector<std::string>> needed{
      {"agreement",
       {"/model", "/dtype", "/source", "/rows", "/tolerance/tokens", "/all/agree", "/all/graphs", "/all/interval/1",
        "/all/tokens", "/all/stable/compared", "/all/poolings/sum/layers", "/all/examples", "/all/disagreements"}},
      {"claim", {"/id", "/where", "/statement", "/command", "/verdict", "/evidence"}},
      {"kernel", {"/n", "/kernel", "/seconds", "/plain_seconds", "/megabytes", "/plain_megabytes"}},
      {"step", {"/name", "/command", "/seconds"}}};
  for (const std::string& path : needed.at(record.kind))
    if (!value.contains(Json::json_pointer(path)))
      throw brec::StoreError(file + ": the record " + record.kind + " " + record.key + " has no " + path.substr(1));
}

void check_pair(const std::string& file, int pair) {
  if (pair < 0 || pair >= brec::kPairs) throw brec::StoreError(file + ": there is no pair " + std::to_string(pair));
}

std::vector<Loaded> load(const std::vector<std::string>& files, Json& doc) {
  std::vector<Loaded> all;
  std::string pairs, source;
  for (const std::string& file : files) {
    const brec::Store store(file);
    Loaded loaded{file, store.study(), Json::parse(store.study().settings), store.runs(), store.engine_runs()};
    if (!loaded.study.pairs.empty()) {
      if (!pairs.empty() && pairs != loaded.study.pairs)
        throw brec::StoreError(file + ": is on other pairs than the stores before it (" + loaded.study.source +
                               ", not " + source + ")");
      pairs = loaded.study.pairs, source = loaded.study.source;
    }
    for (const auto& [kind, key] :
         {std::pair{"agreement", "agreement"}, {"claim", "claims"}, {"kernel", "kernels"}, {"step", "steps"}})
      for (const brec::Record& record : store.records(kind)) {
        doc[key].push_back(Json::parse(record.value));
        check_record(file, record, doc[key].back());
      }
    for (const StoredRun& row : loaded.runs) check_pair(file, row.run.pair);
    for (const EngineRun& row : loaded.engines) check_pair(file, row.pair);
    all.push_back(std::move(loaded));
  }
  doc["source"] = source;
  doc["pairs_digest"] = pairs;
  return all;
}

EngineTable engine_table(const std::vector<Loaded>& stores) {
  EngineTable table;
  for (const Loaded& store : stores)
    for (const EngineRun& row : store.engines) {
      const auto [at, fresh] = table[row.engine].try_emplace(row.pair, row);
      if (!fresh && (at->second.distinguished != row.distinguished || at->second.round != row.round))
        throw brec::StoreError(store.file + ": " + row.engine + " on pair " + std::to_string(row.pair) +
                               ": another store says otherwise");
    }
  return table;
}

}  // namespace

Json build_document(const Input& input) {
  Json doc{
      {"leman",
       {{"version", input.version}, {"commit", input.commit}, {"command", input.command}, {"machine", input.machine}}}};
  for (const char* list :
       {"verdict", "rows", "published", "studies", "agreement", "claims", "kernels", "steps", "runs", "not_run"})
    doc[list] = Json::array();
  const std::vector<Loaded> stores = load(input.stores, doc);
  const EngineTable engines = engine_table(stores);
  for (const auto& f : brec::families())
    doc["families"].push_back(
        {{"name", f.name}, {"category", brec::category_name(f.category)}, {"first", f.first_id}, {"pairs", f.pairs}});
  for (const auto& [engine, verdicts] : engines) doc["rows"].push_back(engine_row(engine, verdicts));
  int models = 0;
  for (const Loaded& store : stores) {
    doc["runs"].push_back({{"store", std::filesystem::path(store.file).filename().string()},
                           {"command", store.study.command},
                           {"source", store.study.source},
                           {"rows", store.runs.size()},
                           {"engine_rows", store.engines.size()}});
    if (store.runs.empty()) continue;
    const std::string id = "model" + std::to_string(++models);
    doc["rows"].push_back(model_row(store, engines, id));
    doc["studies"].push_back(study_json(store, id));
  }
  std::stable_sort(doc["rows"].begin(), doc["rows"].end(),
                   [](const Json& a, const Json& b) { return a["power"] < b["power"]; });
  for (const PublishedRow& row : input.published)
    doc["published"].push_back({{"model", row.model}, {"counts", row.counts}});
  doc["verdict"] = verdict_sentences(doc);
  doc["not_run"] = not_run(doc);
  doc["pairs"] = Json::array();
  if (input.pairs) {
    std::vector<Json> pairs(input.pairs->pairs.size());
    wl::parallel_for(pairs.size(), input.threads, [&](std::size_t k) { pairs[k] = pair_json(input.pairs->pairs[k]); });
    doc["pairs"] = std::move(pairs);
  }
  return doc;
}

}  // namespace leman::reports
