#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "cli/blas_core.hpp"
#include "cli/torch_api.hpp"

namespace leman::cli {

const TorchApi& torch_api() {
  static const TorchApi* api = [] {
    const auto library = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libleman_torch.so";
    // Pairs run side by side, each on a thread; BLAS must not start more of them.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    choose_blas_core();
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw std::invalid_argument(std::string("cannot load LibTorch: ") + ::dlerror());
    auto entry = reinterpret_cast<const TorchApi* (*)()>(::dlsym(handle, "leman_torch_api"));
    if (!entry) throw std::invalid_argument(library.string() + ": not Leman's library");
    return entry();
  }();
  return *api;
}

}  // namespace leman::cli
