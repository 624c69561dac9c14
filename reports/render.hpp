// Inside reports/: what the writers of HTML, CSV and LaTeX share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/document.hpp"

namespace leman::reports {

const std::vector<std::string>& category_names();  // Basic, Regular, Extension, CFI, all
std::map<std::string, int> category_sizes(const Json& doc);
// "60", or "48.1 ± 1.9" with `plus_minus` between.
std::string count_text(const Json& count, const std::string& plus_minus);

std::string html_page(const Json& doc);

}  // namespace leman::reports
