// Charts as inline SVG: no script, colours by CSS class, shapes differ as well, a sentence for
// screen readers. All text in them is escaped (reports/escape.hpp).
#pragma once

#include <string>
#include <vector>

namespace leman::reports {

struct Axis {
  std::string label;
  bool logarithmic = false;
  bool whole = false;  // ticks at whole numbers only
};

inline constexpr int kStyles = 7;

struct Series {
  std::string name;
  int style = 0;  // below kStyles: colour, dash and mark
  std::vector<std::pair<double, double>> points;
};

// Lines with their names at the right end. Points that cannot be drawn (zero on a logarithmic axis,
// not finite) are left out. Empty if there is nothing to draw.
std::string line_chart(const std::string& title, const Axis& x, const Axis& y, const std::vector<Series>& series);

struct Strip {
  std::string name;
  std::vector<double> filled, hollow;  // values: signal, reliability
};
// Values in groups on a logarithmic scale against a threshold. Zeros and infinities are drawn at the
// edges.
std::string strip_chart(const std::string& title, const std::string& label, const std::vector<Strip>& strips,
                        double threshold, const std::string& threshold_name);

}  // namespace leman::reports
