// What the commands share: exit codes, checked output, options that many of them have.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "base/parallel.hpp"
#include "base/table.hpp"
#include "base/version.hpp"
#include "brec/suites.hpp"
#include "cli/options.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

namespace leman::cli {

// Documented in README, "Exit codes".
enum Exit : int {
  kOk = 0,
  kDifferent = 1,
  kUsage = 2,
  kBadInput = 3,
  kRefused = 4,
  kOutput = 5,
  kBug = 70,
  kInterrupted = 130
};
int exit_code(Error::Kind kind);

// What every command is given: the whole command line as typed, quoted, for the record.
struct Context {
  std::string command;
  std::string signature() const { return about() + ": " + command + "\n"; }  // at the end of a text
};

// A file or standard output ("-"), every write checked.
class Output {
 public:
  explicit Output(const std::string& path = "-");
  void write(std::string_view text);
  void flush();  // standard output
  void close();

 private:
  std::optional<OutputFile> file_;  // none: standard output
};

// A text for people to standard output; without UTF-8 in the locale, in ASCII.
void print(const std::string& text);
void say(const std::string& message);  // "leman: message" to standard error

// Before work whose result would be lost: throws OutputError if one of the files (not "-" or empty)
// could not be written, UsageError if it is another one of them or of `kept`.
void check_outputs(const std::vector<std::string>& files, const std::vector<std::string>& kept = {});
void write_output(const std::string& path, const std::string& text);  // "-": standard output

// Options that many commands have.
std::vector<Option> read_options(wl::ReadOptions& options);  // of commands that read graphs
Option max_nodes_option(wl::ReadOptions& options);
Option format_option(std::string& target);  // --to, the formats that can be written
Option threads_option(unsigned& target);
Option memory_option(std::uint64_t& gigabytes);
std::vector<Option> suite_options(brec::SuiteRequest& request);
Option json_option(std::string& target);
Option csv_option(std::string& target, const std::string& row);
void add(Command& command, std::vector<Option> more);

std::string engine_table();  // for --help
std::string names_of(const std::vector<const wl::Engine*>& engines);

// The pairs that are asked for; says on standard error where BREC's files were not found.
brec::PairSet load_pairs(const brec::SuiteRequest& request);

// Which pairs, and which of them.
struct PairChoice {
  brec::SuiteRequest suite;
  std::string ids;  // "0-59,260"; empty: all

  std::vector<Option> options();  // --pairs and those of the suite
  brec::PairSet load() const;     // throws UsageError for numbers that cannot be right before anything is read
  std::vector<int> ids_in(const brec::PairSet& set, std::string_view otherwise = "") const;
};

// Every command; each file of cli/ with a command has one of these.
Command pairs_command(const Context& context);
Command gen_command(const Context& context);
Command convert_command(const Context& context);
Command iso_command(const Context& context);
Command wl_command(const Context& context);
Command brec_command(const Context& context);
Command brec_show_command(const Context& context);
Command brec_merge_command(const Context& context);
Command brec_export_command(const Context& context);
Command classes_command(const Context& context);
Command dataset_command(const Context& context);
Command et_forward_command(const Context& context);
Command et_info_command(const Context& context);
Command prove_command(const Context& context);
Command claims_command(const Context& context);
Command agree_command(const Context& context);
Command bench_wl_command(const Context& context);
Command bench_et_command(const Context& context);
Command report_command(const Context& context);
Command completion_command(const std::vector<Command>& commands);
Command manual_command(const std::vector<Command>& commands);

}  // namespace leman::cli
