# The command-line program. LibTorch is loaded on the first command that needs it.
file(GLOB cli_sources CONFIGURE_DEPENDS cli/*.cpp)
add_executable(leman_program ${cli_sources} bench/load.cpp bench/wl_bench.cpp)
set_target_properties(leman_program PROPERTIES OUTPUT_NAME leman INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
target_link_libraries(leman_program PRIVATE leman_core leman_flags fmt::fmt ${NAUTY_LIBRARY} ${CMAKE_DL_LIBS})
# Commands print; -O3 would only double the compile time of the JSON templates.
target_compile_options(leman_program PRIVATE ${plain})
target_precompile_headers(leman_program PRIVATE <nlohmann/json.hpp>)
foreach(library leman_torch leman_bench)
  if(TARGET ${library})
    add_dependencies(leman_program ${library})
  endif()
endforeach()
