// The options of `leman brec` that ask for a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "study/model_study.hpp"
#include "study/model_summary.hpp"

namespace leman::cli {

struct ModelOptions {
  std::string model, torchscript, embeddings;  // one of them
  std::string protocol, config, weights_per, name, store, shard;
  std::optional<std::uint64_t> seed;
  std::optional<int> epochs;
  std::optional<double> rate, level;
  int seeds = 0;
  unsigned jobs = 0;

  std::vector<Option> options();
  bool asked() const { return !model.empty() || !torchscript.empty() || !embeddings.empty(); }
  void demand_none() const;  // throws UsageError if one is given that only a model takes
};

// All but ids, threads and memory, on a set of so many pairs. Throws UsageError.
study::ModelStudy study_of(const ModelOptions& options, int pairs);

// Text to standard output, unless JSON or CSV go there; throws BugError if a row is impossible.
void write_model_result(const study::ModelResult& result, const std::string& json, const std::string& csv, bool wide,
                        const Context& context);

}  // namespace leman::cli
