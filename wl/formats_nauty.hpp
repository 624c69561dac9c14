// The one-line formats of nauty's formats.txt, one line at a time.
// Internal to wl/formats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "wl/graph.hpp"

namespace leman::wl {

// What is wrong with a line and at which column (from 1).
struct LineError {
  std::uint64_t column;
  std::string reason;
};

// Called with the order that a header declares, before memory is used for it.
using OrderCheck = std::function<void(std::uint64_t order, std::uint64_t column)>;

// Each fills `data` from a whole line; `start` is the first byte after the type
// mark (':', '&', ';'). Throws LineError.
void decode_graph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
void decode_digraph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
void decode_sparse6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
// Incremental sparse6: the edges of `data` become those that are in exactly one
// of `previous` and the line.
void decode_incremental(std::string_view line, std::size_t start, const GraphData& previous, GraphData& data);

void encode_graph6(const Graph& graph, std::string& out);
void encode_sparse6(const Graph& graph, std::string& out);
void encode_digraph6(const Graph& graph, std::string& out);

}  // namespace leman::wl
