#include "reports/rounds.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "reports/escape.hpp"
#include "reports/names.hpp"
#include "reports/rounds_words.hpp"

namespace leman::reports {

namespace {

constexpr std::size_t kLongestName = 40;
constexpr std::uint64_t kBytesPerTuple = 1400;  // of a round: its labels, drawings and pages at the peak, measured

// Short names that can be shown and are not the same twice.
std::vector<NamedGraph> shown(std::vector<NamedGraph> graphs) {
  std::set<std::string> names;
  for (NamedGraph& g : graphs) names.insert(g.name = shortened(printable(g.name), kLongestName));
  if (names.size() < graphs.size())
    for (std::size_t g = 0; g < graphs.size(); ++g) graphs[g].name = std::to_string(g + 1) + ": " + graphs[g].name;
  return graphs;
}

struct Place {
  std::size_t graph, tuple;
};

// The classes of one round by the engine's colours.
struct ColorFacts {
  Place example;  // the first member
  std::vector<std::uint64_t> sizes;
  std::uint64_t size = 0;
  Label label = 0;
};
using Facts = std::map<wl::Color, ColorFacts>;

Facts facts_of(const Refinement::Round& round) {
  Facts facts;
  const std::size_t graphs = round.colorings.size();
  for (std::size_t g = 0; g < graphs; ++g)
    for (std::size_t t = 0; t < round.colorings[g].size(); ++t) {
      const auto [at, fresh] = facts.try_emplace(round.colorings[g][t]);
      if (fresh) at->second.example = {g, t}, at->second.sizes.resize(graphs);
      ++at->second.size, ++at->second.sizes[g];
    }
  return facts;
}

using Counts = std::map<wl::Term, std::uint64_t>;

// The signature of a tuple under the colouring of the round before, in its labels.
Counts signature(const Rounds& rounds, const Round& before, Place at) {
  Counts counts;
  for (const wl::Term& term : rounds.engine->terms(rounds.graphs[at.graph].graph, before.labels[at.graph], at.tuple))
    ++counts[term];
  return counts;
}

std::uint64_t count_of(const Counts& counts, const wl::Term& term) {
  const auto at = counts.find(term);
  return at == counts.end() ? 0 : at->second;
}

std::uint64_t size_of(const Round& round, Label label) {
  const auto at = std::lower_bound(round.classes.begin(), round.classes.end(), label,
                                   [](const RoundClass& c, Label l) { return c.label < l; });
  return at == round.classes.end() || at->label != label ? 0 : at->size;
}

// Numbers parts by (number so far, count of the term).
std::vector<std::size_t> split_by(const std::vector<std::size_t>& groups, const std::vector<Counts>& parts,
                                  const wl::Term& term) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> number;
  std::vector<std::size_t> after;
  for (std::size_t p = 0; p < parts.size(); ++p)
    after.push_back(number.emplace(std::pair{groups[p], count_of(parts[p], term)}, number.size()).first->second);
  return after;
}

// What a term is worth for telling parts apart, the most first: how many groups it leaves; small
// counts, which are easy to see in a drawing; small classes, for the same reason.
struct Worth {
  std::size_t groups = 1;
  std::int64_t less_counted = 0, less_members = 0;
  friend auto operator<=>(const Worth&, const Worth&) = default;
};

// A few terms whose counts tell all parts apart, chosen greedily. `size` is that of a class of the
// round before.
template <class Size>
std::vector<wl::Term> telling_terms(const std::vector<Counts>& parts, Size size) {
  std::set<wl::Term> all;
  for (const Counts& part : parts)
    for (const auto& [term, count] : part) all.insert(term);
  std::vector<wl::Term> chosen;
  std::vector<std::size_t> groups(parts.size(), 0);
  for (std::size_t apart = 1; apart < parts.size();) {
    const wl::Term* best = nullptr;
    Worth most;
    for (const wl::Term& term : all) {
      const std::vector<std::size_t> split = split_by(groups, parts, term);
      Worth worth{*std::max_element(split.begin(), split.end()) + 1, 0, -size(term.first) - size(term.second)};
      for (const Counts& part : parts) worth.less_counted -= static_cast<std::int64_t>(count_of(part, term));
      if (worth.groups > apart && (!best || worth > most)) best = &term, most = worth;
    }
    if (!best) throw BugError("rounds: parts of a class with equal signatures");
    chosen.push_back(*best);
    groups = split_by(groups, parts, *best);
    apart = most.groups;
  }
  std::sort(chosen.begin(), chosen.end());  // sentences name classes in the order of their labels
  return chosen;
}

// Follows one run; what is known so far is in `rounds_`.
class Follower {
 public:
  explicit Follower(Rounds& rounds) : rounds_(rounds) {}

