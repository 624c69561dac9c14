#include "wl/tuple_refinement.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "wl/graph_ops.hpp"
#include "wl/hash_product.hpp"
#include "wl/intern.hpp"
#include "wl/tuple_orbits.hpp"

namespace leman::wl {

namespace {

__extension__ using Wide = unsigned __int128;

// Tuples of one graph as numbers 0 .. n^K - 1 in row-major order. They fit into 32
// bits (refine_tuples checks that), which divide faster than 64.
template <int K>
struct Tuples {
  std::uint32_t n;
  std::array<std::uint32_t, K> stride;  // of every position

  explicit Tuples(std::uint32_t order) : n(order) {
    std::uint32_t s = 1;
    for (std::size_t p = K; p-- > 0; s *= n) stride[p] = s;
  }
  std::uint32_t entry(std::uint32_t tuple, std::size_t p) const { return tuple / stride[p] % n; }
  std::uint32_t line_start(std::uint32_t tuple, std::size_t p) const { return tuple - entry(tuple, p) * stride[p]; }
  // Lines in direction p are numbered 0 .. n^(K-1) - 1.
  std::uint32_t line_number(std::uint32_t tuple, std::size_t p) const {
    std::uint32_t above = tuple / stride[p];
    return above / n * stride[p] + (tuple - above * stride[p]);
  }
  std::uint32_t start_of_line(std::uint32_t line, std::size_t p) const {
    std::uint32_t above = line / stride[p];
    return above * stride[p] * n + (line - above * stride[p]);
  }
};

// The graph that an item belongs to, given the first item of every graph.
std::size_t owner(const std::vector<std::uint32_t>& first, std::uint32_t item) {
  if (first.size() > 8)
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), item) - first.begin()) - 1;
  std::size_t g = 0;
  while (item >= first[g + 1]) ++g;
  return g;
}

// The state that all rules share: all tuples of all graphs and their colours. An
// item is an orbit of tuples, or a single tuple where no orbits are used.
template <int K>
struct State {
  GraphSpan graphs;
  std::vector<Tuples<K>> tuples;           // by graph
  std::vector<Permutations> generators;    // by graph: automorphisms in use
  std::vector<TupleOrbits> orbits;         // by graph
  std::vector<std::uint32_t> first_item;   // by graph, and the total
  std::vector<std::vector<Color>> colors;  // by graph and tuple
  std::vector<Color> item_colors;          // by item
  Color count = 0;                         // of colours
  std::uint64_t hash_mask;

  State(GraphSpan all, const RunOptions& options)
      : graphs(all),
        first_item{0},
        hash_mask(options.hash_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << options.hash_bits) - 1) {
    for (const Graph* g : all) {
      tuples.emplace_back(g->order());
      generators.push_back(orbit_generators(*g, options.use_orbits));
      orbits.emplace_back(g->order(), K, generators.back());
      colors.emplace_back(g->order() == 0 ? 0 : std::size_t{tuples.back().stride[0]} * g->order());
      first_item.push_back(first_item.back() + static_cast<std::uint32_t>(orbits.back().items()));
    }
  }
  std::size_t graph_of(std::uint32_t item) const { return owner(first_item, item); }
  std::uint32_t tuple_of(std::size_t g, std::uint32_t item) const {
    return static_cast<std::uint32_t>(orbits[g].representative(item - first_item[g]));
  }
  // visit(graph, item, tuple) for every item.
  template <class Visit>
  void for_each_item(Visit visit) const {
    for (std::size_t g = 0; g < graphs.size(); ++g)
      for (std::uint32_t item = first_item[g]; item < first_item[g + 1]; ++item) visit(g, item, tuple_of(g, item));
  }
  void set_colors(Interned interned) {
    item_colors = std::move(interned.ids);
    count = interned.count;
    for (std::size_t g = 0; g < graphs.size(); ++g)
      for (std::uint64_t t = 0; t < colors[g].size(); ++t)
        colors[g][t] = item_colors[first_item[g] + orbits[g].item(t)];
  }
  // Of one graph; `counts` is scratch memory, all 0 before and after.
  Histogram histogram(std::size_t g, std::vector<std::uint64_t>& counts) const {
    counts.resize(count);
    std::vector<Color> present;
    for (std::uint32_t item = first_item[g]; item < first_item[g + 1]; ++item) {
      Color c = item_colors[item];
      if (counts[c] == 0) present.push_back(c);
      counts[c] += orbits[g].size(item - first_item[g]);
    }
    bool most = present.size() > count / 8;  // then scan all colours in order
    if (most)
      present.resize(count), std::iota(present.begin(), present.end(), 0);
    else
      std::sort(present.begin(), present.end());
    Histogram h;
    for (Color c : present)
      if (counts[c] != 0) h.emplace_back(c, std::exchange(counts[c], 0));
    return h;
  }
};

