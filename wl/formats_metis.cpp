#include <algorithm>
#include <optional>

#include "wl/document.hpp"
#include "wl/formats_sparse.hpp"
#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

struct Header {  // n m [fmt [ncon]]
  std::uint64_t nodes = 0, edges = 0;
  bool sizes = false, edge_weights = false;
  std::uint64_t node_weights = 0;  // how many of each node
};

bool is_comment(std::string_view line) { return line.starts_with('%'); }

Header read_header(const Fields& fields) {
  if (fields.size() < 2 || fields.size() > 4) throw LineError{1, "a METIS file begins: NODES EDGES [FMT [NCON]]"};
  Header header{.nodes = fields.number(0, 0, kMaxOrder, "number of nodes"),
                .edges = fields.number(1, 0, UINT32_MAX, "number of edges")};
  const std::string flags = fields.size() < 3 ? "000" : "000" + std::string(fields[2]);
  if (fields.size() > 2 && (fields[2].size() > 3 || fields[2].find_first_not_of("01") != std::string_view::npos))
    throw LineError{fields.column(2),
                    fields.quoted(2) + " is not three digits 0 or 1: sizes, node weights, edge weights"};
  const std::string last = flags.substr(flags.size() - 3);
  header.sizes = last[0] == '1';
  header.edge_weights = last[2] == '1';
  header.node_weights = last[1] == '0' ? 0 : fields.size() < 4 ? 1 : fields.number(3, 1, 1000, "number of weights");
  return header;
}

// Where neighbours begin in the line of a node.
std::size_t first_neighbor(const Header& header) { return header.sizes + header.node_weights; }

void demand_fields(const Header& header, const Fields& fields) {
  const std::size_t first = first_neighbor(header);
  if (fields.size() < first)
    throw LineError{1, "a node has " + std::to_string(first) + " sizes and weights, this line has " +
                           std::to_string(fields.size()) + " fields"};
  if (header.edge_weights && (fields.size() - first) % 2 != 0)
    throw LineError{fields.column(fields.size() - 1), "a neighbour without a weight"};
}

// What edge lists cannot be: every line a node's neighbours, so far as can be seen each of them mutual.
class Shape {
 public:
  // False: it is no METIS file.
  bool add(const Fields& fields) {
    if (!header_) {
      header_ = read_header(fields);
      return header_->nodes > 0 && header_->edges > 0;
    }
    demand_fields(*header_, fields);
    const std::uint64_t node = rows_.size() + 1;
    if (node > header_->nodes) return fields.empty();
    rows_.emplace_back();
    for (std::size_t i = first_neighbor(*header_); i < fields.size(); i += 1 + header_->edge_weights) {
      const std::uint64_t other = fields.number(i, 1, header_->nodes, "node");
      if (other == node) return false;
      rows_.back().push_back(other);
    }
    arcs_ += rows_.back().size();
    odd_ = odd_ || fields.size() < 2 || fields.size() > 3;
    return arcs_ <= 2 * header_->edges;
  }

  bool fits(bool whole) {
    if (!header_ || rows_.empty()) return false;
    if (whole && (rows_.size() != header_->nodes || arcs_ != 2 * header_->edges)) return false;
    std::size_t mutual = 0;
    for (auto& row : rows_) std::sort(row.begin(), row.end());
    for (std::uint64_t u = 1; u <= rows_.size(); ++u)
      for (const std::uint64_t v : rows_[u - 1]) {
        if (v > rows_.size()) continue;
        if (!std::binary_search(rows_[v - 1].begin(), rows_[v - 1].end(), u)) return false;
        ++mutual;
      }
    return whole || odd_ || mutual > rows_.size();
  }

 private:
  std::optional<Header> header_;
  std::vector<std::vector<std::uint64_t>> rows_;
  std::uint64_t arcs_ = 0;
  bool odd_ = false;  // a line is too short or too long for an edge list
};

class Parser {
 public:
  explicit Parser(Document& document) : document_(document), lines_(document.text()) {}

