// LibTorch, precompiled; warnings in its headers are off. A few sources include single LibTorch
// headers besides. Only libleman_torch.so, the benchmark and the tests may use LibTorch:
// cmake/torch.cmake lists the sources, tests/base/rooms_test.cpp checks the headers.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#include <torch/torch.h>
#pragma GCC diagnostic pop
