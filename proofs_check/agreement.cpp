#include "proofs_check/agreement.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <numeric>
#include <sstream>
#include <unordered_map>

#include "base/numbers.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

namespace leman::proofs {

namespace {

using wl::Color;
using wl::Graph;
using wl::Node;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatchRows = 40'000;  // tokens in one forward pass
constexpr int kOwnRelabellings = 8;         // per graph whose rounding is in question

// Maximum norm of a - b. Stops early, with a value of at least `bound`, once the norm reaches it.
double distance(const double* a, const double* b, int width, double bound = kInfinity) {
  double most = 0;
  for (int k = 0; k < width; ++k) {
    most = std::max(most, std::abs(a[k] - b[k]));
    if (most >= bound) break;
  }
  return most;
}

double largest(const std::vector<double>& rows) {
  double most = 0;
  for (const double x : rows) {
    if (!std::isfinite(x)) throw ValueError("the model's tokens are not finite");
    most = std::max(most, std::abs(x));
  }
  return most;
}

// The smallest distance between two rows. Rows are sorted by the coordinate with the
// widest spread, and only neighbours within the best distance so far are compared.
double closest_pair(const std::vector<const double*>& points, int width) {
  int axis = 0;
  double widest = -1;
  for (int k = 0; k < width; ++k) {
    const auto [low, high] =
        std::minmax_element(points.begin(), points.end(), [k](auto* a, auto* b) { return a[k] < b[k]; });
    if ((*high)[k] - (*low)[k] > widest) widest = (*high)[k] - (*low)[k], axis = k;
  }
  std::vector<const double*> sorted = points;
  std::sort(sorted.begin(), sorted.end(), [axis](auto* a, auto* b) { return a[axis] < b[axis]; });
  double best = kInfinity;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j][axis] - sorted[i][axis] < best; ++j)
      best = std::min(best, distance(sorted[i], sorted[j], width, best));
  return best;
}

double relative(double distance, double scale) { return scale > 0 ? distance / scale : distance; }

const auto& last_up_to(const auto& list, std::size_t t) { return list[std::min(t, list.size() - 1)]; }

// Largest differences, layer by layer, between a graph's tokens (and pooled tokens)
// and those of its relabellings.
Tolerance noise_of(const TokenSource& source, const Graph& graph, const std::vector<std::vector<double>>& own,
                   int relabellings, Rng& rng) {
  const Node n = graph.order();
  const int width = source.width();
  Tolerance noise{std::vector<double>(own.size()), {}};
  for (auto& list : noise.poolings) list.resize(own.size());
  for (int k = 0; k < relabellings; ++k) {
    const std::vector<Node> image = rng.permutation(n);
    const Graph other = wl::relabel(graph, image);
    const Graph* pointer = &other;
    const auto tokens = std::move(source.tokens({&pointer, 1})[0]);
    for (std::size_t t = 0; t < own.size(); ++t) {
      const double scale = largest(own[t]);
      for (Node i = 0; i < n; ++i)
        for (Node j = 0; j < n; ++j) {
          const std::size_t at = std::size_t{i} * n + j, there = std::size_t{image[i]} * n + image[j];
          const double d = distance(&own[t][at * width], &tokens[t][there * width], width);
          noise.tokens[t] = std::max(noise.tokens[t], relative(d, scale));
        }
      for (std::size_t p = 0; p < kPoolings.size(); ++p) {
        const auto a = pooled(own[t], n, width, kPoolings[p]), b = pooled(tokens[t], n, width, kPoolings[p]);
        const double d = distance(a.data(), b.data(), static_cast<int>(a.size()));
        noise.poolings[p][t] = std::max(noise.poolings[p][t], relative(d, largest(a)));
      }
    }
  }
  return noise;
}

// Forward passes of bounded size.
Tokens all_tokens(const TokenSource& source, std::span<const Graph* const> graphs) {
  Tokens tokens;
  for (std::size_t from = 0; from < graphs.size();) {
    std::size_t to = from, rows = 0;
    while (to < graphs.size() &&
           (to == from || rows + std::size_t{graphs[to]->order()} * graphs[to]->order() <= kBatchRows))
      rows += std::size_t{graphs[to]->order()} * graphs[to]->order(), ++to;
    for (auto& layers : source.tokens(graphs.subspan(from, to - from))) tokens.push_back(std::move(layers));
    from = to;
  }
  return tokens;
}

