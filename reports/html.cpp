// The page: one file, no network. What it says is in page.html, a template of mustache; here is the
// data for it. Mustache escapes every value but the charts, style, script and the script's data.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "reports/agreement_table.hpp"
#include "reports/charts.hpp"
#include "reports/dataset_drawing.hpp"
#include "reports/dataset_table.hpp"
#include "reports/page.hpp"
#include "reports/render.hpp"
#include "reports/verdict_text.hpp"
#include "reports/view.hpp"

namespace leman::reports {

namespace {

std::string short_number(double x) {
  return x != 0 && (std::abs(x) < 0.01 || std::abs(x) >= 1e5) ? scientific(x, 1) : brief(x, 4);
}

// ---- first screen

View cell_view(const std::string& text, const std::string& note, bool bad = false) {
  return object({{"class", bad ? "n bad" : "n"}, {"text", text}, {"note", if_any(note)}});
}

View count_view(const Count& count, int pairs) {
  const bool part = count.run > 0 && count.run < pairs;
  return cell_view(count_text(count, " ± ", ""), count.run == 0 ? "not run"
                                                 : part         ? "of " + digits(count.run) + " run"
                                                                : "");
}

View failures_view(std::optional<std::size_t> failures, std::size_t unchecked) {
  if (!failures) return cell_view("", "–");
  return cell_view(digits(*failures) + (*failures ? " !" : ""), unchecked ? digits(unchecked) + " not checked" : "",
                   *failures > 0);
}

std::vector<std::string> remarks(const Document& document, const Row& row) {
  if (row.model) return {digits(row.seeds) + (row.seeds == 1 ? " seed" : " seeds")};
  if (row.engine != &wl::folklore(2)) return {};
  return {"= " + std::string(wl::oblivious(3).title) + (bounds_a_model(document, *row.engine) ? ", the bound" : "")};
}

View row_view(const Document& document, const Row& row) {
  const brec::Roster& roster = document.roster;
  View cells(View::type::list);
  for (const std::size_t group : roster.columns(false))
    cells << count_view(row.counts[group], roster.groups()[group].pairs);
  cells << failures_view(row.false_positives, row.unchecked.value_or(0));
  cells << failures_view(row.model ? std::optional(static_cast<std::size_t>(row.unreliable)) : std::nullopt, 0);
  return object({{"row_class", row.engine == &wl::folklore(2) ? "bound" : ""},
                 {"title", row.title},
                 {"remarks", texts(remarks(document, row))},
                 {"cells", cells}});
}

View published_view(const brec::PublishedRow& row) {
  View cells = list_of(row.counts, [](const std::string& count) { return cell_view(count, ""); });
  cells << cell_view("", "") << cell_view("", "");
  return object({{"row_class", "other"}, {"title", "published: " + row.model}, {"remarks", false}, {"cells", cells}});
}

void add_main_table(const Document& document, View& page) {
  page["categories"] = list_of(document.roster.columns(false), [&](std::size_t group) {
    const brec::Roster::Group& g = document.roster.groups()[group];
    return object({{"name", g.name}, {"pairs", digits(g.pairs)}});
  });
  View rows = list_of(document.rows, [&](const Row& row) { return row_view(document, row); });
  for (const brec::PublishedRow& row : document.published) rows << published_view(row);
  page["any_rows"] = !document.rows.empty();
  page["has_controls"] = document.roster.has_controls();
  page["rows"] = std::move(rows);
}

// ---- the map

constexpr int kColumns = 50;             // of a block
constexpr std::size_t kWidestName = 40;  // characters; longer ones are cut, and shown whole by a tooltip

struct Mark {
  std::string kind, text;  // CSS class, character
};

Mark mark_of(const Row& row, const std::optional<Cell>& cell) {
  if (!cell) return {"na", "–"};
  if (row.engine)
    return cell->round ? Mark{"d" + digits(std::min(*cell->round, 5)), digits(*cell->round)} : Mark{"no", "·"};
  if (cell->false_positive) return {"fp", "!"};
  const bool doubt = cell->unreliable > 0;
  if (cell->distinguished == 0) return {"no", doubt ? "~" : "·"};
  return cell->distinguished == cell->seeds ? Mark{"yes", doubt ? "≈" : "✓"} : Mark{"part", doubt ? "≈" : "½"};
}

View block_view(const Document& document, const brec::Family& family, int from, int to) {
  View ids(View::type::list);
  for (int id = from; id < to; ++id)
    ids << object(
        {{"id", digits(id)}, {"pair", document.roster.title(id)}, {"control", document.roster.is_control(id)}});
  const View lines = list_of(document.rows, [&](const Row& row) {
    View marks(View::type::list);
    for (int id = from; id < to; ++id) {
      const Mark mark = mark_of(row, row.cells[static_cast<std::size_t>(id)]);
      marks << object({{"kind", mark.kind}, {"mark", mark.text}});
    }
    return object({{"title", row.title}, {"marks", marks}});
  });
  return object({{"family", family.name}, {"ids", ids}, {"lines", lines}});
}

void add_map(const Document& document, View& page) {
  page["families"] = list_of(document.roster.families(), [](const auto& family) { return View(family.name); });
  View choices(View::type::list), blocks(View::type::list);
  for (std::size_t k = 0; k < document.rows.size(); ++k)
    choices << object({{"index", digits(k)}, {"title", document.rows[k].title}});
  std::size_t widest = 0;
  for (const Row& row : document.rows) widest = std::max(widest, width_of(row.title));
  for (const brec::Family& family : document.roster.families()) {
    widest = std::max(widest, width_of(family.name));
    const int end = family.first_id + family.pairs;
    for (int from = family.first_id; from < end; from += kColumns)
      blocks << block_view(document, family, from, std::min(from + kColumns, end));
  }
  page["name_width"] = digits(std::min(widest, kWidestName));
  page["choices"] = std::move(choices);
  page["blocks"] = std::move(blocks);
}

// ---- statistics and losses

std::string statistic_chart(const Document& document, const Measurements& study) {
  const bool t2 = study.statistic == Statistic::T2;
  std::vector<Strip> strips;
  for (const brec::Family& family : document.roster.families()) {
    Strip strip{family.name, {}, {}};
    for (const Measurement& m : study.points) {
      if (document.roster.family_of(m.pair).name != family.name || m.seed != *study.seeds.begin()) continue;
      strip.filled.push_back(std::isfinite(m.value) ? m.value : INFINITY);
      if (m.reliability) strip.hollow.push_back(std::isfinite(*m.reliability) ? *m.reliability : INFINITY);
    }
    if (!strip.filled.empty()) strips.push_back(strip);
  }
  return strip_chart(
      study.title + ": " + (t2 ? "T squared" : "separation") + " by family, logarithmic", t2 ? "T²" : "separation",
      strips, study.threshold,
      t2 ? "threshold " + short_number(study.threshold) : shortest(study.threshold) + ": rounding of float64");
}

std::vector<Series> loss_series(const Measurements& study) {
  std::vector<Series> series;
  for (const LossCurve& curve : study.losses) {
    Series& s = series.emplace_back();
    s.name = curve.family, s.style = static_cast<int>(series.size() - 1) % kStyles;
    for (std::size_t e = 0; e < curve.median.size(); ++e)
      s.points.emplace_back(static_cast<double>(e) + 1, curve.median[e]);
  }
  return series;
}

View study_view(const Document& document, const Measurements& study) {
  const std::vector<Series> losses = loss_series(study);
  const bool flat = !losses.empty() && std::all_of(losses.begin(), losses.end(), [](const Series& s) {
    return std::all_of(s.points.begin(), s.points.end(), [](const auto& p) { return p.second == 0; });
  });
  const std::string chart = flat ? ""
                                 : line_chart(study.title + ": median loss by epoch", {"epoch", false},
                                              {"loss, median over pairs", false}, losses);
  return object({{"title", study.title},
                 {"seed", digits(*study.seeds.begin())},
                 {"t2", study.statistic == Statistic::T2},
                 {"statistic_chart", statistic_chart(document, study)},
                 {"flat", flat},
                 {"epochs", digits(study.most_epochs)},
                 {"loss_chart", if_any(chart)}});
}

// ---- agreement

double share(const proofs::Counts& counts) {
  return counts.compared == 0 ? NAN : 100 * static_cast<double>(counts.agree) / static_cast<double>(counts.compared);
}

std::string rate_chart(const std::vector<study::AgreementRecord>& models) {
  std::vector<Series> rates;
  for (const auto& model : models) {
    Series& s = rates.emplace_back();
    s.name = model.model, s.style = static_cast<int>(rates.size() - 1) % kStyles;
    for (const proofs::Counts& counts : model.all.tokens)
      s.points.emplace_back(static_cast<double>(s.points.size()), share(counts));
  }
  const std::string bound(wl::folklore(2).title);
  return line_chart("Graphs that agree with " + bound + " by depth", {"layers, and rounds of " + bound, false},
                    {"graphs that agree, %", false}, rates);
}

View gap_view(const study::AgreementRecord& model) {
  Series within{"within a colour", 0, {}}, tolerance{"tolerance", 4, {}}, between{"between colours", 1, {}};
  for (std::size_t t = 0; t < model.all.tokens.size(); ++t) {
    const auto x = static_cast<double>(t);
    within.points.emplace_back(x, model.all.tokens[t].gap.within);
    tolerance.points.emplace_back(x, model.tolerance.tokens[t]);
    between.points.emplace_back(x, model.all.tokens[t].gap.between);
  }
  return object({{"model", model.model},
                 {"gap_chart", line_chart("Distances of tokens, " + model.model, {"layers", false},
                                          {"distance, relative", true}, {within, tolerance, between})}});
}

View shares_view(std::uint64_t compared, const std::vector<proofs::Counts>& layers, const proofs::Counts& stable) {
  View shares(View::type::list);
  shares << View(digits(compared));
  for (const proofs::Counts& counts : layers) shares << View(percent(counts, 1));
  shares << View(percent(stable, 1));
  return shares;
}

View family_view(const std::string& family, bool colored, const proofs::Agreement& result) {
  return object(
      {{"family", family}, {"colored", colored}, {"shares", shares_view(result.graphs, result.tokens, result.stable)}});
}

View disagreements_view(const proofs::Agreement& all) {
  if (all.examples.empty()) return false;
  return object({{"examples", list_of(all.examples, [&](const proofs::Disagreement& e) {
                    return object({{"what", e.what + (e.layer < 0 ? ", stable" : ", round " + digits(e.layer))},
                                   {"kind", e.kind},
                                   {"reason", e.reason},
                                   {"times", digits(how_often(all, e))},
                                   {"graphs", e.graphs},
                                   {"smaller", if_any(e.smaller)}});
                  })}});
}

View agreement_model_view(const study::AgreementRecord& model) {
  View depths(View::type::list), poolings(View::type::list);
  for (std::size_t t = 0; t < model.all.tokens.size(); ++t) depths << View(digits(t));
  View families = list_of(model.rows, [](const auto& row) { return family_view(row.family, row.colored, row.result); });
  families << family_view("all", false, model.all);
  for (std::size_t p = 0; p < proofs::kPoolings.size(); ++p) {
    const proofs::Counts& stable = model.all.stable_poolings[p];
    poolings << object({{"pooling", proofs::pooling_name(proofs::kPoolings[p])},
                        {"shares", shares_view(stable.compared, model.all.poolings[p], stable)}});
  }
  return object({{"model", model.model},
                 {"depths", depths},
                 {"by_family", families},
                 {"by_pooling", poolings},
                 {"disagreements", disagreements_view(model.all)}});
}

View agreement_view(const Document& document) {
  if (document.agreement.empty()) return false;
  return object({{"graphs_source", document.agreement[0].source},
                 {"rate_chart", rate_chart(document.agreement)},
                 {"gaps", list_of(document.agreement, gap_view)},
                 {"models", list_of(document.agreement, agreement_model_view)}});
}

// ---- data sets

View table_view(const std::string& caption, const Cells& cells) {
  std::vector<std::string> classes;
  for (const std::string& name : cells.header) classes.push_back(name.starts_with('>') ? "n" : "");
  auto line = [&](const std::vector<std::string>& texts, bool header) {
    View list(View::type::list);
    for (std::size_t k = 0; k < texts.size(); ++k)
      list << object({{"class", classes[k]}, {"text", texts[k].substr(header && texts[k].starts_with('>'))}});
    return list;
  };
  return object(
      {{"caption", caption}, {"columns", line(cells.header, true)}, {"lines", list_of(cells.rows, [&](const auto& row) {
                                                                       return object({{"cells", line(row, false)}});
                                                                     })}});
}

View dataset_view(const DrawnDataset& set) {
  const study::DatasetRecord& record = set.record;
  View tables(View::type::list), facts(View::type::list);
  tables << table_view("What no model of that power can tell apart, and the best result that is left",
                       depth_cells(record));
  if (record.tasks.size() > 1) tables << table_view("By task, with the stable colouring", task_cells(record));
  facts << View(dataset_facts(record) + ", read from " + record.source);
  for (const std::string& note : record.notes) facts << View(note);
  if (record.tasks.size() == 1) facts << View(task_facts(record, record.tasks[0]));
  for (const auto& row : record.rows)
    if (!row.refused.empty()) facts << View(dataset_title(row) + " was refused: " + row.refused);
  return object({{"title", set.title},
                 {"facts", facts},
                 {"dataset_chart", dataset_chart(record, set.title)},
                 {"task", record.tasks[0].name},
                 {"tables", tables},
                 {"examples", list_of(set.examples, [](const DrawnExample& e) {
                    View sides(View::type::list);
                    for (std::size_t k = 0; k < 2; ++k)
                      sides << object({{"drawing", if_any(e.drawings[k])}, {"caption", e.captions[k]}});
                    return object({{"engine", e.engine}, {"sides", sides}});
                  })}});
}

View datasets_view(const Document& document) {
  if (document.datasets.empty()) return false;
  return object({{"sets", list_of(document.datasets, dataset_view)}});
}

// ---- kernels, claims, runs

View time_view(const study::KernelTime& k) {
  const bool compared = k.plain_seconds.has_value();
  const std::vector<std::string> values{digits(k.n),
                                        short_number(1e3 * k.seconds),
                                        compared ? short_number(1e3 * *k.plain_seconds) : "not run",
                                        compared ? short_number(*k.plain_seconds / k.seconds) : "–",
                                        short_number(k.megabytes),
                                        short_number(k.plain_megabytes)};
  return object({{"values", texts(values)}});
}

View kernels_view(const Document& document) {
  if (document.kernels.empty()) return false;
  Series ours{"Leman", 0, {}}, plain{"plain LibTorch", 1, {}};
  Series memory = ours, plain_memory = plain;
  for (const study::KernelTime& k : document.kernels) {
    const double n = k.n;
    ours.points.emplace_back(n, k.seconds), memory.points.emplace_back(n, k.megabytes);
    plain_memory.points.emplace_back(n, k.plain_megabytes);
    if (k.plain_seconds) plain.points.emplace_back(n, *k.plain_seconds);
  }
  const Axis nodes{"nodes", true};
  return object({{"kernel", document.kernels[0].kernel},
                 {"time_chart", line_chart("Seconds by number of nodes", nodes, {"seconds", true}, {ours, plain})},
                 {"memory_chart", line_chart("Memory by number of nodes", nodes, {"MB", true}, {memory, plain_memory})},
                 {"times", list_of(document.kernels, time_view)}});
}

View claims_view(const Document& document) {
  if (document.claims.empty()) return false;
  return object({{"ledger", list_of(document.claims, [](const study::ClaimRecord& claim) {
                    return object({{"statement", claim.statement},
                                   {"where", claim.where},
                                   {"judged", claim.verdict.starts_with("fails")   ? "bad"
                                              : claim.verdict.starts_with("holds") ? "good"
                                                                                   : ""},
                                   {"judgement", claim.verdict},
                                   {"evidence", claim.evidence},
                                   {"by_hand", claim.command}});
                  })}});
}

std::string effort(const Measurements& study) {
  std::vector<std::string> seeds;
  for (const std::uint64_t seed : study.seeds) seeds.push_back(digits(seed));
  return study.title + ": seeds " + join(seeds) + "; commit " + join({study.commits.begin(), study.commits.end()}) +
         "; " + short_number(study.cpu_seconds) + " CPU seconds.";
}

void add_runs(const Document& document, View& page) {
  page["machine"] = document.machine;
  page["command"] = document.command;
  page["steps"] =
      document.steps.empty()
          ? View(false)
          : object({{"list", list_of(document.steps, [](const auto& step) {
                       return object(
                           {{"step", step.name}, {"by_hand", step.command}, {"seconds", short_number(step.seconds)}});
                     })}});
  page["stores"] = list_of(document.runs, [](const StoreFacts& run) {
    return object({{"store", run.name},
                   {"by_hand", run.command},
                   {"model_rows", digits(run.model_rows)},
                   {"engine_rows", digits(run.engine_rows)}});
  });
  page["efforts"] = list_of(document.studies, [](const Measurements& study) { return View(effort(study)); });
  page["not_run"] = texts(document.not_run);
}

}  // namespace

std::string html_page(const Document& document) {
  View page;
  page["style"] = View(kPageStyle);
  page["script"] = View(kPageScript);
  page["data"] = script_data(document);
  page["report_title"] = if_any(document.title);
  page["source"] = document.source;
  page["version"] = document.version;
  page["commit"] = document.commit;
  page["verdict"] = texts(document.verdict);
  add_main_table(document, page);
  add_map(document, page);
  page["studies"] = list_of(document.studies, [&](const Measurements& study) { return study_view(document, study); });
  page["agreement"] = agreement_view(document);
  page["kernels_section"] = !document.own_pairs || !document.kernels.empty();
  page["claims_section"] = !document.own_pairs || !document.claims.empty();
  page["datasets"] = datasets_view(document);
  page["kernels"] = kernels_view(document);
  page["claims"] = claims_view(document);
  add_runs(document, page);
  return rendered(kPageTemplate, "page.html", page);
}

}  // namespace leman::reports
