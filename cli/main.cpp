// The `leman` command. A subcommand parses, calls the library, prints, and
// returns the exit code; errors end here.
#include <iostream>
#include <new>

#include "cli/common.hpp"
#include "generated/version.hpp"
#include "wl/coloring.hpp"

namespace {

using namespace leman;

std::string quoted(const std::string& word) {
  bool plain = !word.empty() && word.find_first_not_of(
                                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "-_./,:=+@%") == word.npos;
  if (plain) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string command_line(int argc, char** argv) {
  std::string command = "leman";
  for (int i = 1; i < argc; ++i) command += " " + quoted(argv[i]);
  return command;
}

int fail(const std::string& message, int code) {
  std::cerr << "leman: " << message << '\n';
  return code;
}

std::vector<cli::Command> all_commands(const cli::Context& context) {
  std::vector<cli::Command> commands{
      cli::pairs_command(context),   cli::gen_command(context),   cli::convert_command(context),
      cli::iso_command(context),     cli::wl_command(context),    cli::brec_command(context),
      cli::classes_command(context), cli::et_command(context),    cli::prove_command(context),
      cli::claims_command(context),  cli::agree_command(context), cli::bench_command(context),
      cli::report_command(context)};
  commands.push_back(cli::completion_command(commands));
  return commands;
}

std::string overview(const std::vector<cli::Command>& commands) {
  std::string text =
      "Leman: how expressive is a graph model, really? Exact Weisfeiler-Leman tools, graph pairs, reports.\n\n"
      "Usage: leman COMMAND [arguments]\n\n";
  for (const auto& command : commands)
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

int print(const std::string& text) {
  cli::Output out;
  out.write(text);
  out.close();
  return cli::kOk;
}

int dispatch(const std::vector<std::string>& words, const cli::Context& context) {
  auto commands = all_commands(context);
  if (words.empty()) throw cli::UsageError("a command is needed: leman --help lists them");
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return print(overview(commands));
  if (words[0] == "--version") return print(context.about() + "\n");
  for (const cli::Command& command : commands) {
    if (command.name != words[0]) continue;
    return parse(command, {words.begin() + 1, words.end()}) ? command.run() : print(help_text(command));
  }
  throw cli::UsageError("no command \"" + words[0] + "\": leman --help lists them");
}

}  // namespace

int main(int argc, char** argv) {
  cli::Context context{command_line(argc, argv), LEMAN_VERSION, LEMAN_COMMIT};
  try {
    return dispatch({argv + 1, argv + argc}, context);
  } catch (const cli::UsageError& e) {
    return fail(e.what(), cli::kUsage);
  } catch (const wl::InputError& e) {
    return fail(e.what(), cli::kBadInput);
  } catch (const wl::GraphError& e) {
    return fail(e.what(), cli::kBadInput);
  } catch (const std::invalid_argument& e) {
    return fail(e.what(), cli::kUsage);
  } catch (const cli::OutputError& e) {
    return fail(e.what(), cli::kOutput);
  } catch (const wl::MemoryError& e) {
    return fail(e.what(), cli::kRefused);
  } catch (const std::bad_alloc&) {
    return fail("out of memory", cli::kRefused);
  } catch (const std::runtime_error& e) {
    return fail(e.what(), cli::kBadInput);
  } catch (const std::exception& e) {
    return fail(std::string("internal error, please report: ") + e.what(), cli::kBug);
  }
}
