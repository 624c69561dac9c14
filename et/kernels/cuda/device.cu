#include <cuda_runtime.h>

#include <cstdint>

#include "et/kernels/cuda/triangle_cuda.hpp"

namespace leman::et {

namespace {

__global__ void probe_kernel() {}  // compiled for the same architectures as the others

// Why the first device cannot run the kernels; empty if it can.
std::string obstacle() {
  int driver = 0, runtime = 0, count = 0, pools = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "no device";
  if (cudaRuntimeGetVersion(&runtime) == cudaSuccess && driver / 1000 < runtime / 1000)
    return "the driver is too old for it";
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "no device";
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, probe_kernel) != cudaSuccess) return "not for the device that is here";
  cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, 0);
  return pools ? "" : "the device has no memory pools";
}

}  // namespace

bool cuda_supported() {
  static const bool supported = [] {
    if (!obstacle().empty()) return cudaGetLastError(), false;
    // Every call allocates and frees its workspace: let the pool keep the memory.
    cudaMemPool_t pool;
    std::uint64_t all = UINT64_MAX;
    if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess)
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
    return true;
  }();
  return supported;
}

std::string cuda_about() {
  const std::string built = "built for " LEMAN_CUDA_ARCHITECTURES ", ";
  if (const std::string lack = obstacle(); !lack.empty()) return cudaGetLastError(), built + lack;
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return built + "no device";
  return built + "on " + device.name + " (sm_" + std::to_string(device.major) + std::to_string(device.minor) + ")";
}

}  // namespace leman::et
