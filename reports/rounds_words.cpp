#include "reports/rounds_words.hpp"

#include <algorithm>
#include <map>

namespace leman::reports {

namespace {

using Kind = wl::Term::Kind;

std::string digits(std::uint64_t number) { return std::to_string(number); }

// "a, b and c"
std::string listed(const std::vector<std::string>& items, const std::string& last) {
  std::string text;
  for (std::size_t k = 0; k < items.size(); ++k)
    text += (k == 0 ? "" : k + 1 == items.size() ? " " + last + " " : ", ") + items[k];
  return text;
}

std::string of_color(wl::Color color, const Speech& s) { return s.edge_colors ? " of colour " + digits(color) : ""; }

// 1-FWL: how another node is joined to this one.
std::string node_text(std::uint64_t count, const wl::Term& term, const Speech& s, const std::string& in) {
  const auto color = [&](wl::Color arc) { return of_color(arc - 1, s); };
  if (!s.directed && term.out == 0) return counted(count, "non-neighbour") + in;
  if (!s.directed) return counted(count, "neighbour") + in + (s.edge_colors ? " by edges" + color(term.out) : "");
  const std::string nodes = counted(count, "node") + in;
  if (term.out == 0 && term.in == 0) return nodes + " not joined to it";
  if (term.in == 0) return nodes + " by arcs" + color(term.out) + " out only";
  if (term.out == 0) return nodes + " by arcs" + color(term.in) + " in only";
  return nodes + " by arcs" + color(term.out) + " out and" + color(term.in) + " in";
}

std::string distance_text(std::uint64_t count, const wl::Term& term, const std::string& in) {
  return counted(count, "node") + in +
         (term.out == UINT32_MAX ? " in other components" : " at distance " + digits(term.out));
}

// Local 2-WL: a pair, and how the node that replaces one is joined to it.
std::string local_text(std::uint64_t count, const std::string& label, const std::string& pair, const char* how) {
  return counted(count, "pair") + " " + pair + " in " + label + " with " + how;
}

// " of C6" if only one of several graphs has members.
std::string where_text(const std::vector<std::uint64_t>& sizes, const Rounds& rounds) {
  const auto present = std::count_if(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size > 0; });
  if (present != 1 || sizes.size() == 1) return "";
  const auto at = std::find_if(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size > 0; });
  return " of " + rounds.graphs[static_cast<std::size_t>(at - sizes.begin())].name;
}

// "with 1 neighbour in P, 2 neighbours in Q and no neighbour in R, S or T"
std::string evidence(const Split& split, const Split::Part& part, const Speech& s) {
  std::vector<std::string> items;
  std::map<wl::Term, std::vector<wl::Term>> none;  // terms without their classes, and all of these
  for (std::size_t k = 0; k < split.terms.size(); ++k) {
    wl::Term kind = split.terms[k];
    kind.first = kind.second = 0;
    if (part.counts[k] == 0)
      none[kind].push_back(split.terms[k]);
    else
      items.push_back(term_text(part.counts[k], {split.terms[k]}, s));
  }
  for (const auto& [kind, terms] : none) items.push_back(term_text(0, terms, s));
  return items.empty() ? "" : " with " + listed(items, "and");
}

// The atomic type of a pair.
std::string pair_text(const wl::Graph& graph, wl::Node i, wl::Node j, const Speech& s) {
  std::string colors;
  if (s.node_colors)
    colors = i == j ? ", colour " + digits(graph.node_color(i))
                    : ", colours " + digits(graph.node_color(i)) + " and " + digits(graph.node_color(j));
  if (i == j) return "diagonal" + colors;
  const bool out = graph.has_edge(i, j), in = graph.has_edge(j, i);
  if (!out && !in) return "not joined" + colors;
  if (!s.directed) return "joined" + (s.edge_colors ? " by colour " + digits(graph.edge_color(i, j)) : "") + colors;
  std::string arcs;
  if (out) arcs = "arc i→j" + of_color(graph.edge_color(i, j), s);
  if (in) arcs += (out ? ", " : "") + std::string("arc j→i") + of_color(graph.edge_color(j, i), s);
  return arcs + colors;
}

}  // namespace

std::string counted(std::uint64_t count, const std::string& noun) {
  return count == 0 ? "no " + noun : digits(count) + " " + noun + (count == 1 ? "" : noun.ends_with("s") ? "es" : "s");
}

Speech speech_of(const Rounds& rounds, bool one_class) {
  Speech s{.one_class = one_class};
  for (const NamedGraph& g : rounds.graphs) {
    s.directed |= g.graph.directed();
    s.node_colors |= g.graph.node_colored();
    s.edge_colors |= g.graph.edge_colored();
  }
  return s;
}

