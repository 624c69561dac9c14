#include "wl/formats_text.hpp"

#include <algorithm>

#include "wl/text_fields.hpp"

namespace leman::wl {

namespace {

class DimacsReader : public FormatReader {
 public:
  DimacsReader(LineSource& source, const ReadOptions& options) : source_(source), options_(options) {}

  bool next(Draft& draft) override {
    draft.clear(options_.directed);
    problem_ = false;
    std::uint64_t bytes = 0;
    draft.base = 1;
    colored_.clear();
    for (std::string_view line; source_.next(line);) {
      fields_.cut(line);
      if (fields_.empty() || fields_[0] == "c") continue;
      if (fields_[0] == "p" && problem_) {
        source_.unread();
        break;
      }
      if (draft.line == 0) draft.line = source_.line_number();
      bytes += line.size() + 1;
      if (fields_[0] == "p")
        problem(draft);
      else
        read_line(draft);
    }
    if (problem_) finish(draft, bytes);
    return problem_;
  }

  void skip_rest() override {
    for (std::string_view line; source_.next(line);) {
      fields_.cut(line);
      if (!fields_.empty() && fields_[0] == "p") return source_.unread();
    }
  }

 private:
  void problem(Draft& draft) {
    if (fields_.size() != 4)
      throw LineError{1, "a problem line is: p edge NODES EDGES, or p sp NODES ARCS for a directed graph"};
    if (fields_[1] != "edge" && fields_[1] != "col" && fields_[1] != "sp")
      throw LineError{fields_.column(1), fields_.quoted(1) + " is not edge, col or sp"};
    draft.data.directed = fields_[1] == "sp";
    draft.data.order = static_cast<Node>(fields_.number(2, 0, kMaxOrder, "number of nodes"));
    promised_ = fields_.number(3, 0, UINT32_MAX, "number of edges");
    problem_ = true;
  }

  void read_line(Draft& draft) {
    if (!problem_) throw LineError{1, "expected a problem line first: p edge NODES EDGES"};
    const std::string_view edge = draft.data.directed ? "a" : "e";
    if (fields_[0] == "n") return read_node(draft);
    if (fields_[0] == edge) return read_edge(draft);
    throw LineError{1, fields_.quoted(0) + " does not start a line of this graph (c, n or " + std::string(edge) + ")"};
  }

  Node node(std::size_t i, const Draft& draft, const char* what) const {
    if (draft.data.order == 0) throw LineError{1, std::string(what) + " in a graph without nodes"};
    return static_cast<Node>(fields_.number(i, 1, draft.data.order, "node") - 1);
  }

  void read_node(const Draft& draft) {
    if (fields_.size() != 3) throw LineError{1, "a node line is: n NODE COLOUR"};
    colored_.emplace_back(node(1, draft, "a colour"), fields_.color(2));
  }

  void read_edge(Draft& draft) {
    if (fields_.size() < 3 || fields_.size() > 4)
      throw LineError{1, "an edge is two nodes and an optional colour, this line has " +
                             std::to_string(fields_.size() - 1) + " fields"};
    Edge e{node(1, draft, "an edge"), node(2, draft, "an edge")};
    if (e.u == e.v && !options_.simplify)
      throw LineError{fields_.column(2),
                      "node " + draft.name(e.u) + " joined to itself: a self-loop (--simplify drops it)"};
    if (fields_.size() == 4) e.color = fields_.color(3);
    draft.data.edges.push_back(e);
    draft.edge_lines.push_back(source_.line_number());
  }

  void finish(Draft& draft, std::uint64_t bytes) {
    if (draft.data.edges.size() != promised_ && !options_.simplify)
      throw InputError(source_.name(), draft.line, 0,
                       "the problem line says " + std::to_string(promised_) + " edges, the graph has " +
                           std::to_string(draft.data.edges.size()));
    check_order(draft.data.order, bytes, 0, options_);
    if (colored_.empty()) return;
    draft.data.node_colors.assign(draft.data.order, 0);
    std::sort(colored_.begin(), colored_.end());
    for (std::size_t i = 0; i < colored_.size(); ++i) {
      if (i > 0 && colored_[i - 1].first == colored_[i].first && colored_[i - 1].second != colored_[i].second)
        throw GraphError("node " + draft.name(colored_[i].first) + " is given two colours");
      draft.data.node_colors[colored_[i].first] = colored_[i].second;
    }
  }

