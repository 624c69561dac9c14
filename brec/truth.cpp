#include "brec/truth.hpp"

#include <algorithm>

#include "wl/graph_ops.hpp"
#include "wl/treewidth.hpp"

namespace leman::brec {

Truth prove(const wl::Graph& first, const wl::Graph& second) {
  const auto plain = [](const wl::Graph& g) { return !g.directed() && !g.node_colored() && !g.edge_colored(); };
  if (!plain(first) || !plain(second)) return {1, std::nullopt, "nothing proved"};
  auto srg = wl::strongly_regular(first);
  if (srg && srg == wl::strongly_regular(second)) {
    auto s = [](std::uint32_t x) { return std::to_string(x); };
    return {3, std::nullopt,
            "both are srg(" + s(srg->n) + "," + s(srg->k) + "," + s(srg->lambda) + "," + s(srg->mu) + ")"};
  }
  auto degree = wl::regular_degree(first);
  if (!degree || degree != wl::regular_degree(second) || first.order() != second.order())
    return {1, std::nullopt, "nothing proved"};
  auto array = wl::intersection_array(first);
  if (array && array == wl::intersection_array(second)) {
    std::string text;
    for (auto x : array->b) text += (text.empty() ? "{" : ",") + std::to_string(x);
    for (std::size_t i = 0; i < array->c.size(); ++i) text += (i == 0 ? ";" : ",") + std::to_string(array->c[i]);
    return {3, std::nullopt, "both have intersection array " + text + "}"};
  }
  return hidden_from_1wl("both are " + std::to_string(*degree) + "-regular");
}

Truth cfi_truth(const wl::Graph& base) {
  int width = std::max(1, wl::treewidth(base));
  return {width, width, "CFI over a connected base of treewidth " + std::to_string(width)};
}

Truth hidden_from_1wl(std::string reason) { return {2, std::nullopt, std::move(reason)}; }

}  // namespace leman::brec
