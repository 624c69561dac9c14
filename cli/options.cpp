#include "cli/options.hpp"

#include <algorithm>

#include "base/text.hpp"

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
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
      throw UsageError("\"" + word + "\" is not one of " + join(allowed) + did_you_mean(word, allowed));
    target = word;
  };
}

Setter append(std::vector<std::string>& target) {
  return [&target](const std::string& word) { target.push_back(word); };
}

Option with_values(Option option, std::vector<std::string> values) {
  option.values = std::move(values);
  return option;
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
  std::vector<std::string> names{"--help"};
  for (const Option& option : command.options) {
    if (option.name == name || (!option.alias.empty() && option.alias == name)) return option;
    names.push_back(option.name);
  }
  throw UsageError("unknown option " + name + did_you_mean(name, names) + " (see leman " + command.name + " --help)");
}

// Words from left to right: options with their values, and positional arguments.
class Parser {
 public:
  Parser(const Command& command, const std::vector<std::string>& words) : command_(command), words_(words) {}

  bool run() {
    bool only_words = false;  // behind "--"
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (only_words || word.size() < 2 || word[0] != '-')
        positional(word);
      else if (word == "--")
        only_words = true;
      else if (word == "--help" || word == "-h")
        return false;
      else
        option(word);
    }
    if (place_ < command_.positionals.size() && command_.positionals[place_].kind == Option::Required)
      throw UsageError(command_.positionals[place_].name + " is missing (see leman " + command_.name + " --help)");
    return true;
  }

 private:
  void option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const Option& option = find_option(command_, word.substr(0, equals));
    if (option.value.empty()) {
      if (equals != word.npos) throw UsageError(option.name + " takes no value");
      set_option(option, "");
    } else if (equals != word.npos) {
      set_option(option, word.substr(equals + 1));
    } else {
      if (++at_ == words_.size()) throw UsageError(option.name + " needs a value (" + option.value + ")");
      set_option(option, words_[at_]);
    }
  }
  void positional(const std::string& word) {
    if (place_ == command_.positionals.size())
      throw UsageError("unexpected argument \"" + word + "\" (see leman " + command_.name + " --help)");
    set_option(command_.positionals[place_], word);
    if (command_.positionals[place_].kind != Option::Repeated) ++place_;
  }

  const Command& command_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0, place_ = 0;  // the word, the next positional
};

}  // namespace

bool parse(const Command& command, const std::vector<std::string>& words) { return Parser(command, words).run(); }

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
  if (!command.footer.empty()) out += "\n" + command.footer;
  if (!command.examples.empty()) out += "\nExamples:\n";
  for (const std::string& example : command.examples) out += "  " + example + "\n";
  return out;
}

}  // namespace leman::cli
