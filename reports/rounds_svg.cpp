#include "reports/rounds_svg.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "reports/escape.hpp"
#include "reports/rounds_drawing.hpp"
#include "reports/rounds_words.hpp"

namespace leman::reports {

namespace {

constexpr double kMargin = 24, kGap = 20;
constexpr double kTitle = 22, kText = 15;  // font sizes
constexpr double kLine = 21;               // from line to line of text
constexpr double kCharacter = 0.52;        // its width in font sizes, on average
constexpr double kWidth = 560;             // of a picture of one graph on nodes, inside its margins
constexpr double kSide = 380;              // width of a drawing; of a single one on nodes kWidth
constexpr std::size_t kMostLines = 9;      // of sentences in a picture
constexpr double kWide = 16.0 / 9;         // what all.svg comes close to

std::string text_line(double x, double y, double size, const std::string& text, const std::string& attributes = "") {
  return "<text x=\"" + units(x) + "\" y=\"" + units(y) + "\" font-size=\"" + units(size) + "\"" + attributes + ">" +
         escape(text) + "</text>";
}
constexpr const char* kBold = " font-weight=\"bold\"";
constexpr const char* kMiddle = " text-anchor=\"middle\"";

// Shapes from (0, 0) on, and how much room they take.
struct Picture {
  std::string svg;
  double width = 0, height = 0;

  void line(double size, const std::string& text, const std::string& attributes = "") {
    svg += text_line(0, height + 0.8 * size, size, text, attributes);
    height += 1.4 * size;
  }
};

std::string moved(const std::string& svg, double x, double y, double scale = 1) {
  return "<g transform=\"translate(" + units(x) + " " + units(y) + ")" +
         (scale == 1 ? "" : " scale(" + fixed(scale, 4) + ")") + "\">" + svg + "</g>";
}

std::vector<std::string> wrapped(const std::string& text, double width) {
  const auto room = static_cast<std::size_t>(width / (kCharacter * kText));
  std::vector<std::string> lines{""};
  for (const std::string& word : split(text, ' ')) {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > room) lines.emplace_back("   ");
    lines.back() += (lines.back().empty() || lines.back() == "   " ? "" : " ") + word;
  }
  return lines;
}

// How graphs share the width: on nodes side by side; on pairs each has a row, drawing and matrix.
struct Squares {
  std::size_t columns, rows;
  double across, side;   // width and height of a drawing
  double width, height;  // of all

