// The pairs of graphs that one engine confuses and another one separates, from the classes alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "wl/classes.hpp"

namespace leman::study {

// Which pairs: those in one class of `confused` and in two of `separated`. No `separated`: all in one
// class of `confused`.
struct PairQuestion {
  const wl::Engine* confused = nullptr;  // none: no pairs are asked for
  const wl::Engine* separated = nullptr;
};

// By place in the stream, the class under every engine; kNoClass where a bad graph was skipped.
struct ClassRows {
  std::size_t engines = 0;
  std::vector<wl::ClassId> ids;  // row by row

  std::size_t size() const { return engines ? ids.size() / engines : 0; }
  std::span<const wl::ClassId> row(std::size_t i) const { return std::span(ids).subspan(i * engines, engines); }
};

// Counts pairs as graphs come, in the memory of one entry per pair of classes that meet.
class PairTally {
 public:
  struct Example {
    std::uint64_t first, second;  // numbers of the graphs
    wl::Graph first_graph, second_graph;
  };

  // The next graph and its class under the second engine, or kNoClass if there is none; `confused` has
  // counted the graph.
  void add(std::uint64_t number, wl::ClassId c, wl::ClassId separated, const wl::Graph& graph,
           const wl::ClassCounter& confused);
  std::uint64_t count() const { return count_; }
  const std::vector<Example>& examples() const { return examples_; }  // at most ten
  std::uint64_t bytes() const;                                        // of memory, about

 private:
  struct Class {
    std::uint64_t first = 0, members = 0;
  };
  std::vector<Class> confused_;
  std::unordered_map<std::uint64_t, std::uint64_t> both_;  // members, by (confused, separated)
  std::vector<Example> examples_;
  std::uint64_t count_ = 0;
};

// Lists pairs, in the memory of four bytes per graph.
class ConfusedPairs {
 public:
  // Columns of `rows`. No `separated`: -1.
  ConfusedPairs(const ClassRows& rows, int confused, int separated);

  // The places of both graphs, first < second: in ascending order of the first, then of the second.
  // Ends when `visit` returns false.
  void for_each(const std::function<bool(std::uint32_t first, std::uint32_t second)>& visit) const;

 private:
  using Places = std::span<const std::uint32_t>;
  wl::ClassId confused(std::uint32_t i) const { return rows_.row(i)[static_cast<std::size_t>(confused_)]; }
  wl::ClassId separated(std::uint32_t i) const {
    return separated_ < 0 ? i : rows_.row(i)[static_cast<std::size_t>(separated_)];
  }
  Places class_of(std::uint32_t i) const;
  void partners(std::uint32_t i, std::vector<std::uint32_t>& found) const;

  const ClassRows& rows_;
  int confused_, separated_;
  std::vector<std::uint32_t> places_;  // class by class of `confused`, within it by class of `separated`, ascending
  std::vector<std::uint32_t> start_;   // by class of `confused`: where in places_; and the end
};

// Graphs that share a class with another under some engine, by place.
std::vector<bool> sharing(const ClassRows& rows);

}  // namespace leman::study
