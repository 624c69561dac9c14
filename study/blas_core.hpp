// Which kernels OpenBLAS runs. Debian's 0.3.21 takes processors that are newer than it for a
// Prescott and runs SSE3 kernels there, at half the speed; $OPENBLAS_CORETYPE, set before it is
// loaded, makes it use better ones.
#pragma once

#include <string>
#include <string_view>

namespace leman::study {

// The core type to ask for, given what OpenBLAS takes the processor for; empty: leave it alone.
std::string better_blas_core(std::string_view detected, bool avx2, bool avx512);

// Sets $OPENBLAS_CORETYPE where OpenBLAS would not know the processor, unless the user has set
// it. To be called before anything loads OpenBLAS.
void choose_blas_core();

// How the core type was chosen, for people: "detected", "$OPENBLAS_CORETYPE", or what
// choose_blas_core() did.
std::string blas_core_reason();

}  // namespace leman::study