// Random numbers of all colours for one purpose.
std::vector<std::uint64_t> random_numbers(std::uint32_t count, std::uint64_t purpose) {
  std::vector<std::uint64_t> numbers(count);
  for (std::uint32_t c = 0; c < count; ++c) numbers[c] = random_number(c, purpose);
  return numbers;
}

// The atomic type of a tuple as keys (place << 34 | value): node colours, and the
// relation of every ordered pair of positions.
template <int K>
class AtomicTypes {
 public:
  explicit AtomicTypes(const State<K>& state) : s_(state) {
    for (const Graph* graph : s_.graphs) relation_.push_back(relation_matrix(*graph));
  }
  Interned number() const {
    std::vector<std::uint64_t> fingerprint(s_.first_item.back());
    std::array<std::uint64_t, K * K> keys;
    s_.for_each_item([&](std::size_t g, std::uint32_t item, std::uint32_t tuple) {
      fetch(g, tuple, keys.data());
      for (std::uint64_t key : keys) fingerprint[item] += mix(key);
      fingerprint[item] &= s_.hash_mask;
    });
    return intern<std::uint64_t>(
        {}, fingerprint, [](std::uint32_t) { return std::size_t{K * K}; },
        [&](std::uint32_t item, std::uint64_t* out) {
          std::size_t g = s_.graph_of(item);
          fetch(g, s_.tuple_of(g, item), out);
        });
  }

 private:
  void fetch(std::size_t g, std::uint32_t tuple, std::uint64_t* out) const {
    const Tuples<K>& t = s_.tuples[g];
    std::array<std::uint32_t, K> v;
    for (std::size_t p = 0; p < K; ++p) v[p] = t.entry(tuple, p);
    for (std::size_t p = 0; p < K; ++p)
      for (std::size_t q = 0; q < K; ++q) {
        std::uint64_t value = p == q ? s_.graphs[g]->node_color(v[p]) : relation_[g][std::size_t{v[p]} * t.n + v[q]];
        *out++ = std::uint64_t{p * K + q} << 34 | value;
      }
  }
  const State<K>& s_;
  std::vector<std::vector<std::uint64_t>> relation_;
};

// Folklore: the signature of v is the multiset over w of K-tuples of colours. Its
// fingerprint is the sum over w of a product with one random number per position.
// As a polynomial in these numbers it differs for different multisets.
template <int K>
class Folklore {
 public:
  explicit Folklore(const State<K>& state) : s_(state) {}
  Interned refine() {
    for (std::size_t p = 0; p < K; ++p) random_[p] = random_numbers(s_.count, p);
    std::vector<std::uint64_t> fingerprint(s_.first_item.back());
    for (std::size_t g = 0; g < s_.graphs.size(); ++g) {
      if (K == 2 && s_.orbits[g].trivial())
        all_pairs(g, fingerprint.data() + s_.first_item[g]);
      else
        by_item(g, fingerprint);
    }
    for (auto& f : fingerprint) f &= s_.hash_mask;
    return intern<Key>(
        s_.item_colors, fingerprint, [this](std::uint32_t item) { return std::size_t{s_.tuples[s_.graph_of(item)].n}; },
        [this](std::uint32_t item, Key* out) { fetch(item, out); });
  }

