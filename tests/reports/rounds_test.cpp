// Runs followed round by round: labels, words, drawings. Words are checked against multisets counted
// by tests/reference, and once more from the sentences themselves.
#include "reports/rounds.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "base/text.hpp"
#include "reports/escape.hpp"
#include "reports/rounds_drawing.hpp"
#include "reports/rounds_page.hpp"
#include "reports/rounds_svg.hpp"
#include "reports/rounds_words.hpp"
#include "tests/reference/wl_reference.hpp"
#include "tests/support.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

using wl::Graph;
using wl::Node;
using wl::Term;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Followed {
  Refinement refinement;
  Rounds rounds;
};

Followed follow(const std::string& engine, const std::vector<NamedGraph>& graphs, wl::RunOptions options = {}) {
  RefinementRequest request;
  request.engine = &wl::engine_named(engine), request.colorings = true, request.options = std::move(options);
  Followed f{refine(request, graphs), {}};
  f.rounds = follow_rounds(f.refinement, request, graphs);
  return f;
}
Followed follow(const std::string& engine, const std::vector<Graph>& graphs) {
  std::vector<NamedGraph> named;
  for (const Graph& g : graphs) named.push_back({"G" + std::to_string(named.size() + 1), g});
  return follow(engine, named);
}

std::vector<Graph> random_graphs(Node n, test::Kind kind, Rng& rng) {
  const Graph first = test::random_graph(n, 0.35, kind, rng), second = test::random_graph(n, 0.35, kind, rng);
  return {first, second};
}

bool takes(const wl::Engine& engine, const Graph& graph) { return engine.directed || !graph.directed(); }

// Every drawable engine on random graphs of every kind.
template <class Check>
void on_many(Check check) {
  for (const wl::Engine& engine : wl::engines()) {
    if (engine.tuple > 2) continue;
    Rng rng(7);
    for (const test::Kind kind : test::kKinds)
      for (int repeat = 0; repeat < 3 * test::depth(); ++repeat) {
        const std::vector<Graph> graphs = random_graphs(static_cast<Node>(4 + rng.below(5)), kind, rng);
        if (!takes(engine, graphs[0])) continue;
        SCOPED_TRACE(std::string(engine.name) + " on " + ::testing::PrintToString(graphs));
        check(engine, graphs, rng);
      }
  }
}

// ---- labels

std::map<Label, std::set<std::pair<std::size_t, std::size_t>>> members(const Round& round) {
  std::map<Label, std::set<std::pair<std::size_t, std::size_t>>> result;
  for (std::size_t g = 0; g < round.labels.size(); ++g)
    for (std::size_t t = 0; t < round.labels[g].size(); ++t) result[round.labels[g][t]].insert({g, t});
  return result;
}

using Place = std::pair<std::size_t, std::size_t>;  // graph and tuple

std::set<Place> members_of(const Round& round, Label label) { return members(round)[label]; }

TEST(Rounds, LabelsAreTheEnginesClasses) {
  on_many([](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    const auto [refinement, rounds] = follow(std::string(engine.name), graphs);
    ASSERT_EQ(rounds.rounds.size(), refinement.rounds.size());
    for (std::size_t t = 0; t < rounds.rounds.size(); ++t) {
      std::map<wl::Color, Label> label;
      for (std::size_t g = 0; g < graphs.size(); ++g)
        for (std::size_t k = 0; k < refinement.rounds[t].colorings[g].size(); ++k)
          EXPECT_EQ(label.emplace(refinement.rounds[t].colorings[g][k], rounds.rounds[t].labels[g][k]).first->second,
                    rounds.rounds[t].labels[g][k]);
      EXPECT_EQ(label.size(), members(rounds.rounds[t]).size());
      EXPECT_EQ(label.size(), rounds.rounds[t].classes.size());
    }
  });
}

