#include "wl/document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace leman::wl {

namespace {

constexpr double kExact = 9007199254740992;  // 2^53: beyond it, doubles skip whole numbers

constexpr Edge kNoEdge{UINT32_MAX, UINT32_MAX, 0};  // of no graph

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto from = text.find_first_not_of(kSpace);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(kSpace) - from + 1);
}

}  // namespace

Value Value::parsed(std::string_view text) {
  text = trimmed(text);
  double number = 0;
  const std::string_view digits = text.substr(text.starts_with('-'));
  const bool padded = digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (padded || error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
    return {.is_text = true, .text = std::string(text)};
  if (std::abs(number) < kExact) return {.number = number + 0.0, .text = {}};
  return {.number = number, .text = std::string(text)};
}

Value Value::quoted(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-'));
  const bool whole =
      !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos && (digits[0] != '0' || text == "0");
  return whole ? parsed(text) : Value{.is_text = true, .text = std::string(text)};
}

bool ColorAttribute::take(std::string_view name) {
  constexpr std::size_t kNames = 8, kLength = 40;
  if (names_.size() < kNames && name.size() <= kLength && names_.find(name) == names_.end()) names_.emplace(name);
  return !wanted_.empty() && name == wanted_;
}

std::uint32_t ColorAttribute::number(const Value& value) {
  return values_.try_emplace(value, static_cast<std::uint32_t>(values_.size() + 1)).first->second;
}

bool ColorAttribute::all_small() const {
  return std::all_of(values_.begin(), values_.end(), [](const auto& entry) {
    const Value& value = entry.first;
    return !value.is_text && value.number >= 0 && value.number <= UINT32_MAX &&
           value.number == std::floor(value.number);
  });
}

void ColorAttribute::finish() {
  colors_.resize(values_.size());
  numbered_ = !all_small();
  Color next = 1;
  for (const auto& [value, number] : values_)
    colors_[number - 1] = numbered_ ? next++ : static_cast<Color>(value.number);
}

std::string ColorAttribute::remark() const {
  const std::string option = "--" + what_ + "-color";
  const std::vector<std::string> names(names_.begin(), names_.end());
  if (wanted_.empty() && names_.count("color"))
    return what_ + "s have an attribute \"color\", which is ignored; " + option + " color makes it their colour";
  if (!wanted_.empty() && values_.empty())
    return "no " + what_ + " has an attribute \"" + wanted_ + "\"" +
           (names.empty() ? "" : did_you_mean(wanted_, names) + "; there are: " + join(names));
  if (numbered_)
    return "the " + what_ + " attribute \"" + wanted_ + "\" has values that are not whole numbers: colours 1.." +
           std::to_string(values_.size()) + " are its values in ascending order, in this file";
  return "";
}

Document::Document(LineSource& source, const ReadOptions& options)
    : source_(source),
      options_(options),
      text_(source.rest()),
      node_color_("node", options.node_color),
      edge_color_("edge", options.edge_color) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
}

// Counts from the last position, forwards or backwards, so that many errors in a long file cost no more
// than the file.
std::uint64_t Document::line_of(std::size_t at) {
  at = std::min(at, text_.size());
  const bool back = at < seen_;
  const std::string_view between = text_.substr(std::min(at, seen_), back ? seen_ - at : at - seen_);
  const auto newlines = static_cast<std::uint64_t>(std::count(between.begin(), between.end(), '\n'));
  lines_ = back ? lines_ - newlines : lines_ + newlines;
  if (newlines > 0) {
    const auto newline = at == 0 ? text_.npos : text_.rfind('\n', at - 1);
    line_start_ = newline == text_.npos ? 0 : newline + 1;
  }
  seen_ = at;
  return lines_;
}

InputError Document::error(std::size_t at, const std::string& reason) {
  const std::uint64_t line = line_of(at);
  return {file(), line, seen_ - line_start_ + 1, reason};
}

void Document::fail(std::size_t at, const std::string& reason) { throw error(at, reason); }

void Document::bad_graph(std::size_t at, const std::string& reason) {
  if (!graph_->error) graph_->error = error(at, reason);
}

void Document::begin(std::size_t at) {
  graph_.emplace();
  graph_->data.directed = options_.directed;
  graph_->line = line_of(at);
}

void Document::set_order(Node order, Node base) {
  graph_->data.order = order;
  graph_->base = base;
}

Node Document::mention(std::string_view name, std::size_t at) {
  if (const auto it = by_name_.find(name); it != by_name_.end()) return it->second;
  const auto node = static_cast<Node>(nodes_.size());
  if (node == kMaxOrder) fail(at, "more than 4294967294 nodes");
  nodes_.push_back({&by_name_.emplace(name, node).first->first, at, false});
  return node;
}

Node Document::declare(std::string_view name, std::size_t at) {
  const Node node = mention(name, at);
  if (nodes_[node].declared) bad_graph(at, "node " + *nodes_[node].name + " is there twice");
  nodes_[node].declared = true;
  if (nodes_[node].at < at) nodes_[node].at = at;
  return node;
}

void Document::set_color(Node node, std::uint32_t color) {
  auto& colors = graph_->data.node_colors;
  if (colors.size() <= node) colors.resize(std::max<std::size_t>(node + std::size_t{1}, nodes_.size()));
  colors[node] = color;
}

