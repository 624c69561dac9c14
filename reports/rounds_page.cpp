#include "reports/rounds_page.hpp"

#include <algorithm>

#include "base/version.hpp"
#include "reports/page.hpp"
#include "reports/rounds_drawing.hpp"
#include "reports/rounds_words.hpp"
#include "reports/view.hpp"

namespace leman::reports {

namespace {

constexpr std::size_t kFewClasses = 12;  // their table is open

View square(const std::string& caption, const std::string& label, const std::string& shapes) {
  return object({{"caption", caption}, {"label", label}, {"shapes", shapes}});
}

View squares_view(const Rounds& rounds, const Round& round) {
  View list(View::type::list);
  for (std::size_t g = 0; g < rounds.graphs.size(); ++g) {
    const auto& [name, graph] = rounds.graphs[g];
    const std::string about = name + ": " + digits(graph.order()) + " nodes, " + digits(graph.size()) +
                              " edges, after round " + digits(round.number);
    list << square(name, about, graph_shapes(rounds, round, g));
    if (rounds.pairs()) list << square(name + ", its pairs", about + ", matrix", matrix_shapes(rounds, round, g));
  }
  return list;
}

View class_view(const Rounds& rounds, const RoundClass& c) {
  const Swatch color = swatch(c.label);
  return object({{"label", label_text(c.label)},
                 {"fill", color.fill},
                 {"ink", color.ink},
                 {"sizes", list_of(c.sizes, [](std::uint64_t size) { return View(digits(size)); })},
                 {"origin", rounds.origins[c.label].text},
                 {"differ", c.differ()}});
}

View round_view(const Rounds& rounds, const Round& round) {
  return object(
      {{"number", digits(round.number)},
       {"classes", classes_text(rounds, round)},
       {"sentences", texts(sentences_of(rounds, round))},
       {"kind", std::string(rounds.pairs() ? "pairs" : "nodes") + (rounds.graphs.size() > 1 ? " several" : "")},
       {"squares", squares_view(rounds, round)},
       {"few", round.classes.size() <= kFewClasses},
       {"graphs", list_of(rounds.graphs, [](const NamedGraph& g) { return View(g.name); })},
       {"list", list_of(round.classes, [&](const RoundClass& c) { return class_view(rounds, c); })}});
}

}  // namespace

std::string rounds_page(const Rounds& rounds) {
  const View page = object({{"style", std::string(kPageStyle) + kRoundsStyle},
                            {"script", kRoundsScript},
                            {"engine", std::string(rounds.engine->title)},
                            {"description", std::string(rounds.engine->description)},
                            {"names", names_text(rounds)},
                            {"version", version()},
                            {"commit", commit()},
                            {"summary", texts(rounds.summary)},
                            {"top", units(kSquare / 2.0 - half_height(rounds))},
                            {"height", units(2 * half_height(rounds))},
                            {"last", digits(rounds.rounds.size() - 1)},
                            {"rounds", list_of(rounds.rounds, [&](const Round& r) { return round_view(rounds, r); })},
                            {"pairs", rounds.pairs()},
                            {"walks", rounds.engine->terms == wl::folklore_terms}});
  return rendered(kRoundsTemplate, "rounds.html", page);
}

}  // namespace leman::reports
