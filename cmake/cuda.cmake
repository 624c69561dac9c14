# The CUDA kernels, where nvcc is. Without it they are left out: `leman et info` says so, and the
# tests run them on the host all the same.
if(NOT CMAKE_CUDA_COMPILER)
  find_program(LEMAN_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(NOT LEMAN_NVCC)
    message(STATUS "CUDA: no nvcc found, kernel cuda is left out")
    return()
  endif()
  execute_process(COMMAND ${LEMAN_NVCC} --version OUTPUT_VARIABLE nvcc_version ERROR_QUIET)
  string(REGEX REPLACE ".*release ([0-9.]+).*" "\\1" nvcc_version "${nvcc_version}")
  if(nvcc_version VERSION_LESS 12.8)  # the first that knows sm_100
    message(STATUS "CUDA: ${LEMAN_NVCC} is release ${nvcc_version}, 12.8 or later is needed; kernel cuda is left out")
    return()
  endif()
  set(CMAKE_CUDA_COMPILER ${LEMAN_NVCC})
endif()
set(LEMAN_CUDA_ARCHITECTURES 80 90 100 CACHE STRING "Compute capabilities to build for; the last one also as PTX")
list(TRANSFORM LEMAN_CUDA_ARCHITECTURES APPEND -real OUTPUT_VARIABLE architectures)
list(GET LEMAN_CUDA_ARCHITECTURES -1 latest)
set(CMAKE_CUDA_ARCHITECTURES ${architectures} ${latest}-virtual)
enable_language(CUDA)

add_library(leman_cuda STATIC et/kernels/cuda/device.cu et/kernels/cuda/triangle_cuda.cu)
list(TRANSFORM LEMAN_CUDA_ARCHITECTURES PREPEND sm_ OUTPUT_VARIABLE names)
list(JOIN names " " names)
message(STATUS "CUDA: kernels for ${names} by ${CMAKE_CUDA_COMPILER} ${CMAKE_CUDA_COMPILER_VERSION}")
target_compile_definitions(leman_cuda PRIVATE LEMAN_CUDA_ARCHITECTURES="${names}")
target_include_directories(leman_cuda PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(leman_cuda PRIVATE --expt-relaxed-constexpr -Xcompiler=-Wall,-Wextra "SHELL:-Xptxas --verbose"
  "SHELL:-Xptxas --warn-on-spills")
# Warnings are errors, nvcc's and ptxas's: a register that spills to memory is one. Which registers
# spill depends on the compiler, so only with the one that the kernels were written with.
if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13.0 AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.1)
  target_compile_options(leman_cuda PRIVATE -Werror all-warnings -Xcompiler=-Werror "SHELL:-Xptxas --warning-as-error")
endif()
# What ptxas says of registers and shared memory is kept: docs/cuda.md is made of it.
set_target_properties(leman_cuda PROPERTIES CUDA_STANDARD 17 POSITION_INDEPENDENT_CODE ON
  CUDA_COMPILER_LAUNCHER "${PROJECT_SOURCE_DIR}/cmake/keep_output.sh;${CMAKE_CURRENT_BINARY_DIR}/ptxas.log")
target_link_libraries(leman_kernels PUBLIC leman_cuda)
target_compile_definitions(leman_kernels PRIVATE LEMAN_CUDA)
