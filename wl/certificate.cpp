#include "wl/certificate.hpp"

#include <algorithm>
#include <map>

#include "wl/graph_ops.hpp"
#include "wl/intern.hpp"
#include "wl/node_refinement.hpp"

namespace leman::wl {

namespace {

using Words = std::vector<std::uint64_t>;

// Tuples of nodes as numbers in base n.
struct Space {
  std::uint64_t n;
  std::vector<std::uint64_t> stride;
  Space(Node order, int k) : n(order), stride(static_cast<std::size_t>(k)) {
    std::uint64_t s = 1;
    for (std::size_t p = stride.size(); p-- > 0; s *= n) stride[p] = s;
  }
  Node entry(std::uint64_t tuple, std::size_t p) const { return static_cast<Node>(tuple / stride[p] % n); }
  std::uint64_t replaced(std::uint64_t tuple, std::size_t p, std::uint64_t w) const {
    return tuple + (w - entry(tuple, p)) * stride[p];
  }
};

Words atomic_type(const Graph& graph, const Words& relation, const Space& space, std::uint64_t tuple) {
  Words words;
  for (std::size_t p = 0; p < space.stride.size(); ++p) {
    words.push_back(graph.node_color(space.entry(tuple, p)));
    for (std::size_t q = 0; q < space.stride.size() && !relation.empty(); ++q)
      words.push_back(relation[space.entry(tuple, p) * space.n + space.entry(tuple, q)]);
  }
  return words;
}

// A multiset as (element, multiplicity) in ascending order of elements.
void append_multiset(std::vector<Words> elements, Words& out) {
  std::map<Words, std::uint64_t> count;
  for (Words& element : elements) ++count[std::move(element)];
  out.push_back(count.size());
  for (const auto& [element, copies] : count) {
    out.insert(out.end(), element.begin(), element.end());
    out.push_back(copies);
  }
}

void append_node_signature(const Graph& graph, const std::vector<Color>& colors, Node v, Words& out) {
  auto side = [&](std::span<const Node> next, std::span<const Color> edge_colors) {
    std::vector<Words> elements;
    for (std::size_t i = 0; i < next.size(); ++i)
      elements.push_back({edge_colors.empty() ? 0 : edge_colors[i], colors[next[i]]});
    append_multiset(std::move(elements), out);
  };
  side(graph.neighbors(v), graph.neighbor_colors(v));
  if (graph.directed()) side(graph.in_neighbors(v), graph.in_neighbor_colors(v));
}

void append_tuple_signature(bool folklore, const Space& space, const std::vector<Color>& colors, std::uint64_t tuple,
                            Words& out) {
  std::size_t k = space.stride.size();
  std::vector<Words> together(space.n);
  for (std::size_t p = 0; p < k; ++p) {
    std::vector<Words> alone;
    for (std::uint64_t w = 0; w < space.n; ++w) {
      Color c = colors[space.replaced(tuple, p, w)];
      together[w].push_back(c);
      alone.push_back({c});
    }
    if (!folklore) append_multiset(std::move(alone), out);
  }
  if (folklore) append_multiset(std::move(together), out);
}

// What the certificates of all rules have in common; `append` adds the signature of a tuple.
template <class Append>
Certificate certificate_of(const Graph& graph, int k, bool folklore, const RunResult& run, Append append) {
  const std::vector<Color>& colors = run.coloring[0];
  Words words{static_cast<std::uint64_t>('0' + k),    folklore,  graph.directed(), graph.order(),
              static_cast<std::uint64_t>(run.rounds), run.colors};
  std::vector<std::uint64_t> first(run.colors, UINT64_MAX), size(run.colors, 0);
  for (std::uint64_t t = 0; t < colors.size(); ++t) {
    first[colors[t]] = std::min(first[colors[t]], t);
    ++size[colors[t]];
  }
  const Space space(graph.order(), k);
  const Words relation = k > 1 ? relation_matrix(graph) : Words{};
  for (Color c = 0; c < run.colors; ++c) {
    words.push_back(size[c]);
    const Words type = atomic_type(graph, relation, space, first[c]);
    words.insert(words.end(), type.begin(), type.end());
    append(space, colors, first[c], words);
  }
  return words;
}

RunOptions to_the_end(const RunOptions& options) {
  RunOptions all = options;
  all.keep_coloring = true;
  all.until_distinguished = false;
  all.max_rounds.reset();
  return all;
}

}  // namespace

Certificate node_certificate(const Graph& graph, const RunOptions& options) {
  const Graph* one[] = {&graph};
  return certificate_of(graph, 1, false, refine_nodes(one, to_the_end(options)),
                        [&](const Space&, const std::vector<Color>& colors, std::uint64_t v, Words& out) {
                          append_node_signature(graph, colors, static_cast<Node>(v), out);
                        });
}

Certificate tuple_certificate(const Graph& graph, TupleRule rule, int k, const RunOptions& options) {
  const Graph* one[] = {&graph};
  const bool folklore = rule == TupleRule::Folklore;
  return certificate_of(graph, k, folklore, refine_tuples(one, rule, k, to_the_end(options)),
                        [&](const Space& space, const std::vector<Color>& colors, std::uint64_t tuple, Words& out) {
                          append_tuple_signature(folklore, space, colors, tuple, out);
                        });
}

Fingerprint fingerprint_of(const Certificate& certificate) {
  Fingerprint f{certificate.size(), ~certificate.size()};
  for (std::uint64_t word : certificate) {
    f.high = mix(f.high * 0x9e3779b97f4a7c15 + word);
    f.low = mix((f.low ^ word) * 0xd1b54a32d192ed03 + 1);
  }
  return f;
}

}  // namespace leman::wl
