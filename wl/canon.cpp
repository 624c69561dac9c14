#include "wl/canon.hpp"

#include <algorithm>
#include <bit>
#include <boost/multiprecision/gmp.hpp>
#include <mutex>
#include <shared_mutex>

#include "wl/graph_ops.hpp"

// nauty's headers define macros and are C; they stay in this file.
extern "C" {
#include <nauty/nausparse.h>
#include <nauty/nauty.h>
}

namespace leman::wl {

namespace {

// What nauty's callbacks report while it runs; it has no user pointer.
thread_local boost::multiprecision::mpz_int* t_group_order = nullptr;
thread_local std::vector<std::vector<Node>>* t_generators = nullptr;
thread_local Node t_order = 0;

void on_automorphism(int, int* permutation, int*, int, int, int) {
  t_generators->emplace_back(permutation, permutation + t_order);  // layer 0 holds the node permutation
}

// Called once per level on the way back along the first path, with the index of the
// next point stabiliser in this one. The product of the indices is the group order.
void on_level(int*, int*, int, int*, statsblk*, int, int index, int, int, int, int) { *t_group_order *= index; }

// nauty's workspace is thread-local, but its stop request, nauty_kill_request, is
// shared by all threads. So a search that may be stopped runs alone.
std::shared_mutex g_stop_guard;

// Search nodes left, if the search is limited.
thread_local std::uint64_t t_search_nodes = 0;

void on_node(setword*, int*, int*, int, int, int, int, int, int) {
  if (t_search_nodes == 0)
    nauty_kill_request = 1;
  else
    --t_search_nodes;
}

struct Layered {
  Node order = 0;              // of the source
  Node layers = 1;             // the layered source has order * layers nodes, copy l of v is l * order + v
  std::vector<Color> palette;  // distinct edge colours, ascending

  explicit Layered(const Graph& source) : order(source.order()) {
    if (!source.edge_colored()) return;
    for (const Edge& e : source.edges()) palette.push_back(e.color);
    std::sort(palette.begin(), palette.end());
    palette.erase(std::unique(palette.begin(), palette.end()), palette.end());
    layers = static_cast<Node>(std::bit_width(palette.size()));
  }
  std::size_t nodes() const { return std::size_t{order} * layers; }
  // 1..c; without colours every edge is in the only layer.
  std::size_t code(Color color) const {
    if (palette.empty()) return 1;
    return static_cast<std::size_t>(std::lower_bound(palette.begin(), palette.end(), color) - palette.begin()) + 1;
  }
};

// nauty's sparse graph, backed by our own vectors.
class NautyGraph {
 public:
  NautyGraph(const Graph& source, const Layered& layered) {
    std::vector<std::vector<int>> rows(layered.nodes());
    auto id = [&](Node layer, Node v) { return static_cast<int>(layer * layered.order + v); };
    for (Node layer = 0; layer < layered.layers; ++layer)
      for (Node v = 0; v < layered.order; ++v) {
        auto& row = rows[static_cast<std::size_t>(id(layer, v))];
        auto next = source.neighbors(v);
        auto colors = source.neighbor_colors(v);
        for (std::size_t i = 0; i < next.size(); ++i)
          if (layered.code(colors.empty() ? 0 : colors[i]) >> layer & 1) row.push_back(id(layer, next[i]));
        if (layer > 0) row.push_back(id(layer - 1, v));
        if (layer + 1 < layered.layers) row.push_back(id(layer + 1, v));
      }
    for (const auto& row : rows) {
      start_.push_back(columns_.size());
      degree_.push_back(static_cast<int>(row.size()));
      columns_.insert(columns_.end(), row.begin(), row.end());
    }
    SG_INIT(graph_);
    graph_.nv = static_cast<int>(rows.size());
    graph_.nde = columns_.size();
    graph_.v = start_.data();
    graph_.d = degree_.data();
    graph_.e = columns_.data();
    graph_.vlen = start_.size();
    graph_.dlen = degree_.size();
    graph_.elen = columns_.size();
  }
  NautyGraph(const NautyGraph&) = delete;
  NautyGraph& operator=(const NautyGraph&) = delete;
  sparsegraph* get() { return &graph_; }

  // The same graph as nauty's packed matrix, `words` setwords per row.
  std::vector<setword> dense(int words) const {
    std::vector<setword> rows(static_cast<std::size_t>(graph_.nv) * static_cast<std::size_t>(words));
    for (std::size_t u = 0; u < start_.size(); ++u)
      for (std::size_t i = start_[u]; i < start_[u] + static_cast<std::size_t>(degree_[u]); ++i)
        ADDELEMENT(rows.data() + u * static_cast<std::size_t>(words), columns_[i]);
    return rows;
  }