 private:
  using Key = std::conditional_t<K == 2, std::uint64_t, Wide>;  // 32 bits per position

  void by_item(std::size_t g, std::vector<std::uint64_t>& out) const {
    const Tuples<K>& t = s_.tuples[g];
    const Color* c = s_.colors[g].data();
    for (std::uint32_t item = s_.first_item[g]; item < s_.first_item[g + 1]; ++item) {
      std::uint32_t tuple = s_.tuple_of(g, item);
      std::uint64_t sum = 0;
      std::array<const Color*, K> line;
      for (std::size_t p = 0; p < K; ++p) line[p] = c + t.line_start(tuple, p);
      for (std::uint32_t w = 0; w < t.n; ++w) {
        std::uint64_t term = 1;
        for (std::size_t p = 0; p < K; ++p) term *= random_[p][line[p][w * t.stride[p]]];
        sum += term;
      }
      out[item] = sum;
    }
  }
  // All pairs of a graph at once: the product of two n x n matrices.
  void all_pairs(std::size_t g, std::uint64_t* out) const {
    std::size_t n = s_.tuples[g].n;
    std::vector<std::uint64_t> left(n * n), right(n * n);
    for (std::size_t i = 0; i < n * n; ++i)
      left[i] = random_[K - 1][s_.colors[g][i]], right[i] = random_[0][s_.colors[g][i]];
    hash_product(n, left.data(), right.data(), out);
  }
  void fetch(std::uint32_t item, Key* out) const {
    std::size_t g = s_.graph_of(item);
    const Tuples<K>& t = s_.tuples[g];
    std::uint32_t tuple = s_.tuple_of(g, item);
    std::array<const Color*, K> line;
    for (std::size_t p = 0; p < K; ++p) line[p] = s_.colors[g].data() + t.line_start(tuple, p);
    for (std::uint32_t w = 0; w < t.n; ++w) {
      Key key = 0;
      for (std::size_t p = 0; p < K; ++p) key = key << 32 | line[p][w * t.stride[p]];
      out[w] = key;
    }
  }
  const State<K>& s_;
  std::array<std::vector<std::uint64_t>, K> random_;
};

// Oblivious: the multiset of direction p is the same for all tuples on a line in
// that direction. Lines are numbered first, exactly; then a signature is K
// numbers. A line is determined by its other K - 1 entries, so the orbits of lines
// are orbits of (K-1)-tuples.
template <int K>
class Oblivious {
 public:
  explicit Oblivious(const State<K>& state) : s_(state), first_line_{0} {
    for (std::size_t g = 0; g < s_.graphs.size(); ++g) {
      orbits_.emplace_back(s_.graphs[g]->order(), K - 1, s_.generators[g]);
      first_line_.push_back(first_line_.back() + static_cast<std::uint32_t>(orbits_.back().items()));
    }
  }
  Interned refine() {
    auto random = random_numbers(s_.count, 0);
    for (std::size_t p = 0; p < K; ++p) {
      lines_[p] = number_lines(p, random);
      random_[p] = random_numbers(lines_[p].count, p + 1);
    }
    std::vector<std::uint64_t> fingerprint(s_.first_item.back());
    s_.for_each_item([&](std::size_t g, std::uint32_t item, std::uint32_t tuple) {
      std::uint64_t sum = 0;
      for (std::size_t p = 0; p < K; ++p) sum += random_[p][line(g, tuple, p)];
      fingerprint[item] = sum & s_.hash_mask;
    });
    return intern<std::uint64_t>(
        s_.item_colors, fingerprint, [](std::uint32_t) { return std::size_t{K}; },
        [this](std::uint32_t item, std::uint64_t* out) {
          std::size_t g = s_.graph_of(item);
          std::uint32_t tuple = s_.tuple_of(g, item);
          for (std::size_t p = 0; p < K; ++p) out[p] = std::uint64_t{p} << 32 | line(g, tuple, p);
        });
  }

