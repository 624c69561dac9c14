#include "cli/brec_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>

#include "cli/json.hpp"

namespace leman::cli {

namespace {

using brec::EngineRun;
using brec::StoredRun;

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}
std::string brief(double value, int digits = 2) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// Counts by family (0-6), category (7-10) and in all (11).
struct Counts : std::array<int, 12> {
  Counts() : array{} {}
  void add(brec::Family family) {
    ++(*this)[static_cast<std::size_t>(family)];
    ++(*this)[7 + static_cast<std::size_t>(brec::info(family).category)];
    ++(*this)[11];
  }
};

// Verdicts of the exact engines: engine -> pair -> row.
using Verdicts = std::map<std::string, std::map<int, const EngineRun*>>;

// Differences below this may be rounding of float64.
constexpr double kRounding = 1e-12;

struct SeedSummary {
  std::uint64_t seed = 0;
  int run = 0, unreliable = 0, beyond_bound = 0, beyond_3wl = 0, most_epochs = 0, trained = 0, within_rounding = 0;
  int unchecked = 0, unchecked_3wl = 0;  // counted pairs on which the bound (if none: 2-FWL), or 2-FWL, was not run
  double first_loss = 0, last_loss = 0;  // means over pairs
  double largest_gradient = 0, seconds = 0;
  double least_separation = std::numeric_limits<double>::infinity();  // of the counted pairs
  Counts counts;
  std::map<int, std::pair<int, int>> rounds;  // of 2-FWL -> pairs, missed
};

struct View {
  const StudyResult& result;
  Json settings;
  std::string model, protocol;
  std::string bound;                     // engine that the model cannot beat; empty: not known
  std::map<int, brec::Family> families;  // of the pairs that ran
  Verdicts verdicts;
  std::vector<SeedSummary> seeds;

  explicit View(const StudyResult& r) : result(r), settings(Json::parse(r.study.settings)) {
    if (!settings.contains("model") || !settings.contains("protocol"))
      throw brec::StoreError("a store of " + settings.value("kind", "something else") + ", not of `leman brec`");
    model = settings["model"];
    protocol = settings["protocol"];
    bound = model == "gin" ? "1wl" : model == "et" || model == "ppgn" ? "2fwl" : "";
    for (const StoredRun& row : r.runs) families[row.run.pair] = row.family;
    for (const EngineRun& row : r.engines)
      if (families.count(row.pair)) verdicts[row.engine][row.pair] = &row;
    for (const StoredRun& row : r.runs) {
      if (seeds.empty() || seeds.back().seed != row.run.seed) seeds.emplace_back().seed = row.run.seed;
      add(seeds.back(), row);
    }
    for (SeedSummary& s : seeds) s.first_loss /= std::max(1, s.trained), s.last_loss /= std::max(1, s.trained);
  }

  // Whether an engine tells the pair apart; no value: it was not run.
  std::optional<bool> by(const std::string& engine, int pair) const {
    const auto all = verdicts.find(engine);
    if (all == verdicts.end()) return {};
    const auto at = all->second.find(pair);
    if (at == all->second.end()) return {};
    return at->second->distinguished;
  }
  // Whether the model tells a pair apart that the engine cannot; no value: that is not known.
  std::optional<bool> beyond(const std::string& engine, const StoredRun& row) const {
    if (!row.run.verdict.distinguished) return false;
    const std::optional<bool> verdict = by(engine, row.run.pair);
    if (!verdict) return {};
    return !*verdict;
  }
  std::optional<bool> false_positive(const StoredRun& row) const {
    return bound.empty() ? std::nullopt : beyond(bound, row);
  }