TEST(Rounds, ClassesKeepTheirLabelsAndTheLargestPartInherits) {
  std::size_t splits = 0;
  on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    const Rounds rounds = follow(std::string(engine.name), graphs).rounds;
    for (std::size_t t = 1; t < rounds.rounds.size(); ++t) {
      const auto before = members(rounds.rounds[t - 1]), now = members(rounds.rounds[t]);
      std::set<Label> split;
      for (const Split& s : rounds.rounds[t].splits) split.insert(s.label);
      for (const auto& [label, old] : before) {
        ASSERT_TRUE(now.count(label)) << label;  // a label is never given up
        const auto& kept = now.at(label);
        EXPECT_TRUE(std::includes(old.begin(), old.end(), kept.begin(), kept.end()));
        EXPECT_EQ(split.count(label) > 0, kept.size() < old.size());
        for (const auto& [other, part] : now)
          if (old.count(*part.begin())) {
            EXPECT_LE(part.size(), kept.size());
          }
      }
      for (const auto& [label, part] : now)
        if (!before.count(label)) {
          EXPECT_GT(label, before.rbegin()->first);
          EXPECT_EQ(rounds.origins[label].round, static_cast<int>(t));
          EXPECT_TRUE(before.at(rounds.origins[label].parent).count(*part.begin()));
        }
      for (const RoundClass& c : rounds.rounds[t].classes) {
        EXPECT_EQ(c.size, now.at(c.label).size());
        EXPECT_EQ(std::accumulate(c.sizes.begin(), c.sizes.end(), std::uint64_t{0}), c.size);
      }
      splits += split.size();
    }
  });
  EXPECT_GT(splits, 200u);
}

TEST(Rounds, LabelsRunThroughTheAlphabet) {
  EXPECT_EQ(label_text(0), "A");
  EXPECT_EQ(label_text(25), "Z");
  EXPECT_EQ(label_text(26), "AA");
  EXPECT_EQ(label_text(26 + 26 * 26), "AAA");
  std::set<std::string> all;
  for (Label label = 0; label < 4000; ++label) all.insert(label_text(label));
  EXPECT_EQ(all.size(), 4000u);
}

// Names of nodes change nothing but places.
TEST(Rounds, RelabelledGraphsHaveTheSameSentences) {
  on_many([](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng& rng) {
    std::vector<std::vector<Node>> image;
    std::vector<Graph> moved;
    for (const Graph& g : graphs) {
      std::vector<Node> permutation(g.order());
      std::iota(permutation.begin(), permutation.end(), 0);
      for (std::size_t k = permutation.size(); k > 1; --k) std::swap(permutation[k - 1], permutation[rng.below(k)]);
      image.push_back(permutation);
      moved.push_back(wl::relabel(g, permutation));
    }
    const Rounds a = follow(std::string(engine.name), graphs).rounds,
                 b = follow(std::string(engine.name), moved).rounds;
    EXPECT_EQ(a.summary, b.summary);
    ASSERT_EQ(a.rounds.size(), b.rounds.size());
    for (std::size_t t = 0; t < a.rounds.size(); ++t) {
      EXPECT_EQ(sentences_of(a, a.rounds[t]), sentences_of(b, b.rounds[t]));
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        const std::size_t n = graphs[g].order();
        for (std::size_t k = 0; k < a.rounds[t].labels[g].size(); ++k) {
          const std::size_t there = a.pairs() ? image[g][k / n] * n + image[g][k % n] : image[g][k];
          EXPECT_EQ(a.rounds[t].labels[g][k], b.rounds[t].labels[g][there]);
        }
      }
    }
  });
}

// ---- words

// How the reference writes a term: which multiset of a signature, and the vector in it.
std::pair<std::size_t, std::vector<long>> in_reference(const Term& term) {
  const long out = term.out, in = term.in, first = term.first, second = term.second;
  switch (term.kind) {
    case Term::Kind::Neighbor:
    case Term::Kind::OutNeighbor: return {0, {out, first}};
    case Term::Kind::InNeighbor: return {1, {out, first}};
    case Term::Kind::OtherNode: return {0, {first, out + 1, in + 1}};
    case Term::Kind::Walk: return {0, {second, first}};
    case Term::Kind::Column:
    case Term::Kind::ColumnNeighbor: return {0, {first}};
    case Term::Kind::ColumnInNeighbor: return {1, {first}};
    case Term::Kind::Row:
    case Term::Kind::RowNeighbor: return {2, {first}};
    case Term::Kind::RowInNeighbor: return {3, {first}};
    case Term::Kind::Distance: break;
  }
  return {99, {}};
}

struct Definition {
  const char* engine;
  reference::Rule rule;
  int k;
};
constexpr Definition kDefinitions[] = {
    {"1wl", reference::Rule::ColorRefinement, 1}, {"1fwl", reference::Rule::Folklore, 1},
    {"2wl", reference::Rule::Oblivious, 2},       {"d2lwl", reference::Rule::Local, 2},
    {"2fwl", reference::Rule::Folklore, 2},       {"s3", reference::Rule::ColorRefinement, 1},
    {"n1", reference::Rule::ColorRefinement, 1}};

