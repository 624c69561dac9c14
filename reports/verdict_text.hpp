// What a report says in words.
#pragma once

#include <string>
#include <vector>

#include "reports/document.hpp"

namespace leman::reports {

// Whether a model of the report cannot do more than this engine.
bool bounds_a_model(const Document& document, const wl::Engine& engine);

std::vector<std::string> verdict_sentences(const Document& document);
std::vector<std::string> not_run_sentences(const Document& document);

}  // namespace leman::reports