 private:
  std::uint32_t line(std::size_t g, std::uint32_t tuple, std::size_t p) const {
    return lines_[p].ids[first_line_[g] + orbits_[g].item(s_.tuples[g].line_number(tuple, p))];
  }
  Interned number_lines(std::size_t p, const std::vector<std::uint64_t>& random) const {
    std::vector<std::uint64_t> fingerprint(first_line_.back());
    for (std::size_t g = 0; g < s_.graphs.size(); ++g) {
      const Tuples<K>& t = s_.tuples[g];
      for (std::uint32_t l = 0; l < first_line_[g + 1] - first_line_[g]; ++l) {
        const Color* c =
            s_.colors[g].data() + t.start_of_line(static_cast<std::uint32_t>(orbits_[g].representative(l)), p);
        std::uint64_t sum = 0;
        for (std::uint32_t w = 0; w < t.n; ++w) sum += random[c[w * t.stride[p]]];
        fingerprint[first_line_[g] + l] = sum & s_.hash_mask;
      }
    }
    auto graph_of = [this](std::uint32_t l) { return owner(first_line_, l); };
    return intern<std::uint32_t>(
        {}, fingerprint, [&](std::uint32_t l) { return std::size_t{s_.tuples[graph_of(l)].n}; },
        [&](std::uint32_t l, std::uint32_t* out) {
          std::size_t g = graph_of(l);
          const Tuples<K>& t = s_.tuples[g];
          const Color* c =
              s_.colors[g].data() +
              t.start_of_line(static_cast<std::uint32_t>(orbits_[g].representative(l - first_line_[g])), p);
          for (std::uint32_t w = 0; w < t.n; ++w) out[w] = c[w * t.stride[p]];
        });
  }
  const State<K>& s_;
  std::vector<TupleOrbits> orbits_;        // by graph, of lines
  std::vector<std::uint32_t> first_line_;  // by graph, and the total
  std::array<Interned, K> lines_;
  std::array<std::vector<std::uint64_t>, K> random_;
};

// Local: one multiset for every position and direction, over neighbours only.
template <int K>
class Local {
 public:
  explicit Local(const State<K>& state) : s_(state) {}
  Interned refine() {
    for (std::size_t tag = 0; tag < 2 * K; ++tag) random_[tag] = random_numbers(s_.count, tag);
    std::vector<std::uint64_t> fingerprint(s_.first_item.back());
    s_.for_each_item([&](std::size_t g, std::uint32_t item, std::uint32_t tuple) {
      std::uint64_t sum = 0;
      visit(g, tuple, [&](std::size_t tag, Color c) { sum += random_[tag][c]; });
      fingerprint[item] = sum & s_.hash_mask;
    });
    return intern<std::uint64_t>(
        s_.item_colors, fingerprint,
        [this](std::uint32_t item) {
          std::size_t g = s_.graph_of(item), width = 0;
          visit(g, s_.tuple_of(g, item), [&](std::size_t, Color) { ++width; });
          return width;
        },
        [this](std::uint32_t item, std::uint64_t* out) {
          std::size_t g = s_.graph_of(item);
          visit(g, s_.tuple_of(g, item), [&](std::size_t tag, Color c) { *out++ = std::uint64_t{tag} << 32 | c; });
        });
  }

 private:
  template <class Take>
  void visit(std::size_t g, std::uint32_t tuple, Take take) const {
    const Tuples<K>& t = s_.tuples[g];
    const Graph& graph = *s_.graphs[g];
    for (std::size_t p = 0; p < K; ++p) {
      const Color* line = s_.colors[g].data() + t.line_start(tuple, p);
      Node v = static_cast<Node>(t.entry(tuple, p));
      for (Node w : graph.neighbors(v)) take(2 * p, line[w * t.stride[p]]);
      if (graph.directed())
        for (Node w : graph.in_neighbors(v)) take(2 * p + 1, line[w * t.stride[p]]);
    }
  }
  const State<K>& s_;
  std::array<std::vector<std::uint64_t>, 2 * K> random_;
};

