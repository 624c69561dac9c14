// An Edge Transformer against 2-FWL on many graphs, chunk by chunk, into a run store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "et/config.hpp"
#include "proofs_check/agreement_sample.hpp"
#include "study/observer.hpp"
#include "study/store.hpp"

namespace leman::study {

struct AgreementStudy {
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

// Graphs from the user, in chunks of one order. Throws GraphError for directed and empty ones.
void add_graphs(AgreementStudy& study, std::vector<wl::Graph> graphs, const std::string& label);
// The graphs of these pairs, by family; only of pairs that a model can be trained on. Throws
// InputError if there are none.
void add_pairs(AgreementStudy& study, const brec::PairSet& set, const std::vector<int>& ids);
// Random graphs of these families (none: all), half of them coloured if the study has colours.
void add_random_graphs(AgreementStudy& study, const std::vector<std::string>& families, wl::Node low, wl::Node high,
                       std::size_t count);

// What determines the result: the store is opened with it.
Study describe(const AgreementStudy& study, const std::string& command);

struct AgreementResult {
  std::vector<AgreementRecord> models;  // one per model that was completed
  bool complete = false;                // false: interrupted
  double seconds = 0;
  std::uint64_t evaluated = 0;  // graphs that the store did not know
};

// Runs what the store does not have yet.
AgreementResult run_agreement(const AgreementStudy& study, Store& store, const Control& control);

}  // namespace leman::study
