// Tests that the field quotes, all of them colour refinement after a
// preparation of the graph.
//
//   s3, s4  initial colour of v: for every connected graph on at most 3 (4) nodes
//           and every orbit of its nodes, how many induced copies have v in it
//   n1, n2  initial colour of v: isomorphism type of the subgraph induced by the
//           nodes within distance 1 (2) of v, v marked
//   m1      one copy of the graph for every node, with that node marked; graphs
//           are compared by the multiset of their copies' histograms. The colour
//           of a node stands for the histograms of its copy up to this round
//   spd     every two nodes are joined, the edge coloured by their distance
//   rd      the same with the resistance distance, compared as exact rationals:
//           R = a / T, T the number of spanning trees, is computed modulo so many
//           primes that two values which agree in all of them are equal
//   1fwl    the same with the atomic type of the two nodes
//
// Graphs are undirected, but for 1fwl and m1. Node colours count, and edge
// colours too, but for spd and rd.
#pragma once

#include <string_view>
#include <vector>

#include "wl/coloring.hpp"

namespace leman::wl {

// An exact value, compared in full.
using Value = std::vector<std::uint64_t>;

std::vector<Value> subgraph_counts(const Graph& graph, int size);        // one a node
std::vector<Value> ego_types(const Graph& graph, std::uint32_t radius);  // one a node
std::vector<Value> distance_values(const Graph& graph);                  // one a pair, row-major
std::vector<Value> atomic_values(const Graph& graph);                    // one a pair, row-major
// Residues of all resistance distances of several graphs, one vector a graph.
std::vector<std::vector<Value>> resistance_values(std::span<const Graph* const> graphs);
std::uint64_t resistance_bytes(std::span<const Graph* const> graphs);  // of residues, a pair

// Colour refinement from initial values of nodes, or with values of pairs.
RunResult refine_from_values(std::span<const Graph* const> graphs, const std::vector<std::vector<Value>>& nodes,
                             const RunOptions& options);
RunResult refine_with_pairs(std::span<const Graph* const> graphs, const std::vector<std::vector<Value>>& pairs,
                            const RunOptions& options);
RunResult refine_marked(std::span<const Graph* const> graphs, const RunOptions& options);

// Throws MemoryError if a value of so many bytes for every pair of nodes, as spd,
// rd and 1fwl make before refinement starts, does not fit.
void demand_matrices(std::span<const Graph* const> graphs, std::uint64_t bytes_a_pair, const RunOptions& options);

}  // namespace leman::wl
