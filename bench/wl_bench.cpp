#include "bench/wl_bench.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "bench/line.hpp"
#include "brec/suites.hpp"
#include "wl/classes.hpp"
#include "wl/constructions/basic.hpp"
#include "wl/constructions/enumerate.hpp"
#include "wl/constructions/random.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

// The header uses _Thread_local, which exists only in C.
#define _Thread_local __thread
extern "C" {
#include <nauty/traces.h>
}
#undef _Thread_local

namespace leman::bench {

namespace {

wl::RunResult run(const wl::Engine& engine, const wl::Graph& graph, bool coloring) {
  const wl::Graph* one[] = {&graph};
  wl::RunOptions options;
  options.keep_coloring = coloring;
  return wl::run_engine(engine, one, options);
}

// nauty's sparse form of a graph; Traces runs on it.
struct TracesInput {
  std::vector<std::size_t> start;
  std::vector<int> degree, edge;
  sparsegraph form;
  explicit TracesInput(const wl::Graph& g) {
    for (wl::Node v = 0; v < g.order(); ++v) {
      start.push_back(edge.size());
      degree.push_back(static_cast<int>(g.degree(v)));
      for (wl::Node w : g.neighbors(v)) edge.push_back(static_cast<int>(w));
    }
    SG_INIT(form);
    form.nv = static_cast<int>(g.order());
    form.nde = edge.size();
    form.v = start.data(), form.d = degree.data(), form.e = edge.data();
    form.vlen = start.size(), form.dlen = degree.size(), form.elen = edge.size();
  }
};

std::vector<int> traces_orbits(TracesInput& input) {
  static DEFAULTOPTIONS_TRACES(options);
  TracesStats stats;
  std::vector<int> lab(input.degree.size()), ptn(input.degree.size()), orbits(input.degree.size());
  Traces(&input.form, lab.data(), ptn.data(), orbits.data(), &options, &stats, nullptr);
  return orbits;
}

// On these graphs the stable colouring is the partition into orbits, so a complete run
// of Traces verifies ours: no orbit has two colours, and there are as many orbits as
// colours.
bool refinement_case(const std::string& name, const wl::Graph& graph, int runs,
                     const std::function<void(const std::string&)>& print) {
  TracesInput input(graph);
  auto orbits = traces_orbits(input);
  auto colors = run(wl::color_refinement(), graph, true).coloring[0];
  std::set<std::pair<int, wl::Color>> together;
  for (wl::Node v = 0; v < graph.order(); ++v) together.emplace(orbits[v], colors[v]);
  std::set<int> orbit_count(orbits.begin(), orbits.end());
  std::set<wl::Color> color_count(colors.begin(), colors.end());
  if (together.size() != orbit_count.size() || orbit_count.size() != color_count.size()) {
    print(name + ": MISMATCH with Traces");
    return false;
  }
  Times ours = measure(runs, [&] { run(wl::color_refinement(), graph, false); });
  Times theirs = measure(runs, [&] { traces_orbits(input); });
  print(line(name, ours, "Traces, whole run", theirs));
  return true;
}

// The folklore rule written naively, with whole signatures in a map.
std::vector<std::uint32_t> textbook(const wl::Graph& g, int k) {
  std::size_t n = g.order(), size = 1;
  std::vector<std::size_t> stride(static_cast<std::size_t>(k));
  for (std::size_t p = stride.size(); p-- > 0; size *= n) stride[p] = size;
  std::map<std::vector<std::uint32_t>, std::uint32_t> dictionary;
  std::vector<std::uint32_t> colors(size), next(size);
  for (std::size_t t = 0; t < size; ++t) {
    std::vector<std::uint32_t> type;
    for (std::size_t p : stride)
      for (std::size_t q : stride) {
        wl::Node u = static_cast<wl::Node>(t / p % n), v = static_cast<wl::Node>(t / q % n);
        type.push_back(u == v ? 0 : g.has_edge(u, v) ? 2 : 1);
      }
    colors[t] = dictionary.emplace(type, static_cast<std::uint32_t>(dictionary.size())).first->second;
  }
  for (std::size_t count = dictionary.size();; count = dictionary.size()) {
    dictionary.clear();
    for (std::size_t t = 0; t < size; ++t) {
      std::vector<std::vector<std::uint32_t>> multiset(n);
      for (std::size_t w = 0; w < n; ++w)
        for (std::size_t p : stride) multiset[w].push_back(colors[t + (w - t / p % n) * p]);
      std::sort(multiset.begin(), multiset.end());
      std::vector<std::uint32_t> key{colors[t]};
      for (const auto& m : multiset) key.insert(key.end(), m.begin(), m.end());
      next[t] = dictionary.emplace(std::move(key), static_cast<std::uint32_t>(dictionary.size())).first->second;
    }
    if (dictionary.size() == count) return colors;
    colors = next;
  }
}

bool same_partition(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) pairs.emplace(a[i], b[i]);
  return pairs.size() == std::set(a.begin(), a.end()).size() && pairs.size() == std::set(b.begin(), b.end()).size();
}

bool folklore_case(const std::string& name, const wl::Graph& graph, int k, int runs,
                   const std::function<void(const std::string&)>& print) {
  const wl::Engine& engine = wl::folklore(k);
  std::vector<std::uint32_t> expected;
  Times theirs = measure(1, [&] { expected = textbook(graph, k); });
  if (!same_partition(run(engine, graph, true).coloring[0], expected)) {
    print(name + ": MISMATCH with the textbook version");
    return false;
  }
  Times ours = measure(runs, [&] { run(engine, graph, false); });
  print(line(name, ours, "textbook, sort and map", theirs));
  return true;
}

// 3-WL and 2-FWL have the same power: their verdicts must agree on every pair.
bool pair_case(const brec::Pair& pair, int runs, const std::function<void(const std::string&)>& print) {
  std::string name = "3-WL, pair " + std::to_string(pair.id) + " (n = " + std::to_string(pair.first.order()) + ")";
  if (wl::compare(wl::oblivious(3), pair.first, pair.second).distinguished !=
      wl::compare(wl::folklore(2), pair.first, pair.second).distinguished) {
    print(name + ": MISMATCH with 2-FWL");
    return false;
  }
  wl::RunOptions plain;
  plain.use_orbits = false;
  Times theirs = measure(1, [&] { wl::compare(wl::oblivious(3), pair.first, pair.second, plain); });
  Times ours = measure(runs, [&] { wl::compare(wl::oblivious(3), pair.first, pair.second); });
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  print(line(name, ours, "ours, no orbits", theirs) + "  (peak of all so far " +
        std::to_string(usage.ru_maxrss / 1024) + " MB)");
  return true;
}

bool classes_case(wl::Node order, std::size_t expected, int runs,
                  const std::function<void(const std::string&)>& print) {
  auto graphs = wl::all_graphs(order);
  auto count = [&] {
    wl::ClassCounter counter(wl::folklore(2));
    counter.add(graphs, 1);
    return counter.classes();
  };
  std::string name = "2-FWL classes, order " + std::to_string(order);
  if (graphs.size() != expected || count() != expected) {
    print(name + ": MISMATCH with the number of graphs, " + std::to_string(expected));
    return false;
  }
  std::size_t sample = std::min<std::size_t>(graphs.size(), 20000);
  Times theirs = measure(1, [&] {
    for (std::size_t i = 0; i < sample; ++i) run(wl::folklore(2), graphs[i], false);
  });
  double scale = static_cast<double>(graphs.size()) / static_cast<double>(sample);
  theirs = {theirs.median * scale, theirs.least * scale, theirs.most * scale};
  Times ours = measure(runs, count);
  print(line(name, ours, "ours, no fingerprint", theirs) + "  (" +
        std::to_string(static_cast<long>(static_cast<double>(graphs.size()) / ours.median)) + " graphs/s)");
  return true;
}

bool table_case(const brec::PairSet& set, const std::function<void(const std::string&)>& print) {
  double total = 0;
  std::string counts;
  bool right = true;
  for (const wl::Engine* engine : wl::standard_engines()) {
    int found = 0;
    Times t = measure(1, [&] {
      for (const brec::Pair& pair : set.pairs) found += wl::compare(*engine, pair.first, pair.second).distinguished;
    });
    total += t.median;
    right = right && found == (engine->fwl >= 2 ? 270 : 0);
    counts += " " + std::string(engine->title) + " " + std::to_string(found);
  }
  print("table of 400 pairs " + fixed(total, 2) + " s  found" + counts + (right ? "" : "  MISMATCH with 0 and 270"));
  return right;
}

}  // namespace

