#include "reports/rounds_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"

namespace leman::reports {

namespace {

using Rgb = std::array<int, 3>;

// Chosen by computation: dark ink has a contrast of at least 5 on each, and any two stay 0.06 apart
// in OKLab, for readers without red or green cones too (tests/reports/rounds_drawing_test.cpp).
constexpr std::array<Rgb, 12> kPalette{{{0x6F, 0xA8, 0xDC},
                                        {0xF2, 0xA6, 0x5A},
                                        {0xF5, 0xE6, 0x63},
                                        {0xD0, 0x70, 0x8F},
                                        {0xB4, 0xDC, 0x9C},
                                        {0x40, 0xDC, 0xF4},
                                        {0x64, 0x94, 0x40},
                                        {0xC4, 0xB8, 0xB8},
                                        {0xA0, 0xF4, 0xF4},
                                        {0x40, 0x94, 0xB8},
                                        {0xD0, 0x94, 0x88},
                                        {0xA4, 0x64, 0xFC}}};
constexpr const char* kInk = "#10151c";
constexpr const char* kSoft = "#5b6675";
constexpr double kNumberSize = 29;
constexpr std::size_t kNumbered = 40;  // up to this order nodes and rows have their numbers

std::string hex(const Rgb& color) {
  std::string text = "#";
  for (const int part : color) {
    text += "0123456789abcdef"[part / 16];
    text += "0123456789abcdef"[part % 16];
  }
  return text;
}

Rgb mixed(Rgb color, int with, double share) {
  for (int& part : color) part = static_cast<int>(std::lround((1 - share) * part + share * with));
  return color;
}

// A font size at which a label fits into `width`.
double label_size(const std::string& label, double width) {
  return std::min(0.72 * width, 1.15 * width / static_cast<double>(label.size()));
}

struct At {
  double x, y;
};

// Text whose capitals stand in the middle of p: programs for slides know no dominant-baseline.
std::string centred(At p, double size, const std::string& text, const std::string& attributes = "") {
  return "<text x=\"" + units(p.x) + "\" y=\"" + units(p.y + 0.36 * size) + "\"" + attributes + ">" + text + "</text>";
}
std::string font(double size) { return " font-size=\"" + units(size) + "\""; }
std::string painted(const std::string& color) { return " fill=\"" + color + "\""; }

std::string point(At p) { return units(p.x) + " " + units(p.y); }
At between(At a, At b, double share) { return {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)}; }
double distance(At a, At b) { return std::hypot(b.x - a.x, b.y - a.y); }

// Where nodes stand in the square, and how large they are.
struct Places {
  std::vector<At> at;
  double radius = 0;

  Places(const std::vector<Point>& points, bool numbers) {
    const auto n = static_cast<double>(points.size());
    radius = std::clamp(185 / std::sqrt(std::max(n, 1.0)), 11.0, 46.0);
    const double margin = radius + (numbers ? 36 : 8);
    const double scale = (kSquare - 2 * margin) / 999;
    for (const Point& p : points) at.push_back({margin + scale * p.x, margin + scale * p.y});
    radius = std::min(radius, std::max(5.0, 0.48 * usual_gap()));
  }

