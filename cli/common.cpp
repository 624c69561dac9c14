#include "cli/common.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "wl/constructions/basic.hpp"
#include "wl/engine.hpp"

namespace leman::cli {

Output::Output(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_symlink(path_, ignored)) path_ = std::filesystem::weakly_canonical(path_, ignored).string();
  // A device or a pipe is written to as it is, never replaced.
  bool exists = std::filesystem::exists(path_, ignored);
  bool special = exists && !std::filesystem::is_regular_file(path_, ignored);
  temporary_ = special ? path_ : path_ + ".part." + std::to_string(getpid());
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot create");
  if (exists && !special)
    std::filesystem::permissions(temporary_, std::filesystem::status(path_, ignored).permissions(), ignored);
}

Output::~Output() {
  if (file_ == nullptr || file_ == stdout) return;
  std::fclose(file_);
  discard();
}

void Output::discard() const {
  if (temporary_ != path_) std::remove(temporary_.c_str());
}

void Output::fail(const char* what) const {
  throw OutputError((path_ == "-" ? "standard output" : path_) + ": " + what + ": " + std::strerror(errno));
}

void Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail("cannot write");
}

void Output::flush() {
  if (std::fflush(file_) != 0) fail("cannot write");
}

void Output::close() {
  flush();
  if (file_ == stdout) return;
  int failed = std::fclose(std::exchange(file_, nullptr));
  if (failed != 0 || (temporary_ != path_ && std::rename(temporary_.c_str(), path_.c_str()) != 0)) {
    int error = errno;
    discard();
    errno = error;
    fail("cannot write");
  }
}

Option max_nodes_option(wl::ReadOptions& options) {
  return {"--max-nodes", "N", "largest order accepted (default: in proportion to the input, 1000 + 1000 a byte)",
          number<std::uint64_t>(options.max_nodes, 1)};
}

Option format_option(std::string& target) {
  std::vector<std::string> names{"graph6", "sparse6", "digraph6", "edgelist", "dimacs"};
  return {"--to", "NAME", "format to write: graph6 (default), sparse6, digraph6, edgelist, dimacs",
          choice(target, names)};
}

std::vector<Option> read_options(wl::ReadOptions& options) {
  auto set_format = [&options](const std::string& name) {
    auto format = wl::format_by_name(name);
    if (!format) throw UsageError("\"" + name + "\" is not a format");
    options.format = *format;
  };
  return {{"--format", "NAME", "format to read: auto (default), graph6, sparse6, digraph6, edgelist, dimacs, matrix",
           set_format},
          {"--directed", "", "read edge lists and matrices as directed graphs", flag(options.directed)},
          {"--simplify", "", "drop self-loops and repeated edges instead of refusing them", flag(options.simplify)},
          max_nodes_option(options)};
}

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

// All graphs of a file, or the one with the number that is asked for.
std::vector<wl::Graph> graphs_from_file(const std::string& path, std::uint64_t index, const wl::ReadOptions& options) {
  wl::GraphReader reader(wl::LineSource::open(path), options);
  std::vector<wl::Graph> graphs;
  for (wl::Graph graph; reader.next(graph);) {
    if (index == 0 || reader.graphs() == index) graphs.push_back(graph);
    if (reader.graphs() == index) break;
  }
  if (graphs.empty())
    throw wl::InputError(
        reader.name(), 0, 0,
        reader.graphs() == 0 ? "no graph in it" : "has only " + std::to_string(reader.graphs()) + " graphs");
  return graphs;
}

}  // namespace

std::vector<wl::Graph> graphs_argument(const std::string& text, const wl::ReadOptions& options) {
  auto [path, index] = split_index(text);
  if (path == "-" || is_file(path)) return graphs_from_file(path, index, options);
  if (auto named = wl::graph_by_name(text)) return {*named};
  bool marked = text.starts_with(':') || text.starts_with('&') || text.starts_with(">>");
  if (std::any_of(text.begin() + marked, text.end(), [](char c) { return c < 62 || c == 127; }) &&
      !text.starts_with(">>"))
    throw wl::InputError(text, 0, 0,
                         std::filesystem::is_directory(path) ? "is a directory" : "no such file, and not graph6");
  auto graphs = wl::read_all(wl::LineSource::from_text("\"" + text + "\"", text), options);
  if (graphs.size() != 1) throw wl::InputError("\"" + text + "\"", 0, 0, "neither a file nor one graph");
  return graphs;
}

wl::Graph graph_argument(const std::string& text, const wl::ReadOptions& options) {
  auto graphs = graphs_argument(text, options);
  if (graphs.size() > 1)
    throw wl::InputError(text == "-" ? "<stdin>" : text, 0, 0,
                         std::to_string(graphs.size()) + " graphs: choose one, e.g. " + text + "#1");
  return graphs[0];
}

