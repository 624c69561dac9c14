// Classes of a stream of graphs: counts as text and JSON, rows and pairs as lines of files.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "study/classes_study.hpp"

namespace leman::reports {

// Rows of classes, one per graph: CSV, or JSON lines if the file's name says so.
enum class RowFormat { Csv, JsonLines };
RowFormat row_format(const std::string& file);
// Pairs: CSV of id, family, category and both graphs (Auto), or lines two by two for a name in .g6 or .s6.
wl::Format pair_format(const std::string& file);

// What is written besides the counts.
struct ClassesFiles {
  using Write = std::function<void(std::string_view text)>;
  Write rows, pairs;  // none: not wanted
  RowFormat row_format = RowFormat::Csv;
  bool only_shared = false;            // rows of graphs that share a class with another under some engine
  std::optional<std::uint64_t> limit;  // pairs to write; none: all, but more than ten million are refused
};

struct ClassesReport {
  study::ClassesStudy study;
  study::ClassesResult result;
  std::optional<std::uint64_t> sharing;        // graphs that do, if only their rows are wanted
  std::optional<std::uint64_t> pairs_written;  // if they were to be
  std::string refused;                         // why pairs were not written; empty: they were
};

// Runs the study and writes the files. What the study must keep follows from the files.
ClassesReport report_classes(study::ClassesStudy study, const ClassesFiles& files, const study::Control& control);

std::string classes_text(const ClassesReport& report);
std::string classes_json(const ClassesReport& report, const std::string& command);

}  // namespace leman::reports
