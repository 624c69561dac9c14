#include "wl/formats_text.hpp"

#include <algorithm>
#include <charconv>

namespace leman::wl {

namespace {

constexpr std::uint64_t kMaxId = 0xFFFFFFFD;  // of a node id; an order may be one larger

bool is_separator(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';'; }

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_separator(line[at])) ++at;
    std::size_t begin = at;
    while (at < line.size() && !is_separator(line[at])) ++at;
    if (at > begin) fields.push_back(line.substr(begin, at - begin));
  }
  return fields;
}

std::uint64_t column_of(std::string_view field, std::string_view line) {
  return static_cast<std::uint64_t>(field.data() - line.data()) + 1;
}

// A row of a matrix: separated numbers, or digits without separators.
std::vector<std::string_view> split_row(std::string_view line) {
  auto fields = split(line);
  if (fields.size() != 1 || fields[0].size() == 1) return fields;
  std::string_view digits = fields[0];
  fields.clear();
  for (std::size_t i = 0; i < digits.size(); ++i) fields.push_back(digits.substr(i, 1));
  return fields;
}

}  // namespace

bool is_blank_or_comment(std::string_view line) {
  auto at = line.find_first_not_of(" \t");
  return at == std::string_view::npos || line[at] == '#' || line[at] == '%';
}

// An edge has two or three fields, so a first row of another length belongs to a
// matrix. A block of two or three lines that is symmetric with zero diagonal is a
// matrix too: as edges (though not as arcs), its first two lines would be a loop or
// the same edge twice.
Format detect_text(const std::vector<std::string>& lines, bool directed) {
  auto first = split_row(lines[0]);
  std::size_t k = first.size();
  if (k == 0 || first[0] == "n" || first[0] == "v") return Format::EdgeList;
  if (k != 2 && k != 3) return Format::Matrix;
  if (directed || lines.size() < k || (lines.size() > k && !is_blank_or_comment(lines[k]))) return Format::EdgeList;
  std::vector<std::vector<std::string_view>> rows;
  for (std::size_t i = 0; i < k; ++i) {
    rows.push_back(split_row(lines[i]));
    if (rows.back().size() != k || rows.back()[i] != "0") return Format::EdgeList;
  }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i][j] != rows[j][i]) return Format::EdgeList;
  return Format::Matrix;
}

std::uint64_t GraphReader::number(std::string_view field, std::string_view line, std::uint64_t low, std::uint64_t high,
                                  const char* what) const {
  std::uint64_t value = 0;
  auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  std::string shown(field.substr(0, 40));
  const std::string kind =
      std::string(std::string_view("aeiou").find(what[0]) == std::string_view::npos ? "a " : "an ") + what;
  if (error == std::errc::invalid_argument || end != field.data() + field.size())
    fail(column_of(field, line), "\"" + shown + "\" is not " + kind + " (a whole number)");
  if (error != std::errc() || value < low || value > high)
    fail(column_of(field, line),
         shown + " is out of range for " + kind + " (" + std::to_string(low) + ".." + std::to_string(high) + ")");
  return value;
}

// fields[first], fields[first + 1]: the ends, counted from `base`; then an
// optional colour.
void GraphReader::add_edge(const std::vector<std::string_view>& fields, std::size_t first, std::string_view line,
                           std::uint64_t base) {
  std::size_t count = fields.size() - first;
  if (count < 2 || count > 3)
    fail(1, "an edge is two nodes and an optional colour, this line has " + std::to_string(count) + " fields");
  std::uint64_t top = order_known_ ? data_.order + base : kMaxId + base + 1;
  if (top == base) fail(1, "an edge in a graph without nodes");
  Edge e;
  e.u = static_cast<Node>(number(fields[first], line, base, top - 1, "node") - base);
  e.v = static_cast<Node>(number(fields[first + 1], line, base, top - 1, "node") - base);
  if (e.u == e.v && !options_.simplify)
    fail(column_of(fields[first + 1], line), "node " + std::string(fields[first]) + " joined to itself: a self-loop");
  if (count == 3) e.color = static_cast<Color>(number(fields[first + 2], line, 0, UINT32_MAX, "colour"));
  data_.edges.push_back(e);
  edge_lines_.push_back(source_.line_number());
  if (!order_known_) data_.order = std::max({data_.order, e.u + 1, e.v + 1});
}

