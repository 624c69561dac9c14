#include "wl/formats_nauty.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace leman::wl {

namespace {

constexpr unsigned char kBase = 63;  // printable bytes 63..126 carry six bits each
unsigned sextet(std::string_view line, std::size_t at) {
  if (at >= line.size()) throw LineError{at + 1, "the line ends within the number of nodes"};
  auto c = static_cast<unsigned char>(line[at]);
  if (c < kBase || c > 126) throw LineError{at + 1, "byte " + std::to_string(c) + " is outside 63..126"};
  return c - kBase;
}

// N(n): one byte, or ~ and 18 bits, or ~~ and 36 bits. Moves `at` past it.
Node decode_order(std::string_view line, std::size_t& at, const OrderCheck& check) {
  std::size_t begin = at;
  int sextets = 1;
  if (sextet(line, at) == 63) {
    sextets = 3;
    if (sextet(line, ++at) == 63) sextets = 6, ++at;
  }
  std::uint64_t order = 0;
  for (int i = 0; i < sextets; ++i) order = order << 6 | sextet(line, at++);
  if (order > kMaxOrder) throw LineError{begin + 1, std::to_string(order) + " nodes are too many (limit 4294967294)"};
  check(order, begin + 1);
  return static_cast<Node>(order);
}

void demand_length(std::string_view line, std::size_t at, Node order, std::uint64_t bits) {
  std::uint64_t need = (bits + 5) / 6, have = line.size() - at;
  if (need == have) return;
  throw LineError{std::min<std::uint64_t>(line.size(), at + need) + 1,
                  std::to_string(order) + " nodes need " + std::to_string(need) +
                      " bytes behind the header, the line has " + std::to_string(have)};
}

void demand_zero_padding(std::string_view line, std::uint64_t bits) {
  unsigned unused = static_cast<unsigned>((6 - bits % 6) % 6);
  if (unused != 0 && (sextet(line, line.size() - 1) & ((1u << unused) - 1)) != 0)
    throw LineError{line.size(), "the unused bits of the last byte are not zero"};
}

void encode_order(std::uint64_t order, std::string& out) {
  int sextets = order <= 62 ? 1 : order <= 258047 ? 3 : 6;
  if (sextets >= 3) out += '~';
  if (sextets == 6) out += '~';
  for (int i = sextets - 1; i >= 0; --i) out += static_cast<char>(kBase + (order >> (6 * i) & 63));
}

void demand_size(const std::string& format, std::uint64_t order, std::uint64_t bits) {
  if (bits / 6 > std::uint64_t{1} << 31)
    throw GraphError(format + " needs " + std::to_string(bits / 6 >> 30) + " GB for " + std::to_string(order) +
                     " nodes (sparse6, edgelist and dimacs do not)");
}

void set_bit(std::string& out, std::size_t begin, std::uint64_t bit) {
  out[begin + bit / 6] = static_cast<char>(out[begin + bit / 6] + (32 >> (bit % 6)));
}

void reset(GraphData& data, Node order, bool directed) {
  data.order = order;
  data.directed = directed;
  data.edges.clear();
  data.node_colors.clear();
}

// Bits of a sparse6 body, six per byte, most significant first.
class BitReader {
 public:
  BitReader(std::string_view line, std::size_t at) : line_(line), at_(at), left_(6 * (line.size() - at)) {}
  std::uint64_t left() const { return left_; }
  std::uint64_t column() const { return at_ + 1; }
  std::uint64_t take(unsigned count) {
    while (have_ < count) {
      window_ = window_ << 6 | sextet(line_, at_++);
      have_ += 6;
    }
    have_ -= count;
    left_ -= count;
    return window_ >> have_ & ((std::uint64_t{1} << count) - 1);
  }

 private:
  std::string_view line_;
  std::size_t at_;
  std::uint64_t left_;
  std::uint64_t window_ = 0;
  unsigned have_ = 0;
};

unsigned bits_for(Node order) { return order <= 1 ? 0 : static_cast<unsigned>(std::bit_width(order - 1)); }

// The body of sparse6: pairs (b, x) move a current node v and emit edges xv.
// The end is padded with ones, so a step past the last node ends the graph. The
// rest must be padding: less than a byte of ones.
void decode_sparse_body(std::string_view line, std::size_t at, GraphData& data) {
  unsigned width = bits_for(data.order);
  BitReader bits(line, at);
  std::uint64_t v = 0;
  while (bits.left() >= width + 1) {
    std::uint64_t left = bits.left(), column = bits.column();
    bool step = bits.take(1) != 0;
    std::uint64_t x = bits.take(width);
    if (step) ++v;
    bool past = v >= data.order || (x > v && x >= data.order);
    if (past) {
      bool ones = step && x == (std::uint64_t{1} << width) - 1;
      if (left >= 6 || !ones) throw LineError{column, "an edge names a node past the last one"};
      break;
    }
    if (x > v)
      v = x;
    else
      data.edges.push_back({static_cast<Node>(x), static_cast<Node>(v)});
  }
  while (bits.left() > 0) bits.take(1);  // padding must still be printable
}

// (larger end, smaller end), the order in which sparse6 lists edges.
bool column_order(const Edge& a, const Edge& b) { return std::pair(a.v, a.u) < std::pair(b.v, b.u); }

class BitWriter {
 public:
  explicit BitWriter(std::string& out) : out_(out) {}
  void put(std::uint64_t value, unsigned count) {
    for (unsigned i = count; i-- > 0;) {
      window_ = window_ << 1 | (value >> i & 1);
      if (++have_ == 6) flush();
    }
  }
  unsigned open() const { return have_ == 0 ? 0 : 6 - have_; }  // bits missing in the last byte