 private:
  // The distance to the nearest node that nearly all nodes keep. Where all are counted, one pair that
  // touches makes all nodes tiny.
  double usual_gap() const {
    std::vector<double> gaps;
    for (std::size_t a = 0; a < at.size(); ++a) {
      double gap = kSquare;
      for (std::size_t b = 0; b < at.size(); ++b)
        if (b != a) gap = std::min(gap, distance(at[a], at[b]));
      gaps.push_back(gap);
    }
    std::sort(gaps.begin(), gaps.end());
    return gaps.empty() ? kSquare : gaps[gaps.size() / 20];
  }
};

// One edge, from circle to circle. Of two opposite arcs each bends to its right.
class EdgePath {
 public:
  EdgePath(const Places& places, wl::Node u, wl::Node v, bool bent) : from_(places.at[u]), to_(places.at[v]) {
    const double length = std::max(distance(from_, to_), 1.0);
    const At across{(from_.y - to_.y) / length, (to_.x - from_.x) / length};
    const double bend = bent ? std::min(0.16 * length, 60.0) : 0;
    control_ = {(from_.x + to_.x) / 2 + across.x * bend, (from_.y + to_.y) / 2 + across.y * bend};
    gap_ = std::min(0.45, places.radius / length);
  }
  At at(double t) const { return between(between(from_, control_, t), between(control_, to_, t), t); }
  // From t to s as a polyline's path, straight if it is one.
  std::string path(double t, double s) const {
    const At a = at(t), b = at(s), bend = between(between(from_, control_, t), between(control_, to_, t), s);
    return "M" + point(a) + "Q" + point(bend) + " " + point(b);
  }
  std::string arrow(double size) const {
    const At tip = at(1 - gap_), back = at(1 - gap_ - size / std::max(distance(from_, to_), size));
    const At side{(back.y - tip.y) * 0.42, (tip.x - back.x) * 0.42};
    return "M" + point(tip) + "L" + point({back.x + side.x, back.y + side.y}) + "L" +
           point({back.x - side.x, back.y - side.y}) + "z";
  }

 private:
  At from_, to_, control_;
  double gap_ = 0;
};

class GraphDrawing {
 public:
  GraphDrawing(const Rounds& rounds, const Round& round, std::size_t graph)
      : graph_(rounds.graphs[graph].graph),
        labels_(round.labels[graph]),
        pairs_(rounds.pairs()),
        numbered_(pairs_ && graph_.order() <= kNumbered),
        places_(rounds.places[graph], numbered_),
        width_(graph_.size() > 300  ? 1.4
               : graph_.size() > 80 ? 2.4
                                    : 3.6) {}

  std::string shapes() const {
    std::string lines, arrows, colors;
    for (const wl::Edge& e : graph_.edges()) add_edge(e, lines, arrows, colors);
    std::string svg = "<g class=\"edges\" fill=\"none\" stroke=\"" + std::string(kSoft) + "\" stroke-width=\"" +
                      units(pairs_ ? 3.2 * width_ : width_) + "\">" + lines + "</g>" + colors;
    if (!arrows.empty()) svg += "<path class=\"arrows\" fill=\"" + std::string(kSoft) + "\" d=\"" + arrows + "\"/>";
    return svg + edge_color_numbers() + nodes() + numbers();
  }

 private:
  Label label(wl::Node v) const { return labels_[pairs_ ? std::size_t{v} * graph_.order() + v : v]; }
  Label pair_label(wl::Node u, wl::Node v) const { return labels_[std::size_t{u} * graph_.order() + v]; }
  bool bent(wl::Node u, wl::Node v) const { return graph_.directed() && graph_.has_edge(v, u); }

  // The line itself and, over it, the colours of (u, v) in its first half and of (v, u) in its second.
  void add_edge(const wl::Edge& e, std::string& lines, std::string& arrows, std::string& colors) const {
    const EdgePath path(places_, e.u, e.v, bent(e.u, e.v));
    lines += "<path d=\"" + path.path(0, 1) + "\"" + dashes(e.color) + "/>";
    if (graph_.directed()) arrows += path.arrow(std::clamp(places_.radius, 12.0, 26.0));
    if (!pairs_) return;
    const Label out = pair_label(e.u, e.v), in = pair_label(e.v, e.u);
    const auto half = [&](double from, double to, Label label) {
      colors += "<path fill=\"none\" stroke=\"" + swatch(label).fill + "\" stroke-width=\"" + units(2.3 * width_) +
                "\" d=\"" + path.path(from, to) + "\"/>";
    };
    if (out == in) return half(0, 1, out);
    half(0, 0.5, out), half(0.5, 1, in);
  }

  static std::string dashes(wl::Color color) {
    static constexpr const char* kDashes[] = {"", "18 9", "4 8", "26 7 4 7", "10 5 10 16"};
    return color == 0 ? "" : " stroke-dasharray=\"" + std::string(kDashes[1 + (color - 1) % 4]) + "\"";
  }

