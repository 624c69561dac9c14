#include "wl/classes.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"

namespace leman::wl {

namespace {

constexpr std::size_t kExamples = 10;

// Calls function(begin, end) for pieces of 0 .. count, so that bookkeeping does not dominate small items.
template <class Function>
void parallel_pieces(std::size_t count, std::size_t piece, unsigned threads, Function function) {
  parallel_for((count + piece - 1) / piece, threads,
               [&](std::size_t k) { function(k * piece, std::min(count, (k + 1) * piece)); });
}

std::vector<Fingerprint> fingerprints(const Engine& engine, std::span<const Graph> graphs, unsigned threads) {
  std::vector<Fingerprint> prints(graphs.size());
  parallel_pieces(graphs.size(), 64, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) prints[i] = fingerprint(engine, graphs[i]);
  });
  return prints;
}

// Graphs of equal fingerprint side by side, each bucket in ascending order.
struct Buckets {
  std::vector<std::uint32_t> graphs;
  std::vector<std::size_t> start;  // of every bucket, and the end

  explicit Buckets(const std::vector<Fingerprint>& prints) : graphs(prints.size()) {
    std::iota(graphs.begin(), graphs.end(), 0u);
    std::stable_sort(graphs.begin(), graphs.end(), [&](auto a, auto b) { return prints[a] < prints[b]; });
    for (std::size_t k = 0; k < graphs.size(); ++k)
      if (k == 0 || prints[graphs[k]] != prints[graphs[k - 1]]) start.push_back(k);
    start.push_back(graphs.size());
  }
  std::size_t count() const { return start.size() - 1; }
  std::span<const std::uint32_t> at(std::size_t b) const {
    return std::span(graphs).subspan(start[b], start[b + 1] - start[b]);
  }
};

}  // namespace

std::vector<ClassId> ClassCounter::add(std::span<const Graph> graphs, unsigned threads) {
  const std::vector<Fingerprint> prints = fingerprints(*engine_, graphs, threads);
  const Buckets buckets(prints);
  std::vector<Home> homes(graphs.size());
  parallel_pieces(buckets.count(), 16, threads_that_fit(graphs, threads), [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) decide(buckets.at(b), prints[buckets.at(b)[0]], graphs, homes);
  });
  std::vector<ClassId> classes(graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Home home = homes[i];
    classes[i] = home.known != kNoClass ? home.known
                 : home.leader == i     ? open_class(graphs[i], prints[i])
                                        : classes[home.leader];
    const std::uint64_t before = members_[classes[i]]++;
    if (before == 1 && examples_.size() < kExamples) examples_.push_back({first(classes[i]), graphs[i]});
  }
  graphs_ += graphs.size();
  return classes;
}

// So many comparisons at a time that their estimates fit into memory together: what is refused is
// what would be refused alone.
unsigned ClassCounter::threads_that_fit(std::span<const Graph> graphs, unsigned threads) const {
  if (threads <= 1 || graphs.size() <= 1) return 1;
  std::uint64_t most = 1;
  for (const Graph& graph : graphs) {
    const Graph* twice[] = {&graph, &graph};
    most = std::max(most, engine_->memory(GraphSpan(twice)));
  }
  constexpr std::uint64_t small = std::uint64_t{1} << 20;  // not worth asking the system
  if (most <= small) return threads;
  const std::uint64_t limit = options_.memory_limit ? options_.memory_limit : usable_memory();
  return static_cast<unsigned>(std::clamp<std::uint64_t>(limit / most, 1, threads));
}

// Streams of real data repeat graphs: an equal one needs no run.
bool ClassCounter::alike(const Graph& a, const Graph& b) const {
  return a.directed() == b.directed() && (a == b || !compare(*engine_, a, b, options_).distinguished);
}

void ClassCounter::decide(Positions bucket, Fingerprint print, std::span<const Graph> graphs,
                          std::vector<Home>& homes) const {
  struct Candidate {
    Home home;
    const Graph* graph;
  };
  std::vector<Candidate> candidates;
  std::vector<ClassId> known;
  if (auto it = newest_.find(print); it != newest_.end())
    for (ClassId c = it->second; c != kNoClass; c = older_[c]) known.push_back(c);
  std::vector<Graph> unpacked;
  unpacked.reserve(known.size());
  for (const ClassId c : known) candidates.push_back({{c, 0}, &unpacked.emplace_back(first(c))});

  for (const std::uint32_t i : bucket) {
    const auto same = std::find_if(candidates.begin(), candidates.end(),
                                   [&](const Candidate& c) { return alike(*c.graph, graphs[i]); });
    homes[i] = same != candidates.end() ? same->home : Home{kNoClass, i};
    if (same == candidates.end()) candidates.push_back({homes[i], &graphs[i]});
  }
}

ClassId ClassCounter::open_class(const Graph& graph, Fingerprint print) {
  if (members_.size() == kNoClass) throw MemoryError("more than 4294967294 classes");
  const auto c = static_cast<ClassId>(members_.size());
  const auto [it, fresh] = newest_.try_emplace(print, c);
  older_.push_back(fresh ? kNoClass : it->second);
  it->second = c;
  members_.push_back(0);
  first_.add(graph);
  return c;
}

std::uint64_t ClassCounter::confused() const {
  std::uint64_t count = 0;
  for (std::uint64_t m : members_)
    if (m > 1) count += m;
  return count;
}

std::uint64_t ClassCounter::largest() const {
  return members_.empty() ? 0 : *std::max_element(members_.begin(), members_.end());
}

std::uint64_t ClassCounter::bytes() const {
  constexpr std::uint64_t kPerBucket = 64;  // a node of the table and its place in it
  return first_.bytes() + newest_.size() * kPerBucket + older_.capacity() * sizeof(older_[0]) +
         members_.capacity() * sizeof(members_[0]);
}

}  // namespace leman::wl
