#include "study/torch.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include "study/blas_core.hpp"

namespace leman::study {

namespace {

std::atomic<const Torch*>& registered() {
  static std::atomic<const Torch*> torch{nullptr};
  return torch;
}

// Where this library itself is; what belongs to it lies beside it.
std::filesystem::path own_directory() {
  Dl_info about{};
  ::dladdr(reinterpret_cast<const void*>(&register_torch), &about);
  return std::filesystem::path(about.dli_fname ? about.dli_fname : "").parent_path();
}

void load() {
  const std::filesystem::path library = own_directory() / "libleman_torch.so";
  // Pairs run side by side, each on a thread; BLAS must not start more of them.
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  choose_blas_core();
  if (!::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL))
    throw UsageError(std::string("cannot load LibTorch: ") + ::dlerror());
  if (!registered()) throw UsageError(library.string() + ": is not Leman's library");
}

}  // namespace

void register_torch(const Torch& torch) { registered() = &torch; }

const Torch& torch() {
  if (!registered()) {
    static std::mutex guard;
    std::lock_guard lock(guard);
    if (!registered()) load();
  }
  return *registered();
}

}  // namespace leman::study
