#include "wl/constructions/enumerate.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string>

#include "wl/bit_matrix.hpp"
#include "wl/formats.hpp"
#include "wl/graph_ops.hpp"

extern char** environ;

namespace leman::wl {

namespace {

// A child program whose standard output is read as lines.
class Child {
 public:
  explicit Child(std::vector<std::string> words) : name_(words[0]) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw InputError("pipe", std::strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    int error = posix_spawnp(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (error == 0) return;
    close(output_);
    throw InputError(name_, std::strerror(error) + std::string(" (Debian's package nauty has it)"));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    kill(pid_, SIGTERM);
    wait();
  }
  std::string path() const { return "/dev/fd/" + std::to_string(output_); }
  void finish() {
    int status = wait();
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw InputError(name_, "ended with status " + std::to_string(status));
  }

 private:
  int wait() {
    int status = 0;
    close(output_);
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }
  std::string name_;
  pid_t pid_ = -1;
  int output_ = -1;
};

std::vector<std::string> geng_command(Node order, const EnumerateOptions& options) {
  std::vector<std::string> words{"nauty-geng", "-q"};
  if (options.connected) words.push_back("-c");
  if (options.min_degree) words.push_back("-d" + std::to_string(*options.min_degree));
  if (options.max_degree) words.push_back("-D" + std::to_string(*options.max_degree));
  words.push_back(std::to_string(order));
  if (options.min_edges || options.max_edges)
    words.push_back(std::to_string(options.min_edges.value_or(0)) + ":" +
                    std::to_string(options.max_edges.value_or(std::uint64_t{order} * (order - 1) / 2)));
  return words;
}

// The search behind smallest_edge_list. Labels 0, 1, ... are given in turn. The
// nodes without a label form an ordered partition: nodes in one cell have the same
// labelled neighbours. Row i of the smallest list has ones as early as possible, so
// every cell puts the neighbours of node i first.
class LabelSearch {
 public:
  explicit LabelSearch(const Graph& graph) : bits_(graph), n_(graph.order()) {}
  std::vector<Node> run() {  // the node that gets label 0, 1, ...
    std::vector<Node> all(n_);
    for (Node v = 0; v < n_; ++v) all[v] = v;
    descend({all}, true);
    return best_;
  }

 private:
  using Cells = std::vector<std::vector<Node>>;
  // Two nodes with the same other neighbours can be swapped, so trying one is
  // enough. Without this, K_n would cost n! steps.
  bool has_twin_before(const std::vector<Node>& cell, std::size_t i) const {
    for (std::size_t j = 0; j < i; ++j) {
      bool twins = true;
      for (Node w = 0; w < n_ && twins; ++w)
        twins = w == cell[i] || w == cell[j] || bits_.test(cell[i], w) == bits_.test(cell[j], w);
      if (twins) return true;
    }
    return false;
  }
  // `tied`: the rows so far equal those of the best labelling.
  void descend(const Cells& cells, bool tied) {
    if (cells.empty()) {
      if (!tied || best_.empty()) best_ = chosen_, best_rows_ = rows_;
      return;
    }
    for (std::size_t i = 0; i < cells[0].size(); ++i) {
      Node v = cells[0][i];
      if (has_twin_before(cells[0], i)) continue;
      Cells next;
      std::uint64_t row = 0;  // the first later label is the highest bit
      for (const auto& cell : cells) {
        std::vector<Node> in, out;
        for (Node w : cell)
          if (w != v) (bits_.test(v, w) ? in : out).push_back(w);
        for (const auto* part : {&in, &out}) {
          for (std::size_t j = 0; j < part->size(); ++j) row = row << 1 | (part == &in);
          if (!part->empty()) next.push_back(*part);
        }
      }
      std::size_t depth = rows_.size();
      bool still_tied = tied && !best_rows_.empty();
      if (still_tied && row < best_rows_[depth]) continue;
      chosen_.push_back(v);
      rows_.push_back(row);
      descend(next, still_tied && row == best_rows_[depth]);
      chosen_.pop_back();
      rows_.pop_back();
      // The best may have changed below. What was tied at this level still is, since
      // every accepted labelling shares the rows up to here or is better.
      tied = !best_rows_.empty() && std::equal(rows_.begin(), rows_.end(), best_rows_.begin());
    }
  }

  BitMatrix bits_;
  Node n_;
  std::vector<Node> chosen_, best_;
  std::vector<std::uint64_t> rows_, best_rows_;
};

bool edge_list_less(const Graph& a, const Graph& b) {
  auto x = a.edges(), y = b.edges();
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  return x < y;
}

}  // namespace

void for_each_graph(Node order, const EnumerateOptions& options, const std::function<bool(const Graph&)>& visit) {
  if (order < 1 || order > 32) throw UsageError("geng: orders 1 to 32, not " + std::to_string(order));
  if (options.min_degree && *options.min_degree > std::min(options.max_degree.value_or(order - 1), order - 1)) return;
  bool odd = options.min_degree && options.min_degree == options.max_degree && order * *options.min_degree % 2 != 0;
  if (odd) return;  // a sum of degrees is even; geng would report a usage error
  Child geng(geng_command(order, options));
  GraphReader reader(LineSource::open(geng.path()));
  for (Graph graph; reader.next(graph);)
    if (!visit(graph)) return;
  geng.finish();
}

std::vector<Graph> all_graphs(Node order, const EnumerateOptions& options) {
  std::vector<Graph> graphs;
  for_each_graph(order, options, [&](const Graph& graph) {
    graphs.push_back(graph);
    return true;
  });
  return graphs;
}

Graph smallest_edge_list(const Graph& graph) {
  if (graph.order() > 64) throw UsageError("smallest_edge_list: more than 64 nodes");
  auto labelled = LabelSearch(graph).run();
  return induced_subgraph(graph, labelled);
}

std::vector<Graph> connected_regular_graphs(Node n, std::uint32_t k) {
  EnumerateOptions options{.connected = true, .min_degree = k, .max_degree = k, .min_edges = {}, .max_edges = {}};
  std::vector<Graph> graphs;
  for (const Graph& graph : all_graphs(n, options)) graphs.push_back(smallest_edge_list(graph));
  std::sort(graphs.begin(), graphs.end(), edge_list_less);
  return graphs;
}

}  // namespace leman::wl
