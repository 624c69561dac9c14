// What a run of an Edge Transformer needs, counted before it starts.
#pragma once

#include <cstdint>
#include <span>

#include "et/config.hpp"

namespace leman::et {

// Numbers in a model's weights.
std::uint64_t parameter_count(const Config& config);

struct Estimate {
  std::uint64_t forward_bytes;        // most memory at one time, evaluation
  std::uint64_t training_bytes;       // with what the backward pass keeps
  std::uint64_t plain_forward_bytes;  // plain LibTorch, evaluation: the n^3 tensors alone
  double forward_flops, backward_flops;
};

// Graphs of these orders in one batch. Memory is an upper bound by counting
// tensors, weights not included; a multiply-add counts as two operations, an
// exponential as one.
Estimate estimate(const Config& config, std::span<const std::uint32_t> orders, unsigned threads = 1);

}  // namespace leman::et
