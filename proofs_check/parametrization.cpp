#include "proofs_check/parametrization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "proofs_check/agreement.hpp"
#include "wl/engine.hpp"
#include "wl/formats.hpp"

namespace leman::proofs {

namespace {

template <class Number>
using Row = std::array<Number, 2>;

template <class Number>
Number entry(const Entry& e, std::uint32_t base) {
  return e ? power<Number>(base, *e) : Number();
}

template <class Number>
Row<Number> times(const Row<Number>& x, const Matrix& m, std::uint32_t base) {
  Row<Number> result{};
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t r = 0; r < 2; ++r)
      if (m[r][c]) result[c] += x[r] * entry<Number>(m[r][c], base);
  return result;
}

template <class Number>
constexpr bool kHasDigits = std::is_same_v<Number, Sparse> || std::is_same_v<Number, Exact>;

Sparse digits_of(const Sparse& number, std::uint32_t) { return number; }
Sparse digits_of(const Exact& number, std::uint32_t base) { return to_sparse(number, base); }
std::string text_of(const Sparse& number) { return number.text(); }
std::string text_of(long double number) { return fmt::format("{:.20g}", number); }
std::string text_of(const Exact& number) {
  const std::string text = number.str();
  return text.size() < 60 ? text : text.substr(0, 28) + "..." + text.substr(text.size() - 28);
}

struct Tuple {
  std::size_t graph, index;
};

template <class Number>
class Execution {
 public:
  Execution(std::span<const wl::Graph* const> graphs, const Construction& c, const Colorings& colors)
      : graphs_(graphs), c_(c), n_(graphs[0]->order()), colors_(colors) {}

  Proof run() {
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      tokens_.emplace_back();
      for (const wl::Color color : colors_[0][g]) tokens_[g].push_back(token(color));
    }
    for (std::size_t t = 1; t < colors_.size() && !proof_.failure; ++t) round(t);
    proof_.round_colors = count_colors(colors_);
    proof_.colors = proof_.round_colors.back();
    for (const std::string& name : check_names())
      if (!proof_.failure && (name != "network" || std::is_same_v<Number, Exact>)&&(name != "disjoint" || first_sum_))
        proof_.held.push_back(name);
    return std::move(proof_);
  }

 private:
  Row<Number> token(wl::Color color) const {
    const std::int64_t f = std::int64_t{color} + 1;
    return {power<Number>(c_.base, f), power<Number>(c_.base, c_.exponent * f)};
  }

  void fail(const std::string& check, std::size_t t, const Tuple& a, const Tuple& b, const std::string& why) {
    if (proof_.failure) return;  // the first counts
    std::string graphs;
    for (const wl::Graph* graph : graphs_) graphs += (graphs.empty() ? "" : " ") + graph_text(*graph);
    proof_.failure = {check, static_cast<int>(t), graphs, name(a) + " and " + name(b) + " " + why};
  }
  std::string name(const Tuple& a) const {
    return "(" + std::to_string(a.index / n_) + "," + std::to_string(a.index % n_) + ")" +
           (graphs_.size() > 1 ? " of graph " + std::to_string(a.graph + 1) : "");
  }