 private:
  void add(SeedSummary& s, const StoredRun& row) const {
    const brec::PairRun& r = row.run;
    ++s.run;
    s.unreliable += !r.verdict.reliable;
    s.beyond_bound += false_positive(row).value_or(false);
    s.unchecked += !beyond(bound.empty() ? "2fwl" : bound, row);
    s.unchecked_3wl += !beyond("2fwl", row);
    s.beyond_3wl += beyond("2fwl", row).value_or(false);
    s.most_epochs = std::max(s.most_epochs, r.epochs);
    if (!r.losses.empty()) ++s.trained, s.first_loss += r.losses.front(), s.last_loss += r.losses.back();
    for (double g : r.gradients) s.largest_gradient = brec::larger(s.largest_gradient, g);
    s.seconds += r.seconds;
    if (r.verdict.distinguished) {
      s.counts.add(row.family);
      s.least_separation = std::min(s.least_separation, r.verdict.separation);
      s.within_rounding += r.verdict.separation < kRounding;
    }
    if (by("2fwl", r.pair) == true) {
      auto& [pairs, missed] = s.rounds[verdicts.at("2fwl").at(r.pair)->round];
      ++pairs, missed += !r.verdict.distinguished;
    }
  }
};

std::string model_title(const std::string& name) {
  return name == "et" ? "ET" : name == "ppgn" ? "PPGN" : name == "gin" ? "GIN" : name;
}

std::string mean_and_deviation(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (double v : values) mean += v / static_cast<double>(values.size());
  for (double v : values) square += (v - mean) * (v - mean);
  return fixed(mean, 1) + "±" + fixed(std::sqrt(square / static_cast<double>(values.size() - 1)), 1);
}

std::vector<std::string> cells(const std::string& name, const Counts& counts) {
  std::vector<std::string> row{name};
  for (int count : counts) row.push_back(std::to_string(count));
  return row;
}

std::string count_table(const View& view) {
  std::vector<std::string> header{"distinguished by"};
  for (const auto& f : brec::families()) header.push_back(">" + std::string(f.name));
  for (const char* name : {">Basic", ">Regular", ">Extension", ">CFI", ">all"}) header.push_back(name);
  Table table(header);
  Counts pairs;
  for (const auto& [pair, family] : view.families) pairs.add(family);
  table.row(cells("(pairs run)", pairs));
  for (const auto& [engine, title] :
       {std::pair<std::string, const char*>{"1wl", "1-WL"}, {"2fwl", "2-FWL = 3-WL"}, {"3fwl", "3-FWL"}}) {
    if (!view.verdicts.count(engine)) continue;
    Counts counts;
    int refused = 0;
    for (const auto& [pair, family] : view.families) {
      const auto verdict = view.by(engine, pair);
      refused += !verdict;
      if (verdict == true) counts.add(family);
    }
    table.row(cells(refused ? title + (" (" + std::to_string(refused) + " not run)") : title, counts));
  }
  for (const PublishedRow& row : view.result.published) {
    std::vector<std::string> line{"published: " + row.model};
    line.resize(8);
    line.insert(line.end(), row.counts.begin(), row.counts.end());
    table.row(line);
  }
  const std::string title = model_title(view.model);
  for (const SeedSummary& s : view.seeds) {
    const bool part = static_cast<std::size_t>(s.run) < view.families.size();
    table.row(cells(title + ", seed " + std::to_string(s.seed) + (part ? " (" + std::to_string(s.run) + " run)" : ""),
                    s.counts));
  }
  std::vector<const SeedSummary*> whole;
  for (const SeedSummary& s : view.seeds)
    if (static_cast<std::size_t>(s.run) == view.families.size()) whole.push_back(&s);
  if (whole.size() > 1) {
    std::vector<std::string> line{title + ", " + std::to_string(whole.size()) + " seeds"};
    for (std::size_t c = 0; c < 12; ++c) {
      std::vector<double> values;
      for (const SeedSummary* s : whole) values.push_back(s->counts[c]);
      line.push_back(mean_and_deviation(values));
    }
    table.row(line);
  }
  return table.text();
}

std::string seed_table(const View& view) {
  Table table({">seed", view.bound.empty() ? ">beyond 3-WL" : ">false positives", ">reliability failures", ">epochs",
               ">loss, first", ">last", ">largest gradient", ">least separation", ">below 1e-12", ">CPU s"});
  for (const SeedSummary& s : view.seeds)
    table.row({std::to_string(s.seed),
               s.unchecked ? "-" : std::to_string(view.bound.empty() ? s.beyond_3wl : s.beyond_bound),
               std::to_string(s.unreliable), std::to_string(s.most_epochs), s.trained ? fixed(s.first_loss, 4) : "-",
               s.trained ? fixed(s.last_loss, 4) : "-", s.trained ? brief(s.largest_gradient) : "-",
               s.counts[11] ? brief(s.least_separation) : "-", std::to_string(s.within_rounding), fixed(s.seconds, 1)});
  return table.text();
}

std::string round_table(const View& view) {
  std::map<int, std::pair<int, int>> rounds;
  for (const SeedSummary& s : view.seeds)
    for (const auto& [round, counts] : s.rounds)
      rounds[round].first += counts.first, rounds[round].second += counts.second;
  Table table({">round of 2-FWL", ">pairs and seeds", ">missed"});
  for (const auto& [round, counts] : rounds)
    table.row({std::to_string(round), std::to_string(counts.first), std::to_string(counts.second)});
  return rounds.empty() ? "" : table.text();
}

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(x > 0 ? "inf" : "nan"); }

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json test_json(const brec::Hotelling& test, bool with_p) {
  Json json{{"t2", number(test.t2)}};
  if (with_p) {
    json["p_value"] = test.p_value;
    json["rank"] = test.rank;
    json["by_equality"] = test.by_equality;
  }
  return json;
}

