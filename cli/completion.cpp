// Shell completion, generated from the tables of options.
#include <map>

#include "base/text.hpp"
#include "cli/common.hpp"

namespace leman::cli {

namespace {

std::string option_names(const Command& command) {
  std::string names = "--help";
  for (const Option& option : command.options) names += " " + option.name;
  return names;
}

// Commands by their first word, with the second words that some of them have.
std::map<std::string, std::vector<std::string>> first_words(const std::vector<Command>& commands) {
  std::map<std::string, std::vector<std::string>> words;
  for (const Command& command : commands) {
    const auto parts = split(command.name, ' ');
    auto& second = words[parts[0]];
    if (parts.size() > 1) second.push_back(parts[1]);
  }
  return words;
}

// Values of options, by the option: the same wherever it stands.
std::map<std::string, std::string> option_values(const std::vector<Command>& commands) {
  std::map<std::string, std::string> values;
  for (const Command& command : commands)
    for (const Option& option : command.options)
      if (!option.values.empty()) values[option.name] = join(option.values, " ");
  return values;
}

std::string bash(const std::vector<Command>& commands) {
  std::string names = "test build", cases;
  for (const Command& command : commands)
    cases += "    \"" + command.name + "\") words=\"" + option_names(command) + "\" ;;\n";
  std::string values;
  for (const auto& [option, list] : option_values(commands))
    values += "    " + option + ") words=\"" + list + "\" ;;\n";
  std::string seconds;
  for (const auto& [first, second] : first_words(commands)) {
    names += " " + first;
    if (!second.empty()) seconds += "    " + first + ") more=\"" + join(second, " ") + "\" ;;\n";
  }
  return "_leman() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} words= more= name=${COMP_WORDS[1]}\n"
         "  case $name in\n" +
         seconds +
         "  esac\n"
         "  if [ -n \"$more\" ] && [[ \" $more \" == *\" ${COMP_WORDS[2]} \"* ]] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
         "    name=\"$name ${COMP_WORDS[2]}\" more=\n  fi\n"
         "  case $name in\n" +
         cases +
         "  esac\n  if [ \"$COMP_CWORD\" -eq 2 ]; then words=\"$words $more\"; fi\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"" +
         names +
         " --help --version\"; fi\n"
         "  case ${COMP_WORDS[COMP_CWORD-1]} in\n" +
         values +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
         "}\n"
         "complete -o filenames -F _leman leman ./leman\n";
}

std::string fish(const std::vector<Command>& commands) {
  std::string text;
  for (const auto& [first, second] : first_words(commands))
    text += "complete -c leman -n __fish_use_subcommand -a " + first + "\n" +
            (second.empty()
                 ? ""
                 : "complete -c leman -n '__fish_seen_subcommand_from " + first + "' -a '" + join(second, " ") + "'\n");
  for (const Command& command : commands)
    for (const Option& option : command.options)
      text += "complete -c leman -n '__fish_seen_subcommand_from " + split(command.name, ' ').back() + "' -l " +
              option.name.substr(2) + (option.values.empty() ? "" : " -x -a '" + join(option.values, " ") + "'") + "\n";
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
      .footer = "",
      .examples = {"source <(leman completion bash)"},
      .run = [shell, commands] {
        const std::string zsh = *shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "";
        write_output("-", zsh + (*shell == "fish" ? fish(commands) : bash(commands)));
        return kOk;
      }};
}

}  // namespace leman::cli