bool bench_wl(bool quick, const brec::SuiteRequest& suite, const std::function<void(const std::string&)>& print) {
  const brec::PairSet set = brec::load_suite(suite);
  int runs = quick ? 3 : 7;
  wl::Node scale = quick ? 10 : 1;
  Rng rng(1);
  wl::Graph random = wl::erdos_renyi(1000000 / scale, 1e-5 * scale, rng);
  wl::Graph grid = wl::grid(1000 / scale, 1000);
  bool ok = refinement_case("1-WL, random, n = " + std::to_string(random.order()), random, runs, print);
  ok = refinement_case("1-WL, grid, n = " + std::to_string(grid.order()), grid, runs, print) && ok;
  ok = folklore_case("2-FWL, pair 345 first (n = 198)", set.pairs[345].first, 2, runs, print) && ok;
  std::size_t triple = quick ? 272 : 267;
  ok = folklore_case("3-FWL, pair " + std::to_string(triple) +
                         " first (n = " + std::to_string(set.pairs[triple].first.order()) + ")",
                     set.pairs[triple].first, 3, runs, print) &&
       ok;
  ok = pair_case(set.pairs[quick ? 300 : 345], quick ? 1 : 3, print) && ok;
  ok = classes_case(quick ? 8 : 9, quick ? 12346 : 274668, quick ? 3 : 5, print) && ok;
  if (!quick) ok = table_case(set, print) && ok;
  return ok;
}

}  // namespace leman::bench