TEST(Rounds, WordsAgreeWithTheReference) {
  for (const Definition& d : kDefinitions) {
    ASSERT_TRUE(wl::engine_named(d.engine).terms);
    std::size_t checked = 0;
    on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
      if (engine.name != d.engine) return;
      const Rounds rounds = follow(d.engine, graphs).rounds;
      for (std::size_t t = 1; t < rounds.rounds.size(); ++t)
        for (const Split& split : rounds.rounds[t].splits) {
          std::set<std::vector<std::uint64_t>> apart;
          std::uint64_t size = split.more_size;
          for (const Split::Part& part : split.parts) {
            EXPECT_TRUE(apart.insert(part.counts).second);
            size += part.size;
            for (const auto& [g, tuple] : members_of(rounds.rounds[t], part.label)) {
              const auto& before = rounds.rounds[t - 1].labels[g];
              const auto s =
                  reference::signature(graphs[g], d.rule, reference::all_tuples(graphs[g].order(), d.k)[tuple],
                                       {before.begin(), before.end()});
              for (std::size_t k = 0; k < split.terms.size(); ++k) {
                const auto [multiset, value] = in_reference(split.terms[k]);
                EXPECT_EQ(std::count(s.at(multiset).begin(), s.at(multiset).end(), value), part.counts[k])
                    << split.sentence;
                ++checked;
              }
            }
          }
          EXPECT_EQ(size, split.size);
          EXPECT_EQ(size, members_of(rounds.rounds[t - 1], split.label).size());
        }
    });
    EXPECT_GT(checked, 30u) << d.engine;
  }
}

TEST(Rounds, DistancesInWordsAreThoseOfFloydAndWarshall) {
  std::size_t checked = 0;
  on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    if (engine.name != "spd") return;
    const Rounds rounds = follow("spd", graphs).rounds;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const std::size_t n = graphs[g].order();
      std::vector<std::vector<long>> d(n, std::vector<long>(n, UINT32_MAX));
      for (const wl::Edge& e : graphs[g].edges()) d[e.u][e.v] = d[e.v][e.u] = 1;
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
      for (std::size_t t = 1; t < rounds.rounds.size(); ++t)
        for (const Split& split : rounds.rounds[t].splits)
          for (const Split::Part& part : split.parts)
            for (const auto& [at, v] : members_of(rounds.rounds[t], part.label))
              for (std::size_t k = 0; k < split.terms.size() && at == g; ++k) {
                std::uint64_t count = 0;
                for (std::size_t w = 0; w < n; ++w)
                  count += w != v && d[v][w] == split.terms[k].out &&
                           rounds.rounds[t - 1].labels[g][w] == split.terms[k].first;
                EXPECT_EQ(count, part.counts[k]) << split.sentence;
                ++checked;
              }
    }
  });
  EXPECT_GT(checked, 50u);
}

std::uint64_t number(const std::string& word) { return word == "no" ? 0 : std::stoull(word); }

Label label_of(const std::string& text) {
  Label label = 0;
  while (label_text(label) != text) ++label;
  return label;
}

// "B, C or D" -> the three.
std::set<std::string> alternatives(const std::string& list) {
  const std::string text = std::regex_replace(list, std::regex(" or "), ", ");
  std::set<std::string> all;
  for (std::size_t from = 0, to = 0; to != text.npos; from = to + 2) {
    to = text.find(", ", from);
    all.insert(text.substr(from, to - from));
  }
  return all;
}

// "3 nodes of G1 with 1 neighbour in B and no neighbour in C stay A" -> one entry per part: its label
// and what stands between "with" and the verb.
std::vector<std::pair<Label, std::string>> parts_of(const std::string& sentence) {
  static const std::regex part(R"((\d+) (?:nodes?|pairs?)(?: of G\d)? with (.*?) (?:stays?|becomes?) ([A-Z]+))");
  std::vector<std::pair<Label, std::string>> parts;
  for (std::sregex_iterator at(sentence.begin(), sentence.end(), part), end; at != end; ++at)
    parts.emplace_back(label_of((*at)[3]), (*at)[2]);
  return parts;
}

