// What a protocol of BREC does to one pair: relabel, train, test. Plain data;
// the training half (model.cpp, baselines.cpp, protocol.cpp) is linked with LibTorch.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "brec/models.hpp"
#include "brec/pairs.hpp"
#include "brec/verdict.hpp"
#include "et/config.hpp"

namespace leman::brec {

// Published: as it was, quirks included: float32, T^2 without its factor, batch
//   norm that makes two kinds of rows opposite, no regard for reliability.
// Sound: float64, Hotelling's test at a stated level, reliability counts.
// Exact: on the colour quotient, decided by equality. docs/brec.md has them all.
enum class Protocol { Published, Sound, Exact };

struct ProtocolInfo {
  Protocol protocol;
  std::string_view name;         // as on the command line
  std::string_view description;  // one line
  std::string_view pairs;        // ids that it runs on unless others are asked for
};
const std::vector<ProtocolInfo>& protocols();
const ProtocolInfo& info(Protocol protocol);
const ProtocolInfo& protocol_named(std::string_view name);  // throws UsageError
std::vector<std::string> protocol_names();

// What the initial weights are drawn for. The reference builds a new model for every
// pair from one running stream, so that the pairs of a seed are independent draws; one
// draw per seed makes all of its verdicts rise and fall together.
enum class WeightsPer { Pair, Seed };
std::string_view weights_per_name(WeightsPer per);
WeightsPer weights_per_named(std::string_view name);  // throws UsageError

struct Training {
  int epochs = 20;
  std::size_t batch = 16;  // graphs; 2 on a quotient
  double rate = 1e-4, decay = 1e-4;
  double stop_loss = 0.2;  // an epoch's mean below it ends training
  int patience = 0;        // epochs without a larger distance that end it; 0: never
  double epsilon = 1e-8;   // of Adam: gradients below it hardly move the weights
  bool keep_best = false;  // test the weights of the epoch with the largest distance, not the last
  friend bool operator==(const Training&, const Training&) = default;
};

// All that determines a row besides the pair and the seed.
struct Settings {
  Protocol protocol = Protocol::Sound;
  ModelKind model = ModelKind::Et;
  et::Config config;   // of the Edge Transformer
  std::string file;    // TorchScript: the module; embeddings: the directory
  std::string digest;  // of what is in there
  Training training;
  WeightsPer weights_per = WeightsPer::Pair;
  double level = kFamilyLevel / kPairs;  // of a single test; sound and exact
};
// The settings of a protocol for one of our models or one from a file.
Settings settings_for(Protocol protocol, ModelKind model);
// As JSON text: equal texts, equal rows.
std::string describe(const Settings& settings);
// Throws UsageError if the parts do not go together.
void check(const Settings& settings);

// Seed of the initial weights of a row.
std::uint64_t weight_seed(const Settings& settings, std::uint64_t seed, int pair);

struct PairRun {
  int pair = 0;
  std::uint64_t seed = 0;
  Verdict verdict;
  int epochs = 0;
  std::vector<double> losses;     // mean of every epoch
  std::vector<double> distances;  // likewise, 1 - cos(f(G), f(H)), with its digits where the loss is 1
  std::vector<double> gradients;  // largest norm of the loss's gradient in every epoch
  std::size_t couples = 0;        // of different relabellings; fewer than 32 if there are no more
  double seconds = 0;             // of CPU time, of the pair's own thread
};

// Of two gradient norms; NaN if either is NaN.
inline double larger(double a, double b) { return a > b || a != a ? a : b; }

struct RunControl {
  unsigned threads = 1;                     // within the pair; does not change the row
  const std::atomic<bool>* stop = nullptr;  // set: the run throws Interrupted soon
};
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// All models but embeddings; see brec/embeddings.hpp.
PairRun run_pair(const Settings& settings, const Pair& pair, std::uint64_t seed, const RunControl& control);

}  // namespace leman::brec
