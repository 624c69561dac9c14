// The part of a weights file that is read without LibTorch.
//
// Such a file is a LibTorch archive, a zip file, with the parameters by name, the buffers of the batch
// norm, and under "leman" the configuration and the seed as JSON. LibTorch checks neither the
// checksums nor whether the records have the lengths that the tensors need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "et/config.hpp"

namespace leman::et {

// What a model is made from.
struct ModelSource {
  Config config;
  std::uint64_t seed = 0;
};
std::string to_json(const ModelSource& source);
ModelSource model_source(const std::string& json, const std::string& path);  // throws ConfigError

// Bytes of the tensor records (".../data/0" and so on), ascending, after all checksums have been
// verified. Throws InputError.
std::vector<std::uint64_t> tensor_records(const std::string& bytes, const std::string& path);

}  // namespace leman::et
