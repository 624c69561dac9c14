#include "reports/render.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace leman::reports {

namespace {

std::string csv_cell(const Json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv(const std::vector<std::vector<Json>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k ? "," : "") + csv_cell(row[k]);
    text += "\n";
  }
  return text;
}

std::string counts_csv(const Json& doc) {
  std::vector<std::vector<Json>> rows{{"row", "title", "kind", "group", "run", "distinguished", "deviation"}};
  for (const Json& row : doc["rows"])
    for (const auto& [group, c] : row["counts"].items())
      rows.push_back({row["id"], row["title"], row["kind"], group, c["run"], c["distinguished"], c["deviation"]});
  return csv(rows);
}

std::string verdicts_csv(const Json& doc) {
  std::vector<std::vector<Json>> rows{
      {"pair", "family", "row", "title", "distinguished", "seeds", "round", "false_positive", "unreliable"}};
  for (const Json& family : doc["families"])
    for (int id = family["first"]; id < family["first"].get<int>() + family["pairs"].get<int>(); ++id)
      for (const Json& row : doc["rows"]) {
        const Json& c = row["cells"][static_cast<std::size_t>(id)];
        if (c.is_null()) continue;  // not run: no row
        rows.push_back({id, family["name"], row["id"], row["title"], c["distinguished"], c.value("seeds", Json(1)),
                        c.value("round", Json(nullptr)), c.value("false_positive", Json(nullptr)),
                        c.value("unreliable", Json(nullptr))});
      }
  return csv(rows);
}

std::string agreement_csv(const Json& doc) {
  std::vector<std::vector<Json>> rows{
      {"model", "family", "coloured", "what", "depth", "compared", "agree", "coarser", "finer", "low", "high"}};
  for (const Json& model : doc["agreement"])
    for (const Json& row : model["rows"]) {
      auto line = [&](const std::string& what, const Json& depth, const Json& c) {
        rows.push_back({model["model"], row["family"], row["coloured"], what, depth, c["compared"], c["agree"],
                        c["coarser"], c["finer"], c["interval"].is_null() ? Json(nullptr) : c["interval"][0],
                        c["interval"].is_null() ? Json(nullptr) : c["interval"][1]});
      };
      for (std::size_t t = 0; t < row["tokens"].size(); ++t) line("tokens", t, row["tokens"][t]);
      line("tokens", "stable", row["stable"]);
      for (const auto& [name, pooling] : row["poolings"].items()) {
        for (std::size_t t = 0; t < pooling["layers"].size(); ++t) line(name, t, pooling["layers"][t]);
        line(name, "stable", pooling["stable"]);
      }
    }
  return csv(rows);
}

std::string latex_escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string("&%$#_{}").find(c) != std::string::npos)
      out += std::string("\\") + c;
    else if (c == '~' || c == '^')
      out += std::string("\\") + c + "{}";
    else if (c == '\\')
      out += "\\textbackslash{}";
    else
      out += c;
  }
  for (std::size_t at; (at = out.find("±")) != std::string::npos;) out.replace(at, std::string("±").size(), "$\\pm$");
  return out;
}

std::string latex_head(const Json& doc) {
  std::string command = doc["leman"]["command"];
  std::replace_if(
      command.begin(), command.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');  // stays a comment
  return "% Made by: " + command + "\n% Leman " + doc["leman"]["version"].get<std::string>() + " (" +
         doc["leman"]["commit"].get<std::string>() + "). Needs \\usepackage{booktabs}.\n";
}

std::string counts_latex(const Json& doc) {
  std::string tex =
      latex_head(doc) + "\\begin{tabular}{lrrrrr}\n\\toprule\n & Basic & Regular & Extension & CFI & All \\\\\n";
  const auto sizes = category_sizes(doc);
  for (const std::string& name : category_names()) tex += " & (" + std::to_string(sizes.at(name)) + ")";
  tex += " \\\\\n\\midrule\n";
  for (const Json& row : doc["rows"]) {
    tex += latex_escape(row["title"]);
    for (const std::string& name : category_names()) {
      const Json& c = row["counts"][name];
      const bool part = c["run"].get<int>() < sizes.at(name);
      tex += " & " + (c["run"] == 0
                          ? std::string("--")
                          : count_text(c, "$\\pm$") + (part ? " of " + std::to_string(c["run"].get<int>()) : ""));
    }
    tex += " \\\\\n";
  }
  if (!doc["published"].empty()) tex += "\\midrule\n";
  for (const Json& row : doc["published"]) {
    tex += "published: " + latex_escape(row["model"]);
    for (const Json& count : row["counts"]) tex += " & " + latex_escape(count);
    tex += " \\\\\n";
  }
  return tex + "\\bottomrule\n\\end{tabular}\n";
}

std::string agreement_latex(const Json& doc) {
  std::size_t depths = 0;
  for (const Json& model : doc["agreement"]) depths = std::max(depths, model["all"]["tokens"].size());
  std::string tex =
      latex_head(doc) +
      "% Share of graphs (%) whose tokens after t layers agree with 2-FWL after t rounds.\n\\begin{tabular}{lr" +
      std::string(depths, 'r') + "}\n\\toprule\nmodel & graphs";
  for (std::size_t t = 0; t < depths; ++t) tex += " & $t=" + std::to_string(t) + "$";
  tex += " \\\\\n\\midrule\n";
  for (const Json& model : doc["agreement"]) {
    tex += latex_escape(model["model"]) + " & " + model["all"]["graphs"].dump();
    for (const Json& c : model["all"]["tokens"]) {
      char text[32];
      std::snprintf(text, sizeof text, " & %.1f",
                    std::floor(1000 * c["agree"].get<double>() / c["compared"].get<double>()) / 10);
      tex += text;
    }
    tex += " \\\\\n";
  }
  return tex + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

const std::vector<std::string>& category_names() {
  static const std::vector<std::string> names{"Basic", "Regular", "Extension", "CFI", "all"};
  return names;
}

std::map<std::string, int> category_sizes(const Json& doc) {
  std::map<std::string, int> sizes;
  for (const Json& f : doc["families"])
    sizes[f["category"]] += f["pairs"].get<int>(), sizes["all"] += f["pairs"].get<int>();
  return sizes;
}

std::string count_text(const Json& count, const std::string& plus_minus) {
  char mean[32], deviation[32];
  const double x = count["distinguished"];
  if (count["deviation"].is_null()) {
    std::snprintf(mean, sizeof mean, "%.0f", x);
    return mean;
  }
  std::snprintf(mean, sizeof mean, "%.1f", x);
  std::snprintf(deviation, sizeof deviation, "%.1f", count["deviation"].get<double>());
  return mean + plus_minus + deviation;
}

std::vector<File> render(const Json& doc) {
  std::vector<File> files{{"index.html", html_page(doc)},
                          {"report.json", doc.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"},
                          {"counts.csv", counts_csv(doc)},
                          {"verdicts.csv", verdicts_csv(doc)},
                          {"counts.tex", counts_latex(doc)}};
  if (!doc["agreement"].empty()) {
    files.push_back({"agreement.csv", agreement_csv(doc)});
    files.push_back({"agreement.tex", agreement_latex(doc)});
  }
  return files;
}

}  // namespace leman::reports