// Graphs of one order, compared with 2-FWL and with each other.
class Bucket {
 public:
  Bucket(std::vector<const Graph*> graphs, const Tested& tested, std::uint64_t seed, Agreement& result)
      : graphs_(std::move(graphs)), tested_(tested), width_(tested.source->width()), rng_(seed), result_(result) {}

  void run() {
    refine();
    tokens_ = all_tokens(*tested_.source, graphs_);
    for (std::size_t g = 0; g < graphs_.size(); ++g) compare_tokens(g);
    for (std::size_t p = 0; p < kPoolings.size(); ++p)
      for (std::size_t t = 0; t < depths(); ++t) compare_graphs(p, t);
  }

 private:
  std::size_t depths() const { return static_cast<std::size_t>(tested_.source->layers()) + 1; }
  Node order() const { return graphs_[0]->order(); }

  void refine() {
    wl::RunOptions options;
    options.observer = [&](const wl::RoundView& view) {
      auto& round = colors_.emplace_back();
      for (std::size_t g = 0; g < graphs_.size(); ++g) round.push_back(view.coloring(g));
    };
    wl::RunResult run = wl::run_engine(wl::folklore(2), graphs_, options);
    groups_ = std::move(run.groups);
    result_.most_rounds = std::max(result_.most_rounds, run.rounds);
  }

  Gap gap_of(const std::vector<double>& rows, std::span<const Color> colors) const {
    return measure_gap(rows, width_, colors, largest(rows));
  }

  void compare_tokens(std::size_t g) {
    std::string last_reason;  // at the last layer, for the stable colouring
    bool all = true;
    for (std::size_t t = 0; t < depths(); ++t) {
      const double tolerance = tested_.tolerance.tokens[t];
      const Gap gap = gap_of(tokens_[g][t], last_up_to(colors_, t)[g]);
      result_.tokens[t].add(gap, tolerance);
      last_reason.clear();
      all &= gap.between > tolerance && gap.within <= tolerance;
      if (!(gap.between > tolerance))
        note("tokens", "coarser", static_cast<int>(t), {g}, last_reason = why_coarser({g}, t), gap.between, tolerance);
      if (gap.within > tolerance)
        note("tokens", "finer", static_cast<int>(t), {g}, why_finer(g, t, gap.within), gap.within, tolerance);
    }
    result_.agree += all;
    const double tolerance = tested_.tolerance.tokens.back();
    const Gap gap = gap_of(tokens_[g].back(), colors_.back()[g]);
    result_.stable.add(gap, tolerance);
    if (!(gap.between > tolerance))
      note("tokens", "coarser", -1, {g}, last_reason.empty() ? "too few layers" : last_reason, gap.between, tolerance);
  }

  // Compares all pairs of graphs at a depth; at the last one also with stable 2-FWL.
  void compare_graphs(std::size_t p, std::size_t t) {
    const auto [rows, scale] = pool(tokens_, p, t);
    const double tolerance = tested_.tolerance.poolings[p][t];
    const auto& groups = last_up_to(groups_, t);
    const bool last = t + 1 == depths();
    for (std::size_t b = 0; b < graphs_.size(); ++b)
      for (std::size_t a = 0; a < b; ++a) {
        const double d = relative(distance(rows[a].data(), rows[b].data(), static_cast<int>(rows[a].size())), scale);
        compare_pair(p, static_cast<int>(t), {a, b}, groups[a] == groups[b], d, tolerance, result_.poolings[p][t]);
        if (last)
          compare_pair(p, -1, {a, b}, groups_.back()[a] == groups_.back()[b], d, tolerance, result_.stable_poolings[p]);
      }
  }

  void compare_pair(std::size_t p, int layer, const std::vector<std::size_t>& pair, bool same, double d,
                    double tolerance, Counts& counts) {
    counts.add(same ? Gap{d, kInfinity} : Gap{0, d}, tolerance);
    const std::size_t t = layer < 0 ? depths() - 1 : static_cast<std::size_t>(layer);
    if (!same && !(d > tolerance))
      note(pooling_name(kPoolings[p]), "coarser", layer, pair, why_pooled_coarser(p, t, pair), d, tolerance);
    if (same && d > tolerance) {
      double noise = 0;
      for (const std::size_t g : pair) noise = std::max(noise, own_noise(g).poolings[p][t]);
      note(pooling_name(kPoolings[p]), "finer", layer, pair, d <= kSafety * noise ? "precision" : "open", d, tolerance);
    }
  }