template <int K>
std::vector<std::uint32_t> split_by_histograms(const std::vector<std::uint32_t>& groups, const State<K>& state) {
  if (groups.size() == 1) return groups;
  std::vector<Histogram> histograms;
  std::vector<std::uint64_t> counts;
  for (std::size_t g = 0; g < groups.size(); ++g) histograms.push_back(state.histogram(g, counts));
  return split_groups(groups, histograms);
}

template <int K>
void observe(const RunOptions& options, const State<K>& state, int round) {
  if (!options.observer) return;
  std::vector<std::uint64_t> counts;
  options.observer({round, state.count, [&](std::size_t g) { return state.colors[g]; },
                    [&](std::size_t g) { return state.histogram(g, counts); }});
}

// The driver of all rules.
template <int K, template <int> class Rule>
RunResult run(GraphSpan graphs, const RunOptions& options) {
  State<K> state(graphs, options);
  state.set_colors(AtomicTypes<K>(state).number());
  Rule<K> rule(state);
  RunResult result;
  result.groups.push_back(split_by_histograms(std::vector<std::uint32_t>(graphs.size(), 0), state));
  observe(options, state, 0);
  for (int t = 1; !options.max_rounds || t <= *options.max_rounds; ++t) {
    if (options.until_distinguished && result.all_different()) break;
    Interned next = rule.refine();
    result.stable = next.count == state.count;  // refinement only splits, so equal counts mean equal partitions
    if (result.stable) break;
    state.set_colors(std::move(next));
    result.rounds = t;
    result.groups.push_back(split_by_histograms(result.groups.back(), state));
    observe(options, state, t);
  }
  result.colors = state.count;
  if (options.keep_coloring) result.coloring = std::move(state.colors);
  return result;
}

}  // namespace

std::uint64_t tuple_memory(GraphSpan graphs, TupleRule rule, int k) {
  double tuples = 0, lines = 0;
  for (const Graph* g : graphs) {
    double t = 1;
    for (int p = 0; p < k; ++p) t *= g->order();
    tuples += t;
    lines += g->order() == 0 ? 0 : t / g->order();
  }
  // Colour, fingerprint, number, bucket order and item colour; in the worst case as
  // many buckets as tuples, with their table and order; and a histogram.
  double bytes = tuples * (4 + 8 + 4 + 4 + 4 + 48 + 16);
  if (rule == TupleRule::Oblivious) bytes += lines * k * 48;
  return bytes > 1e18 ? UINT64_MAX : static_cast<std::uint64_t>(bytes);
}

RunResult refine_tuples(GraphSpan graphs, TupleRule rule, int k, const RunOptions& options) {
  if (graphs.empty()) throw UsageError("refine_tuples: no graph");
  for (const Graph* g : graphs)
    if (g->directed() != graphs[0]->directed())
      throw UsageError("a joint run needs graphs that are all directed or all undirected");
  std::uint64_t bytes = tuple_memory(graphs, rule, k);
  std::string name = std::to_string(k) + (rule == TupleRule::Folklore ? "-FWL" : "-WL");
  demand_memory(bytes, options.memory_limit, name);
  if (bytes / 88 >= UINT32_MAX) throw MemoryError(name + ": more than 4294967294 tuples");
  switch (rule) {
    case TupleRule::Oblivious:
      if (k == 2) return run<2, Oblivious>(graphs, options);
      if (k == 3) return run<3, Oblivious>(graphs, options);
      if (k == 4) return run<4, Oblivious>(graphs, options);
      break;
    case TupleRule::Folklore:
      if (k == 2) return run<2, Folklore>(graphs, options);
      if (k == 3) return run<3, Folklore>(graphs, options);
      if (k == 4) return run<4, Folklore>(graphs, options);
      break;
    case TupleRule::Local:
      if (k == 2) return run<2, Local>(graphs, options);
      break;
  }
  throw UsageError("refine_tuples: no such rule for k = " + std::to_string(k));
}

}  // namespace leman::wl