void GraphReader::color_node(const std::vector<std::string_view>& fields, std::string_view line, std::uint64_t base) {
  if (fields.size() != 3) fail(1, "a node line is: " + std::string(fields[0]) + " NODE COLOUR");
  std::uint64_t top = order_known_ ? data_.order + base : kMaxId + base + 1;
  if (top == base) fail(1, "a colour in a graph without nodes");
  std::uint64_t node = number(fields[1], line, base, top - 1, "node") - base;
  colored_nodes_.emplace_back(node, static_cast<Color>(number(fields[2], line, 0, UINT32_MAX, "colour")));
  if (!order_known_) data_.order = std::max(data_.order, static_cast<Node>(node + 1));
}

// Called once the order is final: checks that it is in proportion and assigns node colours.
void GraphReader::finish_nodes() {
  check_order(data_.order, 0);
  if (colored_nodes_.empty()) return;
  data_.node_colors.assign(data_.order, 0);
  std::sort(colored_nodes_.begin(), colored_nodes_.end());
  for (std::size_t i = 0; i < colored_nodes_.size(); ++i) {
    auto [node, color] = colored_nodes_[i];
    if (i > 0 && colored_nodes_[i - 1].first == node && colored_nodes_[i - 1].second != color)
      throw GraphError("node " + std::to_string(node + (format_ == Format::Dimacs)) + " is given two colours");
    data_.node_colors[node] = color;
  }
}

void GraphReader::edge_list_header(const std::vector<std::string_view>& fields, std::string_view line) {
  if (fields.size() < 2 || fields.size() > 3) fail(1, "a header is: n NODES [directed|undirected]");
  data_.order = static_cast<Node>(number(fields[1], line, 0, kMaxId + 1, "number of nodes"));
  order_known_ = true;
  if (fields.size() < 3) return;
  if (fields[2] != "directed" && fields[2] != "undirected")
    fail(column_of(fields[2], line), "expected directed or undirected");
  data_.directed = fields[2] == "directed";
}

bool GraphReader::parse_edge_list() {
  bool started = false;
  for (std::string_view line; source_.next(line);) {
    if (is_blank_or_comment(line)) continue;
    auto fields = split(line);
    if (fields.empty()) continue;
    if (started && fields[0] == "n") {
      source_.unread();
      break;
    }
    if (!started) first_line_ = source_.line_number();
    bytes_ += line.size() + 1;
    if (fields[0] == "n")
      edge_list_header(fields, line);
    else if (fields[0] == "v")
      color_node(fields, line, 0);
    else
      add_edge(fields, 0, line, 0);
    started = true;
  }
  if (started) finish_nodes();
  return started;
}

// Returns the number of edges that the line promises.
std::uint64_t GraphReader::dimacs_problem(const std::vector<std::string_view>& fields, std::string_view line) {
  if (fields.size() != 4) fail(1, "a problem line is: p edge NODES EDGES, or p sp NODES ARCS for a directed graph");
  if (fields[1] != "edge" && fields[1] != "col" && fields[1] != "sp")
    fail(column_of(fields[1], line), "\"" + std::string(fields[1].substr(0, 40)) + "\" is not edge, col or sp");
  data_.directed = fields[1] == "sp";
  data_.order = static_cast<Node>(number(fields[2], line, 0, kMaxId + 1, "number of nodes"));
  order_known_ = true;
  return number(fields[3], line, 0, UINT32_MAX, "number of edges");
}

void GraphReader::dimacs_line(const std::vector<std::string_view>& fields, std::string_view line) {
  if (!order_known_) fail(1, "expected a problem line first: p edge NODES EDGES");
  std::string_view edge = data_.directed ? "a" : "e";
  if (fields[0] == "n") return color_node(fields, line, 1);
  if (fields[0] == edge) return add_edge(fields, 1, line, 1);
  fail(1, "\"" + std::string(fields[0].substr(0, 40)) + "\" does not start a line of this graph (c, n or " +
              std::string(edge) + ")");
}

bool GraphReader::parse_dimacs() {
  std::uint64_t promised = 0;
  for (std::string_view line; source_.next(line);) {
    auto fields = split(line);
    if (fields.empty() || fields[0] == "c") continue;
    if (fields[0] == "p" && order_known_) {
      source_.unread();
      break;
    }
    if (first_line_ == 0) first_line_ = source_.line_number();
    bytes_ += line.size() + 1;
    if (fields[0] == "p")
      promised = dimacs_problem(fields, line);
    else
      dimacs_line(fields, line);
  }
  if (!order_known_) return false;
  if (data_.edges.size() != promised && !options_.simplify)
    throw InputError(source_.name(), first_line_, 0,
                     "the problem line says " + std::to_string(promised) + " edges, the graph has " +
                         std::to_string(data_.edges.size()));
  finish_nodes();
  return true;
}