  std::string why_pooled_coarser(std::size_t p, std::size_t t, const std::vector<std::size_t>& pair) {
    const auto& groups = last_up_to(groups_, t);
    if (groups[pair[0]] == groups[pair[1]]) return "too few layers";
    if (tested_.wide) {  // does the same pooling see the difference in float64?
      const auto& [rows, scale] = wide_pooled(p, t);
      if (relative(distance(rows[pair[0]].data(), rows[pair[1]].data(), static_cast<int>(rows[0].size())), scale) >
          tested_.wide_tolerance.poolings[p][t])
        return "precision";
    }
    return why_coarser(pair, t, "pooling");
  }

  // Pooled tokens of all graphs, and their largest entry.
  struct PooledRows {
    std::vector<std::vector<double>> rows;
    double scale = 0;
  };
  PooledRows pool(const Tokens& tokens, std::size_t p, std::size_t t) const {
    PooledRows result;
    for (const auto& graph : tokens) {
      result.rows.push_back(pooled(graph[t], order(), width_, kPoolings[p]));
      result.scale = std::max(result.scale, largest(result.rows.back()));
    }
    return result;
  }
  const PooledRows& wide_pooled(std::size_t p, std::size_t t) {
    PooledRows& kept = wide_pooled_[{p, t}];
    if (kept.rows.empty()) kept = pool(of(*tested_.wide, wide_), p, t);
    return kept;
  }

  // Two colours of these graphs have tokens that cannot be told apart. Is float32 the
  // reason, or float64, or the model itself? `if_apart`: the answer if the tokens can
  // be told apart after all.
  std::string why_coarser(const std::vector<std::size_t>& which, std::size_t t, const std::string& if_apart = "") {
    auto between = [&](const Tokens& tokens, bool one_class_with_transpose = false) {
      std::vector<double> rows;
      std::vector<Color> colors;
      for (const std::size_t g : which) {
        rows.insert(rows.end(), tokens[g][t].begin(), tokens[g][t].end());
        const auto& own = last_up_to(colors_, t)[g];
        for (std::size_t at = 0; at < own.size(); ++at)
          colors.push_back(one_class_with_transpose ? std::min(own[at], own[at % order() * order() + at / order()])
                                                    : own[at]);
      }
      return gap_of(rows, colors).between;
    };
    if (!if_apart.empty() && between(tokens_) > tested_.tolerance.tokens[t]) return if_apart;
    const Tokens& best = tested_.wide ? of(*tested_.wide, wide_) : tokens_;
    const double tolerance = (tested_.wide ? tested_.wide_tolerance : tested_.tolerance).tokens[t];
    if (tested_.wide && between(best) > tolerance) return "precision";
    // (i,j) and (j,i) have the same token; everything else is apart.
    if (between(best, true) > tolerance) return "transposed pairs";
    if (tested_.quotient && between(of(*tested_.quotient, exact_)) > 0) return "undecided";
    return "open";
  }

  // Tokens of all graphs from another source, computed on first use. A quotient takes
  // all graphs at once, because their colours are joint.
  const Tokens& of(const TokenSource& source, Tokens& kept) {
    if (kept.empty()) kept = &source == tested_.quotient ? source.tokens(graphs_) : all_tokens(source, graphs_);
    return kept;
  }

  std::string why_finer(std::size_t g, std::size_t t, double within) {
    return within <= kSafety * own_noise(g).tokens[t] ? "precision" : "open";
  }

  const Tolerance& own_noise(std::size_t g) {
    auto& known = noise_[g];
    if (known.tokens.empty()) known = noise_of(*tested_.source, *graphs_[g], tokens_[g], kOwnRelabellings, rng_);
    return known;
  }

  void note(const std::string& what, const std::string& kind, int layer, const std::vector<std::size_t>& which,
            const std::string& reason, double d, double tolerance) {
    const std::string key = what + "/" + (layer < 0 ? "stable" : "round") + "/" + kind + "/" + reason;
    if (result_.reasons[key]++ > 0) return;
    std::string text;
    for (const std::size_t g : which) text += (text.empty() ? "" : " ") + graph_text(*graphs_[g]);
    result_.examples.push_back({what, kind, layer, text, reason, d, tolerance, ""});
  }

