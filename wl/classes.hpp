// Counts the classes of a stream of graphs under an engine. Fingerprints sort graphs into
// buckets; an exact joint run with the first member of a class decides.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "wl/engine.hpp"

namespace leman::wl {

class ClassCounter {
 public:
  explicit ClassCounter(const Engine& engine, RunOptions options = {})
      : engine_(&engine), options_(std::move(options)) {}

  // Adds graphs in order; fingerprints are computed on `threads` threads.
  void add(const std::vector<Graph>& graphs, unsigned threads);

  const Engine& engine() const { return *engine_; }
  std::uint64_t graphs() const { return graphs_; }
  std::uint64_t classes() const { return members_.size(); }
  const std::vector<std::uint64_t>& members() const { return members_; }  // number of graphs, by class
  // Graphs in classes with more than one member.
  std::uint64_t confused() const;
  // The first two members of a class with two or more: the engine cannot tell
  // them apart. At most ten such pairs are kept.
  struct Example {
    Graph first, second;
  };
  const std::vector<Example>& examples() const { return examples_; }

 private:
  std::uint32_t class_of(const Graph& graph, Fingerprint fingerprint);

  struct Hash {
    std::size_t operator()(const Fingerprint& f) const { return static_cast<std::size_t>(f.high); }
  };
  const Engine* engine_;
  RunOptions options_;
  std::unordered_map<Fingerprint, std::vector<std::uint32_t>, Hash> buckets_;  // classes by fingerprint
  std::vector<std::string> first_;      // by class: its first member, in sparse form
  std::vector<std::uint64_t> members_;  // by class
  std::vector<Example> examples_;
  std::uint64_t graphs_ = 0;
};

}  // namespace leman::wl
