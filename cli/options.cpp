#include "cli/options.hpp"

#include <algorithm>

namespace leman::cli {

Setter flag(bool& target) {
  return [&target](const std::string&) { target = true; };
}

Setter text(std::string& target) {
  return [&target](const std::string& word) { target = word; };
}

Setter non_empty(std::string& target) {
  return [&target](const std::string& word) {
    if (word.empty()) throw UsageError("needs a value");
    target = word;
  };
}

Setter choice(std::string& target, std::vector<std::string> allowed) {
  return [&target, allowed](const std::string& word) {
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end()) {
      std::string list;
      for (const auto& a : allowed) list += (list.empty() ? "" : ", ") + a;
      throw UsageError("\"" + word + "\" is not one of " + list);
    }
    target = word;
  };
}

Setter append(std::vector<std::string>& target) {
  return [&target](const std::string& word) { target.push_back(word); };
}

namespace {

void set_option(const Option& option, const std::string& word) {
  try {
    option.set(word);
  } catch (const UsageError& e) {
    throw UsageError(option.name + ": " + e.what());
  }
}

const Option& find_option(const Command& command, const std::string& name) {
  for (const Option& option : command.options)
    if (option.name == name) return option;
  throw UsageError("unknown option " + name + " (see leman " + command.name + " --help)");
}

}  // namespace

bool parse(const Command& command, const std::vector<std::string>& words) {
  std::size_t at = 0;       // next positional
  bool only_words = false;  // behind "--"
  bool repeated = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!only_words && word == "--") {
      only_words = true;
    } else if (!only_words && (word == "--help" || word == "-h")) {
      return false;
    } else if (!only_words && word.size() > 1 && word[0] == '-') {
      std::size_t equals = word.find('=');
      const Option& option = find_option(command, word.substr(0, equals));
      if (option.value.empty()) {
        if (equals != word.npos) throw UsageError(option.name + " takes no value");
        set_option(option, "");
      } else if (equals != word.npos) {
        set_option(option, word.substr(equals + 1));
      } else {
        if (++i == words.size()) throw UsageError(option.name + " needs a value (" + option.value + ")");
        set_option(option, words[i]);
      }
    } else {
      if (at == command.positionals.size())
        throw UsageError("unexpected argument \"" + word + "\" (see leman " + command.name + " --help)");
      set_option(command.positionals[at], word);
      repeated = command.positionals[at].kind == Option::Repeated;
      if (!repeated) ++at;
    }
  }
  if (at < command.positionals.size() && command.positionals[at].kind == Option::Required)
    throw UsageError(command.positionals[at].name + " is missing (see leman " + command.name + " --help)");
  return true;
}

std::string help_text(const Command& command) {
  std::string usage = "Usage: leman " + command.name;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Option& p : command.positionals) {
    std::string name = p.kind == Option::Repeated ? p.name + " ..." : p.name;
    usage += p.kind == Option::Required ? " " + name : " [" + name + "]";
    rows.emplace_back(p.name, p.help);
  }
  for (const Option& o : command.options) rows.emplace_back(o.value.empty() ? o.name : o.name + " " + o.value, o.help);
  rows.emplace_back("--help", "this text");
  std::size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string out = command.summary + "\n\n" + usage + (command.options.empty() ? "" : " [options]") + "\n\n";
  for (const auto& [name, help] : rows) out += "  " + name + std::string(width - name.size() + 2, ' ') + help + "\n";
  return out + "\n" + command.footer + "\n";
}

}  // namespace leman::cli
