#include <memory>

#include "cli/pair_table.hpp"

namespace leman::cli {

// Until there are runs to report on, the report is the table of pairs.
Command report_command(const Context& context) {
  auto directory = std::make_shared<std::string>();
  return {.name = "report",
          .summary = "The table of pairs (expressivity reports will replace it)",
          .positionals = {},
          .options = {{"--brec", "DIR", "directory with BREC's g6 files", text(*directory)}},
          .footer = "Example:\n  leman report --brec ~/data/brec",
          .run = [directory, &context] {
            Output out;
            out.write(family_table(load_pairs(*directory, false), context));
            out.close();
            return kOk;
          }};
}

}  // namespace leman::cli
