#include "study/dataset_file.hpp"

#include <filesystem>

#include "study/dataset_builder.hpp"

namespace leman::study {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEdges = "_A.txt";

// A companion of DS_A.txt: "a/DS" and "graph_labels" -> a/DS_graph_labels.txt, if it is there.
std::optional<wl::LineSource> companion(const std::string& prefix, const char* what) {
  const std::string file = prefix + "_" + what + ".txt";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  return wl::LineSource::open(file);
}

// The only DS_A.txt in a directory: a/DS.
std::string prefix_in(const std::string& directory) {
  std::string found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    const std::string file = entry.path().string();
    if (!file.ends_with(kEdges)) continue;
    if (!found.empty())
      throw InputError(directory, "has several data sets: name one, such as " + std::min(found, file));
    found = file;
  }
  if (error) throw InputError(directory, "cannot be read: " + error.message());
  if (found.empty()) throw InputError(directory, "has no file DS_A.txt: not a data set in TU format");
  return found.substr(0, found.size() - std::string(kEdges).size());
}

// The prefix of a TU data set; none: another file.
std::optional<std::string> tu_prefix(const std::string& path) {
  std::error_code ignored;
  if (path == "-") return std::nullopt;
  if (fs::is_directory(path, ignored)) {
    const std::string inside = prefix_in(path);
    return inside;
  }
  if (path.ends_with(kEdges)) return path.substr(0, path.size() - std::string(kEdges).size());
  if (!fs::exists(path, ignored) && fs::exists(path + kEdges, ignored)) return path;
  return std::nullopt;
}

Dataset read_tu_files(const std::string& prefix, DatasetOptions options) {
  auto members = companion(prefix, "graph_indicator");
  if (!members) throw InputError(prefix + "_graph_indicator.txt", "no such file");
  if (options.name.empty()) options.name = fs::path(prefix).filename().string();
  return read_tu(
      {wl::LineSource::open(prefix + kEdges), std::move(*members), companion(prefix, "graph_labels"),
       companion(prefix, "graph_attributes"), companion(prefix, "node_labels"), companion(prefix, "edge_labels")},
      options);
}

// The first line that is not blank begins with a brace or a bracket.
bool is_json(wl::LineSource& source) {
  std::string_view text = source.opening();
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

}  // namespace

Dataset read_dataset(const std::string& path, const DatasetOptions& options) {
  if (const auto prefix = tu_prefix(path)) return read_tu_files(*prefix, options);
  if (options.undirected) throw UsageError("--undirected is for data sets in TU format");
  wl::LineSource source = wl::LineSource::open(path);
  return is_json(source) ? read_json_lines(std::move(source), options) : read_csv_dataset(std::move(source), options);
}

}  // namespace leman::study
