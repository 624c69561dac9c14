// All that studies and commands need of LibTorch, without its headers. The code behind it is a
// library of its own, libleman_torch, which registers itself when it is loaded: LibTorch brings
// some three hundred shared libraries, which take half a second to load, and the exact engines
// need none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/npy.hpp"
#include "brec/protocol.hpp"
#include "et/config.hpp"
#include "proofs_check/agreement_model.hpp"
#include "proofs_check/backward.hpp"
#include "proofs_check/onehot.hpp"
#include "study/records.hpp"
#include "wl/graph.hpp"

namespace leman::study {

struct ForwardRequest {
  et::Config config;
  std::uint64_t seed = 1;
  std::string weights;             // file; empty: fresh weights from config and seed
  std::optional<et::Dtype> dtype;  // none: that of the configuration or the weights
  std::string kernel;              // empty: $LEMAN_KERNEL, or the best
  unsigned threads = 1;
  bool quotient = false;
  bool layers = false;        // tokens after every layer, too
  bool keep_weights = false;  // return them as the bytes of a weights file
};

struct ForwardResult {
  et::Config config;
  std::uint64_t seed = 0;
  std::string kernel;  // "quotient" if it ran on one
  std::uint64_t parameters = 0;
  double seconds = 0;
  std::uint64_t rows = 0;  // pairs, or colours of the quotient
  // pairs [n, n, ...], nodes [n, ...], graph [...], edges [m, 2], and edge embeddings [m, ...];
  // layer0 ... [n, n, width] if asked for.
  std::vector<Array> arrays;
  std::string weights;  // if asked for
};

class Torch {
 public:
  virtual ~Torch() = default;
  virtual std::string version() const = 0;                        // of LibTorch
  virtual std::string blas() const = 0;                           // OpenBLAS's version and core type, or ""
  virtual std::vector<std::string> kernels() const = 0;           // that this processor can run, best first
  virtual std::string cuda() const = 0;                           // of kernel cuda: what it is built for, device
  virtual std::string kernel(const std::string& name) const = 0;  // the one that would run; checks the name
  virtual ForwardResult forward(const wl::Graph& graph, const ForwardRequest& request) const = 0;
  virtual brec::PairRun run_pair(const brec::Settings& settings, const brec::Pair& pair, std::uint64_t seed,
                                 const brec::RunControl& control) const = 0;
  virtual proofs::OneHotProof prove_onehot(std::span<const wl::Graph* const> graphs, et::Dtype dtype) const = 0;
  virtual proofs::BackwardCheck check_backward(int graphs, std::uint64_t seed) const = 0;
  virtual proofs::TokenSources token_sources(const proofs::TokenModel& model) const = 0;
  // Verified before timed; throws BugError if a result is wrong.
  virtual std::vector<KernelTime> kernel_times(const std::vector<std::uint32_t>& orders) const = 0;
};

// The registered implementation. The first call loads libleman_torch, which lies beside
// libleman, unless the program is linked with it. Throws UsageError with the reason if it cannot.
const Torch& torch();
void register_torch(const Torch& torch);

}  // namespace leman::study