  LineSource& source_;
  const ReadOptions& options_;
  Fields fields_;
  std::vector<std::pair<Node, Color>> colored_;  // node lines
  bool problem_ = false;                         // the problem line has been read
  std::uint64_t promised_ = 0;                   // edges
};

// A row of a matrix: separated numbers, or digits without separators.
void cut_row(std::string_view line, Fields& fields) {
  fields.cut(line);
  if (fields.size() != 1 || fields[0].size() == 1) return;
  const std::string_view digits = fields[0];
  fields.list.clear();
  for (std::size_t i = 0; i < digits.size(); ++i) fields.list.push_back(digits.substr(i, 1));
}

// Entry 0: no edge; c > 0: an edge of colour c - 1.
class MatrixReader : public FormatReader {
 public:
  MatrixReader(LineSource& source, const ReadOptions& options) : source_(source), options_(options) {}

  bool next(Draft& draft) override {
    draft.clear(options_.directed);
    rows_.clear();
    for (std::string_view line; rows_.empty() || rows_.size() < rows_[0].size();) {
      bool more = source_.next(line), blank = !more || line.find_first_not_of(" \t") == line.npos;
      if (!rows_.empty() && blank) {
        if (more) source_.unread();
        throw LineError{0, "the matrix ends after " + std::to_string(rows_.size()) + " of " +
                               std::to_string(rows_[0].size()) + " rows"};
      }
      if (!more) return false;
      if (is_blank_or_comment(line)) continue;
      cut_row(line, fields_);
      if (fields_.empty()) continue;
      if (rows_.empty()) draft.line = source_.line_number();
      read_row(draft);
    }
    take_edges(draft.data);
    return true;
  }

  void skip_rest() override {
    for (std::string_view line; source_.next(line);)
      if (line.find_first_not_of(" \t") == line.npos) return;
  }

 private:
  void read_row(Draft& draft) {
    const std::size_t i = rows_.size();
    rows_.emplace_back();
    for (std::size_t j = 0; j < fields_.size(); ++j) rows_.back().push_back(fields_.color(j, "entry"));
    if (rows_[i].size() != rows_[0].size())
      throw LineError{0, "row " + std::to_string(i + 1) + " has " + std::to_string(fields_.size()) +
                             " entries, the first has " + std::to_string(rows_[0].size())};
    if (rows_[i][i] != 0) {
      if (!options_.simplify)
        throw LineError{fields_.column(i), "the diagonal entry of node " + std::to_string(i) +
                                               " is not 0 (a self-loop; --simplify drops it)"};
      ++draft.dropped;
    }
    for (std::size_t j = 0; j < i && !draft.data.directed; ++j)
      if (rows_[i][j] != rows_[j][i]) {
        const std::string row = std::to_string(i), column = std::to_string(j);
        throw LineError{fields_.column(j), "entries (" + row + "," + column + ") and (" + column + "," + row +
                                               ") differ: not symmetric (--directed reads arcs)"};
      }
  }

  void take_edges(GraphData& data) const {
    data.order = static_cast<Node>(rows_.size());
    for (Node v = 0; v < data.order; ++v)
      for (Node u = 0; u < data.order; ++u)
        if (u != v && rows_[u][v] != 0 && (data.directed || u < v)) data.edges.push_back({u, v, rows_[u][v] - 1});
  }

  LineSource& source_;
  const ReadOptions& options_;
  Fields fields_;
  std::vector<std::vector<Color>> rows_;
};

}  // namespace

// A problem line, or a comment with a problem line in sight.
bool is_dimacs(const Opening& opening) {
  if (opening.lines.empty()) return false;
  const auto first = split_fields(opening.lines[0]);
  if (first.empty()) return false;
  if (first[0] == "p") return first.size() != 2;
  return first[0] == "c" && (first.size() != 2 || opening.text.find("\np ") != opening.text.npos);
}

// An edge has two or three fields, so a first row of another length belongs to a
// matrix. A block of two or three lines that is symmetric with zero diagonal is a
// matrix too: as edges (though not as arcs), its first two lines would be a loop or
// the same edge twice.
bool is_matrix(const Opening& opening) {
  if (opening.lines.empty()) return false;
  const auto& lines = opening.lines;
  std::vector<Fields> rows(1);
  cut_row(lines[0], rows[0]);
  const std::size_t k = rows[0].size();
  if (k == 0 || is_word(lines[0]) || rows[0][0] == "n" || rows[0][0] == "v") return false;
  if (k != 2 && k != 3) return true;
  if (opening.directed || lines.size() < k || (lines.size() > k && !is_blank_or_comment(lines[k]))) return false;
  rows.resize(k);
  for (std::size_t i = 0; i < k; ++i) {
    cut_row(lines[i], rows[i]);
    if (rows[i].size() != k || rows[i][i] != "0") return false;
  }
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (rows[i][j] != rows[j][i]) return false;
  return true;
}

std::unique_ptr<FormatReader> read_dimacs(LineSource& source, const ReadOptions& options) {
  return make_reader<DimacsReader>(source, options);
}

std::unique_ptr<FormatReader> read_matrix(LineSource& source, const ReadOptions& options) {
  return make_reader<MatrixReader>(source, options);
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
