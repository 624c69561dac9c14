// The CUDA kernels, compiled for the host from their own source.
#pragma once

#include "et/kernels/triangle.hpp"

namespace leman::et {

extern const TriangleDevice<float> triangle_cuda_host_f32;
extern const TriangleDevice<double> triangle_cuda_host_f64;

}  // namespace leman::et

namespace leman::cuda_host {

// Sets, for the calling host thread, the seed of the order of threads and blocks, and what does
// nothing in kernels whose name contains `where` (-1: none, 0: every even barrier of a thread,
// 1: every odd one, 2: waiting for copies to shared memory).
void set(std::uint64_t seed, int drop = -1, const std::string& where = "");

}  // namespace leman::cuda_host