  void run() {
    try {
      if (!next_line(true)) return;
      document_.begin(lines_.at());
      header_ = read_header(fields_);
      check_order(header_.nodes, document_.text().size(), 1, document_.options());
      document_.set_order(static_cast<Node>(header_.nodes), 1);
      document_.set_directed(false);
      for (Node v = 0; v < header_.nodes && next_line(false); ++v) read_node(v);
      if (next_line(true)) throw LineError{1, "a line behind those of the " + std::to_string(header_.nodes) + " nodes"};
    } catch (const LineError& e) {
      document_.fail(lines_.at() + std::max<std::uint64_t>(e.column, 1) - 1, e.reason);
    }
    keep_one_of_each();
    document_.end(false);
  }

 private:
  bool next_line(bool skip_blank) {
    for (std::string_view line; lines_.next(line);) {
      fields_.cut(line);
      if (!is_comment(line) && !(skip_blank && fields_.empty())) return true;
    }
    return false;
  }

  void read_node(Node v) {
    demand_fields(header_, fields_);
    if (header_.sizes && document_.node_color().take("size")) set_color(v, Value::parsed(fields_[0]));
    if (header_.node_weights > 0 && document_.node_color().take("weight")) set_color(v, weight());
    for (std::size_t i = first_neighbor(header_); i < fields_.size(); i += 1 + header_.edge_weights) {
      const auto to = static_cast<Node>(fields_.number(i, 1, header_.nodes, "node") - 1);
      std::uint32_t color = 0;
      if (header_.edge_weights && document_.edge_color().take("weight"))
        color = document_.edge_color().number(Value::parsed(fields_[i + 1]));
      document_.add_edge(v, to, lines_.at(), color);
    }
  }

  void set_color(Node v, const Value& value) { document_.set_color(v, document_.node_color().number(value)); }

  Value weight() const {  // of a node; several are one text
    std::string text;
    for (std::size_t i = 0; i < header_.node_weights; ++i)
      text += (i == 0 ? "" : " ") + std::string(fields_[header_.sizes + i]);
    return Value::parsed(text);
  }

  // Each edge stands with both of its nodes.
  void keep_one_of_each() {
    auto& edges = document_.edges();
    if (edges.size() != 2 * header_.edges && !document_.options().simplify)
      document_.bad_graph(0, "the first line says " + std::to_string(header_.edges) +
                                 " edges, the lines of nodes have " + std::to_string(edges.size()) +
                                 " ends, not twice as many");
    std::vector<Edge> back;
    for (const Edge& e : edges) back.push_back({e.v, e.u, e.color});
    std::vector<Edge> forth = edges;
    std::sort(back.begin(), back.end());
    std::sort(forth.begin(), forth.end());
    const auto [one, other] = std::mismatch(forth.begin(), forth.end(), back.begin());
    if (one != forth.end()) {
      const Edge& e = std::min(*one, *other);
      document_.bad_graph(0, "node " + std::to_string(e.u + 1) + " and node " + std::to_string(e.v + 1) +
                                 " are not neighbours of each other, with the same weight");
    }
    document_.keep_edges([](const Edge& e) { return e.u <= e.v; });
  }

  Document& document_;
  TextLines lines_;
  Fields fields_;
  Header header_;
};

void parse(Document& document) { Parser(document).run(); }

}  // namespace

bool is_metis(const Opening& opening) {
  Shape shape;
  TextLines lines(opening.text);
  Fields fields;
  try {
    bool begun = false;
    for (std::string_view line; lines.next(line);) {
      if (!opening.whole && lines.last()) break;  // cut short
      if (is_comment(line) || (!begun && is_blank(line))) continue;
      begun = true;
      fields.cut(line);
      if (!shape.add(fields)) return false;
    }
  } catch (const LineError&) {
    return false;
  }
  return shape.fits(opening.whole);
}

std::unique_ptr<FormatReader> read_metis(LineSource& source, const ReadOptions& options) {
  return read_document(source, options, parse);
}

}  // namespace leman::wl
