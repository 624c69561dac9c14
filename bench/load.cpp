#include <dlfcn.h>

#include <filesystem>

#include "base/error.hpp"
#include "bench/et_bench.hpp"

namespace leman::bench {

EtBench* load_et_bench() {
  const auto library = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libleman_bench.so";
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw UsageError(std::string("this build has no benchmark of LibTorch: ") + ::dlerror());
  auto* bench = reinterpret_cast<EtBench*>(::dlsym(handle, "leman_bench_et"));
  if (!bench) throw UsageError(library.string() + ": is not Leman's library");
  return bench;
}

}  // namespace leman::bench
