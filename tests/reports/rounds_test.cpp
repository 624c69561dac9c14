// Runs followed round by round: labels, words, limits. Words are checked against multisets counted by
// tests/reference, and once more from the sentences themselves.
#include "reports/rounds.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <regex>
#include <set>

#include "reports/rounds_words.hpp"
#include "tests/reference/wl_reference.hpp"
#include "tests/reports/follow.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/graph_ops.hpp"

namespace leman::reports {
namespace {

using wl::Term;

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
  // Engines whose signatures are not at hand say so. The first round of M1 tells copies apart, not nodes.
  const Rounds marked = follow("m1", two).rounds;
  EXPECT_EQ(sentences_of(marked, marked.rounds.at(1)), std::vector<std::string>{"No class splits."});
  EXPECT_TRUE(has(marked.rounds.at(2).splits.at(0).sentence, "told apart by their signatures"));
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
