// The manual page, made from the tables of options.
#include "cli/common.hpp"

namespace leman::cli {

namespace {

// Text as roff: backslashes and leading dots mean something there.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if ((c == '.' || c == '\'') && (at == 0 || text[at - 1] == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string entry(const Option& option) {
  return ".TP\n.B " + roff(option.name) + (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR") + "\n" +
         roff(option.help) + "\n";
}

std::string page(const std::vector<Command>& commands) {
  std::string text =
      ".TH LEMAN 1 \"\" \"leman " + version() +
      "\" \"User Commands\"\n.SH NAME\nleman \\- how expressive is a graph model, really?\n"
      ".SH SYNOPSIS\n.B leman\n.I COMMAND\n[arguments]\n"
      ".SH DESCRIPTION\nExact Weisfeiler\\-Leman engines, pairs of graphs that are hard to tell apart, an "
      "Edge Transformer, and reports on what each of them sees.\n";
  for (const Command& command : commands) {
    text += ".SH LEMAN " + roff(command.name) + "\n" + roff(command.summary) + ".\n";
    for (const Option& option : command.positionals) text += entry(option);
    for (const Option& option : command.options) text += entry(option);
    if (!command.examples.empty()) text += ".PP\nExamples:\n.nf\n";
    for (const std::string& example : command.examples) text += roff("  " + example) + "\n";
    if (!command.examples.empty()) text += ".fi\n";
  }
  return text +
         ".SH EXIT STATUS\n0: done, or isomorphic, or not distinguished. 1: not isomorphic, or distinguished. 2: wrong "
         "call. 3: bad input. 4: refused, too little memory. 5: cannot write the output. 70: a bug. 130: "
         "interrupted.\n";
}

}  // namespace

Command manual_command(const std::vector<Command>& commands) {
  return {.name = "manual",
          .summary = "Print the manual page",
          .positionals = {},
          .options = {},
          .footer = "",
          .examples = {"leman manual | man -l -"},
          .run = [commands] {
            write_output("-", page(commands));
            return kOk;
          }};
}

}  // namespace leman::cli
