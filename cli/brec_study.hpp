// `leman brec --model`: a protocol of BREC, pair by pair and seed by seed, into a
// run store.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "brec/pairs.hpp"
#include "brec/protocol.hpp"
#include "brec/store.hpp"
#include "cli/common.hpp"

namespace leman::cli {

struct ModelStudy {
  brec::Settings settings;
  std::uint64_t first_seed = 1;
  int seeds = 1;
  std::vector<int> ids;
  std::vector<std::string> engines{"1wl", "2fwl", "3fwl"};  // beside which the model is set
  int shard = 1, shards = 1;                                // this process runs every `shards`-th row
  unsigned threads = 1;                                     // in all
  unsigned jobs = 0;                                        // pairs at a time; 0: as many as threads
  std::uint64_t memory = 0;                                 // bytes for a pair or engine; 0: what is free, for all
  std::string store;                                        // file; empty: in memory
  std::string json, csv;                                    // files; "-" is standard output
  std::string brec;                                         // directory of BREC's files; empty: built-in pairs
};

// What a run may use: the limit, or if that is 0 a part of what is free, so that as many as
// there are threads, or cores, fit. What is refused does not depend on the threads, unless
// there are more of them than cores.
std::uint64_t memory_share(std::uint64_t limit, unsigned threads);

struct Filled {
  std::size_t missing = 0;          // rows that are not there
  std::vector<std::string> failed;  // why some of them could not be made
};

// Runs the engines and the rows that the store lacks, until an InterruptGuard of
// the caller says stop. A row that fails does not end the others.
Filled fill_store(const ModelStudy& study, const brec::PairSet& set, brec::Store& store, const Context& context);

int run_model_study(const ModelStudy& study, const brec::PairSet& set, const Context& context);

// Writes what a study found: text, unless JSON or CSV go to standard output.
struct StudyResult;
void write_study(const StudyResult& result, const std::string& json, const std::string& csv, const Context& context);

}  // namespace leman::cli
