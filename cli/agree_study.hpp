// `leman agree`: an Edge Transformer against 2-FWL on many graphs, into a run store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/store.hpp"
#include "cli/common.hpp"
#include "cli/json.hpp"
#include "et/config.hpp"
#include "proofs_check/agreement_sample.hpp"

namespace leman::cli {

struct AgreeStudy {
  std::vector<et::Config> models;  // each is tested on all graphs
  std::string weights;             // file instead of fresh weights; then there is one model
  int steps = 0;                   // of training
  std::uint64_t seed = 1;
  std::uint32_t colors = 0;  // of coloured graphs
  unsigned threads = 1;

  struct Graphs {
    proofs::Chunk chunk;           // to be drawn from the seed, or only the label of:
    std::vector<wl::Graph> given;  // from the user
  };
  std::vector<Graphs> sample;
  std::string source;  // in words
};

// What determines the result, for the store.
std::string describe(const AgreeStudy& study);

// Runs what the store does not have yet. The summary: {"models": [...]}, each with
// rows by family and colours and the disagreements. Sets "complete" to false if
// interrupted.
Json run_agreement(const AgreeStudy& study, brec::Store& store);

std::string agreement_text(const Json& summary);
std::string agreement_csv(const Json& summary);

}  // namespace leman::cli
