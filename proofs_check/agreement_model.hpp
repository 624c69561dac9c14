// The Edge Transformer as a source of tokens for proofs_check/agreement.hpp. Plain
// data; only the implementation is linked with LibTorch.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "et/config.hpp"
#include "proofs_check/agreement.hpp"

namespace leman::proofs {

struct TokenModel {
  et::Config config;
  std::uint64_t seed = 1;
  std::string weights;              // file; contains configuration and seed
  int steps = 0;                    // of training before the test
  std::vector<wl::Graph> training;  // couples of graphs that training drives apart
  std::string kernel;               // empty: the best
};

struct TokenSources {
  et::Config config;  // as tested
  std::uint64_t seed = 0;
  double first_loss = 0, last_loss = 0;  // of training
  std::unique_ptr<TokenSource> model;
  std::unique_ptr<TokenSource> wide;  // in float64; none if the model is in float64 itself
  std::unique_ptr<TokenSource> quotient;
};

// `lock`: held during a forward pass if not null.
TokenSources token_sources(const TokenModel& model, std::mutex* lock);

}  // namespace leman::proofs
