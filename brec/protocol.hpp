// What a protocol of BREC does with one pair: relabel, train, test. Plain data;
// the training half (model.cpp, baselines.cpp, protocol.cpp) is linked with LibTorch.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "brec/brec_files.hpp"
#include "brec/models.hpp"
#include "brec/verdict.hpp"
#include "et/config.hpp"

namespace leman::brec {

// Published: the original, quirks included: float32, T^2 without its factor, a batch
//   norm that makes two kinds of rows opposite, reliability ignored.
// Sound: float64, Hotelling's test at a stated level, reliability counts.
// Exact: on the colour quotient, decided by equality. Details are in docs/brec.md.
enum class Protocol { Published, Sound, Exact };

struct ProtocolInfo {
  Protocol protocol;
  std::string_view name;         // as on the command line
  std::string_view description;  // one line
  std::string_view pairs;        // of BREC's, ids that it runs on by default
};
const std::vector<ProtocolInfo>& protocols();
const ProtocolInfo& info(Protocol protocol);
const ProtocolInfo& protocol_named(std::string_view name);  // throws UsageError
std::vector<std::string> protocol_names();

// Whether initial weights are drawn per pair or per seed. The reference builds a new
// model for every pair from one running stream, so the pairs of a seed are independent
// draws. One draw per seed makes all its verdicts rise and fall together.
enum class WeightsPer { Pair, Seed };
std::string_view weights_per_name(WeightsPer per);
WeightsPer weights_per_named(std::string_view name);  // throws UsageError

struct Training {
  int epochs = 20;
  std::size_t batch = 16;  // graphs; 2 on a quotient
  double rate = 1e-4, decay = 1e-4;
  double stop_loss = 0.2;  // training ends when an epoch's mean is below this
  int patience = 0;        // training ends after this many epochs without a larger distance; 0: never
  double epsilon = 1e-8;   // of Adam: smaller gradients hardly move the weights
  bool keep_best = false;  // test the weights of the epoch with the largest distance, not those of the last
  friend bool operator==(const Training&, const Training&) = default;
};

// Everything that determines a row besides the pair and the seed.
struct Settings {
  Protocol protocol = Protocol::Sound;
  ModelKind model = ModelKind::Et;
  et::Config config;   // of the Edge Transformer
  std::string file;    // TorchScript: the module; embeddings: the directory
  std::string digest;  // of the contents
  Training training;
  WeightsPer weights_per = WeightsPer::Pair;
  double level = 0;  // of a single test, over all pairs at hand; sound and exact
};
// The settings of a protocol for one of our models or one from a file, on a set of so many pairs.
Settings settings_for(Protocol protocol, ModelKind model, int pairs = kBrecPairs);
// As JSON text. Equal texts mean equal rows.
std::string describe(const Settings& settings);
// Throws UsageError if the settings do not fit together.
void check(const Settings& settings);

// Seed of the initial weights of a row.
std::uint64_t weight_seed(const Settings& settings, std::uint64_t seed, int pair);

struct PairRun {
  int pair = 0;
  std::uint64_t seed = 0;
  Verdict verdict;
  int epochs = 0;
  std::vector<double> losses;     // mean of every epoch
  std::vector<double> distances;  // the same for 1 - cos(f(G), f(H)); accurate where the loss rounds to 1
  std::vector<double> gradients;  // largest gradient norm of every epoch
  std::size_t couples = 0;        // couples of different relabellings; fewer than 32 if there are no more
  double seconds = 0;             // CPU time of the pair's own thread
};

// The larger of two gradient norms; NaN if either is NaN.
inline double larger(double a, double b) { return a > b || a != a ? a : b; }

struct RunControl {
  unsigned threads = 1;                     // within the pair; does not change the row
  const std::atomic<bool>* stop = nullptr;  // set: the run throws Interrupted soon
};
struct Interrupted : std::exception {
  const char* what() const noexcept override { return "interrupted"; }
};

// For all models except embeddings; for those see brec/embeddings.hpp.
PairRun run_pair(const Settings& settings, const Pair& pair, std::uint64_t seed, const RunControl& control);

}  // namespace leman::brec
