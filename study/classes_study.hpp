// The classes of a stream of graphs under several engines: counted in the memory of the classes, and
// where rows or pairs are asked for, kept by graph.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "study/class_pairs.hpp"
#include "study/observer.hpp"
#include "wl/formats.hpp"

namespace leman::study {

// The number of a graph is its place in the stream, counted from 1 as in FILE#3, on through all
// files; a bad graph that is skipped keeps its number.
using ClassRow = std::span<const wl::ClassId>;  // the class under every engine

struct ClassesStudy {
  std::vector<const wl::Engine*> engines;  // each once, those of the question among them
  std::vector<std::string> inputs;         // files; "-": standard input
  wl::ReadOptions read;
  unsigned threads = 1;
  std::uint64_t memory = 0;  // bytes; 0: what is free
  PairQuestion pairs;
  bool keep_rows = false;  // 4 bytes per graph and engine
  // The graphs as well, to be written in this format; Auto: graph6, sparse6 or digraph6. A graph that
  // the format cannot hold is bad input.
  std::optional<wl::Format> keep_graphs;
  std::function<void(std::uint64_t number, ClassRow)> on_row;  // every graph, as soon as it has its classes
};

struct ClassesResult {
  std::vector<wl::ClassCounter> counters;  // by engine
  PairTally pairs;
  std::uint64_t graphs = 0, skipped = 0;
  bool complete = true;  // false: stopped before the end of the stream
  ClassRows rows;        // if kept; row i is of graph i + 1
  wl::PackedGraphs kept;
};

// The same for any number of threads. Throws MemoryError before what is kept outgrows the memory.
ClassesResult classify(const ClassesStudy& study, const Control& control);

// Visits the pairs of a study that kept its rows: places in rows and kept, from 0.
void for_each_pair(const ClassesStudy& study, const ClassRows& rows,
                   const std::function<bool(std::uint32_t first, std::uint32_t second)>& visit);

}  // namespace leman::study
