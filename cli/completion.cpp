// Shell completion, generated from the tables of options.
#include <memory>

#include "cli/common.hpp"

namespace leman::cli {

namespace {

std::string option_names(const Command& command) {
  std::string names = "--help";
  for (const Option& option : command.options) names += " " + option.name;
  return names;
}

std::string bash(const std::vector<Command>& commands) {
  std::string names = "test build", cases;
  for (const Command& command : commands) {
    names += " " + command.name;
    cases += "    " + command.name + ") words=\"" + option_names(command) + "\" ;;\n";
  }
  return "_leman() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words\n"
         "  case ${COMP_WORDS[1]} in\n" +
         cases + "  esac\n  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"" + names +
         " --help --version\"; fi\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
         "}\n"
         "complete -o filenames -F _leman leman ./leman\n";
}

std::string fish(const std::vector<Command>& commands) {
  std::string text;
  for (const Command& command : commands) {
    text += "complete -c leman -n __fish_use_subcommand -a " + command.name + " -d '" + command.summary + "'\n";
    for (const Option& option : command.options)
      text +=
          "complete -c leman -n '__fish_seen_subcommand_from " + command.name + "' -l " + option.name.substr(2) + "\n";
  }
  return text;
}

}  // namespace

Command completion_command(const std::vector<Command>& commands) {
  auto shell = std::make_shared<std::string>();
  return {
      .name = "completion",
      .summary = "Print a completion script for bash, zsh or fish",
      .positionals = {{"SHELL", "", "bash, zsh or fish", choice(*shell, {"bash", "zsh", "fish"}), Option::Required}},
      .options = {},
      .footer = "Example:\n  source <(leman completion bash)",
      .run = [shell, commands] {
        Output out;
        if (*shell == "zsh") out.write("autoload -U +X bashcompinit && bashcompinit\n");
        out.write(*shell == "fish" ? fish(commands) : bash(commands));
        out.close();
        return kOk;
      }};
}

}  // namespace leman::cli
