#include "wl/classes.hpp"

#include "base/parallel.hpp"
#include "wl/formats.hpp"

namespace leman::wl {

namespace {

constexpr std::size_t kExamples = 10;

// Any graph as text, colours included, and back.
std::string pack(const Graph& graph) {
  std::string text;
  bool colored = graph.node_colored() || graph.edge_colored();
  write_graph(graph, colored ? Format::EdgeList : graph.directed() ? Format::Digraph6 : Format::Graph6, text);
  return text;
}

Graph unpack(const std::string& text) { return read_all(LineSource::from_text("class", text)).at(0); }

}  // namespace

void ClassCounter::add(const std::vector<Graph>& graphs, unsigned threads) {
  std::vector<Fingerprint> prints(graphs.size());
  constexpr std::size_t chunk = 64;  // graphs per task, so that bookkeeping does not dominate small ones
  parallel_for((graphs.size() + chunk - 1) / chunk, threads, [&](std::size_t block) {
    for (std::size_t i = block * chunk; i < std::min(graphs.size(), (block + 1) * chunk); ++i)
      prints[i] = fingerprint(*engine_, graphs[i]);
  });
  for (std::size_t i = 0; i < graphs.size(); ++i) ++members_[class_of(graphs[i], prints[i])];
  graphs_ += graphs.size();
}

std::uint32_t ClassCounter::class_of(const Graph& graph, Fingerprint fingerprint) {
  auto& bucket = buckets_[fingerprint];
  for (std::uint32_t c : bucket) {
    Graph first = unpack(first_[c]);
    if (first.directed() != graph.directed() || compare(*engine_, first, graph, options_).distinguished) continue;
    if (members_[c] == 1 && examples_.size() < kExamples) examples_.push_back({first, graph});
    return c;
  }
  auto c = static_cast<std::uint32_t>(members_.size());
  bucket.push_back(c);
  members_.push_back(0);
  first_.push_back(pack(graph));
  return c;
}

std::uint64_t ClassCounter::confused() const {
  std::uint64_t count = 0;
  for (std::uint64_t m : members_)
    if (m > 1) count += m;
  return count;
}

}  // namespace leman::wl
