// How far can models of a given power get on a labelled data set? For every engine and depth t: how
// many items it cannot tell apart after t rounds, how many of these have different labels, and the
// best result that is left (study/dataset_bounds.hpp, study/dataset_classes.hpp). The last row is
// isomorphism: items that no model whatsoever can tell apart, so that what they cost is label noise.
#pragma once

#include <vector>

#include "study/dataset_classes.hpp"
#include "study/records.hpp"

namespace leman::study {

struct DatasetStudy {
  const Dataset* set = nullptr;
  std::vector<const wl::Engine*> engines;
  std::optional<TaskKind> task;  // none: by content
  RunLimits limits;
  std::size_t examples = 3;  // per engine
};

struct DatasetResult {
  DatasetRecord record;   // engines that were finished or refused
  bool complete = false;  // false: interrupted
};

// The study of a store that keeps data sets: several of them may share it.
Study datasets_study(const std::string& source, const std::string& command);

// Throws UsageError if an engine does not take such graphs, InputError if the labels do not fit the task.
DatasetResult run_dataset(const DatasetStudy& study, const Control& control);

}  // namespace leman::study
