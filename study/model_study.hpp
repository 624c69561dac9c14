// A model under a protocol of BREC, pair by pair and seed by seed, into a run store, beside the
// exact engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "brec/protocol.hpp"
#include "study/observer.hpp"
#include "study/store.hpp"
#include "wl/engine.hpp"

namespace leman::study {

struct ModelStudy {
  brec::Settings settings;
  std::uint64_t first_seed = 1;
  int seeds = 1;
  std::vector<int> ids;
  std::vector<const wl::Engine*> engines = wl::ladder_engines();  // beside which the model is set
  int shard = 1, shards = 1;                                      // this process runs every `shards`-th row
  unsigned threads = 1;                                           // in all
  unsigned jobs = 0;                                              // pairs at a time; 0: as many as threads
  std::uint64_t memory = 0;  // bytes that a pair or engine may use; 0: what is free, for all
};

// For embeddings that another program made: seed, ids (if none are given) and digest are those of
// the directory's manifest. Throws InputError if it was exported for other pairs.
void follow_manifest(ModelStudy& study, const brec::PairSet& set);

// What the store of a study is opened with.
Study describe(const ModelStudy& study, const brec::PairSet& set, const std::string& command,
               const std::string& name = "");

// Whether a model can be trained on a pair: two undirected graphs of one order without colours.
bool trainable(const brec::Pair& pair);

struct Filled {
  std::size_t missing = 0;          // rows that are not there
  std::vector<std::string> failed;  // why some of them could not be made
};

// Runs the engines and the rows that the store lacks, until the control says stop. Pairs that no
// model can be trained on have no rows; the observer is told. A row that fails does not end the others. Throws
// MemoryError before the start if the pairs do not fit.
Filled fill_store(const ModelStudy& study, const brec::PairSet& set, Store& store, const Control& control);

}  // namespace leman::study