  void first(const Refinement::Round& round) {
    Facts facts = facts_of(round);
    for (auto& [color, fact] : facts) {
      fact.label = static_cast<Label>(rounds_.origins.size());
      rounds_.origins.emplace_back();
    }
    add(round, facts);
    const bool by_node_colors = follows_node_colors();
    for (const auto& [color, fact] : facts)
      rounds_.origins[fact.label].text = initial_text(rounds_, fact.example.graph, fact.example.tuple, by_node_colors);
  }

  void next(const Refinement::Round& round) {
    Facts facts = facts_of(round);
    const auto children = name_parts(facts, round.round);
    add(round, facts);
    for (const auto& [parent, colors] : children)
      if (colors.size() > 1) rounds_.rounds.back().splits.push_back(split_of(parent, colors, facts));
  }

 private:
  // The colours that every label of the round before has become.
  using Children = std::map<Label, std::vector<wl::Color>>;

  Children name_parts(Facts& facts, int number) {
    const Round& before = rounds_.rounds.back();
    Children children;
    for (const auto& [color, fact] : facts)
      children[before.labels[fact.example.graph][fact.example.tuple]].push_back(color);
    std::map<wl::Color, Label> fresh;  // ascending by colour
    for (const auto& [parent, colors] : children) {
      const wl::Color kept = *std::max_element(colors.begin(), colors.end(),
                                               [&](wl::Color a, wl::Color b) { return facts[a].size < facts[b].size; });
      facts[kept].label = parent;
      for (const wl::Color color : colors)
        if (color != kept) fresh[color] = parent;
    }
    for (const auto& [color, parent] : fresh) {
      facts[color].label = static_cast<Label>(rounds_.origins.size());
      rounds_.origins.push_back({number, parent, "from " + label_text(parent) + " in round " + std::to_string(number)});
    }
    return children;
  }

  void add(const Refinement::Round& round, const Facts& facts) {
    Round& now = rounds_.rounds.emplace_back();
    now.number = round.round;
    for (const auto& coloring : round.colorings) {
      now.labels.emplace_back();
      for (const wl::Color color : coloring) now.labels.back().push_back(facts.at(color).label);
    }
    for (const auto& [color, fact] : facts) now.classes.push_back({fact.label, fact.size, fact.sizes});
    std::sort(now.classes.begin(), now.classes.end(),
              [](const RoundClass& a, const RoundClass& b) { return a.label < b.label; });
  }

  Split split_of(Label parent, std::vector<wl::Color> colors, const Facts& facts) const {
    const Round& before = rounds_.rounds[rounds_.rounds.size() - 2];
    Split split;
    split.label = parent;
    std::sort(colors.begin(), colors.end(), [&](wl::Color a, wl::Color b) {
      const ColorFacts &x = facts.at(a), &y = facts.at(b);
      if ((x.label == parent) != (y.label == parent)) return x.label == parent;
      return x.size != y.size ? x.size > y.size : x.label < y.label;
    });
    std::vector<Counts> signatures;
    for (const wl::Color color : colors) {
      const ColorFacts& fact = facts.at(color);
      split.size += fact.size;
      if (split.parts.size() == kMostParts) {
        ++split.more_parts, split.more_size += fact.size;
        continue;
      }
      split.parts.push_back({fact.label, fact.size, fact.sizes, {}});
      if (rounds_.engine->terms) signatures.push_back(signature(rounds_, before, fact.example));
    }
    const auto size = [&](Label label) { return static_cast<std::int64_t>(size_of(before, label)); };
    if (rounds_.engine->terms) split.terms = telling_terms(signatures, size);
    for (std::size_t p = 0; p < signatures.size(); ++p)
      for (const wl::Term& term : split.terms) split.parts[p].counts.push_back(count_of(signatures[p], term));
    split.sentence = split_sentence(split, rounds_, before.classes.size() == 1);
    return split;
  }