  void round(std::size_t t) {
    proof_.rounds = static_cast<int>(t);
    check_tokens(t);
    if (proof_.failure) return;
    // Value before the FFN -> its first tuple; C_t -> its first tuple.
    std::map<Row<Number>, Tuple> by_value;
    std::map<wl::Color, std::pair<Tuple, Row<Number>>> by_color;
    std::vector<Row<Number>> values;  // of all tuples of all graphs
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const auto sums = heads(g);
      for (std::size_t at = 0; at < sums.size(); ++at) {
        const Row<Number> h = times(sums[at], c_.o, c_.base);
        if constexpr (kHasDigits<Number>)  // after LayerNorm some numbers are negative
          if (!c_.layer_norm) check_disjoint(t, {g, at}, tokens_[g][at][0], h[0]);
        const Row<Number> value{tokens_[g][at][0] + h[0], tokens_[g][at][1] + h[1]};
        const wl::Color color = colors_[t][g][at];
        const auto [first, fresh] = by_value.try_emplace(value, Tuple{g, at});
        if (!fresh && colors_[t][first->second.graph][first->second.index] != color)
          return fail("injective", t, first->second, {g, at},
                      "have one value before the FFN, " + text_of(value[0]) + ", and different colours");
        const auto [same, new_color] = by_color.try_emplace(color, Tuple{g, at}, value);
        if (!new_color && same->second.second != value)
          return fail("defined", t, same->second.first, {g, at}, "have one colour and different values before the FFN");
        if (proof_.failure) return;
        values.push_back(value);
      }
    }
    // The FFN: the network that was built, or the finite map.
    std::map<Row<Number>, Row<Number>> next;
    if constexpr (std::is_same_v<Number, Exact>)
      next = run_network(t, by_color);
    else
      for (const auto& [value, first] : by_value) next.emplace(value, token(colors_[t][first.graph][first.index]));
    if (proof_.failure) return;
    auto value = values.begin();
    for (auto& graph : tokens_)
      for (Row<Number>& token : graph) token = next.at(*value++);
  }

  // sum over l of (X_jl W^V1) * (X_lm W^V2) / n. Scores are zero, so the softmax over l
  // is 1/n.
  std::vector<Row<Number>> heads(std::size_t g) const {
    std::vector<Row<Number>> left, right, sums(n_ * n_);
    for (const Row<Number>& token : tokens_[g]) {
      const Row<Number> x = c_.layer_norm ? layer_norm(token) : token;
      left.push_back(times(x, c_.v1, c_.base));
      right.push_back(times(x, c_.v2, c_.base));
    }
    const Number share = power<Number>(static_cast<std::uint32_t>(n_), 1);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t m = 0; m < n_; ++m)
        for (std::size_t c = 0; c < 2; ++c) {
          Number& sum = sums[j * n_ + m][c];
          for (std::size_t l = 0; l < n_; ++l) sum += left[j * n_ + l][c] * right[l * n_ + m][c];
          if (sum != Number()) sum = sum * share;
        }
    return sums;
  }

  // LayerNorm of two numbers: their distances from the mean, divided by the deviation.
  Row<Number> layer_norm(const Row<Number>& x) const {
    if constexpr (std::is_same_v<Number, Sparse>)
      throw UsageError("LayerNorm needs negative numbers: rational ones, not digits");
    if constexpr (std::is_floating_point_v<Number>)
      if (c_.epsilon > 0) {
        const Number half = (x[0] - x[1]) / 2, y = half / std::sqrt(half * half + static_cast<Number>(c_.epsilon));
        return {y, -y};
      }
    if (c_.epsilon > 0) throw UsageError("LayerNorm with epsilon needs roots: floating point");
    if constexpr (!std::is_same_v<Number, Sparse>)
      return x[0] > x[1] ? Row<Number>{1, -1} : x[0] < x[1] ? Row<Number>{-1, 1} : Row<Number>{0, 0};
  }

  void check_tokens(std::size_t t) {
    std::map<Row<Number>, Tuple> seen;
    for (std::size_t g = 0; g < graphs_.size(); ++g)
      for (std::size_t at = 0; at < tokens_[g].size(); ++at) {
        const wl::Color color = colors_[t - 1][g][at];
        const auto [first, fresh] = seen.try_emplace(tokens_[g][at], Tuple{g, at});
        const Tuple& other = first->second;
        if (tokens_[g][at] != token(color) || colors_[t - 1][other.graph][other.index] != color)
          return fail("token", t - 1, other, {g, at}, "do not have the tokens of their colours");
      }
  }

  void check_disjoint(std::size_t t, const Tuple& at, const Number& own, const Number& sum) {
    const Sparse a = digits_of(own, c_.base), b = digits_of(sum, c_.base);
    if (b.is_zero()) return;
    proof_.positions = std::max(proof_.positions, b.last());
    last_own_ = std::max(last_own_, a.last());
    first_sum_ = first_sum_ ? std::min(*first_sum_, b.first()) : b.first();
    if (last_own_ >= *first_sum_)
      fail("disjoint", t, at, at,
           "share digits: T reaches position " + std::to_string(last_own_) + ", the sum starts at " +
               std::to_string(*first_sum_));
  }

  // A network with one hidden layer, y = y_1 + sum_k s_k relu(x - x_k), passes through
  // the points (value, token) in the order of their first entries. Returns its output
  // for every value.
  template <class ByColor>
  std::map<Row<Exact>, Row<Exact>> run_network(std::size_t t, const ByColor& by_color) {
    std::map<Exact, std::pair<wl::Color, Tuple>> points;
    for (const auto& [color, first] : by_color) points.try_emplace(first.second[0], color, first.first);
    if (points.size() != by_color.size()) {
      fail("network", t, points.begin()->second.second, points.begin()->second.second,
           "need both entries: the first alone does not tell colours apart");
      return {};
    }
    std::vector<Exact> x;
    std::vector<Row<Exact>> y, slope;
    for (const auto& [value, where] : points) x.push_back(value), y.push_back(token(where.first));
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      Row<Exact> s{(y[k + 1][0] - y[k][0]) / (x[k + 1] - x[k]), (y[k + 1][1] - y[k][1]) / (x[k + 1] - x[k])};
      Row<Exact> change = s;
      if (k) change[0] -= previous_[0], change[1] -= previous_[1];
      previous_ = s;
      slope.push_back(change);
    }
    std::map<Row<Exact>, Row<Exact>> next;
    std::size_t p = 0;
    for (const auto& [value, where] : points) {
      Row<Exact> out = y[0];
      for (std::size_t k = 0; k < slope.size(); ++k)
        if (value > x[k])
          for (std::size_t c = 0; c < 2; ++c) out[c] += slope[k][c] * (value - x[k]);
      if (out != y[p++]) fail("network", t, where.second, where.second, "get another token from the ReLU network");
      next.emplace(by_color.at(where.first).second, out);
    }
    return next;
  }

  std::span<const wl::Graph* const> graphs_;
  const Construction& c_;
  std::size_t n_;
  const Colorings& colors_;
  std::vector<std::vector<Row<Number>>> tokens_;
  Row<Exact> previous_;
  std::int64_t last_own_ = 0;
  std::optional<std::int64_t> first_sum_;
  Proof proof_;
};

}  // namespace