// What a lecturer reads is true: sentences of 1-WL, counted in the drawing.
TEST(Rounds, SentencesAboutNeighboursAreTrue) {
  static const std::regex count(
      R"((no|\d+) neighbours?(?: in ([A-Z]+(?:, [A-Z]+)*(?: or [A-Z]+)?))?(?: by edges of colour (\d+))?)");
  std::size_t checked = 0;
  on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    if (engine.name != "1wl" || graphs[0].directed()) return;
    const Rounds rounds = follow("1wl", graphs).rounds;
    for (std::size_t t = 1; t < rounds.rounds.size(); ++t)
      for (const Split& split : rounds.rounds[t].splits)
        for (const auto& [label, words] : parts_of(split.sentence))
          for (const auto& [g, v] : members_of(rounds.rounds[t], label))
            for (std::sregex_iterator at(words.begin(), words.end(), count), end; at != end; ++at) {
              std::uint64_t here = 0;
              for (const Node w : graphs[g].neighbors(static_cast<Node>(v)))
                here +=
                    ((*at)[2].length() == 0 ||
                     alternatives((*at)[2]).count(label_text(rounds.rounds[t - 1].labels[g][w]))) &&
                    ((*at)[3].length() == 0 || graphs[g].edge_color(static_cast<Node>(v), w) == std::stoul((*at)[3]));
              EXPECT_EQ(here, number((*at)[1])) << split.sentence;
              ++checked;
            }
  });
  EXPECT_GT(checked, 100u);
}

TEST(Rounds, SentencesAboutWalksAreTrue) {
  static const std::regex count(R"((no|\d+) walks? ([A-Z]+·[A-Z]+(?:, [A-Z]+·[A-Z]+)*(?: or [A-Z]+·[A-Z]+)?))");
  std::size_t checked = 0;
  on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    if (engine.name != "2fwl") return;
    const Rounds rounds = follow("2fwl", graphs).rounds;
    for (std::size_t t = 1; t < rounds.rounds.size(); ++t)
      for (const Split& split : rounds.rounds[t].splits)
        for (const auto& [label, words] : parts_of(split.sentence))
          for (const auto& [g, pair] : members_of(rounds.rounds[t], label))
            for (std::sregex_iterator at(words.begin(), words.end(), count), end; at != end; ++at) {
              const std::size_t n = graphs[g].order();
              const auto& before = rounds.rounds[t - 1].labels[g];
              std::uint64_t here = 0;
              for (std::size_t l = 0; l < n; ++l)
                here += alternatives((*at)[2]).count(label_text(before[pair / n * n + l]) + "·" +
                                                     label_text(before[l * n + pair % n]));
              EXPECT_EQ(here, number((*at)[1])) << split.sentence;
              ++checked;
            }
  });
  EXPECT_GT(checked, 500u);
}

TEST(Rounds, SaysWhatEveryoneKnows) {
  const Rounds path = follow("1wl", std::vector<NamedGraph>{{"P7", wl::path(7)}}).rounds;
  ASSERT_EQ(path.rounds.size(), 4u);
  EXPECT_EQ(sentences_of(path, path.rounds[0]), std::vector<std::string>{"A: all nodes."});
  EXPECT_EQ(path.rounds[1].splits[0].sentence,
            "A (7 nodes) splits: 5 nodes with 2 neighbours stay A; 2 nodes with 1 neighbour become B.");
  EXPECT_EQ(path.rounds[3].splits[0].sentence,
            "A (3 nodes) splits: 2 nodes with 1 neighbour in C stay A; 1 node with no neighbour in C becomes D.");
  EXPECT_EQ(path.summary, std::vector<std::string>{"Stable after 3 rounds with 4 classes, 1 of one node."});

  const std::vector<NamedGraph> two{{"C6", wl::cycle(6)}, {"2C3", wl::disjoint_union(wl::cycle(3), wl::cycle(3))}};
  const Rounds rounds = follow("2fwl", two).rounds;
  EXPECT_EQ(sentences_of(rounds, rounds.rounds[0]), std::vector<std::string>{"A: diagonal; B: not joined; C: joined."});
  EXPECT_EQ(
      sentences_of(rounds, rounds.rounds[1]),
      (std::vector<std::string>{
          "C6 and 2C3 differ from this round on: B has 6 pairs in C6 and 18 in 2C3.",
          "B (36 pairs) splits: 24 pairs with no walk C·C stay B; 12 pairs of C6 with 1 walk C·C become D.",
          "C (24 pairs) splits: 12 pairs of 2C3 with 1 walk C·C stay C; 12 pairs of C6 with no walk C·C become E."}));
  EXPECT_EQ(rounds.summary[0], "C6 and 2C3: told apart in round 1.");
  EXPECT_EQ(follow("1wl", two).rounds.summary[0], "C6 and 2C3: not told apart, every class has the same size in both.");
  wl::RunOptions at_once;
  at_once.max_rounds = 0;
  const Rounds stopped = follow("2fwl", two, at_once).rounds;
  EXPECT_EQ(stopped.summary,
            (std::vector<std::string>{"C6 and 2C3: not told apart so far.", "Stopped after 0 rounds with 3 classes."}));
  // Engines whose signatures are not at hand say so.
  EXPECT_TRUE(has(follow("m1", two).rounds.rounds.at(2).splits.at(0).sentence, "told apart by their signatures"));
}

