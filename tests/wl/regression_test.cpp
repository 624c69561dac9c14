// Known instances: for two graphs and an engine, tests/wl/regression.csv gives the round at which
// they are told apart, or "equal". Every line goes through the joint run (with and without orbits,
// and with hashes of few bits), the fingerprint, and the certificate if there is one.
#include <gtest/gtest.h>

#include "base/csv.hpp"
#include "base/file.hpp"
#include "base/numbers.hpp"
#include "base/text.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/cfi.hpp"
#include "wl/constructions/strongly_regular.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

namespace leman::wl {
namespace {

// A name of graph_by_name, "rook", "shrikhande", "cfi:BASE[:twisted]", "csl:N:R", or graph6.
Graph instance(const std::string& text) {
  const auto words = split(text, ':');
  if (text == "rook") return rook(4, 4);
  if (text == "shrikhande") return shrikhande();
  if (words[0] == "cfi") return words.size() == 2 ? cfi(instance(words[1])) : cfi(instance(words[1]), 0);
  if (words[0] == "csl")
    return circular_skip_link(parse_number<Node>(words[1], 5, 100), parse_number<Node>(words[2], 2, 100));
  if (auto named = graph_by_name(text)) return *named;
  return graph_from_graph6(text);
}

TEST(Regression, EveryLineThroughEveryPath) {
  const std::string file = LEMAN_SOURCE_DIR "/tests/wl/regression.csv";
  std::size_t lines = 0;
  for (const CsvLine& line : parse_csv(read_file(file), file)) {
    if (line.line == 1) continue;
    SCOPED_TRACE(file + ":" + std::to_string(line.line) + " " + join(line.cells, ","));
    ASSERT_EQ(line.cells.size(), 4u);
    const Graph first = instance(line.cells[0]), second = instance(line.cells[1]);
    const Engine& engine = engine_named(line.cells[2]);
    const int round = line.cells[3] == "equal" ? -1 : parse_number<int>(line.cells[3], 0, 100);
    for (const bool orbits : {true, false})
      for (const unsigned bits : {64u, 1u}) {
        RunOptions options;
        options.use_orbits = orbits, options.hash_bits = bits;
        EXPECT_EQ(compare(engine, first, second, options).round, round);
        EXPECT_EQ(compare(engine, second, first, options).round, round);
      }
    if (round < 0) {
      EXPECT_EQ(fingerprint(engine, first), fingerprint(engine, second));
    }
    if (engine.certificate) {
      EXPECT_EQ(certificate(engine, first) == certificate(engine, second), round < 0);
    }
    ++lines;
  }
  EXPECT_GT(lines, 20u);
}

}  // namespace
}  // namespace leman::wl
