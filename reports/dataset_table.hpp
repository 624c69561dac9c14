// What engines can reach on a labelled data set, as text, JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "study/records.hpp"

namespace leman::reports {

std::string dataset_title(const study::DatasetRecord::Row& row);  // "1-WL", "isomorphism"
// "3", "3+": that depth and every deeper one; "-": up to isomorphism.
std::string round_text(const study::DatasetRecord::Row& row, std::size_t depth);
// Share in percent, rounded down: 100 means all of them.
std::string share_text(std::uint64_t part, std::uint64_t all, int digits);
// The best result: "350 of 400", or the mean absolute error.
std::string score_text(const study::DatasetRecord& record, std::size_t task, const study::DatasetRecord::Score& score);
// What the data set is, in a sentence without its name.
std::string dataset_facts(const study::DatasetRecord& record);
std::string task_facts(const study::DatasetRecord& record, const study::DatasetRecord::Task& task);
// What follows, in one sentence.
std::string dataset_sentence(const study::DatasetRecord& record, const std::string& title);
// "line 17 (6 nodes), label 1", or "node 3 of line 17 (6 nodes), label 1"
std::string item_text(const study::DatasetRecord& record, const study::DatasetRecord::Item& item);

// Tables; the header as base/table.hpp takes it.
struct Cells {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
// Engines and depths; the scores beside them if there is one task.
Cells depth_cells(const study::DatasetRecord& record);
// One row per task, stable colourings only.
Cells task_cells(const study::DatasetRecord& record);

std::string dataset_text(const study::DatasetRecord& record);
std::string dataset_json(const study::DatasetRecord& record, const std::string& command);
// One row per engine, depth and task.
std::string dataset_csv(const study::DatasetRecord& record);

}  // namespace leman::reports