 private:
  void flush() {
    out_ += static_cast<char>(kBase + window_);
    window_ = have_ = 0;
  }
  std::string& out_;
  unsigned window_ = 0;
  unsigned have_ = 0;
};

}  // namespace

Format nauty_format(std::string_view line, std::size_t& at) {
  constexpr std::array<std::pair<std::string_view, Format>, 3> headers{
      {{">>graph6<<", Format::Graph6}, {">>sparse6<<", Format::Sparse6}, {">>digraph6<<", Format::Digraph6}}};
  for (auto [text, format] : headers)
    if (line.starts_with(text)) at = text.size();
  if (at >= line.size()) return Format::Graph6;
  if (line[at] == ':' || line[at] == ';') return Format::Sparse6;
  return line[at] == '&' ? Format::Digraph6 : Format::Graph6;
}

void decode_nauty(std::string_view line, const OrderCheck& check, GraphData& data) {
  std::size_t at = 0;
  const Format format = nauty_format(line, at);
  try {
    if (format == Format::Sparse6)
      decode_sparse6(line, at + 1, check, data);
    else if (format == Format::Digraph6)
      decode_digraph6(line, at + 1, check, data);
    else
      decode_graph6(line, at, check, data);
  } catch (const LineError& e) {
    throw LineError{e.column, std::string(info(format).name) + ": " + e.reason};
  }
}

void decode_graph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data) {
  std::size_t at = start;
  reset(data, decode_order(line, at, check), false);
  std::uint64_t n = data.order, bits = n * (n - (n > 0)) / 2;
  demand_length(line, at, data.order, bits);
  Node u = 0, v = 1;
  for (; at < line.size(); ++at) {
    unsigned six = sextet(line, at);
    Node done = 0;  // bits of this byte already consumed; u runs past its column and is folded when needed
    for (; six != 0; ++done, ++u) {
      Node skip = static_cast<Node>(std::countl_zero(six << 26)) - done;
      u += skip, done += skip;
      while (u >= v) u -= v++;
      six &= ~(32u >> done);
      if (v < n) data.edges.push_back({u, v});
    }
    u += 6 - done;
  }
  demand_zero_padding(line, bits);
}

void decode_digraph6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data) {
  std::size_t at = start;
  reset(data, decode_order(line, at, check), true);
  std::uint64_t bits = std::uint64_t{data.order} * data.order;
  demand_length(line, at, data.order, bits);
  Node u = 0, v = 0;
  for (; at < line.size(); ++at) {
    unsigned six = sextet(line, at);
    for (unsigned mask = 32; mask != 0; mask >>= 1) {
      if (six & mask && u < data.order) data.edges.push_back({u, v});
      if (++v == data.order) v = 0, ++u;
    }
  }
  demand_zero_padding(line, bits);
}

void decode_sparse6(std::string_view line, std::size_t start, const OrderCheck& check, GraphData& data) {
  std::size_t at = start;
  reset(data, decode_order(line, at, check), false);
  decode_sparse_body(line, at, data);
}

void decode_incremental(std::string_view line, std::size_t start, const GraphData& previous, GraphData& data) {
  reset(data, previous.order, false);
  decode_sparse_body(line, start, data);
  std::vector<Edge> change = std::move(data.edges), old = previous.edges;
  std::sort(change.begin(), change.end(), column_order);
  std::sort(old.begin(), old.end(), column_order);
  data.edges.clear();
  std::set_symmetric_difference(old.begin(), old.end(), change.begin(), change.end(), std::back_inserter(data.edges),
                                column_order);
}

void write_graph6(const Graph& graph, std::string& out) {
  std::uint64_t n = graph.order();
  demand_size("graph6", n, n * n / 2);
  encode_order(n, out);
  std::size_t begin = out.size();
  out.resize(begin + (n * (n - (n > 0)) / 2 + 5) / 6, kBase);
  for (Node v = 1; v < n; ++v)
    for (Node u : graph.neighbors(v)) {
      if (u > v) break;
      set_bit(out, begin, std::uint64_t{v} * (v - 1) / 2 + u);
    }
  out += '\n';
}

void write_digraph6(const Graph& graph, std::string& out) {
  std::uint64_t n = graph.order();
  demand_size("digraph6", n, n * n);
  out += '&';
  encode_order(n, out);
  std::size_t begin = out.size();
  out.resize(begin + (n * n + 5) / 6, kBase);
  for (Node u = 0; u < n; ++u)
    for (Node v : graph.neighbors(u)) set_bit(out, begin, u * n + v);
  out += '\n';
}

void write_sparse6(const Graph& graph, std::string& out) {
  Node n = graph.order();
  unsigned width = bits_for(n);
  out += ':';
  encode_order(n, out);
  BitWriter bits(out);
  Node current = 0;
  for (Node v = 0; v < n; ++v)
    for (Node u : graph.neighbors(v)) {
      if (u > v) break;
      if (v == current) {
        bits.put(0, 1);
      } else {
        bits.put(1, 1);
        if (v > current + 1) bits.put(v, width), bits.put(0, 1);
        current = v;
      }
      bits.put(u, width);
    }
  // If n is a power of two, the current node is n-2 and a whole group fits, ones
  // would read as an edge at node n-1. formats.txt puts a zero first.
  if (bits.open() > width && n >= 2 && current == n - 2 && n == Node{1} << width) bits.put(0, 1);
  while (bits.open() > 0) bits.put(1, 1);
  out += '\n';
}

}  // namespace leman::wl
