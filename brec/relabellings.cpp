#include "brec/relabellings.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include "wl/canon.hpp"
#include "wl/graph_ops.hpp"

namespace leman::brec {

namespace {

using boost::multiprecision::cpp_int;

// The number of labelled graphs isomorphic to this one, or `limit` if there are more.
std::size_t labellings(const wl::Graph& graph, std::size_t limit) {
  cpp_int all = 1;
  for (wl::Node k = 2; k <= graph.order(); ++k) all *= k;
  const cpp_int count = all / cpp_int(wl::canonical(graph).group_order);
  return count < limit ? count.convert_to<std::size_t>() : limit;
}

}  // namespace

Relabellings relabellings(const wl::Graph& graph, std::size_t count, Rng& rng) {
  Relabellings result{{graph}, labellings(graph, count)};
  auto known = [&](const wl::Graph& other) {
    for (const wl::Graph& each : result.graphs)
      if (each == other) return true;
    return false;
  };
  while (result.graphs.size() < result.distinct) {
    wl::Graph other = wl::relabel(graph, rng.permutation(graph.order()));
    if (!known(other)) result.graphs.push_back(std::move(other));
  }
  for (std::size_t k = 0; result.graphs.size() < count; ++k) result.graphs.push_back(result.graphs[k]);
  return result;
}

}  // namespace leman::brec
