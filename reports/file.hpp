// What is to be written, by whoever called: a name within a folder, and the text.
#pragma once

#include <string>

namespace leman::reports {

struct File {
  std::string name, text;
};

}  // namespace leman::reports
