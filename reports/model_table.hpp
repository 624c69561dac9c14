// A model study as text, JSON and CSV.
#pragma once

#include <string>

#include "study/model_summary.hpp"

namespace leman::reports {

// The T^2 above which a test at this level rejects, if the embeddings differ in all dimensions.
double full_rank_threshold(double level);

// Fits 80 columns unless `wide`: then there are columns for families and for all that is known about
// a seed.
std::string model_text(const study::ModelSummary& summary, bool wide);
std::string model_json(const study::ModelSummary& summary, const std::string& command);
// One row per pair and seed.
std::string model_csv(const study::ModelSummary& summary);

}  // namespace leman::reports
