// The classes of items that an engine cannot tell apart after t rounds, for every t, and what they
// cost on the labels.
//
// Graphs: two graphs are alike after t rounds if their colour histograms are. Whether they are does
// not depend on the other graphs of a joint run, since a colour stands for a signature and not for a
// number. So the graphs may be run in parts, as long as graphs of different parts are never alike:
// a histogram of n^k tuples tells n, and every engine starts from node colours, so that graphs which
// differ in n or in how often they have a node colour differ at round 0. Engines on pairs and more
// (k > 1) start from atomic types, whose histogram tells how often an edge colour occurs, too. A part
// has the graphs with equal values of these. Counts of classes, pairs and errors are sums over
// classes, and so over parts.
//
// Nodes: two nodes are alike after t rounds if their colours are; for an engine on tuples the colour
// of v is that of (v, v, ...). Nodes of graphs of any orders may be alike, so that all graphs are run
// jointly.
#pragma once

#include <vector>

#include "study/dataset_bounds.hpp"
#include "study/observer.hpp"
#include "wl/engine.hpp"

namespace leman::study {

// By item: the first item of its class.
using Leaders = std::vector<std::uint32_t>;

struct DepthCount {
  std::uint64_t classes = 0;
  std::uint64_t alike = 0;    // pairs of items in one class
  std::uint64_t differ = 0;   // of these: with different labels, for any task
  std::vector<Bound> bounds;  // by task
  DepthCount& operator+=(const DepthCount& other);
};

// What classes are counted against.
struct Counted {
  const Dataset* set = nullptr;
  std::vector<Target> targets;
  std::vector<std::uint32_t> labels;  // by item: equal if and only if the labels of all tasks are

  Counted(const Dataset& data, std::optional<TaskKind> kind);
  DepthCount count(const Leaders& leaders) const;                                        // of all items
  DepthCount count(std::span<const std::uint32_t> items, const Leaders& leaders) const;  // leaders[k] is of items[k]
};

// The depths 0, 1, ... up to the first whose classes no further round splits.
struct EngineClasses {
  std::vector<DepthCount> depths;
  Leaders leaders;     // of the last depth
  double seconds = 0;  // CPU time
};

struct RunLimits {
  unsigned threads = 1;
  std::uint64_t memory = 0;  // bytes; 0: what is free
};

// Thrown where Control says stop; nothing is lost but this engine's classes.
struct Interrupted {};

// Throws MemoryError with the estimate.
EngineClasses engine_classes(const Counted& counted, const wl::Engine& engine, const RunLimits& limits,
                             const Control& control);

// Up to isomorphism: graphs by canonical form; nodes by form and orbit. `known`: classes outside of
// which nothing is isomorphic.
struct IsomorphismClasses {
  Leaders leaders;
  double seconds = 0;  // CPU time
};
IsomorphismClasses isomorphism_classes(const Dataset& set, const Leaders& known, const RunLimits& limits,
                                       const Control& control);

// Items together that are together in both.
Leaders meet(const Leaders& a, const Leaders& b);

}  // namespace leman::study
