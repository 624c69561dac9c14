// What the rows of a token tensor stand for: the node pairs of some graphs, or the
// colours of their joint quotient. The model runs on either. Only attention and the
// readouts see the difference; everything else acts row by row.
#pragma once

#include <memory>
#include <vector>

#include "et/kernels/rows.hpp"
#include "wl/graph.hpp"
#include "wl/quotient.hpp"

namespace leman::et {

struct Domain {
  std::vector<const wl::Graph*> graphs;          // not owned
  std::shared_ptr<const wl::Quotient> quotient;  // none: rows are the pairs (i,j), row-major, graph by graph
  bool upper = false;                            // only the pairs i <= j, because tokens are symmetric

  static Domain dense(std::vector<const wl::Graph*> graphs) { return {std::move(graphs), nullptr, false}; }
  static Domain colors(std::vector<const wl::Graph*> graphs) {
    auto quotient = std::make_shared<const wl::Quotient>(wl::color_quotient(graphs));
    return {std::move(graphs), std::move(quotient), false};
  }

  std::size_t rows() const {
    if (quotient) return quotient->colors;
    std::size_t sum = 0;
    for (const wl::Graph* graph : graphs) sum += pair_rows(graph->order(), upper);
    return sum;
  }
  std::vector<std::uint32_t> orders() const {
    std::vector<std::uint32_t> result;
    for (const wl::Graph* graph : graphs) result.push_back(graph->order());
    return result;
  }
};

}  // namespace leman::et
