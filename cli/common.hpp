// What the subcommands share: exit codes, checked output, reading arguments.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "wl/formats.hpp"
#include "wl/graph.hpp"

namespace leman::cli {

// Documented in README, "Exit codes".
enum Exit : int { kOk = 0, kDifferent = 1, kUsage = 2, kBadInput = 3, kRefused = 4, kOutput = 5, kBug = 70 };

// Writing failed (full disk, no permission); exit code kOutput.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file or standard output ("-"), every write checked. A file appears under
// its name only when close() has written all of it; a link is followed, and the
// mode of a file that is replaced stays.
class Output {
 public:
  explicit Output(std::string path = "-");
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output();
  void write(std::string_view text);
  void flush();
  void close();

 private:
  [[noreturn]] void fail(const char* what) const;
  void discard() const;
  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
};

// What every subcommand is given: the whole command line, for the record.
struct Context {
  std::string command;  // as typed, quoted
  std::string version, commit;
  std::string about() const { return "leman " + version + " (" + commit + ")"; }
};

// The options of commands that read graphs.
std::vector<Option> read_options(wl::ReadOptions& options);
Option max_nodes_option(wl::ReadOptions& options);
Option format_option(std::string& target);  // --to, the formats that can be written

// A graph on the command line: a file (FILE#3 = its third graph), "-", a name
// such as K4 or C5, or graph6/sparse6/digraph6 text.
wl::Graph graph_argument(const std::string& text, const wl::ReadOptions& options = {});

// All graphs of such an argument.
std::vector<wl::Graph> graphs_argument(const std::string& text, const wl::ReadOptions& options = {});

// Engines on the command line: --engine for one of them, a list of names joined
// by commas, and the table for --help.
Option engine_option(std::string& target);
std::vector<std::string> engine_names(const std::string& list);
std::string engine_list();
// The k of the k-FWL that has the engine's power; 0 if it is none's.
int fwl_power(const std::string& engine);

std::string processor();  // its name, as the system has it
unsigned default_threads();
Option threads_option(unsigned& target);

// Before work whose result would be lost: throws OutputError if one of the files (not
// "-" or empty) could not be written, UsageError if it is another one of them or of `kept`.
void check_outputs(const std::vector<std::string>& files, const std::vector<std::string>& kept = {});
// JSON and CSV to their files, if they have any; the text to standard output, unless one
// of them goes there. The text is first: it is there even if a file then fails.
void write_results(const std::string& text, const std::string& json_file, const std::string& json,
                   const std::string& csv_file, const std::string& csv);
// The whole text to a file or, for "-", to standard output.
void write_file(const std::string& path, const std::string& text);

// A set of numbers such as "0-59,260" within 0..limit-1, ascending.
std::vector<int> number_list(const std::string& text, int limit);

// Rows of text as columns; numbers (by header mark '>') to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> header);  // ">pairs" = right-aligned column "pairs"
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string text() const;
  std::string csv() const;

 private:
  std::vector<std::string> header_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

// Each makes one subcommand; all of them are listed in main.cpp.
Command pairs_command(const Context& context);
Command gen_command(const Context& context);
Command convert_command(const Context& context);
Command iso_command(const Context& context);
Command wl_command(const Context& context);
Command brec_command(const Context& context);
Command classes_command(const Context& context);
Command et_command(const Context& context);
Command claims_command(const Context& context);
Command prove_command(const Context& context);
Command agree_command(const Context& context);
Command bench_command(const Context& context);
Command report_command(const Context& context);
Command completion_command(const std::vector<Command>& commands);

}  // namespace leman::cli
