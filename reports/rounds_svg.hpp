// A run round by round as pictures for slides: self-contained SVG on a white ground, without style
// sheets, scripts or fonts of its own.
#pragma once

#include <vector>

#include "reports/file.hpp"
#include "reports/rounds.hpp"

namespace leman::reports {

// round-0.svg, round-1.svg, ... and all.svg, which has all rounds in one picture.
std::vector<File> rounds_svg(const Rounds& rounds);

}  // namespace leman::reports
