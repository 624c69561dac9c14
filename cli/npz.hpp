// Arrays as a .npz file: a zip archive of .npy files, stored without
// compression, as numpy.savez writes it.
#pragma once

#include <string>
#include <vector>

#include "cli/torch_api.hpp"

namespace leman::cli {

std::string to_npz(const std::vector<Array>& arrays);

}  // namespace leman::cli