  std::vector<const Graph*> graphs_;
  const Tested& tested_;
  int width_;
  Rng rng_;
  Agreement& result_;
  std::vector<std::vector<std::vector<Color>>> colors_;  // [round][graph], joint
  std::vector<std::vector<std::uint32_t>> groups_;       // [round][graph]: graphs with equal histograms so far
  Tokens tokens_, wide_, exact_;
  std::unordered_map<std::size_t, Tolerance> noise_;
  std::map<std::pair<std::size_t, std::size_t>, PooledRows> wide_pooled_;
};

Agreement empty_agreement(const Tested& tested) {
  Agreement result;
  const auto depths = static_cast<std::size_t>(tested.source->layers()) + 1;
  result.tokens.resize(depths);
  for (auto& list : result.poolings) list.resize(depths);
  return result;
}

}  // namespace

std::string pooling_name(Pooling pooling) {
  return pooling == Pooling::Sum ? "sum" : pooling == Pooling::Maximum ? "maximum" : "moments";
}

std::vector<double> pooled(const std::vector<double>& rows, Node order, int width, Pooling pooling) {
  const auto w = static_cast<std::size_t>(width);
  std::vector<double> result(w * (pooling == Pooling::Sum ? 1 : pooling == Pooling::Maximum ? 2 : 6), 0.0);
  if (pooling == Pooling::Maximum) std::fill(result.begin(), result.end(), -kInfinity);
  const double n = order;
  for (Node i = 0; i < order; ++i)
    for (Node j = 0; j < order; ++j) {
      const double* x = &rows[(std::size_t{i} * order + j) * w];
      const std::size_t part = i == j ? 0 : w;  // where this half of the result begins
      const double weight = 1 / (i == j ? n : n * (n - 1));
      for (std::size_t k = 0; k < w; ++k) {
        double moment = x[k];
        if (pooling == Pooling::Sum && i == j) result[k] += x[k];
        if (pooling == Pooling::Maximum) result[part + k] = std::max(result[part + k], x[k]);
        if (pooling == Pooling::Moments)
          for (std::size_t power = 0; power < 3; ++power, moment *= x[k])
            result[2 * w * power + part + k] += weight * moment;
      }
    }
  for (double& x : result)
    if (x == -kInfinity) x = 0;  // a single node: there is no pair of two nodes
  return result;
}

Gap measure_gap(const std::vector<double>& rows, int width, std::span<const Color> classes, double scale) {
  std::unordered_map<Color, const double*> first;
  std::vector<const double*> firsts;
  Gap gap;
  for (std::size_t r = 0; r < classes.size(); ++r) {
    const double* row = &rows[r * static_cast<std::size_t>(width)];
    const auto [at, fresh] = first.try_emplace(classes[r], row);
    if (fresh)
      firsts.push_back(row);
    else
      gap.within = std::max(gap.within, relative(distance(row, at->second, width), scale));
  }
  gap.between = relative(closest_pair(firsts, width), scale);
  return gap;
}

Tolerance measure_tolerance(const TokenSource& source, std::span<const Graph* const> graphs, int relabellings,
                            Rng& rng) {
  const auto depths = static_cast<std::size_t>(source.layers()) + 1;
  Tolerance most{std::vector<double>(depths), {}};
  for (auto& list : most.poolings) list.resize(depths);
  for (const Graph* graph : graphs) {
    const auto own = std::move(source.tokens({&graph, 1})[0]);
    const Tolerance noise = noise_of(source, *graph, own, relabellings, rng);
    for (std::size_t t = 0; t < depths; ++t) {
      most.tokens[t] = std::max(most.tokens[t], kSafety * noise.tokens[t]);
      for (std::size_t p = 0; p < kPoolings.size(); ++p)
        most.poolings[p][t] = std::max(most.poolings[p][t], kSafety * noise.poolings[p][t]);
    }
  }
  return most;
}

void Counts::add(const Gap& more, double tolerance) {
  const bool less = !(more.between > tolerance), further = more.within > tolerance;
  ++compared;
  coarser += less, finer += further, agree += !less && !further;
  gap = {std::max(gap.within, more.within), std::min(gap.between, more.between)};
}

