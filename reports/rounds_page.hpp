// A run round by round as one self-contained page: a slider over the rounds, or, without JavaScript,
// the rounds one below the other.
#pragma once

#include <string>

#include "reports/rounds.hpp"

namespace leman::reports {

std::string rounds_page(const Rounds& rounds);

}  // namespace leman::reports
