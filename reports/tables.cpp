// The tables of a report as CSV, LaTeX and text.
#include <algorithm>

#include "base/csv.hpp"
#include "base/table.hpp"
#include "base/text.hpp"
#include "reports/agreement_table.hpp"
#include "reports/csv_real.hpp"
#include "reports/group_columns.hpp"
#include "reports/render.hpp"

namespace leman::reports {

namespace {

std::string latex_escape(const std::string& text) {
  static const std::string plus_minus = "±";
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (text.compare(at, plus_minus.size(), plus_minus) == 0)
      out += "$\\pm$", at += plus_minus.size() - 1;
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else if (c == '~' || c == '^')
      out += std::string("\\") + c + "{}";
    else if (c == '\\')
      out += "\\textbackslash{}";
    else
      out += c;
  }
  return out;
}

std::string latex_head(const Document& document) {
  std::string command = document.command;
  std::replace_if(
      command.begin(), command.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');  // stays a comment
  return "% Made by: " + command + "\n% Leman " + document.version + " (" + document.commit +
         "). Needs \\usepackage{booktabs}.\n";
}

std::string latex_line(const std::vector<std::string>& cells) { return join(cells, " & ") + " \\\\\n"; }

std::string latex_count(const Count& count, int pairs) {
  return count_text(count, "$\\pm$", "--") +
         (count.run > 0 && count.run < pairs ? " of " + std::to_string(count.run) : "");
}

}  // namespace

std::string count_text(const Count& count, const std::string& plus_minus, const std::string& none) {
  if (!count.distinguished) return none;
  if (!count.deviation) return fixed(*count.distinguished, 0);
  return fixed(*count.distinguished, 1) + plus_minus + fixed(*count.deviation, 1);
}

std::string counts_csv(const Document& document) {
  std::vector<CsvRow> rows{{"row", "title", "kind", "group", "run", "distinguished", "deviation"}};
  for (const Row& row : document.rows)
    for (std::size_t group = 0; group < row.counts.size(); ++group) {
      const Count& count = row.counts[group];
      rows.push_back({row.id, row.title, row.engine ? "engine" : "model", document.roster.groups()[group].name,
                      std::to_string(count.run), csv_real(count.distinguished), csv_real(count.deviation)});
    }
  return to_csv(rows);
}

std::string verdicts_csv(const Document& document) {
  std::vector<CsvRow> rows{
      {"pair", "family", "row", "title", "distinguished", "seeds", "round", "false_positive", "unreliable", "name"}};
  for (int pair = 0; pair < document.roster.pairs(); ++pair)
    for (const Row& row : document.rows) {
      const auto& cell = row.cells[static_cast<std::size_t>(pair)];
      if (!cell) continue;  // not run: no row
      rows.push_back({std::to_string(pair), document.roster.family_of(pair).name, row.id, row.title,
                      std::to_string(cell->distinguished), std::to_string(cell->seeds),
                      cell->round ? std::to_string(*cell->round) : "",
                      row.engine             ? ""
                      : cell->false_positive ? "true"
                                             : "false",
                      row.engine ? "" : std::to_string(cell->unreliable), document.roster.name(pair)});
    }
  return to_csv(rows);
}

std::string counts_latex(const Document& document) {
  const brec::Roster& roster = document.roster;
  const std::vector<std::size_t> columns = roster.columns(false);
  std::vector<std::string> names{""}, pairs{""};
  for (const std::size_t group : columns) {
    names.push_back(group == roster.all() ? "All" : latex_escape(roster.groups()[group].name));
    pairs.push_back("(" + std::to_string(roster.groups()[group].pairs) + ")");
  }
  std::string tex = latex_head(document) + "\\begin{tabular}{l" + std::string(columns.size(), 'r') + "}\n\\toprule\n" +
                    latex_line(names) + latex_line(pairs) + "\\midrule\n";
  for (const Row& row : document.rows) {
    std::vector<std::string> cells{latex_escape(row.title)};
    for (const std::size_t group : columns)
      cells.push_back(latex_count(row.counts[group], roster.groups()[group].pairs));
    tex += latex_line(cells);
  }
  if (!document.published.empty()) tex += "\\midrule\n";
  for (const brec::PublishedRow& row : document.published) {
    std::vector<std::string> cells{"published: " + latex_escape(row.model)};
    for (const std::string& count : row.counts) cells.push_back(latex_escape(count));
    tex += latex_line(cells);
  }
  return tex + "\\bottomrule\n\\end{tabular}\n";
}

std::string agreement_latex(const Document& document) {
  std::size_t depths = 0;
  for (const study::AgreementRecord& model : document.agreement) depths = std::max(depths, model.all.tokens.size());
  std::vector<std::string> header{"model", "graphs"};
  for (std::size_t t = 0; t < depths; ++t) header.push_back("$t=" + std::to_string(t) + "$");
  std::string tex = latex_head(document) + "% Share of graphs (%) whose tokens after t layers agree with " +
                    std::string(wl::folklore(2).title) + " after t rounds.\n\\begin{tabular}{lr" +
                    std::string(depths, 'r') + "}\n\\toprule\n" + latex_line(header) + "\\midrule\n";
  for (const study::AgreementRecord& model : document.agreement) {
    std::vector<std::string> cells{latex_escape(model.model), std::to_string(model.all.graphs)};
    for (const proofs::Counts& counts : model.all.tokens) cells.push_back(percent(counts, 1));
    tex += latex_line(cells);
  }
  return tex + "\\bottomrule\n\\end{tabular}\n";
}

std::string summary_text(const Document& document) {
  std::vector<std::string> header = with_groups({""}, document.roster, false);
  header.insert(header.end(), {">run", ">false pos."});
  Table table(header);
  for (const Row& row : document.rows) {
    std::vector<std::string> cells = group_cells(row.title, document.roster, false, [&](std::size_t group) {
      const Count& count = row.counts[group];
      return count.distinguished ? brief(*count.distinguished, 6) : "-";
    });
    cells.push_back(std::to_string(row.counts[document.roster.all()].run));
    cells.push_back(row.false_positives ? std::to_string(*row.false_positives) : "");
    table.row(cells);
  }
  return table.text();
}

std::vector<File> render(const Document& document) {
  std::vector<File> files{{"index.html", html_page(document)},
                          {"report.json", document_json(document)},
                          {"counts.csv", counts_csv(document)},
                          {"verdicts.csv", verdicts_csv(document)},
                          {"counts.tex", counts_latex(document)}};
  if (!document.agreement.empty()) {
    files.push_back({"agreement.csv", agreement_csv(document.agreement)});
    files.push_back({"agreement.tex", agreement_latex(document)});
  }
  return files;
}

}  // namespace leman::reports