  std::string edge_color_numbers() const {
    if (!graph_.edge_colored() || graph_.size() > 80) return "";
    std::string svg;
    for (const wl::Edge& e : graph_.edges()) {
      const At middle = EdgePath(places_, e.u, e.v, bent(e.u, e.v)).at(0.5);
      svg += centred(middle, 26, std::to_string(e.color));
    }
    return "<g class=\"numbers halo\" font-size=\"26\" text-anchor=\"middle\" fill=\"" + std::string(kInk) +
           "\" stroke=\"#fff\" stroke-width=\"7\" paint-order=\"stroke\">" + svg + "</g>";
  }

  std::string nodes() const {
    std::string circles, texts;
    for (wl::Node v = 0; v < graph_.order(); ++v) {
      const Swatch color = swatch(label(v));
      const std::string text = label_text(label(v));
      const At p = places_.at[v];
      const double size = label_size(text, 1.7 * places_.radius);
      circles += "<circle cx=\"" + units(p.x) + "\" cy=\"" + units(p.y) + "\" r=\"" + units(places_.radius) + "\"" +
                 painted(color.fill) + "><title>node " + std::to_string(v) + ", class " + text + "</title></circle>";
      texts += centred(p, size, text, painted(color.ink) + font(size));
    }
    return "<g class=\"outline\" stroke=\"" + std::string(kInk) + "\" stroke-width=\"" +
           units(std::max(1.0, places_.radius / 14)) + "\">" + circles +
           "</g><g text-anchor=\"middle\" pointer-events=\"none\">" + texts + "</g>";
  }

  // Beside the nodes, away from their neighbours.
  std::string numbers() const {
    if (!numbered_) return "";
    std::string svg;
    for (wl::Node v = 0; v < graph_.order(); ++v) {
      const At p = places_.at[v], side = away_from_neighbors(v);
      const double reach = places_.radius + 20;
      svg += centred({p.x + reach * side.x, p.y + reach * side.y}, kNumberSize, std::to_string(v));
    }
    return "<g class=\"numbers\"" + font(kNumberSize) + " text-anchor=\"middle\" fill=\"" + std::string(kSoft) + "\">" +
           svg + "</g>";
  }
  At away_from_neighbors(wl::Node v) const {
    const At p = places_.at[v];
    At sum{0, 0};
    for (const auto next : {graph_.neighbors(v), graph_.in_neighbors(v)})
      for (const wl::Node w : next) {
        const double far = std::max(distance(p, places_.at[w]), 1.0);
        sum.x += (p.x - places_.at[w].x) / far, sum.y += (p.y - places_.at[w].y) / far;
      }
    const double length = std::hypot(sum.x, sum.y);
    return length < 0.05 ? At{0, -1} : At{sum.x / length, sum.y / length};
  }

  const wl::Graph& graph_;
  const std::vector<Label>& labels_;
  bool pairs_, numbered_;
  Places places_;
  double width_;
};

class MatrixDrawing {
 public:
  MatrixDrawing(const Rounds& rounds, const Round& round, std::size_t graph)
      : n_(rounds.graphs[graph].graph.order()),
        labels_(round.labels[graph]),
        head_(n_ <= kNumbered ? 40 : 0),
        cell_((kSquare - head_ - 4) / std::max(1.0, static_cast<double>(n_))) {}

  std::string shapes() const { return cells() + lines() + texts() + numbers(); }

 private:
  double at(std::size_t k) const { return head_ + cell_ * static_cast<double>(k); }
  Label label(std::size_t i, std::size_t j) const { return labels_[i * n_ + j]; }

