// What theory says about a pair, derived from the graphs themselves or from their
// construction.
#pragma once

#include "brec/pairs.hpp"

namespace leman::brec {

// From the graphs: equal strongly regular parameters or equal intersection
// arrays hide a pair from 2-FWL; equal degrees of two regular graphs hide it
// from 1-WL. Nothing is proved about directed and coloured graphs.
Truth prove(const wl::Graph& first, const wl::Graph& second);

// A CFI graph over a connected base and its twist: k-FWL tells them apart if and only
// if the treewidth of the base is at most k. k = 1 means 1-WL.
Truth cfi_truth(const wl::Graph& base);

// For two covers of one base, or cones over two such covers or over two regular
// graphs of one degree: 1-WL cannot tell them apart.
Truth hidden_from_1wl(std::string reason);

}  // namespace leman::brec
