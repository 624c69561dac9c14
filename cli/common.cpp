#include "cli/common.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/text.hpp"
#include "brec/brec_files.hpp"

namespace leman::cli {

namespace {

[[noreturn]] void stdout_failed() {
  throw OutputError(std::string("standard output: cannot write: ") + std::strerror(errno));
}

bool locale_has_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name); value && *value) {
      const std::string text = value;
      return text.find("UTF-8") != text.npos || text.find("utf8") != text.npos || text.find("utf-8") != text.npos;
    }
  return true;  // nothing is said
}

std::string in_ascii(std::string text) {
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"±", "+-"}, {"²", "^2"}, {"–", "-"}})
    for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

}  // namespace

int exit_code(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::Usage: return kUsage;
    case Error::Kind::Input: return kBadInput;
    case Error::Kind::Memory: return kRefused;
    case Error::Kind::Output: return kOutput;
    case Error::Kind::Bug: break;
  }
  return kBug;
}

Output::Output(const std::string& path) {
  if (path != "-") file_.emplace(path);
}

void Output::write(std::string_view text) {
  if (file_) return file_->write(text);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) stdout_failed();
}

void Output::flush() {
  if (!file_ && std::fflush(stdout) != 0) stdout_failed();
}

void Output::close() {
  if (file_) return file_->close();
  flush();
}

void write_output(const std::string& path, const std::string& text) {
  Output out(path);
  out.write(text);
  out.close();
}

void print(const std::string& text) { write_output("-", locale_has_utf8() ? text : in_ascii(text)); }

void say(const std::string& message) { std::cerr << "leman: " << message << '\n'; }

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
    if (::access(parent.c_str(), W_OK) == 0) continue;
    const int error = errno;
    if (::access(path.c_str(), W_OK) != 0) fail(error);
  }
}

void add(Command& command, std::vector<Option> more) {
  for (Option& option : more) command.options.push_back(std::move(option));
}

Option max_nodes_option(wl::ReadOptions& options) {
  return {"--max-nodes", "N", "largest order accepted (default: 1000 + 1000 per byte of input)",
          number<std::uint64_t>(options.max_nodes, 1)};
}

Option format_option(std::string& target) {
  const auto names = wl::format_names(true);
  return with_values(
      {"--to", "NAME", "format to write: " + join(names) + " (default: " + target + ")", choice(target, names)}, names);
}

std::vector<Option> read_options(wl::ReadOptions& options) {
  options.on_note = say;
  const auto names = wl::format_names(false);
  return {with_values({"--format", "NAME", "format to read: " + join(names) + " (default: auto)",
                       [&options](const std::string& name) { options.format = wl::format_named(name); }},
                      names),
          {"--directed", "", "read edges as arcs, unless the file says otherwise", flag(options.directed)},
          {"--simplify", "", "drop self-loops and repeated edges instead of refusing them", flag(options.simplify)},
          {"--relabel", "", "edge lists: number the nodes that there are 0, 1, 2, ... in ascending order of their ids",
           flag(options.relabel)},
          {"--node-color", "NAME", "the attribute of nodes that is their colour (GraphML, GML, DOT, JSON, METIS)",
           non_empty(options.node_color), Option::Optional, "--node-colour"},
          {"--edge-color", "NAME", "the attribute of edges that is their colour; \"weight\" in formats without names",
           non_empty(options.edge_color), Option::Optional, "--edge-colour"},
          max_nodes_option(options)};
}

Option threads_option(unsigned& target) {
  return {"--threads", "N", "threads (default: all cores); the result does not depend on it",
          number<unsigned>(target, 1, 1024)};
}

Option memory_option(std::uint64_t& gigabytes) {
  return {"--memory", "GB", "refuse a run that needs more (default: nine tenths of what is free)",
          number<std::uint64_t>(gigabytes, 1, 1 << 20)};
}

std::vector<Option> suite_options(brec::SuiteRequest& request) {
  return {{"--brec", "PATH",
           "BREC's files: a directory of .g6 or .npy, or brec_v3.npy (default: $LEMAN_BREC, ../shared/brec)",
           non_empty(request.brec)},
          {"--builtin", "", "use the built-in pairs even where BREC's files are at hand", flag(request.builtin)}};
}

Option json_option(std::string& target) {
  return {"--json", "FILE", "write all results as JSON (- for standard output)", non_empty(target)};
}

Option csv_option(std::string& target, const std::string& row) {
  return {"--csv", "FILE", "write one row per " + row + " (- for standard output)", non_empty(target)};
}

std::string engine_table() {
  Table table({"engine", ""});
  for (const wl::Engine& engine : wl::engines())
    table.row({std::string(engine.name), std::string(engine.title) + ": " + std::string(engine.description)});
  return table.text();
}

std::string names_of(const std::vector<const wl::Engine*>& engines) {
  std::vector<std::string> names;
  for (const wl::Engine* engine : engines) names.emplace_back(engine->name);
  return join(names, ",");
}

brec::PairSet load_pairs(const brec::SuiteRequest& request) {
  brec::PairSet set = brec::load_suite(request);
  if (set.kind == brec::PairSet::Kind::Builtin && !request.builtin)
    say("no BREC files (--brec DIR, $LEMAN_BREC, ../shared/brec): using the built-in pairs");
  return set;
}

std::vector<Option> PairChoice::options() {
  const auto set = [this](const std::string& word) {
    if (word.empty()) throw UsageError("needs numbers or a file");
    const bool numbers = word != "-" && word.find_first_not_of("0123456789,-") == word.npos;
    (numbers && !std::filesystem::exists(word) ? ids : suite.own) = word;
  };
  std::vector<Option> list{
      {"--pairs", "WHICH", "numbers: only these, e.g. 0-59,260; or a file or directory: pairs of your own", set}};
  for (Option& option : suite_options(suite)) list.push_back(std::move(option));
  return list;
}

namespace {

std::vector<int> ids_among(const std::string& list, int pairs) {
  try {
    const auto numbers = number_list(list, static_cast<std::uint32_t>(pairs));
    return {numbers.begin(), numbers.end()};
  } catch (const UsageError& e) {
    throw UsageError(std::string("--pairs: ") + e.what());
  }
}

}  // namespace

brec::PairSet PairChoice::load() const {
  if (suite.own.empty() && !ids.empty()) ids_among(ids, brec::kBrecPairs);
  return load_pairs(suite);
}

std::vector<int> PairChoice::ids_in(const brec::PairSet& set, std::string_view otherwise) const {
  const std::string all = "0-" + std::to_string(set.roster.pairs() - 1);
  return ids_among(!ids.empty() ? ids : !otherwise.empty() ? std::string(otherwise) : all, set.roster.pairs());
}

}  // namespace leman::cli