  // Is the partition of round 0 the one by node colours?
  bool follows_node_colors() const {
    std::set<wl::Color> colors;
    for (const NamedGraph& g : rounds_.graphs)
      for (wl::Node v = 0; v < g.graph.order(); ++v) colors.insert(g.graph.node_color(v));
    return colors.size() == rounds_.origins.size();  // engines see node colours, so it cannot be coarser
  }

  Rounds& rounds_;
};

void add_differences(Rounds& rounds, const wl::RunResult& run) {
  for (std::size_t b = 1; b < rounds.graphs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a)
      if (const auto first = run.first_difference(a, b)) {
        Round& round = rounds.rounds.at(static_cast<std::size_t>(*first));
        round.differences.push_back(difference_sentence(rounds, round, a, b));
      }
}

void demand_drawing_memory(const Refinement& refinement, const RefinementRequest& request) {
  std::uint64_t tuples = 0;
  for (const auto& coloring : refinement.rounds.at(0).colorings) tuples += coloring.size();
  demand_memory(kBytesPerTuple * tuples * refinement.rounds.size(), request.options.memory_limit,
                "drawing " + std::to_string(refinement.rounds.size()) + " rounds");
}

}  // namespace

std::string label_text(Label label) {
  std::string text;
  for (std::uint64_t rest = std::uint64_t{label} + 1; rest > 0; rest = (rest - 1) / 26)
    text.insert(text.begin(), static_cast<char>('A' + (rest - 1) % 26));
  return text;
}

bool RoundClass::differ() const {
  return std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end();
}

const char* Rounds::noun(std::uint64_t count) const {
  return pairs() ? (count == 1 ? "pair" : "pairs") : (count == 1 ? "node" : "nodes");
}

void demand_drawable(const wl::Engine& engine, const std::vector<NamedGraph>& graphs) {
  if (engine.tuple > 2)
    throw UsageError("only engines on nodes and pairs are drawn, and " + std::string(engine.name) + " colours " +
                     std::to_string(engine.tuple) + "-tuples" +
                     (engine.fwl == 2 ? "; 2fwl has the same power on undirected graphs" : ""));
  if (graphs.size() > kMostDrawnGraphs)
    throw UsageError(std::to_string(graphs.size()) + " graphs, and at most " + std::to_string(kMostDrawnGraphs) +
                     " are drawn");
  if (std::all_of(graphs.begin(), graphs.end(), [](const NamedGraph& g) { return g.graph.order() == 0; }))
    throw UsageError("a graph without nodes cannot be drawn");
  const wl::Node most = engine.tuple == 2 ? kMostMatrixNodes : kMostDrawnNodes;
  for (const NamedGraph& g : graphs)
    if (g.graph.order() > most)
      throw UsageError(printable(g.name) + " has " + std::to_string(g.graph.order()) + " nodes, and at most " +
                       std::to_string(most) + " are drawn with " + std::string(engine.name) + ", which colours " +
                       (engine.tuple == 2 ? "pairs" : "nodes"));
}

Rounds follow_rounds(const Refinement& refinement, const RefinementRequest& request,
                     const std::vector<NamedGraph>& graphs) {
  demand_drawable(*request.engine, graphs);
  if (!request.colorings) throw UsageError("follow_rounds: a run that did not keep its colourings");
  demand_drawing_memory(refinement, request);
  Rounds rounds;
  rounds.engine = request.engine;
  rounds.graphs = shown(graphs);
  for (const NamedGraph& g : graphs) rounds.places.push_back(layout(g.graph));
  Follower follower(rounds);
  follower.first(refinement.rounds[0]);
  for (std::size_t t = 1; t < refinement.rounds.size(); ++t) follower.next(refinement.rounds[t]);
  add_differences(rounds, refinement.run);
  rounds.summary = summary_sentences(rounds, refinement.run);
  return rounds;
}

}  // namespace leman::reports
