#include "reports/charts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "reports/escape.hpp"
#include "reports/names.hpp"

namespace leman::reports {

namespace {

constexpr double kWidth = 720, kHeight = 300, kLeft = 64, kTop = 14, kBottom = 44;
constexpr double kStripRight = 20;                 // margin of a strip chart
constexpr double kNameLeft = 24, kNameSize = 7.2;  // names of lines: from the axis on, width of a character
constexpr std::size_t kLongestName = 44;           // longer ones are cut, and shown whole by a tooltip

std::string num(double x) { return fixed(x, 1); }
std::string tick_text(double x, bool logarithmic) {
  const double exponent = logarithmic ? std::round(std::log10(x)) : 0;
  return exponent < -2 || exponent > 3 ? "1e" + fixed(exponent, 0) : brief(x, 6);
}

// A range of values mapped to pixels, with ticks.
class Scale {
 public:
  Scale(double low, double high, bool logarithmic, double from, double to, bool whole = false)
      : logarithmic_(logarithmic), from_(from), to_(to) {
    constexpr auto limits = std::numeric_limits<double>();
    if (logarithmic_) {
      low_ = std::floor(std::log10(std::max(low, limits.min())));
      high_ = std::max(low_ + 1, std::ceil(std::log10(std::min(high, limits.max()))));
      step_ = std::max(1.0, std::ceil((high_ - low_) / 7));
      return;
    }
    // Values that differ in their last digits only would have ticks without end.
    const double magnitude = std::max(std::abs(low), std::abs(high));
    if (!(high - low > 1e-9 * magnitude)) high = low + std::max(1.0, 1e-6 * magnitude);
    step_ = std::max(nice_step((high - low) / 5), whole ? 1.0 : 0.0);
    low_ = std::floor(low / step_) * step_;
    high_ = std::max(low_ + step_, std::ceil(high / step_ - 1e-9) * step_);
  }
  double at(double value) const {
    const double v = logarithmic_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (v - low_) / (high_ - low_);
  }
  std::vector<double> ticks() const {
    std::vector<double> list;
    const int count = static_cast<int>(std::floor((high_ - low_) / step_ + 1e-6));
    for (int k = 0; k <= count; ++k) {
      const double t = low_ + k * step_;
      list.push_back(logarithmic_ ? std::pow(10, t) : std::abs(t) < step_ / 1e6 ? 0 : t);
    }
    return list;
  }
  bool logarithmic() const { return logarithmic_; }