// Entry 0: no edge; c > 0: an edge of colour c - 1.
bool GraphReader::parse_matrix() {
  std::vector<std::vector<Color>> rows;
  for (std::string_view line; rows.empty() || rows.size() < rows[0].size();) {
    bool more = source_.next(line), blank = !more || line.find_first_not_of(" \t") == line.npos;
    if (!rows.empty() && blank) {
      if (more) source_.unread();
      fail(0,
           "the matrix ends after " + std::to_string(rows.size()) + " of " + std::to_string(rows[0].size()) + " rows");
    }
    if (!more) return false;
    if (is_blank_or_comment(line)) continue;
    auto fields = split_row(line);
    if (fields.empty()) continue;
    if (rows.empty()) first_line_ = source_.line_number();
    bytes_ += line.size() + 1;
    rows.emplace_back();
    for (auto field : fields) rows.back().push_back(static_cast<Color>(number(field, line, 0, UINT32_MAX, "entry")));
    if (rows.back().size() != rows[0].size())
      fail(0, "row " + std::to_string(rows.size()) + " has " + std::to_string(fields.size()) +
                  " entries, the first has " + std::to_string(rows[0].size()));
    if (std::size_t i = rows.size() - 1; rows[i][i] != 0) {
      if (!options_.simplify)
        fail(column_of(fields[i], line), "the diagonal entry of node " + std::to_string(i) + " is not 0 (a self-loop)");
      ++dropped_;
    }
    for (std::size_t j = 0; j + 1 < rows.size() && !data_.directed; ++j)
      if (rows.back()[j] != rows[j][rows.size() - 1])
        fail(column_of(fields[j], line), "entries (" + std::to_string(rows.size() - 1) + "," + std::to_string(j) +
                                             ") and (" + std::to_string(j) + "," + std::to_string(rows.size() - 1) +
                                             ") differ: not symmetric (read it as directed?)");
  }
  data_.order = static_cast<Node>(rows.size());
  for (Node v = 0; v < data_.order; ++v)
    for (Node u = 0; u < data_.order; ++u)
      if (u != v && rows[u][v] != 0 && (data_.directed || u < v)) data_.edges.push_back({u, v, rows[u][v] - 1});
  return true;
}

// After an error, moves to where the next graph starts: a header line, or for
// matrices the next blank line. One-line formats are there already.
void GraphReader::skip_rest_of_graph() {
  if (format_ != Format::EdgeList && format_ != Format::Dimacs && format_ != Format::Matrix) return;
  for (std::string_view line; source_.next(line);) {
    if (format_ == Format::Matrix) {
      if (line.find_first_not_of(" \t") == line.npos) return;
      continue;
    }
    auto fields = split(line);
    if (!fields.empty() && fields[0] == (format_ == Format::Dimacs ? "p" : "n")) return source_.unread();
  }
}

void write_edge_list(const Graph& graph, std::string& out) {
  out += "n " + std::to_string(graph.order()) + (graph.directed() ? " directed\n" : "\n");
  for (Node v = 0; v < graph.order(); ++v)
    if (graph.node_color(v) != 0) out += "v " + std::to_string(v) + " " + std::to_string(graph.node_color(v)) + "\n";
  for (const Edge& e : graph.edges()) {
    out += std::to_string(e.u) + " " + std::to_string(e.v);
    if (graph.edge_colored()) out += " " + std::to_string(e.color);
    out += '\n';
  }
}

void write_dimacs(const Graph& graph, std::string& out) {
  out += (graph.directed() ? "p sp " : "p edge ") + std::to_string(graph.order()) + " " + std::to_string(graph.size()) +
         "\n";
  for (Node v = 0; v < graph.order(); ++v)
    if (graph.node_color(v) != 0)
      out += "n " + std::to_string(v + 1) + " " + std::to_string(graph.node_color(v)) + "\n";
  for (const Edge& e : graph.edges()) {
    out += (graph.directed() ? "a " : "e ") + std::to_string(e.u + 1) + " " + std::to_string(e.v + 1);
    if (graph.edge_colored()) out += " " + std::to_string(e.color);
    out += '\n';
  }
}

}  // namespace leman::wl