void Counts::add(const Counts& more) {
  compared += more.compared, agree += more.agree, coarser += more.coarser, finer += more.finer;
  gap = {std::max(gap.within, more.gap.within), std::min(gap.between, more.gap.between)};
}

void Agreement::add(const Agreement& more) {
  graphs += more.graphs, agree += more.agree;
  most_rounds = std::max(most_rounds, more.most_rounds);
  auto add_lists = [](std::vector<Counts>& mine, const std::vector<Counts>& theirs) {
    mine.resize(std::max(mine.size(), theirs.size()));
    for (std::size_t t = 0; t < theirs.size(); ++t) mine[t].add(theirs[t]);
  };
  add_lists(tokens, more.tokens);
  stable.add(more.stable);
  for (std::size_t p = 0; p < kPoolings.size(); ++p) {
    add_lists(poolings[p], more.poolings[p]);
    stable_poolings[p].add(more.stable_poolings[p]);
  }
  for (const Disagreement& example : more.examples) {
    auto same = [&](const Disagreement& e) {
      return e.what == example.what && e.kind == example.kind && e.reason == example.reason &&
             (e.layer < 0) == (example.layer < 0);
    };
    if (std::none_of(examples.begin(), examples.end(), same)) examples.push_back(example);
  }
  for (const auto& [key, count] : more.reasons) reasons[key] += count;
}

Agreement agree(std::span<const Graph> graphs, const Tested& tested, std::uint64_t seed) {
  Agreement result = empty_agreement(tested);
  std::map<Node, std::vector<const Graph*>> buckets;
  for (const Graph& graph : graphs) buckets[graph.order()].push_back(&graph);
  for (auto& [order, bucket] : buckets) {
    if (order == 0) throw GraphError("a graph without nodes has no tokens");
    result.graphs += bucket.size();
    Bucket(std::move(bucket), tested, seed, result).run();
  }
  return result;
}

Graph shrink(Graph graph, const Tested& tested, const std::string& kind) {
  auto shows = [&](const Graph& candidate) {
    const Agreement result = agree({&candidate, 1}, tested, 1);
    return std::any_of(result.tokens.begin(), result.tokens.end(),
                       [&](const Counts& c) { return (kind == "coarser" ? c.coarser : c.finer) > 0; });
  };
  for (Node v = 0; v < graph.order() && graph.order() > 1;) {
    std::vector<Node> keep(graph.order());
    std::iota(keep.begin(), keep.end(), 0u);
    keep.erase(keep.begin() + v);
    Graph smaller = wl::induced_subgraph(graph, keep);
    if (shows(smaller))
      graph = std::move(smaller), v = 0;
    else
      ++v;
  }
  return graph;
}

Interval confidence_interval(std::uint64_t successes, std::uint64_t trials, double confidence) {
  if (trials == 0) return {0, 1};
  using Binomial = boost::math::binomial_distribution<double>;
  const auto n = static_cast<double>(trials), k = static_cast<double>(successes);
  const double tail = (1 - confidence) / 2;
  return {successes == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, tail),
          successes == trials ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

std::string graph_text(const Graph& graph) {
  if (!graph.node_colored() && !graph.edge_colored()) return wl::to_graph6(graph);
  wl::GraphData data = graph.data();
  data.node_colors.clear();
  for (wl::Edge& edge : data.edges) edge.color = 0;
  std::string text = wl::to_graph6(Graph(data));
  if (graph.node_colored()) {
    text += " colours ";
    for (Node v = 0; v < graph.order(); ++v) text += (v ? "," : "") + std::to_string(graph.node_color(v));
  }
  return graph.edge_colored() ? text + " (and edge colours)" : text;
}

Graph graph_from_text(const std::string& text) {
  const std::size_t space = text.find(' ');
  const Graph graph = wl::graph_from_graph6(text.substr(0, space));
  if (space == std::string::npos) return graph;
  wl::GraphData data = graph.data();
  std::istringstream numbers(text.substr(text.find_last_of(' ') + 1));
  try {
    for (std::string word; std::getline(numbers, word, ',');)
      data.node_colors.push_back(parse_number<Color>(word, 0, UINT32_MAX));
  } catch (const UsageError& e) {
    throw InputError(text, e.what());
  }
  return Graph(data);
}

}  // namespace leman::proofs
