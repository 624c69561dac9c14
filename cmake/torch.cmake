# libleman_torch: the Edge Transformer, training, and what runs the real model. It registers itself
# through study/torch.hpp when it is loaded.
if(LEMAN_TORCH)
  include(cmake/pip_torch.cmake)
else()
  find_package(Torch REQUIRED)
endif()

add_library(leman_torch SHARED ${torch_sources})
add_library(leman::torch ALIAS leman_torch)
# No macro of its own: programs use its precompiled header, too.
set_target_properties(leman_torch PROPERTIES EXPORT_NAME torch DEFINE_SYMBOL ""
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(leman_torch SYSTEM PUBLIC "$<BUILD_INTERFACE:${TORCH_INCLUDE_DIRS}>")
target_link_libraries(leman_torch PUBLIC leman_core "$<BUILD_INTERFACE:${TORCH_LIBRARIES}>"
  PRIVATE $<BUILD_INTERFACE:leman_flags> $<BUILD_INTERFACE:leman_kernels>)
target_precompile_headers(leman_torch PRIVATE et/torch.hpp)
# Calls of LibTorch: -O3 would double the compile time for nothing.
target_compile_options(leman_torch PRIVATE ${plain})
if(LEMAN_TORCH_CUDA AND TARGET leman_cuda)  # tensors on a device go to the kernels as they are
  set_source_files_properties(et/attention.cpp PROPERTIES COMPILE_DEFINITIONS LEMAN_TORCH_CUDA
    INCLUDE_DIRECTORIES "${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}" SKIP_PRECOMPILE_HEADERS ON)
endif()

# `leman bench et`, loaded by the program on demand; not installed.
if(LEMAN_PROGRAM)
  add_library(leman_bench MODULE bench/et_bench.cpp)
  set_target_properties(leman_bench PROPERTIES DEFINE_SYMBOL "")
  target_link_libraries(leman_bench PRIVATE leman_torch leman_flags fmt::fmt)
  target_compile_options(leman_bench PRIVATE ${plain})
  target_precompile_headers(leman_bench REUSE_FROM leman_torch)
endif()
