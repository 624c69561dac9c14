// `leman brec --model`: a protocol of BREC, pair by pair and seed by seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "cli/common.hpp"

namespace leman::cli {

struct ModelStudy {
  std::string protocol = "published";
  std::uint64_t first_seed = 1;
  int seeds = 1;
  std::vector<int> ids;
  unsigned threads = 1;
  std::string json, csv;  // files; "-" is standard output
};

int run_model_study(const ModelStudy& study, const brec::PairSet& set, const Context& context);

}  // namespace leman::cli