// A split into very many parts is not told part by part.
TEST(Rounds, ManyPartsAreSummedUp) {
  Rng rng(3);
  const Rounds rounds = follow("2fwl", {test::random_graph(40, 0.5, {}, rng)}).rounds;
  const Split& split = rounds.rounds[1].splits.at(0);
  EXPECT_EQ(split.parts.size(), kMostParts);
  EXPECT_GT(split.more_parts, 0u);
  EXPECT_TRUE(has(split.sentence, "; the other " + std::to_string(split.more_size) + " pairs become " +
                                      std::to_string(split.more_parts) + " more classes."))
      << split.sentence;
}

TEST(Rounds, DifferencesNameSizesThatDiffer) {
  std::size_t told = 0;
  on_many([&](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    const auto [refinement, rounds] = follow(std::string(engine.name), graphs);
    const auto first = refinement.run.first_difference(0, 1);
    static const std::regex sizes(": ([A-Z]+) has (none|\\d+)(?: nodes?| pairs?)? in G1 and (none|\\d+) in G2\\.$");
    for (std::size_t t = 0; t < rounds.rounds.size(); ++t) {
      ASSERT_EQ(rounds.rounds[t].differences.size(), first == static_cast<int>(t) ? 1u : 0u);
      std::smatch match;
      if (rounds.rounds[t].differences.empty()) continue;
      ASSERT_TRUE(std::regex_search(rounds.rounds[t].differences[0], match, sizes)) << rounds.rounds[t].differences[0];
      const auto size = [](const std::string& word) { return word == "none" ? 0 : std::stoull(word); };
      std::uint64_t here[2] = {0, 0};
      for (const auto& [g, tuple] : members_of(rounds.rounds[t], label_of(match[1]))) ++here[g];
      EXPECT_EQ(here[0], size(match[2]));
      EXPECT_EQ(here[1], size(match[3]));
      EXPECT_NE(here[0], here[1]);
      ++told;
    }
  });
  EXPECT_GT(told, 30u);
}

// ---- limits

std::string refusal(const std::string& engine, const std::vector<Graph>& graphs) {
  std::vector<NamedGraph> named;
  for (const Graph& g : graphs) named.push_back({"g", g});
  try {
    demand_drawable(wl::engine_named(engine), named);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "";
}

TEST(Rounds, RefusesWhatCannotBeDrawn) {
  EXPECT_EQ(
      refusal("3wl", {wl::cycle(4)}),
      "only engines on nodes and pairs are drawn, and 3wl colours 3-tuples; 2fwl has the same power on undirected "
      "graphs");
  EXPECT_EQ(refusal("1wl", std::vector<Graph>(5, wl::cycle(4))), "5 graphs, and at most 4 are drawn");
  EXPECT_EQ(refusal("1wl", {wl::path(201)}),
            "g has 201 nodes, and at most 200 are drawn with 1wl, which colours nodes");
  EXPECT_EQ(refusal("2wl", {wl::path(61)}), "g has 61 nodes, and at most 60 are drawn with 2wl, which colours pairs");
  EXPECT_EQ(refusal("m1", {wl::make_graph(0, {})}), "a graph without nodes cannot be drawn");
  EXPECT_EQ(refusal("1wl", {wl::path(200), wl::make_graph(0, {})}), "");
  EXPECT_EQ(refusal("2wl", std::vector<Graph>(4, wl::path(60))), "");
  RefinementRequest without_colorings;
  without_colorings.engine = &wl::engine_named("1wl");
  EXPECT_THROW(follow_rounds({}, without_colorings, {{"g", wl::path(3)}}), UsageError);
}

// The colours of 100 rounds are part of the estimate.
TEST(Rounds, MemoryCountsTheRounds) {
  RefinementRequest request;
  request.engine = &wl::engine_named("1wl");
  request.options.memory_limit = 40000;
  const std::vector<NamedGraph> graphs{{"P200", wl::path(200)}};
  EXPECT_NO_THROW(refine(request, graphs));
  request.colorings = true;
  try {
    refine(request, graphs);
    FAIL();
  } catch (const MemoryError& e) {
    EXPECT_TRUE(has(e.what(), "1-WL with the colours of every round needs")) << e.what();
  }
}

// ---- drawings

// Is a text well-formed enough for XML: tags nest, attributes are quoted, nothing is left unescaped?
std::string xml_problem(const std::string& xml) {
  static const std::regex tag(
      R"(^<(/?)([a-z]+)((?: [a-z:A-Z-]+="[^"<>&]*(?:&(?:amp|lt|gt|quot|#39);[^"<>&]*)*")*)(/?)>)");
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '<') {
      std::smatch match;
      const std::string rest = xml.substr(at, xml.find('>', at) - at + 1);
      if (!std::regex_search(rest, match, tag)) return "tag " + rest;
      if (match[1].length()) {
        if (open.empty() || open.back() != match[2]) return "unexpected " + rest;
        open.pop_back();
      } else if (!match[4].length()) {
        open.push_back(match[2]);
      }
      at += rest.size();
    } else if (xml[at] == '&') {
      static const std::regex entity("^&(amp|lt|gt|quot|#39);");
      if (!std::regex_search(xml.substr(at, 8), entity)) return "& at " + std::to_string(at);
      ++at;
    } else if (xml[at] == '>' || (static_cast<unsigned char>(xml[at]) < 0x20 && xml[at] != '\n')) {
      return "character at " + std::to_string(at);
    } else {
      ++at;
    }
  }
  return open.empty() ? "" : "open " + open.back();
}