  explicit Squares(const Rounds& rounds) {
    const std::size_t graphs = rounds.graphs.size(), squares = rounds.pairs() ? 2 : 1;
    const bool beside = rounds.pairs() ? graphs > 2 : true;  // else one graph per row
    columns = squares * (beside ? std::min<std::size_t>(graphs, graphs == 4 || rounds.pairs() ? 2 : 3) : 1);
    rows = (graphs * squares + columns - 1) / columns;
    across = graphs * squares == 1 ? kWidth : kSide;
    side = 2 * half_height(rounds) * across / kSquare;
    width = static_cast<double>(columns) * (across + kGap) - kGap;
    height = static_cast<double>(rows) * (side + kLine + kGap) - kGap;
  }
};

void add_squares(const Rounds& rounds, const Round& round, Picture& picture) {
  const Squares squares(rounds);
  const double left = (picture.width - squares.width) / 2;
  std::size_t k = 0;
  const auto add = [&](const std::string& name, const std::string& shapes) {
    const double x = left + static_cast<double>(k % squares.columns) * (squares.across + kGap);
    const double y = picture.height + static_cast<double>(k / squares.columns) * (squares.side + kLine + kGap);
    picture.svg += text_line(x + squares.across / 2, y + 0.8 * kText, kText, name, std::string(kMiddle) + kBold) +
                   moved(shapes, x, y + kLine - (squares.across - squares.side) / 2, squares.across / kSquare);
    ++k;
  };
  for (std::size_t g = 0; g < rounds.graphs.size(); ++g) {
    const std::string& name = rounds.graphs[g].name;
    add(name, graph_shapes(rounds, round, g));
    if (rounds.pairs()) add(name + ", its pairs", matrix_shapes(rounds, round, g));
  }
  picture.height += squares.height + kGap;
}

std::string sizes_text(const RoundClass& c) {
  std::string text;
  for (const std::uint64_t size : c.sizes) text += (text.empty() ? "" : " | ") + std::to_string(size);
  return text;
}

// A chip for every class and its size in every graph; bold where graphs differ. What does not fit
// into two rows is counted.
void add_legend(const Round& round, Picture& picture) {
  constexpr double kChip = 30, kHeight = 22;
  double x = 0, right = picture.width;
  int row = 0;
  std::size_t shown = 0;
  for (const RoundClass& c : round.classes) {
    const std::string text = sizes_text(c);
    const double width =
        kChip + 8 + kCharacter * kText * (c.differ() ? 1.15 : 1.0) * static_cast<double>(text.size()) + 16;
    if (x > 0 && x + width > right) {
      if (row == 1) break;
      ++row, x = 0, right = picture.width - 110;  // room for how many more there are
      picture.height += kHeight + 8;
    }
    picture.svg +=
        chip(c.label, x, picture.height, kChip, kHeight) +
        text_line(x + kChip + 7, picture.height + kHeight / 2 + 0.36 * kText, kText, text, c.differ() ? kBold : "");
    x += width, ++shown;
  }
  if (shown < round.classes.size())
    picture.svg += text_line(x, picture.height + kHeight / 2 + 0.36 * kText, kText,
                             "and " + std::to_string(round.classes.size() - shown) + " more");
  picture.height += kHeight + 12;
}

// Sentences, as many as have room.
void add_sentences(const std::vector<std::string>& sentences, Picture& picture) {
  std::vector<std::string> lines;
  for (const std::string& sentence : sentences)
    for (std::string& line : wrapped(sentence, picture.width)) lines.push_back(std::move(line));
  if (lines.size() > kMostLines) {
    lines.resize(kMostLines);
    lines.back() = "…";
  }
  for (const std::string& line : lines) {
    picture.svg += text_line(line.starts_with("   ") ? 16 : 0, picture.height + 0.8 * kText, kText,
                             line.substr(line.starts_with("   ") ? 3 : 0));
    picture.height += kLine;
  }
}

Picture picture_of(const Rounds& rounds, const Round& round) {
  Picture picture;
  picture.width = std::max(kWidth, Squares(rounds).width);
  picture.line(kTitle, "Round " + std::to_string(round.number) + ": " + classes_text(rounds, round), kBold);
  picture.height += 6;
  add_squares(rounds, round, picture);
  add_legend(round, picture);
  add_sentences(sentences_of(rounds, round), picture);
  return picture;
}

std::string whole(const Rounds& rounds, const Picture& picture, const std::string& title) {
  const std::string width = units(picture.width + 2 * kMargin), height = units(picture.height + 2 * kMargin);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"0 0 " +
         width + " " + height +
         "\" role=\"img\" font-family=\"DejaVu Sans, Noto Sans, Helvetica, Arial, sans-serif\" fill=\"#10151c\">"
         "<title>" +
         escape(std::string(rounds.engine->title) + " on " + names_text(rounds) + ": " + title) +
         "</title><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>" + moved(picture.svg, kMargin, kMargin) +
         "</svg>\n";
}

// The heights of the rows that so many columns make.
std::vector<double> row_heights(const std::vector<Picture>& pictures, std::size_t columns) {
  std::vector<double> heights((pictures.size() + columns - 1) / columns, 0);
  for (std::size_t k = 0; k < pictures.size(); ++k)
    heights[k / columns] = std::max(heights[k / columns], pictures[k].height + 2 * kGap);
  return heights;
}

// As many columns as bring the picture closest to a slide's shape.
std::size_t columns_for(const std::vector<Picture>& pictures) {
  std::size_t best = 1;
  double best_distance = INFINITY;
  for (std::size_t columns = 1; columns <= pictures.size(); ++columns) {
    double height = 0;
    for (const double row : row_heights(pictures, columns)) height += row;
    const double shape = static_cast<double>(columns) * (pictures[0].width + 2 * kGap) / height;
    const double distance = std::abs(std::log(shape / kWide));
    if (distance < best_distance) best = columns, best_distance = distance;
  }
  return best;
}

Picture all_rounds(const Rounds& rounds, const std::vector<Picture>& pictures) {
  const std::size_t columns = columns_for(pictures);
  const std::vector<double> rows = row_heights(pictures, columns);
  const double width = pictures[0].width + 2 * kGap;
  Picture all;
  all.line(1.5 * kTitle, std::string(rounds.engine->title) + " on " + names_text(rounds), kBold);
  for (const std::string& sentence : rounds.summary) all.line(1.2 * kText, sentence);
  all.height += kGap;
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    all.svg += moved(pictures[k].svg, static_cast<double>(k % columns) * width, all.height);
    if (k % columns == columns - 1 || k + 1 == pictures.size()) all.height += rows[k / columns];
  }
  all.width = static_cast<double>(columns) * width - 2 * kGap;
  all.height -= 2 * kGap;
  return all;
}

}  // namespace

std::vector<File> rounds_svg(const Rounds& rounds) {
  std::vector<File> files;
  std::vector<Picture> pictures;
  for (const Round& round : rounds.rounds) {
    const std::string number = std::to_string(round.number);
    pictures.push_back(picture_of(rounds, round));
    files.push_back({"round-" + number + ".svg", whole(rounds, pictures.back(), "round " + number)});
  }
  files.push_back({"all.svg", whole(rounds, all_rounds(rounds, pictures), "all rounds")});
  return files;
}

}  // namespace leman::reports
