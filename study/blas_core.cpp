#include "study/blas_core.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/cpu.hpp"

namespace leman::study {

namespace {

// What OpenBLAS would choose by itself; empty if LibTorch's BLAS is another one. The library is
// closed again, so that the next to load it starts from the environment as it is then.
std::string detected_core() {
  void* library = ::dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!library) return "";
  const auto name = reinterpret_cast<const char* (*)()>(::dlsym(library, "openblas_get_corename"));
  const std::string core = name ? name() : "";
  ::dlclose(library);
  return core;
}

std::string& reason() {
  static std::string text = "detected";
  return text;
}

}  // namespace

std::string better_blas_core(std::string_view detected, bool avx2, bool avx512) {
  constexpr std::array kWithAvx2{"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"};
  if (detected.empty() || !avx2) return "";
  const bool fits = std::any_of(kWithAvx2.begin(), kWithAvx2.end(), [&](std::string_view name) {
    return name.size() == detected.size() && std::equal(name.begin(), name.end(), detected.begin(), [](char a, char b) {
             return (a | 0x20) == (b | 0x20);  // it writes SkylakeX, Skylakex and SKYLAKEX
           });
  });
  if (fits) return "";
  return avx512 ? "SkylakeX" : "Haswell";
}

void choose_blas_core() {
  if (const char* set = std::getenv("OPENBLAS_CORETYPE"); set && *set) {
    reason() = "by $OPENBLAS_CORETYPE";
    return;
  }
  const std::string detected = detected_core(), better = better_blas_core(detected, has(Isa::Avx2), has(Isa::Avx512));
  if (better.empty()) return;
  ::setenv("OPENBLAS_CORETYPE", better.c_str(), 1);
  reason() = "chosen by the processor's flags; OpenBLAS takes it for " + detected;
}

std::string blas_core_reason() { return reason(); }

}  // namespace leman::study
