# The attention kernels know nothing of LibTorch. Each instruction set has a file of its own; which
# one runs is decided at run time.
add_library(leman_kernels STATIC
  et/kernels/pooling.cpp
  et/kernels/quotient.cpp
  et/kernels/triangle.cpp
  et/kernels/triangle_portable.cpp)
target_link_libraries(leman_kernels PUBLIC leman_core PRIVATE leman_flags)
set(kernel_flags -ffp-contract=fast -fno-math-errno)
set_source_files_properties(et/kernels/quotient.cpp PROPERTIES COMPILE_OPTIONS "-ffp-contract=off;-fno-math-errno;-Wno-psabi")
set_source_files_properties(et/kernels/triangle_portable.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags};-Wno-psabi")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_sources(leman_kernels PRIVATE et/kernels/triangle_avx2.cpp et/kernels/triangle_avx512.cpp)
  set_source_files_properties(et/kernels/triangle_avx2.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags};-mavx2;-mfma")
  # GCC 12 warns of its own header's deliberately undefined values (its bug 105593).
  set_source_files_properties(et/kernels/triangle_avx512.cpp PROPERTIES COMPILE_OPTIONS
    "${kernel_flags};-mavx512f;-mavx512dq;-mavx512vl;-mavx512bw;-mfma;-Wno-uninitialized;-Wno-maybe-uninitialized")
endif()
if(LEMAN_CUDA AND NOT LEMAN_SANITIZE)  # sanitizers see the kernels on the host (tests/cuda_host)
  include(cmake/cuda.cmake)
endif()
