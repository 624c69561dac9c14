// The classes of a stream of graphs under an engine. Fingerprints sort graphs into buckets; an exact
// joint run with the first member of a class decides.
//
// Classes are numbered 0, 1, 2, ... in the order in which their first members come, whatever the
// number of threads and the sizes of the batches. The memory is that of one packed graph and about
// 80 bytes per class.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "wl/engine.hpp"
#include "wl/packed_graphs.hpp"

namespace leman::wl {

using ClassId = std::uint32_t;
inline constexpr ClassId kNoClass = UINT32_MAX;

class ClassCounter {
 public:
  explicit ClassCounter(const Engine& engine, RunOptions options = {})
      : engine_(&engine), options_(std::move(options)) {}

  // Adds graphs in order; the class of each. If an engine refuses a graph, nothing was added.
  std::vector<ClassId> add(std::span<const Graph> graphs, unsigned threads);
  std::vector<ClassId> add(std::initializer_list<Graph> graphs, unsigned threads) {
    return add(std::span(graphs.begin(), graphs.size()), threads);
  }

  const Engine& engine() const { return *engine_; }
  std::uint64_t graphs() const { return graphs_; }
  std::uint64_t classes() const { return members_.size(); }
  const std::vector<std::uint64_t>& members() const { return members_; }  // number of graphs, by class
  Graph first(ClassId c) const { return first_.at(c); }
  // Graphs in classes with more than one member.
  std::uint64_t confused() const;
  std::uint64_t largest() const;  // members of the largest class; 0: there is none
  std::uint64_t bytes() const;    // of memory, about
  // The first two members of a class with two or more: the engine cannot tell
  // them apart. At most ten such pairs are kept.
  struct Example {
    Graph first, second;
  };
  const std::vector<Example>& examples() const { return examples_; }

 private:
  // Where a graph of a batch belongs: to a class from before, or to the one that `leader`, a graph of
  // the batch and at the latest itself, begins.
  struct Home {
    ClassId known = kNoClass;
    std::uint32_t leader = 0;
  };
  using Positions = std::span<const std::uint32_t>;  // in a batch, ascending

  unsigned threads_that_fit(std::span<const Graph> graphs, unsigned threads) const;
  bool alike(const Graph& a, const Graph& b) const;
  void decide(Positions bucket, Fingerprint print, std::span<const Graph> graphs, std::vector<Home>& homes) const;
  ClassId open_class(const Graph& graph, Fingerprint print);

  struct Hash {
    std::size_t operator()(const Fingerprint& f) const { return static_cast<std::size_t>(f.high); }
  };
  const Engine* engine_;
  RunOptions options_;
  std::unordered_map<Fingerprint, ClassId, Hash> newest_;  // class of a fingerprint
  std::vector<ClassId> older_;                             // by class: the one before of equal fingerprint, or kNoClass
  PackedGraphs first_;                                     // by class: its first member
  std::vector<std::uint64_t> members_;                     // by class
  std::vector<Example> examples_;
  std::uint64_t graphs_ = 0;
};

}  // namespace leman::wl
