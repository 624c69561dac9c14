// Models that run elsewhere. Relabelled graphs are written to a directory, some
// program writes an array of embeddings per pair beside them, and the protocol's test
// reads those arrays.
//
//   DIR/manifest.json    seed, source and digest of the pairs, ids
//   DIR/pair_007.g6      128 graphs, in the order of brec/sample.hpp
//   DIR/pair_007.npy     [128, dimensions], float32 or float64, row k for graph k
#pragma once

#include "brec/protocol.hpp"

namespace leman::brec {

void export_samples(const std::string& directory, const PairSet& set, const std::vector<int>& ids, std::uint64_t seed,
                    const std::string& command);

// The protocol's test without training: run_pair for embeddings. Throws InputError.
PairRun run_embeddings(const Settings& settings, const Pair& pair, std::uint64_t seed);

// What a directory was exported for.
struct Manifest {
  std::uint64_t seed = 0;
  std::string pairs;  // digest of graphs_text()
  std::vector<int> ids;
};
Manifest read_manifest(const std::string& directory);

// For Settings::digest: the digest of all arrays.
std::string embeddings_digest(const std::string& directory, const Manifest& manifest);

}  // namespace leman::brec
