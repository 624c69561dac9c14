// Pairs of the user's own.
//
//   graphs two by two     any format that wl/formats.hpp reads: the first two are pair 0, and so on
//   CSV                   id,family,category,first,second; the last two are graph6, sparse6 or
//                         digraph6. A header may name the columns in another order and leave out
//                         id, family or category
//   a directory           of such files, in the order of their names
//
// The family of a pair is the one that its line names, else the name of its file; its category the
// one named, else its family. Pairs are numbered family by family. Pairs of isomorphic graphs become
// controls.
#pragma once

#include <string>

#include "brec/pairs.hpp"

namespace leman::brec {

// Throws InputError.
PairSet read_pairs(const std::string& path);

}  // namespace leman::brec