void check_files(const Rounds& rounds) {
  const std::vector<File> files = rounds_svg(rounds);
  ASSERT_EQ(files.size(), rounds.rounds.size() + 1);
  for (std::size_t t = 0; t < rounds.rounds.size(); ++t)
    EXPECT_EQ(files[t].name, "round-" + std::to_string(t) + ".svg");
  EXPECT_EQ(files.back().name, "all.svg");
  for (const File& file : files) {
    EXPECT_EQ(xml_problem(file.text), "") << file.name;
    EXPECT_FALSE(has(file.text, "nan") || has(file.text, "inf"));
  }
}

TEST(Rounds, AllSmallGraphsAreDrawn) {
  for (Node n = 1; n <= 5; ++n)
    for (const Graph& g : wl::all_graphs(n))
      for (const char* engine : {"1wl", "2fwl"}) {
        SCOPED_TRACE(std::string(engine) + " on " + ::testing::PrintToString(g));
        check_files(follow(engine, {g}).rounds);
      }
}

TEST(Rounds, EveryEngineAndKindIsDrawn) {
  on_many([](const wl::Engine& engine, const std::vector<Graph>& graphs, Rng&) {
    const Rounds rounds = follow(std::string(engine.name), graphs).rounds;
    check_files(rounds);
    EXPECT_TRUE(has(rounds_page(rounds), "id=\"round-" + std::to_string(rounds.rounds.size() - 1) + "\""));
  });
}

TEST(Rounds, EveryTupleIsDrawnWithItsLabelAndColor) {
  const Rounds rounds = follow("2fwl", {wl::path(5)}).rounds;
  for (const Round& round : rounds.rounds) {
    const std::string graph = graph_shapes(rounds, round, 0), matrix = matrix_shapes(rounds, round, 0);
    std::map<std::string, std::size_t> labels;
    static const std::regex text("<text[^>]*>([A-Z]+)</text>");
    for (std::sregex_iterator at(matrix.begin(), matrix.end(), text), end; at != end; ++at) ++labels[(*at)[1]];
    for (const RoundClass& c : round.classes) {
      EXPECT_EQ(labels[label_text(c.label)], c.size);
      EXPECT_TRUE(has(matrix, swatch(c.label).fill));
    }
    for (Node v = 0; v < 5; ++v) {
      const Label label = round.labels[0][v * 5 + v];
      EXPECT_TRUE(
          has(graph, swatch(label).fill + "\"><title>node " + std::to_string(v) + ", class " + label_text(label)));
    }
  }
}

