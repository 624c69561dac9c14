// Inside reports/: real numbers in CSV files, written as in JSON.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "base/text.hpp"

namespace leman::reports {

// 3.0, 0.5, 1e-05; empty if the number is not finite or there is none.
inline std::string csv_real(std::optional<double> x) {
  if (!x || !std::isfinite(*x)) return "";
  const std::string text = shortest(*x);
  return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

}  // namespace leman::reports
