#include "tests/cuda_host/triangle_cuda_host.hpp"

// Renames the device versions, so that both can be in one program.
#define triangle_cuda_f32 triangle_cuda_host_f32
#define triangle_cuda_f64 triangle_cuda_host_f64
#include "et/kernels/cuda/triangle_cuda.cu"

namespace leman::cuda_host {

void set(std::uint64_t seed, int drop, const std::string& where) { settings = {seed, where, drop}; }

}  // namespace leman::cuda_host