Option engine_option(std::string& target) {
  std::vector<std::string> names;
  for (const auto& engine : wl::engines()) names.emplace_back(engine.name);
  return {"--engine", "NAME", "one of those below (default: 1wl)", choice(target, names)};
}

std::vector<std::string> engine_names(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    if (wl::find_engine(word) == nullptr) throw UsageError("no engine \"" + word + "\" (--help lists them)");
    if (std::find(names.begin(), names.end(), word) == names.end()) names.push_back(word);
  }
  if (names.empty()) throw UsageError("no engine named");
  return names;
}

std::string engine_list() {
  Table table({"engine", ""});
  for (const auto& engine : wl::engines())
    table.row({std::string(engine.name), std::string(engine.title) + ": " + std::string(engine.description)});
  return table.text();
}

int fwl_power(const std::string& engine) {
  if (engine == "1wl" || engine == "2wl") return 1;
  if (engine.ends_with("fwl")) return engine[0] - '0';
  return engine == "3wl" || engine == "4wl" ? engine[0] - '1' : 0;
}

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

unsigned default_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

Option threads_option(unsigned& target) {
  return {"--threads", "N", "threads (default: all cores); the result does not depend on it",
          number<unsigned>(target, 1, 1024)};
}

void check_outputs(const std::vector<std::string>& files, const std::vector<std::string>& kept) {
  namespace fs = std::filesystem;
  std::vector<std::string> others = kept;
  for (const std::string& path : files) {
    if (path.empty()) continue;
    for (const std::string& other : others)
      if (path == other || (path != "-" && other != "-" && fs::weakly_canonical(path) == fs::weakly_canonical(other)))
        throw UsageError((path == "-" ? "standard output" : path) +
                         ": is named twice, and one would overwrite the other");
    others.push_back(path);
    if (path == "-") continue;
    const auto parent = fs::absolute(path).parent_path();
    auto fail = [&](int error) { throw OutputError(path + ": cannot be written: " + std::strerror(error)); };
    if (fs::is_directory(path)) fail(EISDIR);
    if (::access(parent.c_str(), W_OK) != 0 && ::access(path.c_str(), W_OK) != 0) fail(errno);
  }
}

void write_file(const std::string& path, const std::string& text) {
  Output out(path);
  out.write(text);
  out.close();
}

void write_results(const std::string& text, const std::string& json_file, const std::string& json,
                   const std::string& csv_file, const std::string& csv) {
  if (json_file != "-" && csv_file != "-") write_file("-", text);
  if (!json_file.empty()) write_file(json_file, json);
  if (!csv_file.empty()) write_file(csv_file, csv);
}

std::vector<int> number_list(const std::string& text, int limit) {
  std::set<int> numbers;
  auto bad = [&] {
    return UsageError("\"" + text + "\" is not a list of numbers in 0.." + std::to_string(limit - 1) +
                      " such as 0-59,260");
  };
  const char* at = text.data();
  const char* stop = at + text.size();
  while (at < stop) {
    int low = 0;
    auto [end, error] = std::from_chars(at, stop, low);
    int high = low;
    if (error == std::errc() && end < stop && *end == '-') {
      auto second = std::from_chars(end + 1, stop, high);
      error = second.ec;
      end = second.ptr;
    }
    bool ends = end == stop || (*end == ',' && end + 1 < stop);
    if (error != std::errc() || !ends || low < 0 || high < low || high >= limit) throw bad();
    for (int i = low; i <= high; ++i) numbers.insert(i);
    at = end == stop ? end : end + 1;
  }
  if (numbers.empty()) throw bad();
  return {numbers.begin(), numbers.end()};
}

Table::Table(std::vector<std::string> header) : header_(std::move(header)) {
  for (std::string& name : header_) {
    right_.push_back(name.starts_with('>'));
    if (right_.back()) name.erase(0, 1);
  }
}

namespace {

std::size_t width_of(const std::string& text) {  // characters, not bytes of UTF-8
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string Table::text() const {
  std::vector<std::size_t> width;
  for (const auto& name : header_) width.push_back(width_of(name));
  for (const auto& cells : rows_)
    for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], width_of(cells[i]));
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    std::string row;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string pad(width[i] - width_of(cells[i]), ' ');
      row += (i == 0 ? "" : "  ") + (right_[i] ? pad + cells[i] : cells[i] + pad);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    out += row + "\n";
  };
  line(header_);
  for (const auto& cells : rows_) line(cells);
  return out;
}

std::string Table::csv() const {
  std::string out;
  auto line = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) out += (i == 0 ? "" : ",") + csv_cell(cells[i]);
    out += '\n';
  };
  line(header_);
  for (const auto& cells : rows_) line(cells);
  return out;
}

}  // namespace leman::cli
