// Inside reports/: one round of one graph as SVG shapes, in a square of kSquare units: the graph with
// its classes, and the matrix of a colouring of pairs.
//
// Colours are attributes, not a style sheet, since programs for slides ignore style sheets. A page
// may override them by the classes "edges", "outline", "frame", "numbers" and "casing".
#pragma once

#include "reports/rounds.hpp"

namespace leman::reports {

inline constexpr int kSquare = 1000;

struct Swatch {
  std::string fill, ink;  // of the class, and of its label on it
};
// Twelve colours and, beyond them, these in two more tones; then they repeat.
Swatch swatch(Label label);

// The drawings of a run reach from kSquare / 2 - half to kSquare / 2 + half in height: the matrix and
// the drawing beside it fill the square, drawings of nodes often do not.
double half_height(const Rounds& rounds);

std::string graph_shapes(const Rounds& rounds, const Round& round, std::size_t graph);
std::string matrix_shapes(const Rounds& rounds, const Round& round, std::size_t graph);

// A class's label on its colour: a rounded box with its upper left corner at (x, y).
std::string chip(Label label, double x, double y, double width, double height);

// "12.3", "7": as few digits as a drawing needs.
std::string units(double x);

}  // namespace leman::reports