Json row_json(const View& view, const StoredRun& row) {
  const brec::PairRun& r = row.run;
  const brec::Verdict& v = r.verdict;
  const bool with_p = view.protocol != "published";
  Json json{{"id", r.pair},
            {"seed", r.seed},
            {"family", brec::info(row.family).name},
            {"category", brec::category_name(brec::info(row.family).category)},
            {"n", row.order},
            {"distinguished", v.distinguished},
            {"reliable", v.reliable},
            {"false_positive", or_null(view.false_positive(row))},
            {"test", test_json(v.pairs, with_p)},
            {"reliability_test", test_json(v.reliability, with_p)},
            {"separation", v.separation},
            {"epochs", r.epochs},
            {"losses", r.losses},
            {"cosine_distances", r.distances},
            {"gradient_norms", r.gradients},
            {"couples", r.couples},
            {"kernel", row.kernel},
            {"commit", row.commit},
            {"seconds", r.seconds},
            {"memory_bytes", row.memory}};
  for (const auto& [engine, verdicts] : view.verdicts)
    if (const auto verdict = view.by(engine, r.pair)) json["engines"][engine] = *verdict;
  if (view.by("2fwl", r.pair) == true) json["round_of_2fwl"] = view.verdicts.at("2fwl").at(r.pair)->round;
  return json;
}

Json counts_json(const Counts& counts) {
  Json json;
  for (const auto& f : brec::families())
    json["families"][std::string(f.name)] = counts[static_cast<std::size_t>(f.family)];
  for (std::size_t c = 0; c < 4; ++c)
    json["categories"][std::string(brec::category_name(static_cast<brec::Category>(c)))] = counts[7 + c];
  return json;
}

}  // namespace

std::vector<PublishedRow> published_rows(const std::string& directory) {
  std::vector<PublishedRow> rows;
  std::ifstream file(directory + "/published.csv");
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> fields(1);
    for (char c : line)
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    if (fields.size() == 8) rows.push_back({fields[0] + " (" + fields[1] + ")", {fields.begin() + 3, fields.end()}});
  }
  return rows;
}

std::string study_text(const StudyResult& result) {
  const View view(result);
  std::string text = result.study.source + ", " + std::to_string(view.families.size()) + " pairs, model " + view.model +
                     ", protocol " + view.protocol;
  if (view.settings.contains("level")) {
    const double level = view.settings["level"];
    text += "\neach test at level " + brief(level, 3) + " (" + brief(100 * level * brec::kPairs, 3) +
            " % over 400 tests); T2 above " + brief(brec::t2_threshold(16, 32, level), 4) + " at full rank";
  }
  text += "\n\n" + count_table(view);
  if (!result.runs.empty()) {
    text += "\n" + seed_table(view);
    const std::string rounds = round_table(view);
    if (!rounds.empty()) text += "\n" + rounds;
  }
  if (result.missing.value_or(0)) text += "\nincomplete: " + std::to_string(*result.missing) + " rows are missing\n";
  return text;
}