void Document::add_edge(Node u, Node v, std::size_t at, std::uint32_t color) {
  graph_->data.edges.push_back({u, v, color});
  graph_->edge_lines.push_back(line_of(at));
}

void Document::forget_names() {
  by_name_.clear();
  nodes_.clear();
}

void Document::number_nodes(NodeIds& ids) {
  std::vector<std::uint64_t> numbers;
  for (const Known& node : nodes_) {
    std::uint64_t id = 0;
    const char* const end = node.name->data() + node.name->size();
    if (std::from_chars(node.name->data(), end, id).ec != std::errc() || id > ids.largest())
      fail(node.at, node.name->substr(0, 40) + " is out of range for a node (0.." + std::to_string(ids.largest()) +
                        ")" + ids.hint());
    numbers.push_back(id);
  }
  graph_->data.order = ids.number(numbers, text_.size(), graph_->names);
  for (Edge& e : graph_->data.edges) {
    e.u = static_cast<Node>(numbers[e.u]);
    e.v = static_cast<Node>(numbers[e.v]);
  }
  forget_names();
}

void Document::end(bool all_declared) {
  if (!nodes_.empty()) order_nodes(all_declared);
  forget_names();
  if (!graph_->data.node_colors.empty()) graph_->data.node_colors.resize(graph_->data.order);
  if (graph_->merge) merge();
  graphs_.push_back(std::move(*graph_));
  graph_.reset();
}

// Declared nodes come first, in the order of their declarations.
void Document::order_nodes(bool all_declared) {
  std::vector<Node> by_place(nodes_.size()), place(nodes_.size());
  for (Node v = 0; v < nodes_.size(); ++v) {
    if (all_declared && !nodes_[v].declared)
      bad_graph(nodes_[v].at, "an edge names node " + *nodes_[v].name + ", which is not there");
    by_place[v] = v;
  }
  if (all_declared)
    std::sort(by_place.begin(), by_place.end(), [this](Node a, Node b) { return nodes_[a].at < nodes_[b].at; });
  GraphData& data = graph_->data;
  std::vector<Color> colors;
  for (Node v = 0; v < nodes_.size(); ++v) {
    const Node from = by_place[v];
    place[from] = v;
    graph_->names.push_back(std::move(by_name_.extract(*nodes_[from].name).key()));
    if (!data.node_colors.empty()) colors.push_back(from < data.node_colors.size() ? data.node_colors[from] : 0);
  }
  data.order = static_cast<Node>(nodes_.size());
  data.node_colors = std::move(colors);
  for (Edge& e : data.edges) e.u = place[e.u], e.v = place[e.v];
}

void Document::keep_edges(bool (*keep)(const Edge&)) {
  auto& edges = graph_->data.edges;
  auto& lines = graph_->edge_lines;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (keep(edges[i])) {
      edges[kept] = edges[i];
      lines[kept++] = lines[i];
    }
  edges.resize(kept);
  lines.resize(kept);
}

void Document::merge() {
  auto& edges = graph_->data.edges;
  std::map<std::pair<Node, Node>, std::size_t> first;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    const bool swap = !graph_->data.directed && e.u > e.v;
    const auto [it, fresh] = first.try_emplace(swap ? std::pair(e.v, e.u) : std::pair(e.u, e.v), i);
    if (fresh) continue;
    edges[it->second].color = e.color;
    edges[i] = kNoEdge;
  }
  keep_edges([](const Edge& e) { return e != kNoEdge; });
}

void Document::drop(const InputError& error) {
  graph_.reset();
  forget_names();
  graphs_.emplace_back().error = error;
}

namespace {

// Graphs before what is wrong are handed out as if nothing were.
class DocumentReader : public FormatReader {
 public:
  DocumentReader(LineSource& source, const ReadOptions& options, Parse parser)
      : source_(source), options_(options), parse_(parser) {}

  bool next(Draft& draft) override {
    draft.clear(false);
    if (!document_) parse();
    if (at_ == document_->graphs().size()) return false;
    Parsed& graph = document_->graphs()[at_++];
    draft.line = graph.line;
    if (graph.error) throw *graph.error;
    draft.base = graph.base;
    draft.data = std::move(graph.data);
    draft.edge_lines = std::move(graph.edge_lines);
    draft.names = std::move(graph.names);
    for (Color& color : draft.data.node_colors) color = document_->node_color().color(color);
    for (Edge& edge : draft.data.edges) edge.color = document_->edge_color().color(edge.color);
    return true;
  }

 private:
  void parse() {
    document_.emplace(source_, options_);
    try {
      parse_(*document_);
    } catch (const InputError& e) {
      document_->drop(e);
    } catch (const LineError& e) {  // about no line in particular
      document_->drop({source_.name(), e.reason});
    }
    for (ColorAttribute* attribute : {&document_->node_color(), &document_->edge_color()}) {
      attribute->finish();
      if (const std::string remark = attribute->remark(); !remark.empty()) note(source_, options_, remark);
    }
  }

  LineSource& source_;
  const ReadOptions& options_;
  Parse parse_;
  std::optional<Document> document_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<FormatReader> read_document(LineSource& source, const ReadOptions& options, Parse parse) {
  return std::make_unique<DocumentReader>(source, options, parse);
}

}  // namespace leman::wl
