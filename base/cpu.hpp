// Which instructions this processor has, and CPU time. Code for an instruction set stands in a
// table, best first, portable last; `best_of` takes the first that can run here.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace leman {

enum class Isa {
  Portable,
  Avx2,    // with FMA
  Avx512,  // F, CD, BW, DQ, VL, and all of AVX2
};
bool has(Isa isa);  // false for x86 instructions on other processors

template <class Function>
struct Implementation {
  Isa isa;
  Function* function;
};

template <class Function, std::size_t N>
Function* best_of(const std::array<Implementation<Function>, N>& table) {
  for (const auto& each : table)
    if (has(each.isa)) return each.function;
  return table.back().function;
}

// In front of a function that is compiled for an instruction set of its own, in a file that is
// not: LEMAN_FOR_AVX2 void f() { inlined_body(); }
#ifdef __x86_64__
#define LEMAN_X86 1
#define LEMAN_FOR_AVX512 [[gnu::target("avx512f,avx512cd,avx512bw,avx512dq,avx512vl")]]
#define LEMAN_FOR_AVX2 [[gnu::target("avx2")]]
#endif

std::string processor_name();  // as the system has it
double thread_seconds();       // CPU time of the calling thread

}  // namespace leman