std::string study_json(const StudyResult& result, const Context& context) {
  const View view(result);
  Json json = record(context);
  json["source"] = result.study.source;
  json["settings"] = view.settings;
  json["complete"] = result.missing ? Json(*result.missing == 0) : Json(nullptr);
  json["summary"] = json["rows"] = Json::array();
  for (const SeedSummary& s : view.seeds) {
    Json seed{{"seed", s.seed},
              {"run", s.run},
              {"distinguished", s.counts[11]},
              {"false_positives", view.bound.empty() || s.unchecked ? Json(nullptr) : Json(s.beyond_bound)},
              {"beyond_3wl", s.unchecked_3wl ? Json(nullptr) : Json(s.beyond_3wl)},
              {"reliability_failures", s.unreliable},
              {"most_epochs", s.most_epochs},
              {"first_loss", s.trained ? Json(s.first_loss) : Json(nullptr)},
              {"last_loss", s.trained ? Json(s.last_loss) : Json(nullptr)},
              {"largest_gradient_norm", s.trained ? Json(s.largest_gradient) : Json(nullptr)},
              {"least_separation", s.counts[11] ? Json(s.least_separation) : Json(nullptr)},
              {"within_rounding", s.within_rounding},
              {"seconds", s.seconds}};
    seed.update(counts_json(s.counts));
    for (const auto& [round, counts] : s.rounds)
      seed["rounds_of_2fwl"].push_back({{"round", round}, {"pairs", counts.first}, {"missed", counts.second}});
    json["summary"].push_back(seed);
  }
  for (const StoredRun& row : result.runs) json["rows"].push_back(row_json(view, row));
  return json.dump(1) + "\n";
}

std::string study_csv(const StudyResult& result) {
  const View view(result);
  Table table({"id",
               "seed",
               "family",
               "n",
               "distinguished",
               "distinguished_by_3wl",
               "round_of_2fwl",
               "false_positive",
               "t2",
               "p_value",
               "rank",
               "reliable",
               "reliability_t2",
               "reliability_p_value",
               "separation",
               "epochs",
               "last_loss",
               "largest_gradient_norm",
               "kernel",
               "seconds"});
  for (const StoredRun& row : result.runs) {
    const brec::PairRun& r = row.run;
    const brec::Verdict& v = r.verdict;
    const auto by_3wl = view.by("2fwl", r.pair);
    const double largest = std::accumulate(r.gradients.begin(), r.gradients.end(), 0.0, brec::larger);
    auto digit = [](bool b) { return std::string(b ? "1" : "0"); };
    table.row({std::to_string(r.pair),
               std::to_string(r.seed),
               std::string(brec::info(row.family).name),
               std::to_string(row.order),
               digit(v.distinguished),
               by_3wl ? digit(*by_3wl) : "",
               by_3wl == true ? std::to_string(view.verdicts.at("2fwl").at(r.pair)->round) : "",
               view.false_positive(row) ? digit(*view.false_positive(row)) : "",
               brief(v.pairs.t2, 9),
               view.protocol == "published" ? "" : brief(v.pairs.p_value, 9),
               view.protocol == "published" ? "" : std::to_string(v.pairs.rank),
               digit(v.reliable),
               brief(v.reliability.t2, 9),
               view.protocol == "published" ? "" : brief(v.reliability.p_value, 9),
               brief(v.separation, 9),
               std::to_string(r.epochs),
               r.losses.empty() ? "" : brief(r.losses.back(), 9),
               r.gradients.empty() ? "" : brief(largest, 9),
               row.kernel,
               fixed(r.seconds, 3)});
  }
  return table.csv();
}

std::string impossible(const StudyResult& result) {
  const View view(result);
  if (view.protocol != "exact") return "";
  for (const StoredRun& row : result.runs)
    if (view.false_positive(row).value_or(false))
      return "pair " + std::to_string(row.run.pair) + ", seed " + std::to_string(row.run.seed) +
             ": distinguished by the model, not by " + view.bound;
  return "";
}

}  // namespace leman::cli
