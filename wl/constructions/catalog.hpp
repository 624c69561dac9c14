// One registry of every construction in wl/constructions, by name, with its arguments as text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "wl/graph.hpp"

namespace leman::wl {

struct CatalogRequest {
  std::string family;
  std::vector<std::string> arguments;
  std::optional<Graph> base;  // for graphs made from another graph
  std::uint64_t seed = 1, count = 1;
  bool straight = false, twisted = false;  // cfi: only one of the two
  bool connected = false;                  // all: only connected graphs
  std::optional<std::uint32_t> degree;     // all: only regular graphs of this degree
};

class CatalogArguments;
using CatalogEmit = std::function<void(const Graph&)>;

struct CatalogFamily {
  std::string usage;  // first word: the name; words in capitals: arguments; --options: those it accepts
  std::string help;
  bool random;
  std::function<void(const CatalogArguments&, Rng&, const CatalogEmit&)> make;

  std::string name() const;
  std::size_t arity() const;  // words in capitals, not counting --options and their values
};

const std::vector<CatalogFamily>& catalog();
const CatalogFamily& catalog_family(const std::string& name);  // throws UsageError

// All graphs of a request, in order. Throws UsageError if its parts do not fit together.
void generate(const CatalogRequest& request, const CatalogEmit& emit);

}  // namespace leman::wl
