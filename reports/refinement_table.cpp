#include "reports/refinement_table.hpp"

#include <algorithm>
#include <map>

#include "study/json.hpp"

namespace leman::reports {

namespace {

using study::Json;

constexpr std::size_t kShownColors = 12, kShownClasses = 20;

// The colours of a round that have room, those first whose counts are not the same in all graphs.
struct Shown {
  std::vector<wl::Color> colors;
  std::size_t all = 0, differ = 0;
  bool some() const { return colors.size() < all; }
};

Shown shown_colors(const std::vector<wl::Histogram>& histograms) {
  struct Counts {
    std::uint64_t least = UINT64_MAX, most = 0;
    std::size_t graphs = 0;
  };
  std::map<wl::Color, Counts> counts;
  for (const wl::Histogram& histogram : histograms)
    for (const auto& [color, count] : histogram) {
      Counts& c = counts[color];
      c.least = std::min(c.least, count), c.most = std::max(c.most, count), ++c.graphs;
    }
  Shown shown;
  std::vector<wl::Color> equal;
  for (const auto& [color, c] : counts)
    (c.graphs < histograms.size() || c.least < c.most ? shown.colors : equal).push_back(color);
  shown.all = counts.size(), shown.differ = shown.colors.size();
  shown.colors.insert(shown.colors.end(), equal.begin(), equal.end());
  if (shown.all > kShownColors) shown.colors.resize(kShownColors);
  return shown;
}

// All of a short histogram; of a long one the same colours for every graph, those that it lacks too.
std::string histogram_text(const wl::Histogram& histogram, const Shown& shown) {
  const std::map<wl::Color, std::uint64_t> counts(histogram.begin(), histogram.end());
  std::string text;
  for (const wl::Color color : shown.colors)
    if (const auto at = counts.find(color); shown.some() || at != counts.end())
      text +=
          (text.empty() ? "" : " ") + std::to_string(color) + ":" + std::to_string(at == counts.end() ? 0 : at->second);
  return shown.some() ? text + " and " + std::to_string(shown.all - shown.colors.size()) + " more" : text;
}

std::string round_text(const Refinement::Round& round, const std::vector<NamedGraph>& graphs) {
  const Shown shown = shown_colors(round.histograms);
  std::string text = "round " + std::to_string(round.round) + ": " + std::to_string(round.colors) + " colours";
  if (shown.some() && graphs.size() > 1)
    text += shown.differ == 0 ? ", all with equal counts"
                              : ", " + std::to_string(shown.differ) + " with different counts, these first";
  text += "\n";
  for (std::size_t g = 0; g < graphs.size(); ++g)
    text += "  " + graphs[g].name + "  " + histogram_text(round.histograms[g], shown) + "\n";
  return text;
}

std::string colors_text(const std::vector<wl::Color>& colors) {
  std::string text;
  for (wl::Color c : colors) text += (text.empty() ? "" : " ") + std::to_string(c);
  return text;
}

std::string pair_lines(const Refinement& r, const std::vector<NamedGraph>& graphs) {
  std::string text;
  for (std::size_t b = 1; b < graphs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto first = r.run.first_difference(a, b);
      text += "verdict: " + graphs[a].name + " and " + graphs[b].name + " " +
              (first          ? "distinguished at round " + std::to_string(*first)
               : r.run.stable ? "not distinguished"
                              : "not distinguished so far") +
              "\n";
    }
  return text;
}

std::string class_lines(const Refinement& r, const std::vector<NamedGraph>& graphs) {
  std::size_t shared = 0, shown = 0, hidden = 0;
  std::string list;
  for (const auto& members : r.classes) {
    if (members.size() == 1) continue;
    shared += members.size();
    if (shown == kShownClasses) {
      ++hidden;
      continue;
    }
    ++shown;
    list += "not distinguished" + std::string(r.run.stable ? "" : " so far") + ":";
    for (const std::size_t g : members) list += " " + graphs[g].name;
    list += "\n";
  }
  if (hidden) list += "and " + std::to_string(hidden) + " more such classes; --json has them all\n";
  return "verdict: " + std::to_string(graphs.size()) + " graphs in " + std::to_string(r.classes.size()) + " classes, " +
         std::to_string(shared) + " of them not alone in theirs\n" + list;
}

// Keeps what was asked for of every round. How many rounds there will be is not known before, so
// memory is demanded round by round.
class Recorder {
 public:
  Recorder(const RefinementRequest& request, wl::GraphSpan graphs, std::vector<Refinement::Round>& rounds)
      : request_(request), graphs_(graphs), rounds_(rounds) {
    if (!request.colorings) return;
    limit_ = request.options.memory_limit ? request.options.memory_limit : usable_memory();
    bytes_ = request.engine->memory(graphs);
  }
  void add(const wl::RoundView& view) {
    Refinement::Round& round = rounds_.emplace_back();
    round.round = view.round, round.colors = view.colors;
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      if (request_.rounds) round.histograms.push_back(view.histogram(g));
      if (!request_.colorings) continue;
      round.colorings.push_back(view.coloring(g));
      bytes_ += sizeof(wl::Color) * round.colorings.back().size();
    }
    if (request_.colorings)
      demand_memory(bytes_, limit_, std::string(request_.engine->title) + " with the colours of every round");
  }

