// What the formats are made of: what the first bytes of a file tell, what a reader hands over, and how
// errors come back. Internal to wl/formats*.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wl/formats.hpp"

namespace leman::wl {

constexpr std::uint64_t kMaxOrder = 0xFFFFFFFE;

// The first bytes of a source, by which its format is recognised.
struct Opening {
  std::string_view text;
  bool whole = false;                   // there are no others
  std::vector<std::string_view> lines;  // up to four lines behind leading comments; the last may be cut short
  bool directed = false;                // as in ReadOptions
};

// What is wrong with the line that was read last, and at which column (from 1; 0: nowhere in particular).
struct LineError {
  std::uint64_t column;
  std::string reason;
};

// What a file has as a graph, not yet checked, and where it stands.
struct Draft {
  GraphData data;
  std::vector<std::uint64_t> edge_lines;  // the line of each edge, or empty
  std::uint64_t line = 0;                 // where the graph begins; of an array: the how-manieth element
  std::string place;                      // where lines mean nothing: "[7]", behind the name of the file
  std::uint64_t dropped = 0;              // edges that simplify took out while reading
  Node base = 0;                          // the file's number of node 0, where nodes have numbers
  std::vector<std::string> names;         // of the nodes, where they have names

  void clear(bool directed);
  std::string name(Node v) const { return names.empty() ? std::to_string(std::uint64_t{v} + base) : names[v]; }
};

class FormatReader {
 public:
  virtual ~FormatReader() = default;
  // The next graph; false at the end of input. The draft has what the last call left there; clearing it
  // keeps its memory. Throws LineError or InputError if the rest of the graph has yet to be skipped, else
  // GraphError.
  virtual bool next(Draft& draft) = 0;
  virtual void skip_rest() {}  // after LineError and InputError: moves to where the next graph starts
  virtual void reject() {}     // after GraphError, whoever threw it
};

using MakeReader = std::unique_ptr<FormatReader> (*)(LineSource& source, const ReadOptions& options);

template <class Reader>
std::unique_ptr<FormatReader> make_reader(LineSource& source, const ReadOptions& options) {
  return std::make_unique<Reader>(source, options);
}

// Throws LineError if `bytes` of input may not describe a graph of this order.
void check_order(std::uint64_t order, std::uint64_t bytes, std::uint64_t column, const ReadOptions& options,
                 const char* hint = "");
void note(const LineSource& source, const ReadOptions& options, const std::string& what);

}  // namespace leman::wl