  // One path per class; equal cells beside each other in one piece.
  std::string cells() const {
    std::map<Label, std::string> path;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0, end; j < n_; j = end) {
        for (end = j; end < n_ && label(i, end) == label(i, j);) ++end;
        path[label(i, j)] +=
            "M" + point({at(j), at(i)}) + "H" + units(at(end)) + "V" + units(at(i + 1)) + "H" + units(at(j)) + "z";
      }
    std::string svg;
    for (const auto& [label, d] : path)
      svg += "<path fill=\"" + swatch(label).fill + "\" d=\"" + d + "\"><title>class " + label_text(label) +
             "</title></path>";
    return svg;
  }

  std::string lines() const {
    std::string d;
    for (std::size_t k = 0; k <= n_; ++k)
      d += "M" + point({at(k), head_}) + "V" + units(at(n_)) + "M" + point({head_, at(k)}) + "H" + units(at(n_));
    return "<path class=\"frame\" fill=\"none\" stroke=\"#fff\" stroke-width=\"" + units(std::min(3.0, cell_ / 14)) +
           "\" d=\"" + d + "\"/>";
  }

  std::string texts() const {
    std::string svg;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) {
        const std::string text = label_text(label(i, j));
        const Swatch color = swatch(label(i, j));
        const double size = label_size(text, 0.8 * cell_);
        svg += centred({at(j) + cell_ / 2, at(i) + cell_ / 2}, size, text,
                       (text.size() > 1 ? font(size) : "") + (color.ink == kInk ? "" : painted(color.ink)));
      }
    return "<g text-anchor=\"middle\" fill=\"" + std::string(kInk) + "\" font-size=\"" +
           units(label_size("A", 0.8 * cell_)) + "\">" + svg + "</g>";
  }

  std::string numbers() const {
    if (head_ == 0) return "";
    std::string svg;
    const double size = std::min(kNumberSize, 0.7 * cell_);
    for (std::size_t k = 0; k < n_; ++k) {
      const double middle = at(k) + cell_ / 2;
      svg +=
          centred({middle, head_ / 2}, size, std::to_string(k)) + centred({head_ / 2, middle}, size, std::to_string(k));
    }
    return "<g class=\"numbers\" text-anchor=\"middle\" fill=\"" + std::string(kSoft) + "\" font-size=\"" +
           units(size) + "\">" + svg + "</g>";
  }

  std::size_t n_;
  const std::vector<Label>& labels_;
  double head_, cell_;
};

}  // namespace

std::string units(double x) {
  std::string text = fixed(x, 1);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

Swatch swatch(Label label) {
  const Rgb& color = kPalette[label % kPalette.size()];
  switch (label / kPalette.size() % 3) {
    case 0: return {hex(color), kInk};
    case 1: return {hex(mixed(color, 255, 0.55)), kInk};
    default: return {hex(mixed(color, 0, 0.55)), "#ffffff"};
  }
}

double half_height(const Rounds& rounds) {
  if (rounds.pairs()) return kSquare / 2.0;
  double half = 0;
  for (const auto& points : rounds.places) {
    const Places places(points, false);
    for (const At& p : places.at) half = std::max(half, std::abs(p.y - kSquare / 2.0) + places.radius);
  }
  return std::min(half + 16, kSquare / 2.0);
}

std::string graph_shapes(const Rounds& rounds, const Round& round, std::size_t graph) {
  return GraphDrawing(rounds, round, graph).shapes();
}

std::string matrix_shapes(const Rounds& rounds, const Round& round, std::size_t graph) {
  return MatrixDrawing(rounds, round, graph).shapes();
}

std::string chip(Label label, double x, double y, double width, double height) {
  const Swatch color = swatch(label);
  const std::string text = label_text(label);
  const double size = label_size(text, std::min(width, 1.2 * height));
  return "<rect class=\"outline\" x=\"" + units(x) + "\" y=\"" + units(y) + "\" width=\"" + units(width) +
         "\" height=\"" + units(height) + "\" rx=\"4\"" + painted(color.fill) + " stroke=\"" + kInk + "\"/>" +
         centred({x + width / 2, y + height / 2}, size, text,
                 painted(color.ink) + font(size) + " text-anchor=\"middle\"");
}

}  // namespace leman::reports