 private:
  static double nice_step(double raw) {
    const double base = std::pow(10, std::floor(std::log10(std::max(raw, 1e-12))));
    for (double k : {1.0, 2.0, 5.0})
      if (k * base >= raw) return k * base;
    return 10 * base;
  }
  bool logarithmic_;
  double from_, to_, low_ = 0, high_ = 1, step_ = 1;
};

std::string open(const std::string& title) {
  return "<svg class=\"chart\" role=\"img\" aria-label=\"" + escape(title) + "\" viewBox=\"0 0 " + num(kWidth) + " " +
         num(kHeight) + "\">";
}

std::string y_axis(const Scale& y, const std::string& label, double right) {
  std::string svg;
  for (const double t : y.ticks())
    svg += "<path class=\"grid\" d=\"M" + num(kLeft) + " " + num(y.at(t)) + "H" + num(right) + "\"/><text x=\"" +
           num(kLeft - 7) + "\" y=\"" + num(y.at(t) + 4) + "\" text-anchor=\"end\">" + tick_text(t, y.logarithmic()) +
           "</text>";
  return svg + "<text class=\"label\" transform=\"translate(13 " + num((kTop + kHeight - kBottom) / 2) +
         ") rotate(-90)\" text-anchor=\"middle\">" + escape(label) + "</text>";
}

std::string x_axis(const Scale& x, const std::string& label, double right) {
  std::string svg =
      "<path class=\"axis\" d=\"M" + num(kLeft) + " " + num(kHeight - kBottom) + "H" + num(right) + "\"/>";
  for (const double t : x.ticks())
    svg += "<text x=\"" + num(x.at(t)) + "\" y=\"" + num(kHeight - kBottom + 17) + "\" text-anchor=\"middle\">" +
           tick_text(t, x.logarithmic()) + "</text>";
  return svg + "<text class=\"label\" x=\"" + num((kLeft + right) / 2) + "\" y=\"" + num(kHeight - 6) +
         "\" text-anchor=\"middle\">" + escape(label) + "</text>";
}

// Marks that differ in shape as well as in colour.
std::string mark(int style, double x, double y) {
  const std::string kind = " class=\"m s" + std::to_string(style) + "\"";
  switch (style % 3) {
    case 0: return "<circle" + kind + " cx=\"" + num(x) + "\" cy=\"" + num(y) + "\" r=\"3.4\"/>";
    case 1:
      return "<rect" + kind + " x=\"" + num(x - 3.2) + "\" y=\"" + num(y - 3.2) + "\" width=\"6.4\" height=\"6.4\"/>";
    default: return "<path" + kind + " d=\"M" + num(x) + " " + num(y - 4.4) + "l4.2 7.4h-8.4z\"/>";
  }
}

// Places for names at the right end that do not touch each other.
std::vector<double> spread(std::vector<double> wanted) {
  constexpr double kGap = 15;
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });
  for (std::size_t k = 1; k < order.size(); ++k)
    wanted[order[k]] = std::max(wanted[order[k]], wanted[order[k - 1]] + kGap);
  double limit = kHeight - kBottom;
  for (std::size_t k = order.size(); k-- > 0; limit -= kGap) wanted[order[k]] = std::min(wanted[order[k]], limit);
  return wanted;
}

// ---- lines

using Pair = std::pair<double, double>;

bool usable(double value, const Axis& axis) { return std::abs(value) < 1e300 && (!axis.logarithmic || value > 0); }

// Only what can be drawn, and only series of which something can.
std::vector<Series> usable(std::vector<Series> series, const Axis& x, const Axis& y) {
  for (Series& s : series)
    std::erase_if(s.points, [&](const Pair& p) { return !usable(p.first, x) || !usable(p.second, y); });
  std::erase_if(series, [](const Series& s) { return s.points.empty(); });
  return series;
}

std::pair<double, double> range(const std::vector<Series>& series, double Pair::*coordinate) {
  double low = INFINITY, high = -INFINITY;
  for (const Series& s : series)
    for (const Pair& p : s.points) low = std::min(low, p.*coordinate), high = std::max(high, p.*coordinate);
  return {low, high};
}

std::string line_of(const Series& s, const Scale& x, const Scale& y) {
  std::string path, marks;
  for (const Pair& p : s.points) {
    path += (path.empty() ? "M" : "L") + num(x.at(p.first)) + " " + num(y.at(p.second));
    marks += mark(s.style, x.at(p.first), y.at(p.second));
  }
  return "<path class=\"line s" + std::to_string(s.style) + "\" d=\"" + path + "\"/>" +
         (s.points.size() <= 24 ? marks : "");
}

std::string name_of(const Series& s, double right, double height) {
  const std::string name = shortened(s.name, kLongestName);
  return mark(s.style, right + 14, height) + "<text x=\"" + num(right + kNameLeft) + "\" y=\"" + num(height + 4) +
         "\">" + (name == s.name ? "" : "<title>" + escape(s.name) + "</title>") + escape(name) + "</text>";
}

// Where the plot ends, so that the longest name fits beside it.
double right_edge(const std::vector<Series>& series) {
  std::size_t longest = 0;
  for (const Series& s : series) longest = std::max(longest, std::min(width_of(s.name), kLongestName));
  return kWidth - kNameLeft - kNameSize * static_cast<double>(longest) - 2;
}

// ---- strips

