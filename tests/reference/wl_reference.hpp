// The refinement algorithms read off their definitions: a map numbers whole signatures,
// and these numbers are the colours. Slow and obvious; shares no code with wl/.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "wl/graph.hpp"

namespace leman::reference {

using Signature = std::vector<std::vector<std::vector<long>>>;  // sorted multisets of vectors
using Coloring = std::vector<std::vector<long>>;                // by graph and tuple

enum class Rule { ColorRefinement, Oblivious, Folklore, Local };

inline long relation(const wl::Graph& g, wl::Node u, wl::Node v) {
  if (u == v) return 0;
  return g.has_edge(u, v) ? 2 + static_cast<long>(g.edge_color(u, v)) : 1;
}

inline std::vector<std::vector<wl::Node>> all_tuples(wl::Node n, int k) {
  std::vector<std::vector<wl::Node>> tuples{{}};
  for (int p = 0; p < k; ++p) {
    std::vector<std::vector<wl::Node>> longer;
    for (const auto& t : tuples)
      for (wl::Node v = 0; v < n; ++v) {
        longer.push_back(t);
        longer.back().push_back(v);
      }
    tuples = longer;
  }
  return tuples;
}

inline std::size_t index(const std::vector<wl::Node>& tuple, wl::Node n) {
  std::size_t i = 0;
  for (wl::Node v : tuple) i = i * n + v;
  return i;
}

inline Signature signature(const wl::Graph& g, Rule rule, const std::vector<wl::Node>& tuple,
                           const std::vector<long>& colors) {
  wl::Node n = g.order();
  auto color = [&](std::vector<wl::Node> t, std::size_t p, wl::Node w) {
    t[p] = w;
    return colors[index(t, n)];
  };
  Signature s;
  if (rule == Rule::ColorRefinement) {
    s.resize(2);
    for (wl::Node w : g.neighbors(tuple[0])) s[0].push_back({static_cast<long>(g.edge_color(tuple[0], w)), colors[w]});
    if (g.directed())
      for (wl::Node w : g.in_neighbors(tuple[0]))
        s[1].push_back({static_cast<long>(g.edge_color(w, tuple[0])), colors[w]});
  } else if (rule == Rule::Folklore) {
    s.resize(1);
    for (wl::Node w = 0; w < n; ++w) {
      s[0].emplace_back();
      for (std::size_t p = 0; p < tuple.size(); ++p) s[0].back().push_back(color(tuple, p, w));
      if (tuple.size() == 1)  // the atomic type of (v, w)
        s[0].back().insert(s[0].back().end(), {relation(g, tuple[0], w), relation(g, w, tuple[0])});
    }
  } else {
    for (std::size_t p = 0; p < tuple.size(); ++p) {
      s.emplace_back();
      s.emplace_back();
      for (wl::Node w = 0; w < n; ++w) {
        bool out = g.has_edge(tuple[p], w), in = g.directed() && g.has_edge(w, tuple[p]);
        if (rule == Rule::Oblivious || out) s[s.size() - 2].push_back({color(tuple, p, w)});
        if (rule == Rule::Local && in) s.back().push_back({color(tuple, p, w)});
      }
    }
  }
  for (auto& multiset : s) std::sort(multiset.begin(), multiset.end());
  return s;
}

struct Run {
  std::vector<Coloring> rounds;  // round 0 and all rounds that changed the partition
  std::optional<int> first_difference(std::size_t a, std::size_t b) const {
    for (std::size_t t = 0; t < rounds.size(); ++t) {
      auto x = rounds[t][a], y = rounds[t][b];
      std::sort(x.begin(), x.end());
      std::sort(y.begin(), y.end());
      if (x != y) return static_cast<int>(t);
    }
    return std::nullopt;
  }
  // The class of every graph: equal numbers for equal histograms in all rounds.
  std::vector<std::size_t> classes() const {
    std::map<std::vector<std::vector<long>>, std::size_t> known;
    std::vector<std::size_t> result;
    for (std::size_t g = 0; g < rounds[0].size(); ++g) {
      std::vector<std::vector<long>> history;
      for (const auto& round : rounds) {
        history.push_back(round[g]);
        std::sort(history.back().begin(), history.back().end());
      }
      result.push_back(known.emplace(std::move(history), known.size()).first->second);
    }
    return result;
  }
};

inline Run refine(const std::vector<wl::Graph>& graphs, Rule rule, int k) {
  Run run;
  std::map<std::vector<long>, long> atomic;
  Coloring colors;
  for (const auto& g : graphs) {
    colors.emplace_back();
    for (const auto& tuple : all_tuples(g.order(), k)) {
      std::vector<long> type;
      for (wl::Node u : tuple) {
        type.push_back(g.node_color(u));
        for (wl::Node v : tuple) type.push_back(relation(g, u, v));
      }
      if (k == 1) type.resize(1);
      colors.back().push_back(atomic.emplace(type, static_cast<long>(atomic.size())).first->second);
    }
  }
  run.rounds.push_back(colors);
  for (std::size_t count = atomic.size();;) {
    std::map<std::pair<long, Signature>, long> dictionary;
    Coloring next;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      next.emplace_back();
      for (const auto& tuple : all_tuples(graphs[g].order(), k)) {
        std::pair key(colors[g][index(tuple, graphs[g].order())], signature(graphs[g], rule, tuple, colors[g]));
        next.back().push_back(dictionary.emplace(key, static_cast<long>(dictionary.size())).first->second);
      }
    }
    if (dictionary.size() == count) return run;
    count = dictionary.size();
    colors = next;
    run.rounds.push_back(colors);
  }
}

}  // namespace leman::reference
