// Labelled data sets as JSON lines: one object per line.
#include <algorithm>
#include <limits>
#include <set>

#include "base/text.hpp"
#include "study/dataset_builder.hpp"
#include "study/json.hpp"

namespace leman::study {

namespace {

const std::vector<std::string>& known_keys() {
  static const std::vector<std::string> keys{
      "graph6", "n", "edges", "directed", "node_colors", "edge_colors", "label", "labels", "node_labels", "id", "name"};
  return keys;
}

// One line. Errors name it.
class LineReader {
 public:
  LineReader(DatasetBuilder& builder, std::string_view text, std::uint64_t line)
      : builder_(builder), line_(line), bytes_(text.size()), json_(parse(text)) {}

  void read(bool node_labels) {
    const wl::GraphData graph = read_graph();
    const wl::Node order = graph.order;
    builder_.add_graph(graph, line_);
    if (node_labels)
      read_node_labels(order);
    else
      builder_.add_labels(labels_of(graph_labels()), line_);
  }
  bool labels_nodes_only() const { return json_.contains("node_labels") && !has_graph_label(); }

 private:
  // A key that is there twice would silently hide one value.
  Json parse(std::string_view text) const {
    std::set<std::string> seen;
    auto check = [&](int depth, Json::parse_event_t event, Json& value) {
      if (depth == 1 && event == Json::parse_event_t::key && !seen.insert(value.get<std::string>()).second)
        fail("\"" + value.get<std::string>() + "\" is there twice");
      return true;
    };
    Json json;
    try {
      json = Json::parse(text, check);
    } catch (const Json::parse_error& e) {
      builder_.fail(line_, "not valid JSON", e.byte);
    } catch (const Json::exception&) {
      fail("has a number that is out of range");
    }
    if (json.is_array())
      fail("a list, but one object per line is read here: write {\"graph6\": ..., \"label\": ...} line by line");
    if (!json.is_object()) fail("not a JSON object");
    for (const auto& [key, value] : json.items())
      if (std::find(known_keys().begin(), known_keys().end(), key) == known_keys().end())
        fail("unknown key \"" + key + "\"" + did_you_mean(key, known_keys()) + "; known are " + join(known_keys()));
    return json;
  }

  wl::GraphData read_graph() const {
    if (json_.contains("graph6") == json_.contains("edges"))
      fail(json_.contains("edges") ? "has both graph6 and edges" : "has no graph: neither graph6 nor edges");
    wl::GraphData graph = json_.contains("edges") ? read_edges() : decode();
    if (json_.contains("node_colors")) {
      const Json& colors = list("node_colors");
      if (colors.size() != graph.order)
        fail(std::to_string(colors.size()) + " node_colors for " + std::to_string(graph.order) + " nodes");
      graph.node_colors.clear();
      for (const Json& color : colors) graph.node_colors.push_back(color_of(color, "node_colors"));
    }
    if (json_.contains("edge_colors")) {
      const Json& colors = list("edge_colors");
      if (!json_.contains("edges")) fail("edge_colors need edges, in the same order");
      if (colors.size() != graph.edges.size())
        fail(std::to_string(colors.size()) + " edge_colors for " + std::to_string(graph.edges.size()) + " edges");
      for (std::size_t k = 0; k < colors.size(); ++k) graph.edges[k].color = color_of(colors[k], "edge_colors");
    }
    return graph;
  }
  wl::GraphData decode() const {
    for (const char* key : {"n", "directed"})
      if (json_.contains(key)) fail(std::string(key) + " goes with edges; graph6 has it already");
    const Json& text = json_["graph6"];
    if (!text.is_string()) fail("graph6 is not a text");
    return builder_.decode(text.get<std::string>(), line_);
  }
  wl::GraphData read_edges() const {
    if (!json_.contains("n")) fail("has edges, but no n, the number of nodes");
    wl::GraphData graph;
    graph.directed = builder_.options().directed;
    if (json_.contains("directed")) {
      if (!json_["directed"].is_boolean()) fail("directed is neither true nor false");
      graph.directed = json_["directed"].get<bool>();
    }
    const std::uint64_t order = whole(json_["n"], "n");
    builder_.check_order(order, bytes_, line_);
    graph.order = static_cast<wl::Node>(order);
    for (const Json& edge : list("edges")) {
      if (!edge.is_array() || edge.size() != 2) fail("edges: " + edge.dump() + " is not a pair of nodes");
      graph.edges.push_back({node_of(edge[0], order), node_of(edge[1], order), 0});
    }
    return graph;
  }
  wl::Node node_of(const Json& value, std::uint64_t order) const {
    const std::uint64_t node = whole(value, "edges");
    if (node >= order)
      fail("edges: there is no node " + std::to_string(node) + " of " + std::to_string(order) + ", counted from 0");
    return static_cast<wl::Node>(node);
  }
  wl::Color color_of(const Json& value, const char* key) const {
    const std::uint64_t color = whole(value, key);
    if (color > std::numeric_limits<wl::Color>::max()) fail(std::string(key) + ": " + value.dump() + " is too large");
    return static_cast<wl::Color>(color);
  }
  std::uint64_t whole(const Json& value, const char* key) const {
    if (!value.is_number_integer() || (!value.is_number_unsigned() && value.get<std::int64_t>() < 0))
      fail(std::string(key) + ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace) +
           " is not a whole number from 0 on");
    return value.get<std::uint64_t>();
  }

