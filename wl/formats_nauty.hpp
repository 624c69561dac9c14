// The one-line formats of nauty's formats.txt: one line at a time, as a stream of lines, and as the
// strings of a NumPy array. Internal to wl/formats.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "wl/format_reader.hpp"

namespace leman::wl {

std::unique_ptr<FormatReader> read_nauty(LineSource& source, const ReadOptions& options);
void write_graph6(const Graph& graph, std::string& out);
void write_sparse6(const Graph& graph, std::string& out);
void write_digraph6(const Graph& graph, std::string& out);
bool is_npy(const Opening& opening);
std::unique_ptr<FormatReader> read_npy(LineSource& source, const ReadOptions& options);

// Called with the order that a header declares, before memory is used for it.
using OrderCheck = std::function<void(std::uint64_t order, std::uint64_t column)>;

// The format of a line by its type mark, after an optional >>header<<. Moves `at` past the header.
Format nauty_format(std::string_view line, std::size_t& at);
// A whole line of any of the three formats; the column in a LineError counts from its first byte.
void decode_nauty(std::string_view line, const OrderCheck& check, GraphData& data);

// Each fills `data` from a whole line; `start` is the first byte after the type
// mark (':', '&', ';'). Throws LineError.
void decode_graph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
void decode_digraph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
void decode_sparse6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data);
// Incremental sparse6: the edges of `data` become those that are in exactly one
// of `previous` and the line.
void decode_incremental(std::string_view line, std::size_t start, const GraphData& previous, GraphData& data);

}  // namespace leman::wl