std::string term_text(std::uint64_t count, const std::vector<wl::Term>& terms, const Speech& s) {
  const wl::Term& term = terms.front();
  std::vector<std::string> labels;
  for (const wl::Term& t : terms)
    labels.push_back(label_text(t.first) + (t.kind == Kind::Walk ? "·" + label_text(t.second) : ""));
  const std::string first = listed(labels, "or"), in = s.one_class ? "" : " in " + first;
  const std::string color = of_color(term.out, s);
  switch (term.kind) {
    case Kind::Neighbor: return counted(count, "neighbour") + in + (s.edge_colors ? " by edges" + color : "");
    case Kind::OutNeighbor: return counted(count, "arc") + color + (s.one_class ? " out" : " to " + first);
    case Kind::InNeighbor: return counted(count, "arc") + color + (s.one_class ? " in" : " from " + first);
    case Kind::OtherNode: return node_text(count, term, s, in);
    case Kind::Distance: return distance_text(count, term, in);
    case Kind::Row: return counted(count, "pair") + " (i, l) in " + first;
    case Kind::Column: return counted(count, "pair") + " (l, j) in " + first;
    case Kind::Walk: return counted(count, "walk") + " " + first;
    case Kind::RowNeighbor: return local_text(count, first, "(i, l)", s.directed ? "an arc j→l" : "l next to j");
    case Kind::RowInNeighbor: return local_text(count, first, "(i, l)", "an arc l→j");
    case Kind::ColumnNeighbor: return local_text(count, first, "(l, j)", s.directed ? "an arc i→l" : "l next to i");
    case Kind::ColumnInNeighbor: return local_text(count, first, "(l, j)", "an arc l→i");
  }
  return "";
}

std::string split_sentence(const Split& split, const Rounds& rounds, bool one_class_before) {
  std::string text = label_text(split.label) + " (" + digits(split.size) + " " + rounds.noun(split.size) + ") splits: ";
  for (std::size_t p = 0; p < split.parts.size(); ++p) {
    const Split::Part& part = split.parts[p];
    const bool one = part.size == 1;
    text += (p ? "; " : "") + digits(part.size) + " " + rounds.noun(part.size) + where_text(part.sizes, rounds) +
            evidence(split, part, speech_of(rounds, one_class_before)) +
            (part.label == split.label ? (one ? " stays " : " stay ") : (one ? " becomes " : " become ")) +
            label_text(part.label);
  }
  if (split.more_parts)
    text += "; the other " + digits(split.more_size) + " " + rounds.noun(split.more_size) + " become " +
            digits(split.more_parts) + (split.more_parts == 1 ? " more class" : " more classes");
  return text + (split.terms.empty() ? "; told apart by their signatures." : ".");
}

std::string initial_text(const Rounds& rounds, std::size_t graph, std::size_t tuple, bool by_node_colors) {
  const wl::Graph& g = rounds.graphs[graph].graph;
  if (rounds.pairs())
    return pair_text(g, static_cast<wl::Node>(tuple / g.order()), static_cast<wl::Node>(tuple % g.order()),
                     speech_of(rounds, false));
  if (!by_node_colors) return "initial value of " + std::string(rounds.engine->title);
  return rounds.origins.size() == 1 ? "all nodes" : "node colour " + digits(g.node_color(static_cast<wl::Node>(tuple)));
}

std::string difference_sentence(const Rounds& rounds, const Round& round, std::size_t a, std::size_t b) {
  const std::string &first = rounds.graphs[a].name, &second = rounds.graphs[b].name;
  std::string text = first + " and " + second + " differ from this round on";
  for (const RoundClass& c : round.classes) {
    if (c.sizes[a] == c.sizes[b]) continue;
    const auto size = [](std::uint64_t count) { return count == 0 ? std::string("none") : digits(count); };
    return text + ": " + label_text(c.label) + " has " + size(c.sizes[a]) +
           (c.sizes[a] == 0 ? "" : std::string(" ") + rounds.noun(c.sizes[a])) + " in " + first + " and " +
           size(c.sizes[b]) + " in " + second + ".";
  }
  return text + ".";
}

std::vector<std::string> sentences_of(const Rounds& rounds, const Round& round) {
  std::vector<std::string> sentences;
  if (&round == &rounds.rounds.front()) {
    std::string text;
    for (const RoundClass& c : round.classes)
      text += (text.empty() ? "" : "; ") + label_text(c.label) + ": " + rounds.origins[c.label].text;
    sentences.push_back(text + ".");
  }
  sentences.insert(sentences.end(), round.differences.begin(), round.differences.end());
  for (const Split& split : round.splits) sentences.push_back(split.sentence);
  if (sentences.empty()) sentences.push_back("No class splits.");
  return sentences;
}

std::string classes_text(const Rounds& rounds, const Round& round) {
  const std::size_t classes = round.classes.size();
  const auto alone = static_cast<std::size_t>(
      std::count_if(round.classes.begin(), round.classes.end(), [](const RoundClass& c) { return c.size == 1; }));
  const std::string one = std::string(" of one ") + rounds.noun(1);
  return counted(classes, "class") + (alone == 0 || classes == 1 ? ""
                                      : alone == classes         ? ", each" + one
                                                                 : ", " + digits(alone) + one);
}

std::string names_text(const Rounds& rounds) {
  std::vector<std::string> names;
  for (const NamedGraph& g : rounds.graphs) names.push_back(g.name);
  return listed(names, "and");
}

std::vector<std::string> summary_sentences(const Rounds& rounds, const wl::RunResult& run) {
  std::vector<std::string> sentences;
  for (std::size_t b = 1; b < rounds.graphs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto first = run.first_difference(a, b);
      sentences.push_back(rounds.graphs[a].name + " and " + rounds.graphs[b].name + ": " +
                          (first        ? "told apart in round " + std::to_string(*first)
                           : run.stable ? "not told apart, every class has the same size in both"
                                        : "not told apart so far") +
                          ".");
    }
  sentences.push_back((run.stable ? "Stable after " : "Stopped after ") + std::to_string(run.rounds) +
                      (run.rounds == 1 ? " round" : " rounds") + " with " + classes_text(rounds, rounds.rounds.back()) +
                      ".");
  return sentences;
}

}  // namespace leman::reports