 private:
  sparsegraph graph_;
  std::vector<std::size_t> start_;
  std::vector<int> degree_;
  std::vector<int> columns_;
};

// Cells by layer, then by node colour.
void initial_partition(const Graph& source, const Layered& layered, std::vector<int>& lab, std::vector<int>& ptn) {
  auto cell = [&](int x) {
    Node node = static_cast<Node>(x);
    return std::pair(node / layered.order, source.node_color(node % layered.order));
  };
  for (std::size_t i = 0; i < lab.size(); ++i) lab[i] = static_cast<int>(i);
  std::stable_sort(lab.begin(), lab.end(), [&](int a, int b) { return cell(a) < cell(b); });
  for (std::size_t i = 0; i < lab.size(); ++i) ptn[i] = i + 1 < lab.size() && cell(lab[i]) == cell(lab[i + 1]);
}

enum class Search { Canonical, LimitedGroup };

void configure(optionblk& options, bool directed, Search search) {
  options.getcanon = search == Search::Canonical;
  options.digraph = directed;
  options.defaultptn = FALSE;
  options.userautomproc = on_automorphism;
  if (search == Search::Canonical)
    options.userlevelproc = on_level;
  else
    options.usernodeproc = on_node;
}

// nauty keeps its workspace in thread-local arrays. A thread that ends frees them
// through this object.
struct Workspace {
  ~Workspace() {
    nauty_freedyn();
    nautil_freedyn();
    naugraph_freedyn();
    nausparse_freedyn();
  }
};

// The packed matrix is several times faster while it fits the cache.
constexpr std::size_t kDenseLimit = 1024;

void run_nauty(NautyGraph& input, std::size_t nodes, bool directed, Search search, std::vector<int>& lab,
               std::vector<int>& ptn, std::vector<int>& orbits) {
  thread_local Workspace workspace;
  int n = static_cast<int>(nodes);
  statsblk stats;
  if (nodes <= kDenseLimit) {
    static DEFAULTOPTIONS_GRAPH(defaults);
    optionblk options = defaults;
    configure(options, directed, search);
    int words = SETWORDSNEEDED(n);
    auto rows = input.dense(words);
    std::vector<setword> form(rows.size());
    densenauty(rows.data(), lab.data(), ptn.data(), orbits.data(), &options, &stats, words, n, form.data());
  } else {
    static DEFAULTOPTIONS_SPARSEGRAPH(defaults);
    optionblk options = defaults;
    configure(options, directed, search);
    sparsegraph form;
    SG_INIT(form);
    sparsenauty(input.get(), lab.data(), ptn.data(), orbits.data(), &options, &stats, &form);
    SG_FREE(form);
  }
}

}  // namespace

namespace {

// One run of nauty: fills lab (canonical order) and orbits of the layered graph.
struct Run {
  Layered layered;
  std::vector<int> lab, orbits;

  Run(const Graph& source, Search search, std::vector<std::vector<Node>>& generators) : layered(source) {
    std::size_t nodes = layered.nodes();
    if (nodes > NAUTY_INFINITY - 2) throw UsageError("canonical: too many nodes for nauty");
    NautyGraph input(source, layered);
    lab.resize(nodes);
    orbits.resize(nodes);
    std::vector<int> ptn(nodes);
    initial_partition(source, layered, lab, ptn);
    t_generators = &generators;
    t_order = source.order();
    run_nauty(input, nodes, source.directed(), search, lab, ptn, orbits);
  }
};

}  // namespace

Canon canonical(const Graph& source) {
  Canon result;
  result.group_order = "1";
  Node n = source.order();
  if (n == 0) return result;
  std::shared_lock others_may_search(g_stop_guard);
  boost::multiprecision::mpz_int group_order = 1;
  t_group_order = &group_order;
  Run run(source, Search::Canonical, result.generators);
  result.image.resize(n);
  for (Node i = 0; i < n; ++i) result.image[static_cast<std::size_t>(run.lab[i])] = i;  // layer 0 comes first
  result.orbits.assign(run.orbits.begin(), run.orbits.begin() + n);
  result.group_order = group_order.str();
  result.form = relabel(source, result.image);
  return result;
}

std::vector<std::vector<Node>> some_automorphisms(const Graph& source, std::uint64_t limit) {
  std::vector<std::vector<Node>> generators;
  if (source.order() == 0) return generators;
  std::unique_lock alone(g_stop_guard);
  nauty_kill_request = 0;
  t_search_nodes = limit;
  Run(source, Search::LimitedGroup, generators);
  nauty_kill_request = 0;
  return generators;
}

bool isomorphic(const Graph& a, const Graph& b) {
  if (a.order() != b.order() || a.size() != b.size() || a.directed() != b.directed() ||
      a.edge_colored() != b.edge_colored() || a.node_colored() != b.node_colored())
    return false;
  if (degree_sequence(a) != degree_sequence(b)) return false;
  return canonical(a).form == canonical(b).form;
}

}  // namespace leman::wl