// Row i, column j: where arcs have directions, (i, j) and (j, i) differ. Of an edge's two halves the
// one at i has the colour of (i, j).
TEST(Rounds, MatrixAndEdgesKeepDirections) {
  const Graph arcs(wl::GraphData{.order = 3, .directed = true, .edges = {{0, 1}, {1, 2}}, .node_colors = {}});
  const Rounds rounds = follow("2fwl", {arcs}).rounds;
  const Round& round = rounds.rounds.at(0);
  const std::vector<Label>& labels = round.labels[0];
  const std::string matrix = matrix_shapes(rounds, round, 0), graph = graph_shapes(rounds, round, 0);
  static const std::regex text("<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>([A-Z]+)</text>");
  std::map<std::pair<double, double>, std::string> by_place;  // (y, x): row-major
  for (std::sregex_iterator at(matrix.begin(), matrix.end(), text), end; at != end; ++at)
    by_place[{std::stod((*at)[2]), std::stod((*at)[1])}] = (*at)[3];
  ASSERT_EQ(by_place.size(), 9u);
  std::size_t k = 0;
  for (const auto& [place, label] : by_place) EXPECT_EQ(label, label_text(labels[k++]));
  ASSERT_NE(labels[0 * 3 + 1], labels[1 * 3 + 0]);
  const std::size_t tail = graph.find(swatch(labels[1]).fill), head = graph.find(swatch(labels[3]).fill);
  ASSERT_TRUE(tail != graph.npos && head != graph.npos);
  static const std::regex start("^[^M]*M([0-9.]+) ([0-9.]+)Q");
  std::smatch at;
  const std::string half = graph.substr(tail);
  ASSERT_TRUE(std::regex_search(half, at, start));
  static const std::regex first_node("<circle cx=\"([0-9.]+)\" cy=\"([0-9.]+)\"");
  std::smatch node;
  ASSERT_TRUE(std::regex_search(graph, node, first_node));
  EXPECT_EQ(at[1], node[1]);  // it starts at node 0
  EXPECT_EQ(at[2], node[2]);
}

TEST(Rounds, HostileNamesAreText) {
  const std::string hostile = "</title><script>alert('1')</script>&\"\x01\xFF\xC0\x80\n{{{script}}}";
  const Rounds rounds = follow("2fwl", std::vector<NamedGraph>{{hostile, wl::cycle(6)}, {hostile, wl::path(6)}}).rounds;
  EXPECT_NE(rounds.graphs[0].name, rounds.graphs[1].name);  // two of one name
  check_files(rounds);
  const std::string page = rounds_page(rounds);
  EXPECT_FALSE(has(page, "<script>alert"));
  EXPECT_FALSE(has(page, "\x01"));
  EXPECT_FALSE(has(page, "\xFF"));
  EXPECT_TRUE(has(page, "&lt;script&gt;alert"));
}

TEST(Rounds, PrintableKeepsTextAndReplacesTheRest) {
  EXPECT_EQ(printable("Gräße – 圖 😀 a\xC2\xA0z"), "Gräße – 圖 😀 a\xC2\xA0z");
  const std::string r = "\xEF\xBF\xBD";
  EXPECT_EQ(printable("a\tb"), "a" + r + "b");
  EXPECT_EQ(printable("\x7F\xC2\x85"), r + r + r);          // DEL; a control character of two bytes
  EXPECT_EQ(printable("\xC0\xAF"), r + r);                  // an overlong slash
  EXPECT_EQ(printable("\xED\xA0\x80"), r + r + r);          // a surrogate
  EXPECT_EQ(printable("\xEF\xBF\xBE"), r + r + r);          // a non-character
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), r + r + r + r);  // behind the last code point
  EXPECT_EQ(printable("\xE2\x82"), r + r);                  // cut short
  EXPECT_EQ(escape("\x01<"), r + "&lt;");
  EXPECT_EQ(escape("<a b='\"&'>"), "&lt;a b=&#39;&quot;&amp;&#39;&gt;");
}

// ---- colours and places

struct Seen {
  double l, a, b;
};

