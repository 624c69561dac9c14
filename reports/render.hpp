// A document as files and as text.
#pragma once

#include <string>
#include <vector>

#include "reports/document.hpp"
#include "reports/file.hpp"

namespace leman::reports {

// The files of a report: index.html, report.json, *.csv, *.tex.
std::vector<File> render(const Document& document);

// For a terminal: pairs distinguished, by category.
std::string summary_text(const Document& document);

// Single files.
std::string html_page(const Document& document);
std::string document_json(const Document& document);
std::string script_data(const Document& document);  // of the page, safe within a script element
std::string counts_csv(const Document& document);
std::string verdicts_csv(const Document& document);
std::string counts_latex(const Document& document);
std::string agreement_latex(const Document& document);

// "60", or "48.1 ± 1.9" with `plus_minus` between; `none` if no pair was run.
std::string count_text(const Count& count, const std::string& plus_minus, const std::string& none);

}  // namespace leman::reports
