#include <cuda_runtime.h>

#include "et/kernels/cuda/triangle_cuda.hpp"

namespace leman::et {

namespace {

// The first device, if there is one that runs the code compiled here.
bool find_device(cudaDeviceProp& found) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return false;
  return cudaGetDeviceProperties(&found, 0) == cudaSuccess && found.major >= 8;
}

}  // namespace

bool cuda_supported() {
  static const bool supported = [] {
    cudaDeviceProp device;
    return find_device(device);
  }();
  return supported;
}

std::string cuda_about() {
  cudaDeviceProp device;
  const std::string built = "built for " LEMAN_CUDA_ARCHITECTURES;
  if (!find_device(device)) return built + ", no device";
  return built + ", on " + device.name + " (sm_" + std::to_string(device.major) + std::to_string(device.minor) + ")";
}

}  // namespace leman::et