// Side by side in the order of pairs, so that equal values can be seen.
template <class Place>
std::string dots(const std::vector<double>& values, const char* kind, double left, double width, Place place) {
  std::string svg;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = left + width * (static_cast<double>(k) + 0.5) / static_cast<double>(values.size());
    svg += std::string("<circle class=\"") + kind + "\" cx=\"" + num(x) + "\" cy=\"" + num(place(values[k])) +
           "\" r=\"2.6\"/>";
  }
  return svg;
}

// A name in two lines, cut at its hyphen: families stand close together.
std::string strip_name(const std::string& name, double center) {
  const std::size_t hyphen = name.find('-');
  const std::string first = name.substr(0, hyphen == name.npos ? hyphen : hyphen + 1);
  const std::string second = hyphen == name.npos ? "" : name.substr(hyphen + 1);
  std::string svg;
  for (const auto& [part, line] : {std::pair{first, 17.0}, {second, 31.0}})
    svg += "<text x=\"" + num(center) + "\" y=\"" + num(kHeight - kBottom + line) + "\" text-anchor=\"middle\">" +
           escape(part) + "</text>";
  return svg;
}

}  // namespace

std::string line_chart(const std::string& title, const Axis& x_axis_of, const Axis& y_axis_of,
                       const std::vector<Series>& all) {
  const std::vector<Series> series = usable(all, x_axis_of, y_axis_of);
  if (series.empty()) return "";
  const double right = right_edge(series);
  const auto [left_value, right_value] = range(series, &Pair::first);
  const auto [low, high] = range(series, &Pair::second);
  const Scale x(left_value, right_value, x_axis_of.logarithmic, kLeft, right, x_axis_of.whole);
  const Scale y(low, high, y_axis_of.logarithmic, kHeight - kBottom, kTop);
  std::string svg = open(title) + y_axis(y, y_axis_of.label, right) + x_axis(x, x_axis_of.label, right);
  std::vector<double> ends;
  for (const Series& s : series) {
    svg += line_of(s, x, y);
    ends.push_back(y.at(s.points.back().second));
  }
  const std::vector<double> heights = spread(ends);
  for (std::size_t k = 0; k < series.size(); ++k) svg += name_of(series[k], right, heights[k]);
  return svg + "</svg>";
}

std::string strip_chart(const std::string& title, const std::string& label, const std::vector<Strip>& strips,
                        double threshold, const std::string& threshold_name) {
  double low = threshold, high = threshold;
  for (const Strip& strip : strips)
    for (const auto* list : {&strip.filled, &strip.hollow})
      for (const double v : *list)
        if (std::isfinite(v) && v > 0) low = std::min(low, v), high = std::max(high, v);
  const double right = kWidth - kStripRight;
  const Scale y(low / 10, high * 10, true, kHeight - kBottom, kTop);
  std::string svg = open(title) + y_axis(y, label, right);
  const double width = (right - kLeft) / static_cast<double>(std::max<std::size_t>(1, strips.size()));
  auto place = [&](double v) { return v > 0 ? (std::isfinite(v) ? y.at(v) : kTop + 3) : kHeight - kBottom - 3; };
  for (std::size_t s = 0; s < strips.size(); ++s) {
    const double left = kLeft + width * static_cast<double>(s);
    svg += dots(strips[s].filled, "dot", left + 0.08 * width, 0.36 * width, place) +
           dots(strips[s].hollow, "ring", left + 0.52 * width, 0.36 * width, place) +
           strip_name(strips[s].name, left + width / 2);
  }
  svg += "<path class=\"threshold\" d=\"M" + num(kLeft) + " " + num(y.at(threshold)) + "H" + num(right) +
         "\"/><text class=\"note\" x=\"" + num(right - 2) + "\" y=\"" + num(y.at(threshold) - 6) +
         "\" text-anchor=\"end\">" + escape(threshold_name) + "</text>";
  return svg + "</svg>";
}

}  // namespace leman::reports
