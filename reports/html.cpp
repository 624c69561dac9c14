// The page: one file, no network. Tables and charts are plain HTML and SVG; the
// script adds filters and the view of a pair.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/charts.hpp"
#include "reports/page.hpp"
#include "reports/render.hpp"

namespace leman::reports {

namespace {

std::string text_of(const Json& value) {
  return escape(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
}
std::string code(const Json& value) { return "<code>" + text_of(value) + "</code>"; }
std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, x != 0 && (std::abs(x) < 0.01 || std::abs(x) >= 1e5) ? "%.1e" : "%.4g", x);
  return text;
}

// ---- first screen

std::string count_cell(const Json& count, int pairs) {
  const int run = count["run"];
  if (run == 0) return "<td class=\"n\"><small>not run</small></td>";
  return "<td class=\"n\">" + count_text(count, " ± ") +
         (run < pairs ? " <small>of " + std::to_string(run) + " run</small>" : "") + "</td>";
}

std::string number_cell(const Json& value, bool bad_if_positive, const Json& unchecked) {
  if (value.is_null()) return "<td class=\"n\"><small>–</small></td>";
  const int count = value;
  const bool bad = bad_if_positive && count > 0, more = !unchecked.is_null() && unchecked != 0;
  return "<td class=\"n" + std::string(bad ? " bad" : "") + "\">" + std::to_string(count) + (bad ? " !" : "") +
         (more ? " <small>" + unchecked.dump() + " not checked</small>" : "") + "</td>";
}

std::string main_table(const Json& doc) {
  std::string html =
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption class=\"sub\">Pairs distinguished, by "
      "published "
      "category; "
      "rows in order of power</caption><thead><tr><th scope=\"col\">engine or model</th>";
  const std::map<std::string, int> sizes = category_sizes(doc);
  for (const std::string& name : category_names())
    html += "<th scope=\"col\" class=\"n\">" + name + "<br><small>" + std::to_string(sizes.at(name)) +
            " pairs</small></th>";
  html +=
      "<th scope=\"col\" class=\"n\">false<br>positives</th><th scope=\"col\" "
      "class=\"n\">reliability<br>failures</th></tr></thead><tbody>";
  for (const Json& row : doc["rows"]) {
    const bool bound = row["id"] == "2fwl";
    html += std::string("<tr") + (bound ? " class=\"bound\"" : "") + "><th scope=\"row\">" + text_of(row["title"]) +
            (bound ? " <small>= 3-WL, the bound</small>" : "") +
            (row["kind"] == "model" ? " <small>" + std::to_string(row["seeds"].get<int>()) +
                                          (row["seeds"] == 1 ? " seed" : " seeds") + "</small>"
                                    : "") +
            "</th>";
    for (const std::string& name : category_names()) html += count_cell(row["counts"][name], sizes.at(name));
    html += number_cell(row["false_positives"], true, row["unchecked"]) +
            number_cell(row["reliability_failures"], true, nullptr) + "</tr>";
  }
  for (const Json& row : doc["published"]) {
    html += "<tr class=\"other\"><th scope=\"row\">published: " + text_of(row["model"]) + "</th>";
    for (const Json& count : row["counts"]) html += "<td class=\"n\">" + text_of(count) + "</td>";
    html += "<td></td><td></td></tr>";
  }
  return html + "</tbody></table></div>";
}

std::string header(const Json& doc) {
  std::string html = "<header><h1>Expressivity report</h1><p class=\"sub\">" + text_of(doc["source"]) + " · Leman " +
                     text_of(doc["leman"]["version"]) + " (" + text_of(doc["leman"]["commit"]) +
                     ")</p><ul class=\"verdict\">";
  for (const Json& sentence : doc["verdict"]) html += "<li>" + text_of(sentence) + "</li>";
  if (doc["verdict"].empty()) html += "<li>The stores hold no result yet.</li>";
  html += "</ul>" + main_table(doc) + "<nav aria-label=\"Parts of the report\">";
  for (const auto& [id, name] : {std::pair{"map", "All pairs"},
                                 {"tests", "Statistics and losses"},
                                 {"agreement", "Agreement with 2-FWL"},
                                 {"kernels", "Speed and memory"},
                                 {"claims", "Claims"},
                                 {"runs", "What was run"}})
    html += std::string("<a href=\"#") + id + "\">" + name + "</a>";
  return html + "</nav></header>";
}

// ---- the map

std::string map_cell(const Json& row, std::size_t pair) {
  const Json& cell = row["cells"][pair];
  if (cell.is_null()) return "<td class=na>–";
  const int yes = cell["distinguished"];
  if (row["kind"] == "engine") {
    if (!yes) return "<td class=no>·";
    const int round = cell["round"];
    return "<td class=d" + std::to_string(std::min(round, 5)) + ">" + std::to_string(round);
  }
  if (cell["false_positive"].get<bool>()) return "<td class=fp>!";
  const bool doubt = cell["unreliable"].get<int>() > 0;
  if (!yes) return std::string("<td class=no>") + (doubt ? "~" : "·");
  return yes == cell["seeds"] ? std::string("<td class=yes>") + (doubt ? "≈" : "✓")
                              : std::string("<td class=part>") + (doubt ? "≈" : "½");
}

std::string map_block(const Json& doc, const Json& family, int from, int to) {
  std::string html = "<div tabindex=\"0\" class=\"block scroll\" data-family=\"" + text_of(family["name"]) +
                     "\"><table class=\"map\"><thead><tr><th scope=\"col\">" + text_of(family["name"]) + "</th>";
  for (int id = from; id < to; ++id)
    html += "<th class=p scope=col data-pair=" + std::to_string(id) + "><a href=\"#pair-" + std::to_string(id) + "\">" +
            std::to_string(id) + "</a></th>";
  html += "</tr></thead><tbody>";
  for (const Json& row : doc["rows"]) {
    html += "<tr><th scope=row>" + text_of(row["title"]) + "</th>";
    for (int id = from; id < to; ++id) html += map_cell(row, static_cast<std::size_t>(id));
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string map_section(const Json& doc) {
  std::string html =
      "<h2 id=\"map\">All pairs</h2><p>A column is a pair, a row an engine or a model. A number is the round in which "
      "the two "
      "graphs first differ; select a pair to see both graphs.</p><form class=\"filters\" onsubmit=\"return "
      "false\"><label>Family"
      "<select id=\"by-family\"><option value=\"all\">all</option>";
  for (const Json& f : doc["families"]) html += "<option>" + text_of(f["name"]) + "</option>";
  html += "</select></label><label>Engine or model<select id=\"by-row\">";
  for (std::size_t k = 0; k < doc["rows"].size(); ++k)
    html += "<option value=\"" + std::to_string(k) + "\">" + text_of(doc["rows"][k]["title"]) + "</option>";
  html +=
      "</select></label><label>says<select id=\"by-verdict\"><option value=\"any\">anything</option><option "
      "value=\"yes\">distinguished"
      "</option><option value=\"no\">not distinguished</option><option value=\"none\">not run</option></select></label>"
      "<button type=\"button\" id=\"reset\">Show all</button><span id=\"shown\" class=\"sub\" "
      "aria-live=\"polite\"></span></form>"
      "<div class=\"legend\"><span><i class=\"d0\">0</i><i class=\"d1\">1</i><i class=\"d3\">3</i><i "
      "class=\"d5\">5</i>distinguished in "
      "that round</span><span><i class=\"no\">·</i>not distinguished</span><span><i class=\"yes\">✓</i>by the model, "
      "every seed</span>"
      "<span><i class=\"part\">½</i>some seeds</span><span><i class=\"fp\">!</i>false positive</span><span><i "
      "class=\"no\">~</i>reliability "
      "test failed</span><span><i class=\"na\">–</i>not run</span></div><p id=\"status\" class=\"status\" "
      "aria-live=\"polite\">Point at a cell, or "
      "move to a pair with the keyboard.</p>";
  constexpr int kColumns = 50;
  for (const Json& f : doc["families"]) {
    const int first = f["first"], end = first + f["pairs"].get<int>();
    for (int from = first; from < end; from += kColumns)
      html += map_block(doc, f, from, std::min(from + kColumns, end));
  }
  return html;
}

// ---- statistics and losses

std::string statistic_chart(const Json& doc, const Json& study) {
  std::vector<Strip> strips;
  for (const Json& f : doc["families"]) {
    Strip strip{f["name"], {}, {}};
    const int first = f["first"], end = first + f["pairs"].get<int>();
    for (const Json& p : study["points"]) {
      if (p["pair"] < first || p["pair"] >= end || p["seed"] != study["seeds"][0]) continue;
      strip.filled.push_back(p["value"].is_null() ? INFINITY : p["value"].get<double>());
      if (study["statistic"] == "T2")
        strip.hollow.push_back(p["reliability"].is_null() ? INFINITY : p["reliability"].get<double>());
    }
    if (!strip.filled.empty()) strips.push_back(strip);
  }
  const bool t2 = study["statistic"] == "T2";
  const double threshold = study["threshold"];
  const std::string name = t2 ? "threshold " + brief(threshold) : "1e-12: rounding of float64";
  return "<figure><div class=\"scroll\" tabindex=\"0\">" +
         strip_chart(
             study["title"].get<std::string>() + ": " + (t2 ? "T squared" : "separation") + " by family, logarithmic",
             t2 ? "T²" : "separation", strips, threshold, name) +
         "</div><figcaption>" + text_of(study["title"]) + ", seed " + study["seeds"][0].dump() + ". " +
         (t2 ? "Filled: T² of the pair; rings: T² of the reliability test, of relabellings of one graph. Verdicts are "
               "safe where "
               "the two are far from each other and from the threshold. Zeros stand on the bottom line, infinite "
               "values on top."
             : "Largest difference of the two embeddings over the largest entry. Pairs at the bottom are equal to the "
               "last bit: "
               "not distinguished. The line is where rounding of float64 would be, if there were any: on the colour "
               "quotient "
               "equal colourings give equal bits.") +
         "</figcaption></figure>";
}

std::string loss_chart(const Json& study) {
  std::vector<Series> series;
  int style = 0;
  for (const Json& curve : study["losses"]) {
    Series s{curve["family"], style++ % 7, {}};
    for (std::size_t e = 0; e < curve["median"].size(); ++e)
      s.points.emplace_back(static_cast<double>(e) + 1, curve["median"][e].get<double>());
    series.push_back(s);
  }
  if (series.empty()) return "";
  const bool flat = std::all_of(series.begin(), series.end(), [](const Series& s) {
    return std::all_of(s.points.begin(), s.points.end(), [](const auto& p) { return p.second == 0; });
  });
  if (flat)
    return "<p>The median loss of every family is exactly 0 from the first epoch on: there is no gradient, and the "
           "model that is "
           "tested is the initial one. At most " +
           study["most_epochs"].dump() + " epochs.</p>";
  return "<figure><div class=\"scroll\" tabindex=\"0\">" +
         line_chart(study["title"].get<std::string>() + ": median loss by epoch", {"epoch", false},
                    {"loss, median over pairs", false}, series) +
         "</div><figcaption>Median loss of every family; a pair that has stopped keeps its last loss. At most " +
         study["most_epochs"].dump() +
         " epochs. 1: the embeddings have one direction; 0: they are orthogonal or further "
         "apart.</figcaption></figure>";
}

std::string tests_section(const Json& doc) {
  std::string html = "<h2 id=\"tests\">Statistics and losses</h2>";
  if (doc["studies"].empty()) return html + "<p>No model was trained for this report.</p>";
  for (const Json& study : doc["studies"])
    html += "<h3>" + text_of(study["title"]) + "</h3>" + statistic_chart(doc, study) + loss_chart(study);
  return html;
}

// ---- agreement

double share(const Json& counts) {
  return counts["compared"] == 0 ? NAN : 100 * counts["agree"].get<double>() / counts["compared"].get<double>();
}
std::string share_text(const Json& counts) {
  const double x = share(counts);
  if (std::isnan(x)) return "–";
  char text[32];
  std::snprintf(text, sizeof text, counts["agree"] == counts["compared"] ? "100" : "%.1f", std::floor(10 * x) / 10);
  return text;
}

std::string agreement_charts(const Json& doc) {
  std::vector<Series> rates;
  int style = 0;
  for (const Json& model : doc["agreement"]) {
    Series s{model["model"].get<std::string>(), style++ % 7, {}};
    for (std::size_t t = 0; t < model["all"]["tokens"].size(); ++t)
      s.points.emplace_back(static_cast<double>(t), share(model["all"]["tokens"][t]));
    rates.push_back(s);
  }
  std::string html = "<figure><div class=\"scroll\" tabindex=\"0\">" +
                     line_chart("Graphs that agree with 2-FWL by depth", {"layers, and rounds of 2-FWL", false},
                                {"graphs that agree, %", false}, rates) +
                     "</div><figcaption>Tokens of node pairs after t layers against colours after t rounds, all "
                     "families together.</figcaption></figure>";
  for (const Json& model : doc["agreement"]) {
    Series within{"within a colour", 0, {}}, tolerance{"tolerance", 4, {}}, between{"between colours", 1, {}};
    for (std::size_t t = 0; t < model["all"]["tokens"].size(); ++t) {
      const Json& c = model["all"]["tokens"][t];
      const auto x = static_cast<double>(t);
      within.points.emplace_back(x, c["largest_within"].get<double>());
      tolerance.points.emplace_back(x, model["tolerance"]["tokens"][t].get<double>());
      if (!c["smallest_between"].is_null()) between.points.emplace_back(x, c["smallest_between"].get<double>());
    }
    html += "<figure><div class=\"scroll\" tabindex=\"0\">" +
            line_chart("Distances of tokens, " + model["model"].get<std::string>(), {"layers", false},
                       {"distance, relative", true}, {within, tolerance, between}) +
            "</div><figcaption>" + text_of(model["model"]) +
            ": the largest distance of a token from the first of its colour (rounding), the smallest of two colours, "
            "and the "
            "tolerance between. "
            "The model cannot be read as 2-FWL where the smallest falls below the tolerance.</figcaption></figure>";
  }
  return html;
}

std::string agreement_tables(const Json& model) {
  const std::size_t depths = model["all"]["tokens"].size();
  std::string html =
      "<h3>" + text_of(model["model"]) +
      "</h3><div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption class=\"sub\">% of graphs whose "
      "tokens after t layers agree with 2-FWL after t rounds</caption><thead><tr><th "
      "scope=col>family</th><th scope=col class=n>graphs</th>";
  for (std::size_t t = 0; t < depths; ++t) html += "<th scope=col class=n>t = " + std::to_string(t) + "</th>";
  html += "<th scope=col class=n>stable</th></tr></thead><tbody>";
  auto line = [&](const std::string& name, const Json& row) {
    html += "<tr><th scope=row>" + name + "</th><td class=n>" + row["graphs"].dump() + "</td>";
    for (const Json& c : row["tokens"]) html += "<td class=n>" + share_text(c) + "</td>";
    html += "<td class=n>" + share_text(row["stable"]) + "</td></tr>";
  };
  for (const Json& row : model["rows"])
    line(text_of(row["family"]) + (row["coloured"].get<bool>() ? " <small>with node colours</small>" : ""), row);
  line("all", model["all"]);
  html +=
      "</tbody></table></div><div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption "
      "class=\"sub\">Graph against "
      "graph: % of pairs of graphs that pooled "
      "tokens and 2-FWL judge alike</caption><thead><tr><th scope=col>pooling</th><th scope=col class=n>pairs</th>";
  for (std::size_t t = 0; t < depths; ++t) html += "<th scope=col class=n>t = " + std::to_string(t) + "</th>";
  html += "<th scope=col class=n>in the end</th></tr></thead><tbody>";
  for (const auto& [name, pooling] : model["all"]["poolings"].items()) {
    html += "<tr><th scope=row>" + escape(name) + "</th><td class=n>" + pooling["stable"]["compared"].dump() + "</td>";
    for (const Json& c : pooling["layers"]) html += "<td class=n>" + share_text(c) + "</td>";
    html += "<td class=n>" + share_text(pooling["stable"]) + "</td></tr>";
  }
  html += "</tbody></table></div>";
  if (model["all"]["examples"].empty()) return html + "<p>No disagreement.</p>";
  html +=
      "<details><summary>Disagreements and their reasons</summary><div class=\"scroll\" tabindex=\"0\"><table "
      "class=\"data wide\"><caption class=\"sub\">Every kind of disagreement, with its first graph</caption><thead><tr>"
      "<th scope=col>what</th>"
      "<th scope=col>model is</th><th scope=col>why</th><th scope=col class=n>how often</th><th scope=col>the first; a "
      "smaller one</th></tr></thead><tbody>";
  for (const Json& e : model["all"]["examples"]) {
    const std::string against = e["layer"].is_number() ? "round" : "stable";
    const std::string key = e["what"].get<std::string>() + "/" + against + "/" + e["kind"].get<std::string>() + "/" +
                            e["reason"].get<std::string>();
    html += "<tr><td>" + text_of(e["what"]) + ", " + against + (e["layer"].is_number() ? " " + e["layer"].dump() : "") +
            "</td><td>" + text_of(e["kind"]) + "</td><td>" + text_of(e["reason"]) + "</td><td class=n>" +
            model["all"]["disagreements"].value(key, Json(nullptr)).dump() + "</td><td>" + code(e["graphs"]) +
            (e["smaller"] == "" ? "" : "<br>" + code(e["smaller"])) + "</td></tr>";
  }
  return html + "</tbody></table></div></details>";
}

std::string agreement_section(const Json& doc) {
  std::string html = "<h2 id=\"agreement\">Agreement with 2-FWL</h2>";
  if (doc["agreement"].empty()) return html + "<p>Not run for this report: <code>leman agree --store FILE</code>.</p>";
  html += "<p>On " + text_of(doc["agreement"][0]["source"]) +
          ". Coarser: tokens of two colours lie within the tolerance, 16 times the rounding "
          "noise that relabellings show. Finer would be impossible in exact arithmetic.</p>" +
          agreement_charts(doc);
  for (const Json& model : doc["agreement"]) html += agreement_tables(model);
  return html;
}

// ---- kernels, claims, runs

std::string kernel_section(const Json& doc) {
  std::string html = "<h2 id=\"kernels\">Speed and memory</h2>";
  if (doc["kernels"].empty()) return html + "<p>Not measured for this report: <code>leman bench et</code>.</p>";
  Series ours{"Leman", 0, {}}, plain{"plain LibTorch", 1, {}}, memory{"Leman", 0, {}},
      plain_memory{"plain LibTorch", 1, {}};
  std::string rows;
  for (const Json& k : doc["kernels"]) {
    const double n = k["n"];
    ours.points.emplace_back(n, k["seconds"].get<double>()),
        memory.points.emplace_back(n, k["megabytes"].get<double>());
    plain_memory.points.emplace_back(n, k["plain_megabytes"].get<double>());
    if (!k["plain_seconds"].is_null()) plain.points.emplace_back(n, k["plain_seconds"].get<double>());
    rows +=
        "<tr><td class=n>" + k["n"].dump() + "</td><td class=n>" + brief(1e3 * k["seconds"].get<double>()) +
        "</td><td class=n>" +
        (k["plain_seconds"].is_null() ? "not run" : brief(1e3 * k["plain_seconds"].get<double>())) +
        "</td><td class=n>" +
        (k["plain_seconds"].is_null() ? "–" : brief(k["plain_seconds"].get<double>() / k["seconds"].get<double>())) +
        "</td><td class=n>" + brief(k["megabytes"]) + "</td><td class=n>" + brief(k["plain_megabytes"]) + "</td></tr>";
  }
  return html + "<p>Triangular attention, forward, width 32, 4 heads, float32, one thread, kernel " +
         text_of(doc["kernels"][0]["kernel"]) +
         "; the two results were compared before they were timed. Memory is counted, not measured.</p><figure><div "
         "class=\"scroll\" tabindex=\"0\">" +
         line_chart("Seconds by number of nodes", {"nodes", true}, {"seconds", true}, {ours, plain}) +
         "</div></figure><figure><div class=\"scroll\" tabindex=\"0\">" +
         line_chart("Memory by number of nodes", {"nodes", true}, {"MB", true}, {memory, plain_memory}) +
         "</div></figure><div class=\"scroll\" tabindex=\"0\"><table class=\"data\"><caption class=\"sub\">Median time "
         "and memory of a "
         "forward pass</caption><thead><tr><th scope=col class=n>nodes</th><th "
         "scope=col class=n>Leman, ms</th><th scope=col class=n>"
         "plain LibTorch, ms</th><th scope=col class=n>ratio</th><th scope=col class=n>Leman, MB</th><th scope=col "
         "class=n>plain, MB</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

std::string claims_section(const Json& doc) {
  std::string html = "<h2 id=\"claims\">Claims of the paper</h2>";
  if (doc["claims"].empty()) return html + "<p>Not run for this report: <code>leman claims</code>.</p>";
  html +=
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption class=\"sub\">Every claim, run by "
      "Leman</caption><thead><tr><th scope=col>claim</th><th "
      "scope=col>verdict</th><th scope=col>evidence</th></tr></thead><tbody>";
  for (const Json& c : doc["claims"]) {
    const std::string verdict = c["verdict"];
    html += "<tr><th scope=row>" + text_of(c["statement"]) + "<br><small>" + text_of(c["where"]) +
            "</small></th><td class=\"" +
            (verdict.starts_with("fails")   ? "bad"
             : verdict.starts_with("holds") ? "good"
                                            : "") +
            "\">" + escape(verdict) + "</td><td>" + text_of(c["evidence"]) + "<br>" + code(c["command"]) + "</td></tr>";
  }
  return html + "</tbody></table></div>";
}

std::string runs_section(const Json& doc) {
  std::string html = "<h2 id=\"runs\">What was run</h2><p>" + text_of(doc["leman"]["machine"]) +
                     "</p><p>To repeat this report:</p><pre>" + text_of(doc["leman"]["command"]) + "</pre>";
  if (!doc["steps"].empty()) {
    html +=
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption class=\"sub\">Steps of this "
        "report</caption>"
        "<thead><tr><th scope=col>step</th><th "
        "scope=col>the same by "
        "hand</th><th scope=col class=n>seconds</th></tr></thead><tbody>";
    for (const Json& s : doc["steps"])
      html += "<tr><th scope=row>" + text_of(s["name"]) + "</th><td>" + code(s["command"]) + "</td><td class=n>" +
              brief(s["seconds"]) + "</td></tr>";
    html += "</tbody></table></div>";
  }
  html +=
      "<div class=\"scroll\" tabindex=\"0\"><table class=\"data wide\"><caption class=\"sub\">Run stores that it was "
      "made "
      "from</caption><thead><tr><th scope=col>store</th><th "
      "scope=col>made "
      "by</th><th scope=col class=n>model rows</th><th scope=col class=n>"
      "engine rows</th></tr></thead><tbody>";
  for (const Json& r : doc["runs"])
    html += "<tr><th scope=row>" + text_of(r["store"]) + "</th><td>" + code(r["command"]) + "</td><td class=n>" +
            r["rows"].dump() + "</td><td class=n>" + r["engine_rows"].dump() + "</td></tr>";
  html += "</tbody></table></div>";
  for (const Json& s : doc["studies"])
    html += "<p>" + text_of(s["title"]) + ": seeds " + text_of(s["seeds"]) + ", commit " + text_of(s["commits"]) +
            ", " + brief(s["cpu_seconds"]) + " CPU seconds.</p>";
  html += "<h3>What was not run</h3><ul>";
  for (const Json& n : doc["not_run"]) html += "<li>" + text_of(n) + "</li>";
  return html + (doc["not_run"].empty() ? "<li>Everything was.</li></ul>" : "</ul>");
}

// What the script needs, and no more.
std::string script_data(const Json& doc) {
  Json data{{"count", brec::kPairs}, {"rows", Json::array()}, {"studies", Json::array()}, {"pairs", doc["pairs"]}};
  for (const Json& row : doc["rows"])
    data["rows"].push_back(
        {{"id", row["id"]}, {"title", row["title"]}, {"kind", row["kind"]}, {"cells", row["cells"]}});
  for (const Json& s : doc["studies"]) {
    Json points = Json::array();
    for (const Json& p : s["points"])
      if (p["seed"] == s["seeds"][0]) points.push_back({p["pair"], p["value"], p["reliability"]});
    data["studies"].push_back(
        {{"row", s["row"]}, {"statistic", s["statistic"]}, {"threshold", s["threshold"]}, {"points", points}});
  }
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3) text.insert(at + 1, "\\");
  for (std::size_t at = 0; (at = text.find("<!--", at)) != std::string::npos; at += 5) text.replace(at, 1, "\\u003c");
  return text;
}

}  // namespace

std::string html_page(const Json& doc) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\">"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "script-src 'unsafe-inline'; img-src data:\">"
         "<title>Expressivity report – Leman</title><style>\n" +
         std::string(kPageStyle) + "</style></head><body>\n" + header(doc) + "<main>\n" + map_section(doc) + "\n" +
         tests_section(doc) + "\n" + agreement_section(doc) + "\n" + kernel_section(doc) + "\n" + claims_section(doc) +
         "\n" + runs_section(doc) +
         "</main><footer>report.json beside this file has every number; *.csv and *.tex the tables.</footer>\n"
         "<dialog id=\"pair\" aria-labelledby=\"pair-title\"><div class=\"bar\"><h2 id=\"pair-title\"></h2><button "
         "type=\"button\" id=\"pair-before\">← before</button>"
         "<button type=\"button\" id=\"pair-after\">next →</button><button type=\"button\" "
         "id=\"pair-close\">Close</button></div><div id=\"pair-body\"></div></dialog>\n"
         "<script type=\"application/json\" id=\"data\">" +
         script_data(doc) + "</script>\n<script>\n" + kPageScript + "</script></body></html>\n";
}

}  // namespace leman::reports