 private:
  const RefinementRequest& request_;
  wl::GraphSpan graphs_;
  std::vector<Refinement::Round>& rounds_;
  std::uint64_t bytes_ = 0, limit_ = 0;
};

Json histogram_json(const wl::Histogram& histogram) {
  Json json = Json::array();
  for (auto [color, count] : histogram) json.push_back({color, count});
  return json;
}

}  // namespace

Refinement refine(const RefinementRequest& request, const std::vector<NamedGraph>& graphs) {
  Refinement result;
  std::vector<const wl::Graph*> pointers;
  for (const NamedGraph& g : graphs) pointers.push_back(&g.graph);
  wl::RunOptions options = request.options;
  options.until_distinguished = options.until_distinguished && graphs.size() > 1;
  options.keep_coloring = request.colors;
  Recorder recorder(request, pointers, result.rounds);
  if (request.rounds || request.colorings) options.observer = [&](const wl::RoundView& view) { recorder.add(view); };
  result.run = wl::run_engine(*request.engine, pointers, options);
  wl::RunOptions alone;
  alone.memory_limit = options.memory_limit;
  for (std::size_t g = 0; g < graphs.size() && request.certificate; ++g)
    result.certificates.push_back(wl::certificate(*request.engine, graphs[g].graph, alone));
  std::map<std::uint32_t, std::vector<std::size_t>> members;
  for (std::size_t g = 0; g < graphs.size(); ++g) members[result.run.groups.back()[g]].push_back(g);
  for (auto& [leader, list] : members) result.classes.push_back(std::move(list));
  return result;
}

std::string refinement_text(const Refinement& r, const RefinementRequest& request,
                            const std::vector<NamedGraph>& graphs) {
  std::string text;
  for (std::size_t t = 0; t < r.rounds.size() && request.rounds; ++t) text += round_text(r.rounds[t], graphs);
  text += std::string(request.engine->title) + ": " + std::to_string(r.run.rounds) + " rounds, " +
          std::to_string(r.run.colors) + " colours, " + (r.run.stable ? "stable" : "stopped before stability") + "\n";
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    if (request.colors) text += graphs[g].name + " colours: " + colors_text(r.run.coloring.at(g)) + "\n";
    if (request.certificate)
      text += graphs[g].name + " certificate: " + std::to_string(r.certificates[g].size()) + " words, fingerprint " +
              wl::fingerprint_of(r.certificates[g]).text() + "\n";
  }
  return text + (graphs.size() <= kMostPairs ? pair_lines(r, graphs) : class_lines(r, graphs));
}

Json refinement_json(const Refinement& r, const RefinementRequest& request, const std::vector<NamedGraph>& graphs) {
  Json json{
      {"engine", request.engine->name}, {"rounds", r.run.rounds}, {"stable", r.run.stable}, {"colors", r.run.colors}};
  if (request.rounds) json["history"] = Json::array();
  for (std::size_t t = 0; t < r.rounds.size() && request.rounds; ++t) {
    const Refinement::Round& round = r.rounds[t];
    Json histograms = Json::array();
    for (const auto& histogram : round.histograms) histograms.push_back(histogram_json(histogram));
    json["history"].push_back({{"round", round.round}, {"colors", round.colors}, {"histograms", histograms}});
  }
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    Json entry{{"name", graphs[g].name}, {"nodes", graphs[g].graph.order()}, {"edges", graphs[g].graph.size()}};
    if (request.colors) entry["coloring"] = r.run.coloring.at(g);
    if (request.certificate) {
      entry["certificate"] = r.certificates[g];
      entry["fingerprint"] = wl::fingerprint_of(r.certificates[g]).text();
    }
    json["graphs"].push_back(entry);
  }
  json["classes"] = r.classes;
  json["pairs"] = graphs.size() <= kMostPairs ? Json::array() : Json(nullptr);
  for (std::size_t b = 1; b < graphs.size() && graphs.size() <= kMostPairs; ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const auto first = r.run.first_difference(a, b);
      json["pairs"].push_back({{"first", a},
                               {"second", b},
                               {"distinguished", first.has_value()},
                               {"round", first ? Json(*first) : Json(nullptr)}});
    }
  json["distinguished"] = r.distinguished();
  return json;
}

}  // namespace leman::reports