Colorings round_colorings(std::span<const wl::Graph* const> graphs) {
  if (graphs.empty()) throw UsageError("prove: no graph");
  for (const wl::Graph* graph : graphs)
    if (graph->order() != graphs[0]->order()) throw UsageError("prove: graphs of different orders");
  Colorings colors;
  wl::RunOptions options;
  options.observer = [&](const wl::RoundView& view) {
    auto& round = colors.emplace_back();
    for (std::size_t g = 0; g < graphs.size(); ++g) round.push_back(view.coloring(g));
  };
  const wl::RunResult result = wl::run_engine(wl::folklore(2), graphs, options);
  colors.resize(static_cast<std::size_t>(result.rounds) + 1);
  colors.push_back(colors.back());
  return colors;
}

std::vector<wl::Color> count_colors(const Colorings& colors) {
  std::vector<wl::Color> counts;
  for (const auto& round : colors) {
    counts.push_back(0);
    for (const auto& graph : round)
      for (wl::Color c : graph) counts.back() = std::max(counts.back(), c + 1);
  }
  return counts;
}

const std::vector<std::string>& construction_names() {
  static const std::vector<std::string> names{"printed", "mended", "layernorm", "layernorm-epsilon"};
  return names;
}

const std::vector<std::string>& check_names() {
  static const std::vector<std::string> names{"token", "injective", "defined", "disjoint", "network"};
  return names;
}

Construction construction(const std::string& name, wl::Node n, std::size_t count) {
  if (n < 2) throw UsageError("the construction counts in base n: it needs at least two nodes");
  Construction c;
  c.base = n;
  c.exponent = std::int64_t{n} * n * static_cast<std::int64_t>(count);
  const Entry zero, one = 0, beta = c.exponent - 1;  // n^(1-K)
  c.v1 = {{{beta, zero}, {zero, zero}}};
  c.o = {{{one, zero}, {zero, one}}};
  if (name == "printed")
    c.v2 = {{{zero, one}, {zero, zero}}};  // the product with W^V1 is zero
  else if (name == "mended" || name == "layernorm" || name == "layernorm-epsilon")
    c.v2 = {{{zero, zero}, {one, zero}}};
  else
    throw UsageError("there is no construction \"" + name + "\"");
  c.layer_norm = name.starts_with("layernorm");
  if (name == "layernorm-epsilon") c.epsilon = 1e-5;  // PyTorch's
  return c;
}

Proof prove(std::span<const wl::Graph* const> graphs, const Construction& c, Arithmetic arithmetic) {
  return prove_against(round_colorings(graphs), graphs, c, arithmetic);
}

Proof prove_against(const Colorings& colors, std::span<const wl::Graph* const> graphs, const Construction& c,
                    Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::Digits: return Execution<Sparse>(graphs, c, colors).run();
    case Arithmetic::Rationals: return Execution<Exact>(graphs, c, colors).run();
    case Arithmetic::Float32: return Execution<float>(graphs, c, colors).run();
    case Arithmetic::Float64: return Execution<double>(graphs, c, colors).run();
    case Arithmetic::LongDouble: return Execution<long double>(graphs, c, colors).run();
  }
  throw UsageError("prove: no such arithmetic");
}

}  // namespace leman::proofs
