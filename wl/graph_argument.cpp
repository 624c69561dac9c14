#include "wl/graph_argument.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "wl/constructions/basic.hpp"

namespace leman::wl {

namespace {

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
}

// "FILE#3" -> FILE and 3; 0 without a number.
std::pair<std::string, std::uint64_t> split_index(const std::string& text) {
  auto mark = text.rfind('#');
  std::uint64_t index = 0;
  if (mark == text.npos || is_file(text)) return {text, 0};
  auto [end, error] = std::from_chars(text.data() + mark + 1, text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index == 0) return {text, 0};
  return {text.substr(0, mark), index};
}

// All graphs of a file, or only graph number `index` if that is not 0.
std::vector<Graph> graphs_from_file(const std::string& path, std::uint64_t index, const ReadOptions& options) {
  GraphReader reader(LineSource::open(path), options);
  std::vector<Graph> graphs;
  for (Graph graph; reader.next(graph);) {
    if (index == 0 || reader.graphs() == index) graphs.push_back(graph);
    if (reader.graphs() == index) break;
  }
  if (graphs.empty())
    throw InputError(reader.name(), reader.graphs() == 0 ? "no graph in it"
                                                         : "has only " + std::to_string(reader.graphs()) + " graphs");
  return graphs;
}

}  // namespace

std::vector<Graph> graphs_argument(const std::string& text, const ReadOptions& options) {
  auto [path, index] = split_index(text);
  if (path == "-" || is_file(path)) return graphs_from_file(path, index, options);
  if (auto named = graph_by_name(text)) return {*named};
  bool marked = text.starts_with(':') || text.starts_with('&') || text.starts_with(">>");
  if (std::any_of(text.begin() + marked, text.end(), [](char c) { return c < 62 || c == 127; }) &&
      !text.starts_with(">>"))
    throw InputError(text, std::filesystem::is_directory(path) ? "is a directory" : "no such file, and not graph6");
  auto graphs = read_all(LineSource::from_text("\"" + text + "\"", text), options);
  if (graphs.size() != 1) throw InputError("\"" + text + "\"", "neither a file nor one graph");
  return graphs;
}

Graph graph_argument(const std::string& text, const ReadOptions& options) {
  auto graphs = graphs_argument(text, options);
  if (graphs.size() > 1)
    throw InputError(text == "-" ? "<stdin>" : text,
                     std::to_string(graphs.size()) + " graphs: choose one, e.g. " + text + "#1");
  return graphs[0];
}

}  // namespace leman::wl
