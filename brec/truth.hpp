// What theory says about a pair, decided from the graphs themselves or from
// how they were made.
#pragma once

#include "brec/pairs.hpp"

namespace leman::brec {

// From the graphs: equal strongly regular parameters or equal intersection
// arrays hide a pair from 2-FWL; equal degrees of two regular graphs hide it
// from 1-WL.
Truth prove(const wl::Graph& first, const wl::Graph& second);

// A CFI graph over a connected base and its twist: k-FWL tells them apart if
// and only if the treewidth of the base is at most k (and at least 1-WL is
// meant by k = 1).
Truth cfi_truth(const wl::Graph& base);

// Two covers of one base, or cones over two such (or over two regular graphs
// of one degree): equal for 1-WL.
Truth hidden_from_1wl(std::string reason);

}  // namespace leman::brec