std::array<double, 3> linear(const std::string& hex) {
  std::array<double, 3> rgb;
  for (std::size_t k = 0; k < 3; ++k) {
    const double c = std::stoi(hex.substr(1 + 2 * k, 2), nullptr, 16) / 255.0;
    rgb[k] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return rgb;
}
double luminance(const std::string& hex) {
  const auto c = linear(hex);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
// OKLab (Ottosson 2020) of what is seen through a matrix of Machado, Oliveira, Fernandes (2009).
Seen seen(const std::string& hex, const double (&m)[9]) {
  const auto c = linear(hex);
  double s[3];
  for (std::size_t i = 0; i < 3; ++i)
    s[i] = std::clamp(m[3 * i] * c[0] + m[3 * i + 1] * c[1] + m[3 * i + 2] * c[2], 0.0, 1.0);
  const double l = std::cbrt(0.4122214708 * s[0] + 0.5363325363 * s[1] + 0.0514459929 * s[2]);
  const double n = std::cbrt(0.2119034982 * s[0] + 0.6806995451 * s[1] + 0.1073969566 * s[2]);
  const double k = std::cbrt(0.0883024619 * s[0] + 0.2817188376 * s[1] + 0.6299787005 * s[2]);
  return {0.2104542553 * l + 0.7936177850 * n - 0.0040720468 * k,
          1.9779984951 * l - 2.4285922050 * n + 0.4505937099 * k,
          0.0259040371 * l + 0.7827717662 * n - 0.8086757660 * k};
}

TEST(Rounds, ColoursAreToldApartAndLabelsCanBeRead) {
  const double all[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double no_red[9] = {0.152286, 1.052583,  -0.204868, 0.114503, 0.786281,
                            0.099216, -0.003882, -0.048116, 1.051998};
  const double no_green[9] = {0.367322, 0.860646,  -0.227968, 0.280085, 0.672501,
                              0.047413, -0.011820, 0.042940,  0.968881};
  for (Label a = 0; a < 12; ++a)
    for (Label b = 0; b < a; ++b)
      for (const auto* eyes : {&all, &no_red, &no_green}) {
        const Seen x = seen(swatch(a).fill, *eyes), y = seen(swatch(b).fill, *eyes);
        EXPECT_GT(std::hypot(x.l - y.l, x.a - y.a, x.b - y.b), 0.06) << label_text(a) << " and " << label_text(b);
      }
  std::set<std::string> fills;
  for (Label label = 0; label < 36; ++label) {
    EXPECT_GT(contrast(swatch(label).fill, swatch(label).ink), 4.5) << label_text(label);
    fills.insert(swatch(label).fill);
  }
  EXPECT_EQ(fills.size(), 36u);
}

TEST(Rounds, PolygonsAreRegularAndPathsStraight) {
  for (const Node n : {3u, 4u, 6u, 9u}) {
    const std::vector<Point> p = layout(wl::cycle(n));
    std::vector<double> lengths;
    for (std::size_t v = 0; v < n; ++v)
      lengths.push_back(std::hypot(p[v].x - p[(v + 1) % n].x, p[v].y - p[(v + 1) % n].y));
    EXPECT_LT(*std::max_element(lengths.begin(), lengths.end()), *std::min_element(lengths.begin(), lengths.end()) + 3)
        << n;
  }
  const std::vector<Point> path = layout(wl::path(9));
  for (std::size_t v = 0; v + 1 < path.size(); ++v) {
    EXPECT_NEAR(path[v].y, path[0].y, 2);
    EXPECT_NEAR(std::abs(path[v + 1].x - path[v].x), 999 / 8.0, 3);
  }
}

// Components do not touch: every node is nearest to one of its own.
TEST(Rounds, ComponentsStandApart) {
  const Graph g = wl::disjoint_union(wl::disjoint_union(wl::cycle(5), wl::complete(8)), wl::path(4));
  const std::vector<Point> p = layout(g);
  for (Node v = 0; v < g.order(); ++v) {
    Node nearest = v == 0 ? 1 : 0;
    const auto far = [&](Node w) { return std::hypot(p[v].x - p[w].x, p[v].y - p[w].y); };
    for (Node w = 0; w < g.order(); ++w)
      if (w != v && far(w) < far(nearest)) nearest = w;
    EXPECT_TRUE(g.has_edge(v, nearest)) << v << " " << nearest;
  }
}

// ---- the text of `leman wl --rounds`

TEST(Rounds, HistogramsShowFirstWhatDiffers) {
  RefinementRequest request;
  request.engine = &wl::engine_named("1wl"), request.rounds = true;
  const std::vector<NamedGraph> graphs{{"a", wl::path(3)}, {"b", wl::cycle(3)}};
  Refinement r;
  r.run.groups = {{0, 1}}, r.run.stable = true, r.classes = {{0}, {1}};
  r.rounds.push_back({0, 20, {{}, {}}, {}});
  for (wl::Color c = 0; c < 20; ++c)
    for (std::size_t g = 0; g < 2; ++g)
      if (c != 17 || g == 0) r.rounds[0].histograms[g].push_back({c, c == 15 ? 5 + g : 2});
  const std::string text = refinement_text(r, request, graphs);
  EXPECT_TRUE(has(text,
                  "round 0: 20 colours, 2 with different counts, these first\n"
                  "  a  15:5 17:2 0:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 and 8 more\n"
                  "  b  15:6 17:0 0:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 and 8 more\n"))
      << text;
  for (auto& h : r.rounds[0].histograms) h.resize(12);
  EXPECT_TRUE(has(refinement_text(r, request, graphs),
                  "round 0: 20 colours\n  a  0:2 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 10:2 11:2\n"));
}

}  // namespace
}  // namespace leman::reports
