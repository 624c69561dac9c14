// Inside reports/: the examples of data sets, drawn.
#pragma once

#include <vector>

#include "reports/document.hpp"

namespace leman::reports {

// Draws every example, with the stable colours of a joint run of its engine (isomorphic ones: 2-FWL).
// Data sets whose name only one has are called by it.
void draw_datasets(std::vector<DrawnDataset>& sets, unsigned threads);

// The best possible result by depth: lines, the first task.
std::string dataset_chart(const study::DatasetRecord& record, const std::string& title);

}  // namespace leman::reports
