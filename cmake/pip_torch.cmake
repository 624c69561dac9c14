# LibTorch out of a PyTorch that pip installed. LEMAN_TORCH is what
# `python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'` prints. PyTorch's own
# TorchConfig.cmake is not used: it takes libraries of the system first, and wants the whole CUDA
# Toolkit wherever PyTorch can use a GPU.
get_filename_component(torch_root "${LEMAN_TORCH}/../.." ABSOLUTE)
set(torch_config ${LEMAN_TORCH}/Torch/TorchConfig.cmake)
if(NOT EXISTS ${torch_config} OR NOT EXISTS ${torch_root}/lib/libtorch.so)
  message(FATAL_ERROR "LEMAN_TORCH: no PyTorch in ${LEMAN_TORCH}; "
    "it should be what python3 -c 'import torch; print(torch.utils.cmake_prefix_path)' prints")
endif()
file(STRINGS ${torch_config} old_abi REGEX "_GLIBCXX_USE_CXX11_ABI=0")
if(old_abi)
  message(FATAL_ERROR "LEMAN_TORCH: this PyTorch is built for the C++ library of before 2015; take one of 2025 or later")
endif()
file(STRINGS ${torch_root}/version.py version REGEX "^__version__")
string(REGEX REPLACE ".*'(.*)'.*" "\\1" version "${version}")
message(STATUS "LibTorch: PyTorch ${version} in ${torch_root}")
set(TORCH_INCLUDE_DIRS ${torch_root}/include ${torch_root}/include/torch/csrc/api/include)
# libtorch.so only names the others, so that nothing of it seems to be needed.
set(TORCH_LIBRARIES -Wl,--no-as-needed ${torch_root}/lib/libtorch.so -Wl,--as-needed
  ${torch_root}/lib/libtorch_cpu.so ${torch_root}/lib/libc10.so)
if(EXISTS ${torch_root}/lib/libc10_cuda.so)
  list(APPEND TORCH_LIBRARIES ${torch_root}/lib/libc10_cuda.so)
  set(LEMAN_TORCH_CUDA TRUE)
endif()
