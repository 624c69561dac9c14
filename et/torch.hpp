// The only header that includes LibTorch's; precompiled. Outside of this folder and
// its tests only the sources of libleman_torch.so may include it: the training
// half of brec/, the benchmark, cli/torch_library.cpp.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <torch/torch.h>
#pragma GCC diagnostic pop
