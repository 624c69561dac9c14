// Memory and arithmetic of an Edge Transformer run, counted before it starts.
#pragma once

#include <cstdint>
#include <span>

#include "et/config.hpp"

namespace leman::et {

// The number of weights of a model.
std::uint64_t parameter_count(const Config& config);

struct Estimate {
  std::uint64_t forward_bytes;        // peak memory, evaluation
  std::uint64_t training_bytes;       // peak memory, training: includes what is kept for the backward pass
  std::uint64_t plain_forward_bytes;  // plain LibTorch, evaluation: the n^3 tensors alone
  double forward_flops, backward_flops;
};

// For one batch of graphs of these orders. Memory is an upper bound, found by
// counting tensors, and excludes weights. A multiply-add counts as two operations,
// an exponential as one.
Estimate estimate(const Config& config, std::span<const std::uint32_t> orders, unsigned threads = 1);

}  // namespace leman::et
