// A parametrization for the layer as the paper defines it, LayerNorm included,
// loaded into the real model of et/.
//
// A token is one-hot: e_c for colour c, and one further entry, the sum, which is zero.
// All tokens have the same mean and variance, so LayerNorm is affine on them, and its
// own gain and shift undo it. Colours have small integers p_c and r_c. W^V1 reads p and
// W^V2 reads r into the sum's entry; attention is 1/n and W^O has n. So before the FFN
// there is e_c with s = sum over l of p_c(il) r_c(lj). p and r are drawn below a bound
// that grows until, within every colour, s tells apart the multisets that occur.
// For each (c, s) the FFN has a trapezoid of four ReLUs. It is 1 around s, 0 around all
// other integers, and switched off unless the token is e_c. The trapezoids add up to
// the one-hot token of the next round.
//
// Width: colours + 1. Hidden width: 4 colours. Numbers go up to n max(p) max(r); they
// must be integers of the floating-point type, with room for rounding.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "et/config.hpp"
#include "proofs_check/parametrization.hpp"

namespace leman::proofs {

struct OneHotProof {
  int rounds = 0;  // layers; the last one changes nothing
  std::vector<wl::Color> round_colors;
  int width = 0, hidden = 0;
  std::uint64_t largest = 0;  // of the sums s
  double deviation = 0;       // largest distance of a token's entry from 0 or 1
  std::optional<Failure> failure;
  std::string weights;  // the model, as the bytes of a weights file
};

// Takes graphs of one order. The tokens of the LibTorch model after every layer are
// compared with the 2-FWL colouring of that round: check "one-hot" fails if an entry is
// off by a quarter or more, or names another colour. Throws UsageError, MemoryError.
OneHotProof prove_onehot(std::span<const wl::Graph* const> graphs, et::Dtype dtype);

}  // namespace leman::proofs
