#include "cli/brec_model.hpp"

#include <array>
#include <cmath>

#include "brec/protocol.hpp"
#include "cli/json.hpp"
#include "cli/progress.hpp"
#include "cli/torch_api.hpp"
#include "wl/engine.hpp"
#include "wl/parallel.hpp"

namespace leman::cli {

namespace {

struct Row {
  brec::PairRun run;
  const brec::Pair* pair = nullptr;
  bool by_3wl = false;  // 2-FWL, which has the power of 3-WL, distinguishes the pair
  // What no model of 3-WL power can see, and yet was counted.
  bool false_positive() const { return run.distinguished && !by_3wl; }
};

std::vector<Row> run_all(const ModelStudy& study, const brec::PairSet& set) {
  const TorchApi& torch = torch_api();
  std::vector<char> by_3wl(study.ids.size());
  wl::parallel_for(study.ids.size(), study.threads, [&](std::size_t k) {
    const brec::Pair& pair = set.pairs[static_cast<std::size_t>(study.ids[k])];
    by_3wl[k] = wl::compare("2fwl", pair.first, pair.second).distinguished;
  });
  std::vector<Row> rows(study.ids.size() * static_cast<std::size_t>(study.seeds));
  Progress progress("pairs", rows.size());
  wl::parallel_for(rows.size(), study.threads, [&](std::size_t k) {
    const std::size_t p = k % study.ids.size();
    Row& row = rows[k];
    row.pair = &set.pairs[static_cast<std::size_t>(study.ids[p])];
    row.by_3wl = by_3wl[p];
    row.run = torch.published(*row.pair, study.first_seed + k / study.ids.size());
    progress.done(1, "pair " + std::to_string(row.pair->id) + " seed " + std::to_string(row.run.seed));
  });
  return rows;
}

struct Summary {
  std::array<int, 4> category{};
  int all = 0, false_positives = 0, unreliable = 0, most_epochs = 0;
  double largest_loss = 0, largest_gradient = 0, seconds = 0;
};

Summary summarize(const std::vector<Row>& rows, std::uint64_t seed) {
  Summary s;
  for (const Row& row : rows) {
    if (row.run.seed != seed) continue;
    s.category[static_cast<std::size_t>(brec::info(row.pair->family).category)] += row.run.distinguished;
    s.all += row.run.distinguished;
    s.false_positives += row.false_positive();
    s.unreliable += !row.run.reliable;
    s.most_epochs = std::max(s.most_epochs, row.run.epochs);
    for (double loss : row.run.losses) s.largest_loss = std::max(s.largest_loss, loss);
    for (double g : row.run.gradients) s.largest_gradient = std::max(s.largest_gradient, g);
    s.seconds += row.run.seconds;
  }
  return s;
}

std::string fixed(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string mean_and_deviation(const std::vector<double>& values) {
  double mean = 0, square = 0;
  for (double v : values) mean += v / static_cast<double>(values.size());
  for (double v : values) square += (v - mean) * (v - mean);
  return fixed(mean, 1) + " ±" + fixed(std::sqrt(square / static_cast<double>(values.size() - 1)), 1);
}

std::string text_of(const ModelStudy& study, const std::vector<Row>& rows) {
  Table table({"model", ">Basic", ">Regular", ">Extension", ">CFI", ">all", ">false positives", ">reliability failures",
               ">epochs", ">largest loss", ">largest gradient", ">CPU s"});
  Summary bound;
  for (const Row& row : rows)
    if (row.run.seed == study.first_seed && row.by_3wl) {
      ++bound.category[static_cast<std::size_t>(brec::info(row.pair->family).category)];
      ++bound.all;
    }
  auto cells = [](const Summary& s) {
    std::vector<std::string> c;
    for (int each : s.category) c.push_back(std::to_string(each));
    c.push_back(std::to_string(s.all));
    return c;
  };
  auto add = [&](const std::string& name, std::vector<std::string> c, std::vector<std::string> more) {
    c.insert(c.begin(), name);
    c.insert(c.end(), more.begin(), more.end());
    table.row(c);
  };
  add("3-WL", cells(bound), {"", "", "", "", "", ""});
  std::array<std::vector<double>, 5> columns;
  for (int k = 0; k < study.seeds; ++k) {
    const Summary s = summarize(rows, study.first_seed + static_cast<std::uint64_t>(k));
    for (std::size_t c = 0; c < 4; ++c) columns[c].push_back(s.category[c]);
    columns[4].push_back(s.all);
    char gradient[32];
    std::snprintf(gradient, sizeof gradient, "%.2g", s.largest_gradient);
    add("ET, seed " + std::to_string(study.first_seed + static_cast<std::uint64_t>(k)), cells(s),
        {std::to_string(s.false_positives), std::to_string(s.unreliable), std::to_string(s.most_epochs),
         fixed(s.largest_loss, 4), gradient, fixed(s.seconds, 1)});
  }
  if (study.seeds > 1) {
    std::vector<std::string> c;
    for (const auto& column : columns) c.push_back(mean_and_deviation(column));
    add("ET, " + std::to_string(study.seeds) + " seeds", c, {"", "", "", "", "", ""});
  }
  return table.text();
}

Json row_json(const Row& row) {
  const auto& r = row.run;
  auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(x > 0 ? "inf" : "nan"); };
  return {{"id", r.pair},
          {"seed", r.seed},
          {"family", brec::info(row.pair->family).name},
          {"category", brec::category_name(brec::info(row.pair->family).category)},
          {"n", row.pair->first.order()},
          {"distinguished", r.distinguished},
          {"distinguished_by_3wl", row.by_3wl},
          {"t2", number(r.t2)},
          {"reliability_t2", number(r.reliability_t2)},
          {"reliable", r.reliable},
          {"epochs", r.epochs},
          {"losses", r.losses},
          {"gradient_norms", r.gradients},
          {"distinct_relabellings", r.distinct},
          {"seconds", r.seconds}};
}

std::string csv_of(const std::vector<Row>& rows) {
  Table table({"id", "seed", "family", "n", "distinguished", "distinguished_by_3wl", "t2", "reliability_t2", "reliable",
               "epochs", "last_loss", "seconds"});
  for (const Row& row : rows) {
    const auto& r = row.run;
    char t2[2][32];
    std::snprintf(t2[0], sizeof t2[0], "%.9g", r.t2);
    std::snprintf(t2[1], sizeof t2[1], "%.9g", r.reliability_t2);
    table.row({std::to_string(r.pair), std::to_string(r.seed), std::string(brec::info(row.pair->family).name),
               std::to_string(row.pair->first.order()), r.distinguished ? "1" : "0", row.by_3wl ? "1" : "0", t2[0],
               t2[1], r.reliable ? "1" : "0", std::to_string(r.epochs), fixed(r.losses.back(), 6),
               fixed(r.seconds, 3)});
  }
  return table.csv();
}

}  // namespace

int run_model_study(const ModelStudy& study, const brec::PairSet& set, const Context& context) {
  const std::vector<Row> rows = run_all(study, set);
  if (!study.json.empty()) {
    Json json = record(context);
    json["source"] = set.source;
    json["model"] = "et";
    json["protocol"] = study.protocol;
    json["kernel"] = torch_api().kernel("");
    json["threshold"] = brec::kPublishedThreshold;
    for (int k = 0; k < study.seeds; ++k) {
      const Summary s = summarize(rows, study.first_seed + static_cast<std::uint64_t>(k));
      json["summary"].push_back({{"seed", study.first_seed + static_cast<std::uint64_t>(k)},
                                 {"distinguished", s.all},
                                 {"run", study.ids.size()},
                                 {"false_positives", s.false_positives},
                                 {"reliability_failures", s.unreliable}});
    }
    for (const Row& row : rows) json["rows"].push_back(row_json(row));
    write_file(study.json, json.dump(1) + "\n");
  }
  if (!study.csv.empty()) write_file(study.csv, csv_of(rows));
  if (study.json != "-" && study.csv != "-")
    write_file("-", set.source + ", " + std::to_string(study.ids.size()) + " pairs, protocol " + study.protocol +
                        "\n\n" + text_of(study, rows) + "\n" + context.about() + ": " + context.command + "\n");
  return kOk;
}

}  // namespace leman::cli
