// Exact engines on pairs, as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "study/engine_sweep.hpp"

namespace leman::reports {

// One row per engine; columns are categories, `wide`: families before them.
std::string engine_text(const std::vector<study::SweepRow>& rows, const std::vector<const wl::Engine*>& engines,
                        const brec::Roster& roster, bool wide);
std::string engine_json(const std::vector<study::SweepRow>& rows, const std::vector<const wl::Engine*>& engines,
                        const brec::PairSet& set, const std::string& command);
// One row per pair and engine.
std::string engine_csv(const std::vector<study::SweepRow>& rows, const brec::Roster& roster);

}  // namespace leman::reports