  bool has_graph_label() const { return json_.contains("label") || json_.contains("labels"); }
  const Json& graph_labels() const {
    if (json_.contains("label") && json_.contains("labels")) fail("has both label and labels");
    if (!has_graph_label())
      fail(json_.contains("node_labels") ? "has node_labels, but no label (--labels node)" : "has no label");
    return json_[json_.contains("label") ? "label" : "labels"];
  }
  void read_node_labels(wl::Node order) {
    if (!json_.contains("node_labels")) fail("has no node_labels");
    const Json& labels = list("node_labels");
    if (labels.size() != order)
      fail(std::to_string(labels.size()) + " node_labels for " + std::to_string(order) + " nodes");
    for (const Json& label : labels) builder_.add_labels(labels_of(label), line_);
  }
  std::vector<std::string> labels_of(const Json& value) const {
    if (!value.is_array()) return {label_text(value)};
    std::vector<std::string> labels;
    for (const Json& each : value) labels.push_back(label_text(each));
    return labels;
  }
  std::string label_text(const Json& label) const {
    if (label.is_string()) return label.get<std::string>();
    if (label.is_boolean()) return label.get<bool>() ? "true" : "false";
    if (label.is_number_float()) return shortest(label.get<double>());
    if (label.is_number()) return label.dump();
    fail(label.is_null() ? "a label is null: leave out what has no label" : "a label is neither a number nor a text");
  }

  const Json& list(const char* key) const {
    const Json& value = json_[key];
    if (!value.is_array()) fail(std::string(key) + " is not a list");
    return value;
  }
  [[noreturn]] void fail(const std::string& reason) const { builder_.fail(line_, reason); }

  DatasetBuilder& builder_;
  std::uint64_t line_;
  std::size_t bytes_;
  const Json json_;
};

}  // namespace

Dataset read_json_lines(wl::LineSource source, const DatasetOptions& options) {
  DatasetBuilder builder(source.name(), options);
  bool first = true;
  for (std::string_view text; source.next(text);) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (trimmed(text).empty()) continue;
    LineReader line(builder, text, source.line_number());
    using Labels = DatasetOptions::Labels;
    if (first)
      builder.data().node_labels =
          options.labels == Labels::Node || (options.labels == Labels::ByContent && line.labels_nodes_only());
    first = false;
    line.read(builder.data().node_labels);
  }
  return builder.finish("JSON lines");
}

}  // namespace leman::study
