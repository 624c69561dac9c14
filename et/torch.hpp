// The only header that includes LibTorch's; precompiled. No file outside of this
// folder, its tests, the training half of brec/ and the benchmark may include it.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <torch/torch.h>
#pragma GCC diagnostic pop
