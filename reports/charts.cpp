#include "reports/charts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace leman::reports {

namespace {

constexpr double kWidth = 720, kHeight = 300, kLeft = 64, kRight = 150, kTop = 14, kBottom = 44;

std::string num(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", x);
  return text;
}
std::string tick_text(double x, bool logarithmic) {
  char text[32];
  if (logarithmic) {
    const double exponent = std::round(std::log10(x));
    if (exponent >= -2 && exponent <= 3)
      std::snprintf(text, sizeof text, "%g", x);
    else
      std::snprintf(text, sizeof text, "1e%.0f", exponent);
  } else {
    std::snprintf(text, sizeof text, "%g", x);
  }
  return text;
}

// A range of values mapped to pixels, with ticks.
class Scale {
 public:
  Scale(double low, double high, bool logarithmic, double from, double to)
      : logarithmic_(logarithmic), from_(from), to_(to) {
    if (!logarithmic_ && !(high > low)) high = low + 1;
    if (logarithmic_) {
      low_ = std::floor(std::log10(low)), high_ = std::ceil(std::log10(high));
    } else {
      step_ = nice_step((high - low) / 5);
      low_ = std::floor(low / step_) * step_, high_ = std::ceil(high / step_ - 1e-9) * step_;
    }
    if (high_ <= low_) high_ = low_ + 1;
  }
  double at(double value) const {
    const double v = logarithmic_ ? std::log10(value) : value;
    return from_ + (to_ - from_) * (v - low_) / (high_ - low_);
  }
  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  std::vector<double> ticks() const {
    std::vector<double> list;
    if (!logarithmic_) {
      for (double t = low_; t <= high_ + step_ / 2; t += step_) list.push_back(std::abs(t) < step_ / 1e6 ? 0 : t);
      return list;
    }
    const double step = std::max(1.0, std::ceil((high_ - low_) / 7));
    for (double e = low_; e <= high_ + 0.5; e += step) list.push_back(std::pow(10, e));
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

std::string x_axis(const Scale& x, const std::string& label) {
  std::string svg =
      "<path class=\"axis\" d=\"M" + num(kLeft) + " " + num(kHeight - kBottom) + "H" + num(kWidth - kRight) + "\"/>";
  for (const double t : x.ticks())
    svg += "<text x=\"" + num(x.at(t)) + "\" y=\"" + num(kHeight - kBottom + 17) + "\" text-anchor=\"middle\">" +
           tick_text(t, x.logarithmic()) + "</text>";
  return svg + "<text class=\"label\" x=\"" + num((kLeft + kWidth - kRight) / 2) + "\" y=\"" + num(kHeight - 6) +
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

}  // namespace

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  return out;
}

std::string line_chart(const std::string& title, const Axis& x_axis_of, const Axis& y_axis_of,
                       const std::vector<Series>& series) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  auto usable = [&](const std::pair<double, double>& p) {
    return std::isfinite(p.first) && std::isfinite(p.second) && (!x_axis_of.logarithmic || p.first > 0) &&
           (!y_axis_of.logarithmic || p.second > 0);
  };
  for (const Series& s : series)
    for (const auto& p : s.points)
      if (usable(p)) {
        low[0] = std::min(low[0], p.first), high[0] = std::max(high[0], p.first);
        low[1] = std::min(low[1], p.second), high[1] = std::max(high[1], p.second);
      }
  if (!(low[0] <= high[0])) return "<p>Nothing to draw.</p>";
  const Scale x(low[0], high[0], x_axis_of.logarithmic, kLeft, kWidth - kRight);
  const Scale y(low[1], high[1], y_axis_of.logarithmic, kHeight - kBottom, kTop);
  std::string svg = open(title) + y_axis(y, y_axis_of.label, kWidth - kRight) + x_axis(x, x_axis_of.label);
  std::vector<double> ends;
  std::vector<const Series*> drawn;
  for (const Series& s : series) {
    std::string path, marks;
    double end = 0;
    for (const auto& p : s.points) {
      if (!usable(p)) continue;
      path += (path.empty() ? "M" : "L") + num(x.at(p.first)) + " " + num(y.at(p.second));
      marks += mark(s.style, x.at(p.first), end = y.at(p.second));
    }
    if (path.empty()) continue;
    svg += "<path class=\"line s" + std::to_string(s.style) + "\" d=\"" + path + "\"/>";
    if (s.points.size() <= 24) svg += marks;
    ends.push_back(end), drawn.push_back(&s);
  }
  const std::vector<double> places = spread(ends);
  for (std::size_t k = 0; k < drawn.size(); ++k)
    svg += mark(drawn[k]->style, kWidth - kRight + 14, places[k]) + "<text x=\"" + num(kWidth - kRight + 24) +
           "\" y=\"" + num(places[k] + 4) + "\">" + escape(drawn[k]->name) + "</text>";
  return svg + "</svg>";
}

std::string strip_chart(const std::string& title, const std::string& label, const std::vector<Strip>& strips,
                        double threshold, const std::string& threshold_name) {
  double low = threshold, high = threshold;
  for (const Strip& strip : strips)
    for (const auto* list : {&strip.filled, &strip.hollow})
      for (const double v : *list)
        if (std::isfinite(v) && v > 0) low = std::min(low, v), high = std::max(high, v);
  const Scale y(low / 10, high * 10, true, kHeight - kBottom, kTop);
  std::string svg = open(title) + y_axis(y, label, kWidth - 20);
  const double width = (kWidth - kLeft - 20) / static_cast<double>(std::max<std::size_t>(1, strips.size()));
  auto place = [&](double v) { return v > 0 ? (std::isfinite(v) ? y.at(v) : kTop + 3) : kHeight - kBottom - 3; };
  for (std::size_t s = 0; s < strips.size(); ++s) {
    const double left = kLeft + width * static_cast<double>(s);
    auto dots = [&](const std::vector<double>& values, const char* kind, double from) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        // Side by side in the order of pairs, so that equal values can be seen.
        const double x =
            left + width * (from + 0.36 * (static_cast<double>(k) + 0.5) / static_cast<double>(values.size()));
        svg += std::string("<circle class=\"") + kind + "\" cx=\"" + num(x) + "\" cy=\"" + num(place(values[k])) +
               "\" r=\"2.6\"/>";
      }
    };
    dots(strips[s].filled, "dot", 0.08);
    dots(strips[s].hollow, "ring", 0.52);
    // A name in two lines, at its hyphen: families stand close together.
    const std::size_t hyphen = strips[s].name.find('-');
    const std::string first = strips[s].name.substr(0, hyphen == std::string::npos ? hyphen : hyphen + 1);
    const std::string second = hyphen == std::string::npos ? "" : strips[s].name.substr(hyphen + 1);
    for (const auto& [part, line] : {std::pair{first, 17.0}, {second, 31.0}})
      svg += "<text x=\"" + num(left + width / 2) + "\" y=\"" + num(kHeight - kBottom + line) +
             "\" text-anchor=\"middle\">" + escape(part) + "</text>";
  }
  svg += "<path class=\"threshold\" d=\"M" + num(kLeft) + " " + num(y.at(threshold)) + "H" + num(kWidth - 20) +
         "\"/><text class=\"note\" x=\"" + num(kWidth - 22) + "\" y=\"" + num(y.at(threshold) - 6) +
         "\" text-anchor=\"end\">" + escape(threshold_name) + "</text>";
  return svg + "</svg>";
}

}  // namespace leman::reports
