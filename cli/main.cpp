// The `leman` command. A command parses, calls the library, prints, and returns the exit code;
// errors end here.
#include <new>

#include "base/text.hpp"
#include "cli/common.hpp"

namespace {

using namespace leman;
using cli::Command;

std::string command_line(int argc, char** argv) {
  std::string command = "leman";
  for (int i = 1; i < argc; ++i) command += " " + shell_quoted(argv[i]);
  return command;
}

std::vector<Command> all_commands(const cli::Context& context) {
  std::vector<Command> commands;
  for (const auto make :
       {cli::pairs_command, cli::gen_command, cli::convert_command, cli::iso_command, cli::wl_command,
        cli::brec_command, cli::brec_show_command, cli::brec_merge_command, cli::brec_export_command,
        cli::classes_command, cli::dataset_command, cli::et_forward_command, cli::et_info_command, cli::prove_command,
        cli::claims_command, cli::agree_command, cli::bench_wl_command, cli::bench_et_command, cli::report_command})
    commands.push_back(make(context));
  commands.push_back(cli::completion_command(commands));
  commands.push_back(cli::manual_command(commands));
  return commands;
}

std::string overview(const std::vector<Command>& commands) {
  std::string text =
      "Leman: how expressive is a graph model, really? Exact Weisfeiler-Leman tools, graph pairs, reports.\n\n"
      "Usage: leman COMMAND [arguments]\n\n";
  for (const Command& command : commands)
    text += "  " + command.name + std::string(13 - command.name.size(), ' ') + command.summary + "\n";
  return text +
         "\nExamples:\n"
         "  leman pairs                        the families of pairs\n"
         "  leman gen cfi --base K4            a CFI graph and its twist, graph6\n"
         "  leman convert --to sparse6 a.g6    another format\n"
         "  leman iso K3,3 C6                  are two graphs isomorphic?\n"
         "  leman wl --engine 2fwl a.g6 b.g6   does 2-FWL tell them apart, and when?\n"
         "  leman brec --engine 1wl,2fwl,3fwl  how many of 400 pairs do engines tell apart?\n"
         "  leman et forward C6 --out c6.npz   embeddings of an Edge Transformer, for NumPy\n\n"
         "`leman COMMAND --help` has the options and more examples; --version tells the version.\n"
         "Exit codes: 0 done, or isomorphic, or not distinguished; 1 not isomorphic, or distinguished;\n"
         "2 wrong call; 3 bad input; 4 refused, too little memory; 5 cannot write the output.\n";
}

// The command that the first words name, the longer name first; null: none. Takes its words away.
const Command* take_command(const std::vector<Command>& commands, std::vector<std::string>& words) {
  for (std::size_t count : {2u, 1u}) {
    if (words.size() < count) continue;
    const std::string name = count == 2 ? words[0] + " " + words[1] : words[0];
    for (const Command& command : commands)
      if (command.name == name) {
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
        return &command;
      }
  }
  return nullptr;
}

[[noreturn]] void unknown_command(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  std::vector<std::string> names, parts;
  for (const Command& command : commands) {
    names.push_back(command.name);
    if (command.name.starts_with(words[0] + " ")) parts.push_back(command.name);
  }
  const std::string name = !parts.empty() && words.size() > 1 ? words[0] + " " + words[1] : words[0];
  throw UsageError(
      "no command \"" + name + "\"" +
      (parts.empty() ? did_you_mean(name, names) + ": leman --help lists them" : ": there are " + join(parts)));
}

int dispatch(std::vector<std::string> words, const cli::Context& context) {
  const std::vector<Command> commands = all_commands(context);
  if (words.empty()) throw UsageError("a command is needed: leman --help lists them");
  if (words[0] == "--version") return cli::print(about() + "\n"), cli::kOk;
  const bool help = words[0] == "--help" || words[0] == "-h" || words[0] == "help";
  if (help) words.erase(words.begin());
  if (help && words.empty()) return cli::print(overview(commands)), cli::kOk;
  const Command* command = take_command(commands, words);
  if (!command) unknown_command(commands, words);
  if (help || !parse(*command, words)) return cli::print(help_text(*command)), cli::kOk;
  return command->run();
}

int fail(const std::string& message, int code) {
  cli::say(code == cli::kBug ? "internal error, please report: " + message : message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const cli::Context context{command_line(argc, argv)};
  try {
    return dispatch({argv + 1, argv + argc}, context);
  } catch (const Error& e) {
    return fail(e.what(), cli::exit_code(e.kind()));
  } catch (const std::bad_alloc&) {
    return fail("out of memory", cli::kRefused);
  } catch (const std::exception& e) {
    return fail(e.what(), cli::kBug);
  }
}
