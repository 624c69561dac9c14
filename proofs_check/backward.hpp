// The converse direction of the theorem: pairs of nodes with equal 2-FWL colours have
// equal tokens, for every choice of weights.
#pragma once

#include <cstdint>
#include <string>

namespace leman::proofs {

struct BackwardCheck {
  int graphs = 0;
  double deviation = 0;   // largest relative difference of tokens of one colour, over all rounds, in float64
  bool same_bits = true;  // on the colour quotient, relabelled graphs get the same embedding to the last bit
  std::string worst;      // graph6
};

// Random graphs of orders 4 to 9, each with fresh random weights of the paper's real
// model, LayerNorm included.
BackwardCheck check_backward(int graphs, std::uint64_t seed);

}  // namespace leman::proofs
